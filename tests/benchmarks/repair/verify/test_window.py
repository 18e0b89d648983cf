"""Measures inside and outside of a window: what each sees, where it looks, and what an output without a value gets."""

import math
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import add_hiss, black_out, shift_colour
from cutscore.benchmarks.repair.verify.placement import Measure
from cutscore.benchmarks.repair.verify.window import compare_window, measure_values
from cutscore.core.errors import MissingExtra, Unscored
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import write_footage
from cutscore.media.sound import Sound

WINDOW = Span(start_s="1/2", end_s="3/2")  # of 2.5 s
WHOLE = Span(start_s=0, end_s="5/2")


@pytest.fixture(scope="module")
def clip(pancakes):
    """30 pictures at 12 a second."""
    return trim(pancakes, WHOLE)


@pytest.fixture(scope="module")
def golden(clip, tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "golden.mp4"
    write_footage(clip, path)
    return path


def test_an_equal_clip_has_nothing_to_measure_but_equality(golden):
    same = compare_window(golden, golden, WINDOW, ("pictures",), ("sdr", "stoi", "fw_seg_snr"))
    assert same.value("psnr", "in") == math.inf
    assert same.value("psnr", "in", most=40) == same.value("psnr", "out", most=40) == 40
    assert same.value("ssim", "in") == same.value("ssim", "out") == 1
    assert same.value("sdr", "out") == same.value("sdr", "in") == math.inf
    assert same.value("stoi", "in") == pytest.approx(1, abs=1e-6)
    assert same.value("fw_seg_snr", "in") == 35
    assert same.worst("psnr", "in") == math.inf
    assert same.length_s == Fraction(5, 2)
    assert [(step.pictures.late_s, step.sound_late_s) for step in same.offsets] == [(0, 0)] * 3


def test_a_wrong_colour_is_seen_inside_and_nowhere_else(clip, golden, save):
    there = compare_window(save(shift_colour(clip, WINDOW, gains=(1.2, 1.0, 0.8))), golden, WINDOW, ("pictures",))
    assert there.value("psnr", "in") < 25 < 40 < there.value("psnr", "out")
    assert there.value("sdr", "out") > 15


def test_half_of_the_pictures_mended_is_half_of_the_way(clip, golden, save):
    """Perfect pictures do not make up for black ones: each counts at most what golden's anchor is."""
    half = compare_window(save(black_out(clip, Span(start_s=1, end_s=2))), golden, WINDOW, ("pictures",))
    each = [value for at_s, value in half.pictures["psnr"].items() if WINDOW.holds(at_s)]
    assert min(each[:6]) > 30 > 10 > max(each[6:])
    assert half.value("psnr", "in", most=30) == pytest.approx((6 * 30 + sum(each[6:])) / 12)
    assert half.value("psnr", "in") > 1.2 * half.value("psnr", "in", most=30)


def test_pictures_that_are_missing_count_nothing(clip, golden, save):
    """The last half second is cut off: 6 of 18 pictures outside."""
    short = compare_window(save(trim(clip, Span(start_s=0, end_s=2))), golden, WINDOW, ("pictures",))
    assert short.value("ssim", "in", most=0.9) == 0.9
    assert short.value("ssim", "out", most=0.9) == pytest.approx(0.9 * 12 / 18)


@pytest.mark.parametrize("frames", [-1, 1])
def test_what_an_offset_pushes_over_an_end_is_not_missing(clip, golden, save, moved, frames):
    there = compare_window(save(moved(clip, frames)), golden, WINDOW, ("pictures",))
    assert Fraction(frames, 12) in {step.pictures.late_s for step in there.offsets}  # in a still every offset fits
    assert there.value("psnr", "out", most=35) > 34.9
    assert there.worst("ssim", "out") > 0.95


@pytest.mark.real  # long, and needs nothing else
def test_damage_before_the_window_moves_nothing_inside(clip, golden, save):
    there = compare_window(save(black_out(clip, Span(start_s=0, end_s="1/2"))), golden, WINDOW, ("pictures",))
    assert there.value("psnr", "in", most=35) > 34.9
    assert there.value("psnr", "out", most=35) < 30


def test_a_part_that_somebody_moved_is_compared_where_it_lies(clip, golden, save):
    """From the window on, everything comes a picture later."""
    held = trim(clip, Span(start_s="1/2", end_s=Fraction(7, 12)))
    parts = [trim(clip, Span(start_s=0, end_s="1/2")), held, trim(clip, Span(start_s="1/2", end_s="5/2"))]
    there = compare_window(save(replace_sound(join_footage(parts), clip.sound)), golden, WINDOW, ("pictures",))
    assert [step.pictures.late_s for step in there.offsets] == [0, Fraction(1, 12), Fraction(1, 12)]
    assert there.value("psnr", "in", most=35) > 34.9
    assert there.value("psnr", "out", most=35) > 34.9


def test_outside_is_the_rest_of_the_stream_and_all_of_the_other(clip, golden, save):
    """The same hiss in the window is inside for a defect of sound, and damage for a defect of pictures."""
    output = save(add_hiss(clip, WINDOW, snr_db=3, seed=1))
    of_sound, of_pictures = (
        compare_window(output, golden, WINDOW, (stream,), ("sdr",)) for stream in ("sound", "pictures")
    )
    assert of_sound.value("sdr", "out") > 15 > 6 > of_sound.value("sdr", "in") > 1
    assert of_pictures.value("sdr", "out") == pytest.approx(of_sound.value("sdr", "in"), abs=6)
    assert of_sound.value("psnr", "out", most=35) == pytest.approx(35, abs=0.2)


@pytest.mark.real  # long, and needs nothing else
def test_gain_is_heard_by_some_measures(clip, golden, save):
    quiet = replace_sound(clip, Sound(clip.sound.samples / 2, 48_000))
    there = compare_window(save(quiet), golden, WINDOW, ("sound",), ("si_sdr", "fw_seg_snr"))
    assert there.value("si_sdr", "in") > 15
    assert there.value("sdr", "out") == pytest.approx(6, abs=0.5)
    assert there.value("fw_seg_snr", "in") < 8


def test_noise_that_is_out_of_phase_is_no_hiding_place(clip, golden, save):
    """Left and right cancel each other in mono."""
    noise = 0.2 * np.random.default_rng(1).standard_normal((len(clip.sound.samples), 1))
    both = clip.sound.samples[:, None] + noise * [[1, -1]]
    output = save(replace_sound(clip, Sound(both.astype(np.float32), 48_000)))
    there = compare_window(output, golden, WINDOW, ("sound",), ("si_sdr",))
    assert there.value("si_sdr", "in") < 5


def test_an_output_without_sound_has_no_value_for_it(clip, golden, save):
    names = ("stoi", "fw_seg_snr", "si_sdr")
    mute = compare_window(save(replace(clip, sound=None)), golden, WINDOW, ("sound",), names)
    assert mute.value("si_sdr", "in") is mute.value("sdr", "out") is None
    silent = replace_sound(clip, Sound(np.zeros(1, np.float32), 48_000))
    hushed = compare_window(save(silent), golden, WINDOW, ("sound",), names)
    assert hushed.value("stoi", "in") is hushed.value("fw_seg_snr", "in") is None
    assert hushed.value("si_sdr", "in") == -math.inf
    assert hushed.value("sdr", "out") == pytest.approx(0, abs=1e-6)


def test_measures_are_given_by_name_and_side_and_no_better_than_their_anchor(golden):
    measures = [
        Measure(name="psnr", broken=20, golden=35),
        Measure(name="ssim", broken=0.5, golden=0.9, where="out"),
        Measure(name="sdr", broken=0, golden=20, where="out"),
    ]
    same = compare_window(golden, golden, WHOLE, ("pictures",))
    assert measure_values(same, measures, "in") == {"psnr": 35}
    assert measure_values(same, measures, "out") == {
        "ssim": None,
        "sdr": math.inf,
    }  # nothing of the pictures is outside


def test_a_measure_that_nobody_knows_or_asked_for_is_our_failure(golden):
    with pytest.raises(Unscored, match=r"measure 'loudness': is not known; known are psnr, ssim, fw_seg_snr"):
        compare_window(golden, golden, WINDOW, ("sound",), ("loudness",))
    same = compare_window(golden, golden, WINDOW, ("sound",), ("stoi",))
    with pytest.raises(Unscored, match="measure 'stoi': was not measured outside the window"):
        same.value("stoi", "out")


@pytest.mark.skipif(find_spec("pesq") is not None, reason="the extra is there")
def test_pesq_needs_its_extra(golden):
    with pytest.raises(MissingExtra, match="PESQ needs an extra"):
        compare_window(golden, golden, WINDOW, ("sound",), ("pesq",))
