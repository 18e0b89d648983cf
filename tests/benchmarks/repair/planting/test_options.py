"""What the user wants, read from options."""

import wave
from fractions import Fraction
from pathlib import Path

import pytest

from cutscore.authoring.recipe_options import parse_options
from cutscore.benchmarks.repair.defect import KINDS
from cutscore.benchmarks.repair.planting.options import DEFECT_OPTIONS, DefectOptions, parse_span, read_options
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.timeline import Span


def wanted(**own: str) -> DefectOptions:
    return read_options(parse_options(own, DEFECT_OPTIONS, recipe="repair"))


def test_options_are_read() -> None:
    assert wanted() == DefectOptions()
    said_ = wanted(defect="echo", at="12-17", tolerance="0.5", speech="no")
    assert (said_.kinds, said_.at, said_.tolerance_s) == (("echo",), Span(start_s=12, end_s=17), Fraction(1, 2))
    assert wanted(defect="all").kinds == KINDS


def test_several_recordings_are_read_in_order_and_a_comma_may_be_in_a_name(tmp_path: Path) -> None:
    for name, samples in (("um.wav", 4_800), ("er.wav", 9_600), ("oh, well.wav", 2_400)):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setparams((1, 2, 48_000, 0, "NONE", ""))
            file.writeframes(bytes(2 * samples))
    both = wanted(insert=f"{tmp_path}/um.wav, {tmp_path}/er.wav").insert
    assert [round(len(each.samples) / each.rate_hz, 2) for each in both] == [0.1, 0.2]
    assert len(wanted(insert=f"{tmp_path}/oh, well.wav").insert) == 1
    with pytest.raises(BadInput, match=r"--set insert=nowhere\.wav: there is no such file"):
        wanted(insert=f"{tmp_path}/um.wav,nowhere.wav")


@pytest.mark.parametrize("text", ["12", "17-12", "12-12", "a-b", "-3-4", "12-", "1-2-3"])
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no stretch of time; write START-END in seconds: 12-17"):
        parse_span(text)


def test_what_is_wrong_with_an_option_is_said() -> None:
    with pytest.raises(UnknownName, match="no defect 'ecko'; did you mean 'echo'"):
        wanted(defect="ecko")
    with pytest.raises(BadInput, match=r"--set insert=nowhere\.wav: there is no such file"):
        wanted(insert="nowhere.wav")
    for said_ in ("0", "-1", "soon"):
        with pytest.raises(BadInput, match="is no number of seconds above 0"):
            wanted(tolerance=said_)
