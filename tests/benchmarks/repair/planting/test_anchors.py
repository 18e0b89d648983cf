"""Anchors: finite, in the right order, with what an encode alone moves; and no anchors where there is no defect."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import add_hiss, shift_colour, swap_shots
from cutscore.benchmarks.repair.planting.anchors import ENOUGH, FLOORS, Anchors, measure_anchors
from cutscore.benchmarks.repair.verify.placement import composite, place_all
from cutscore.benchmarks.repair.verify.window import compare_window, measure_values
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, write_footage
from cutscore.media.sound import Sound

WINDOW = Span(start_s="1/2", end_s="3/2")


@pytest.fixture(scope="module")
def film() -> Footage:
    """Two seconds of soft waves that move and change their colours after a second, and a voice of filtered noise."""
    y, x = np.mgrid[0:54, 0:96]

    def picture(number: int) -> np.ndarray:
        waves = [np.sin((x + 3 * number) / 9 + turn) * np.cos(y / 7) for turn in (0, 1 + 2 * (number >= 10), 4)]
        return np.stack([128 + 90 * wave for wave in waves], -1).astype(np.uint8)

    noise = np.random.default_rng(1).standard_normal(96_000)
    voice = 0.1 * np.convolve(noise, np.ones(8), "same") * (1 + np.sin(np.arange(96_000) / 2000))
    pictures = [picture(number) for number in range(20)]
    return Footage(lambda: iter(pictures), 20, Fraction(10), Sound(voice.astype(np.float32) / 2, 48_000))


@pytest.fixture(scope="module")
def golden(film, tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "golden.mp4"
    write_footage(film, path)
    return path


@pytest.mark.real  # long, and needs nothing else
def test_a_defect_of_pictures_is_anchored_inside_and_everything_else_outside(film, golden, tmp_path):
    broken = tmp_path / "broken.mp4"
    write_footage(shift_colour(film, WINDOW, gains=(1.3, 1.0, 0.7)), broken)
    made = measure_anchors(broken, golden, WINDOW, "colour_shift", speech=True)
    by_side = {(measure.name, measure.where): measure for measure in made.measures}
    assert ("psnr", "in") in by_side
    assert by_side.keys() >= {("psnr", "out"), ("ssim", "out"), ("sdr", "out")}
    inside = by_side["psnr", "in"]
    assert 10 < inside.broken < 25 < 30 < inside.golden < 50
    assert 2 * inside.noise < inside.gap
    assert (by_side["psnr", "out"].broken, by_side["sdr", "out"].broken) == (FLOORS["psnr"], FLOORS["sdr"])
    assert 0 <= made.encode_noise < 0.25  # what an encoder leaves, or a filter that knows nothing reaches
    for clip, score in ((broken, 0), (golden, 1)):
        there = compare_window(clip, golden, WINDOW, ("pictures",))
        assert composite(place_all(measure_values(there, made.measures, "in"), made.measures, where="in")) == score
        outside = composite(place_all(measure_values(there, made.measures, "out"), made.measures, where="out"))
        assert outside == pytest.approx(1, abs=1e-3)


def test_what_is_no_defect_has_no_anchors(golden):
    with pytest.raises(BadInput, match=r"blur in 00:00\.500–00:01\.500: is no nearer to broken than an encode is"):
        measure_anchors(golden, golden, WINDOW, "blur", speech=False)


def test_what_is_cut_out_has_ranges_and_no_anchors(golden):
    assert measure_anchors(golden, golden, WINDOW, "filler_words", speech=True) == Anchors((), 0.0)


@pytest.mark.real
@pytest.mark.parametrize(
    ("speech", "names"), [(True, ["fw_seg_snr", "stoi", "si_sdr"]), (False, ["fw_seg_snr", "si_sdr"])]
)
def test_sound_has_three_measures_and_intelligibility_only_of_speech(film, golden, tmp_path, speech, names):
    broken = tmp_path / "broken.mp4"
    write_footage(add_hiss(film, WINDOW, snr_db=0, seed=1), broken)
    made = measure_anchors(broken, golden, WINDOW, "noise", speech=speech)
    inside = [measure for measure in made.measures if measure.where == "in"]
    assert [measure.name for measure in inside] == names
    assert all(measure.broken < measure.golden <= ENOUGH[measure.name] for measure in inside)
    assert {measure.name for measure in made.measures if measure.where == "out"} == {"psnr", "ssim", "sdr"}


@pytest.mark.real
def test_a_swap_is_compared_whole_and_has_nothing_outside(film, golden, tmp_path):
    broken = tmp_path / "broken.mp4"
    write_footage(swap_shots(film, Span(start_s=0, end_s="1/2"), Span(start_s="3/2", end_s=2)), broken)
    made = measure_anchors(broken, golden, WINDOW, "swapped_shots", speech=True)
    assert [(measure.name, measure.where) for measure in made.measures] == [("psnr", "in")]
    assert made.measures[0].broken > 20  # half of its pictures are as they should be
