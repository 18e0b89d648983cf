"""covebench: scores from a CSV, and from a program that gets clean encodes and nothing else."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.covebench.metrics.outside_scores import find_score, read_scores, run_program
from cutscore.core.errors import BadInput, Stopped, Unscored
from cutscore.media.render import write_clip


def test_a_csv_has_a_score_for_each_task(tmp_path: Path) -> None:
    file = tmp_path / "tq.csv"
    file.write_text("\ufefftask_id,score,error\n1,12.5,\n2,,oops\n3,nan,\n1,13.25,\n", encoding="utf-8")
    assert find_score(file, "1") == 13.25  # the later line, as in the released code
    for task, said in (("2", "have none for task '2'"), ("4", "have none"), ("3", "'nan' is no finite number")):
        with pytest.raises(Unscored, match=said):
            find_score(file, task)


@pytest.mark.parametrize(("text", "said"), [("id,score\n1,2\n", "lacks the columns"), ("", "lacks the columns")])
def test_another_csv_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(BadInput, match=said):
        read_scores(tmp_path / "x.csv")
    with pytest.raises(BadInput, match="cannot be read"):
        read_scores(tmp_path / "none.csv")


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A second of grey, with bytes in its file that are no picture."""
    write_clip(tmp_path / "clip.mp4", [np.full((20, 34, 3), 90, np.uint8)] * 10, rate=Fraction(10))
    with (tmp_path / "clip.mp4").open("ab") as file:
        file.write(b"\x00\x00\x00\x10freeATTACK!!")
    return tmp_path / "clip.mp4"


def program(code: str) -> list[str]:
    return [sys.executable, "-c", f"import sys, os, pathlib; {code}", "{video}", "{source}"]


@pytest.mark.real
def test_a_program_sees_clean_encodes(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789abcdef0123456789abcdef")
    code = (
        "one, two = sys.argv[1:]; data = pathlib.Path(one).read_bytes(); "
        "assert data[4:8] == b'ftyp' and b'ATTACK' not in data; assert one != two and os.path.isfile(two); "
        "assert 'SOME_API_KEY' not in os.environ; print('warming up'); print(7.5)"
    )
    assert run_program(program(code), video=clip, source=clip, timeout_s=60) == 7.5


@pytest.mark.real
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('fine')", "'fine' is no finite number"),
        ("print('inf')", "'inf' is no finite number"),
        ("pass", "printed nothing"),
        ("sys.exit('no GPU')", "exited with code 1: no GPU"),
        ("import time; time.sleep(60)", "ran past its time limit"),
    ],
)
def test_a_program_that_fails_is_told(clip: Path, code: str, said: str) -> None:
    with pytest.raises(Unscored, match=said):
        run_program(program(code), video=clip, source=clip, timeout_s=3)


@pytest.mark.real
def test_what_cannot_be_run_is_told(clip: Path) -> None:
    with pytest.raises(Unscored, match="wants a source, and the task has none"):
        run_program(["x", "{video}{source}"], video=clip, source=None, timeout_s=3)
    with pytest.raises(Stopped, match="no-such-program"):
        run_program(["no-such-program", "{video}"], video=clip, source=clip, timeout_s=3)
