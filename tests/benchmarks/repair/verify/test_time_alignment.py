"""Offsets of an output against golden: found to the frame and to the sample, granted within bounds, recorded."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import black_out, freeze, mute
from cutscore.benchmarks.repair.verify.picture_offsets import PictureOffset
from cutscore.benchmarks.repair.verify.time_alignment import TimeOffset, align, offset_findings
from cutscore.core.errors import BrokenData
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_sound, hold_picture, write_footage


def late(footage: Footage, span: Span, *, by_s: Fraction) -> Footage:
    """Move the sound of the span against its pictures; silence fills in."""
    return change_sound(
        footage, lambda sound: sound.part(Span(start_s=-by_s, end_s=sound.length_s - by_s)).samples, span
    )


FRAME_S = Fraction(1, 12)
REAL = pytest.mark.real  # the same once more: where there is time


@pytest.fixture(scope="module")
def golden(pancakes, tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "golden.mp4"
    write_footage(pancakes, path)
    return path


@pytest.mark.parametrize("frames", [2, *(pytest.param(each, marks=REAL) for each in (-2, -1, 1))])
def test_pictures_that_come_early_or_late_are_found_to_the_frame(pancakes, golden, save, moved, frames):
    (step,) = align(save(moved(pancakes, frames)), golden)
    assert step.pictures.late_s == frames * FRAME_S
    assert step.sound.late_s == 0
    assert step.pictures.apart < 1


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"codec": "libx265", "options": {"x265-params": "log-level=none"}}, marks=REAL),
        {"rate": Fraction(30000, 1001), "container": "matroska", "unit": Fraction(1, 1000)},
        pytest.param({"codec": "mpeg4", "container": "matroska", "unit": Fraction(1, 12)}, marks=REAL),
        pytest.param({"rate": Fraction(25), "options": {"crf": "35"}}, marks=REAL),
    ],
    ids=["x265", "30000/1001 in ms", "mpeg4 in Matroska", "25, coarse"],
)
def test_another_codec_container_time_base_or_rate_is_no_offset(pancakes, golden, save, how):
    """Half a frame at most, where rates differ: there it is right."""
    (step,) = align(save(pancakes, **how), golden)
    assert step.pictures.late_s == (FRAME_S / 2 if "rate" in how else 0)
    assert abs(step.sound.late_s) < Fraction(1, 10_000)
    assert step.sound.alike > 0.98


@pytest.mark.parametrize(
    ("ms", "granted_ms", "in_sync"),
    [pytest.param(-70, -70, 1, marks=REAL), pytest.param(100, 100, 1, marks=REAL), (130, 0, 0)],
)
def test_sound_that_comes_early_or_late_is_found_to_the_sample(pancakes, golden, save, ms, granted_ms, in_sync):
    (step,) = align(save(replace_sound(pancakes, pancakes.sound, late_s=Fraction(ms, 1000))), golden)
    assert step.pictures.late_s == 0
    assert step.sound.late_s == step.skew_s == Fraction(ms, 1000)
    assert step.sound_late_s == Fraction(granted_ms, 1000)
    found = {each.name: each for each in offset_findings([step], file="fixed.mp4")}
    assert found["in_sync"].value == in_sync
    assert f"sound comes {ms:+d} ms after its pictures, 100 ms are allowed either way" in found["in_sync"].because
    assert found["sound_late_s"].value == granted_ms / 1000
    assert found["sound_late_s"].at == Span(start_s=0, end_s=5)


def test_a_black_start_is_no_reason_to_look_elsewhere(pancakes, golden, save):
    (step,) = align(save(black_out(pancakes, Span(start_s=0, end_s=1))), golden)
    assert step.pictures.late_s == 0


def test_movement_is_followed_by_what_moves_alike(pancakes, golden, save):
    """One half is frozen, the other one a frame late; and in front of a still there is nothing to follow."""
    first, second = Span(start_s=0, end_s="5/2"), Span(start_s="5/2", end_s=5)
    hold = trim(pancakes, Span(start_s="5/2", end_s=Fraction(5, 2) + FRAME_S))
    late_by_one = join_footage([freeze(trim(pancakes, first), first), hold, trim(pancakes, second)])
    one, other = align(save(late_by_one), golden, [first, second])
    assert one.pictures.moved == pytest.approx(0, abs=0.01)
    assert other.pictures.moved == pytest.approx(1, abs=0.02)
    calm = save(hold_picture(next(pancakes.pictures()), count=24, rate=Fraction(12)))
    (step,) = align(calm, calm)
    assert step.pictures.moved is None


def test_each_stretch_has_its_own_offset(pancakes, golden, save):
    """The second half is two frames and 50 ms late, as an edit in the middle leaves it."""
    first, second = Span(start_s=0, end_s="5/2"), Span(start_s="5/2", end_s=5)
    hold = trim(pancakes, Span(start_s="5/2", end_s=Fraction(5, 2) + FRAME_S))
    parts = [trim(pancakes, first), hold, hold, trim(pancakes, second)]
    shown = replace_sound(join_footage(parts), late(pancakes, second, by_s=Fraction(1, 20)).sound)
    one, other = align(save(shown), golden, [first, second])
    assert (one.pictures.late_s, one.sound.late_s) == (0, 0)
    assert (other.pictures.late_s, other.sound.late_s) == (2 * FRAME_S, Fraction(1, 20))


@REAL
def test_what_stands_still_or_is_silent_has_no_offset(pancakes, golden, save, moved):
    picture = next(pancakes.pictures())
    (step,) = align(save(hold_picture(picture, count=60, rate=Fraction(12))), golden)
    assert (step.pictures.late_s, step.sound.late_s, step.sound.alike, step.skew_s) == (0, None, None, None)
    assert [each.name for each in offset_findings([step], file="a")] == ["pictures_late_s"]
    everywhere = Span(start_s=0, end_s=5)
    (step,) = align(save(mute(freeze(pancakes, everywhere), everywhere)), golden)
    assert (step.pictures.late_s, step.sound_late_s, step.skew_s) == (0, 0, None)


def test_too_short_to_tell(pancakes, golden, save):
    (step,) = align(save(trim(pancakes, Span(start_s=0, end_s="1/4"))), golden)
    assert (step.pictures.late_s, step.pictures.apart) == (0, None)


@REAL
def test_of_equal_peaks_the_nearest_counts(pancakes, save):
    """A tone of 100 Hz fits at every 10 ms; that it grows makes the last of these the best by a hair."""
    time_s = np.arange(5 * 48_000) / 48_000
    tone = (np.sin(2 * np.pi * 100 * time_s) * (0.5 + time_s / 200)).astype(np.float32)
    humming = replace_sound(pancakes, replace(pancakes.sound, samples=tone))
    (step,) = align(save(humming, crf=30), save(humming), [Span(start_s=1, end_s=4)])
    assert abs(step.sound.late_s) < Fraction(1, 1000)


def test_an_output_that_cannot_be_decoded_is_said_to_be(golden, tmp_path):
    (tmp_path / "fixed.mp4").write_text("ffconcat version 1.0\nfile golden.mp4\n")
    with pytest.raises(BrokenData, match=r"fixed\.mp4"):
        align(tmp_path / "fixed.mp4", golden)


def test_a_step_without_sound_grants_no_offset():
    step = TimeOffset(Span(start_s=0, end_s=1), PictureOffset(FRAME_S, 1.0))
    assert step.sound_late_s == 0
