"""Every picture carries its number in eight bars and every clip a sound that fits at one shift only."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.timeline import Span
from cutscore.media.alignment import alignment
from cutscore.media.edit import apply_filters, change_speed, join_footage, replace_sound, trim
from cutscore.media.filter_graph import PICTURE_FILTERS, SOUND_FILTERS, parse_filter_chain
from cutscore.media.footage import Footage, hold_picture, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

RATE = Fraction(25)


def coded(number: int) -> Pixels:
    """A picture of 128×64 whose eight bars are the bits of a number."""
    bits = [(number >> bit) & 1 for bit in range(8)]
    return np.broadcast_to(np.repeat(np.array(bits, np.uint8) * 200 + 20, 16)[None, :, None], (64, 128, 3)).copy()


def number_of(pixels: Pixels) -> int:
    bars = pixels[32:].reshape(32, 8, 16, 3)[:, :, 4:12].mean(axis=(0, 2, 3)) > 120
    return sum(int(bar) << bit for bit, bar in enumerate(bars))


def numbers(pictures: Iterable[Pixels]) -> list[int]:
    return [number_of(pixels) for pixels in pictures]


def hum(seconds: Fraction, seed: int = 1) -> Sound:
    """Noise below some 5 kHz, which AAC keeps, different on the two sides."""
    white = np.random.default_rng(seed).standard_normal((round(seconds * 48_000) + 8, 2))
    smooth = sum(white[shift : len(white) - 8 + shift] for shift in range(8)) / 8
    return Sound((0.25 * smooth).astype(np.float32), 48_000)


def made(first: int = 0, count: int = 50, rate: Fraction = RATE, seed: int = 1) -> Footage:
    def pictures() -> Iterator[Pixels]:
        return (coded(number) for number in range(first, first + count))

    return Footage(pictures, count, rate, hum(count / rate, seed), "made")


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2 s at 25 fps, pictures 0 to 49, `hum` of seed 1 from the first picture on."""
    path = tmp_path_factory.mktemp("edit") / "clip.mp4"
    write_footage(made(), path)
    return path


def test_a_round_trip_keeps_every_picture_and_the_sound_in_place(clip: Path) -> None:
    footage = load_footage(clip)
    assert (footage.count, footage.rate, footage.length_s) == (50, 25, 2)
    assert numbers(footage.pictures()) == list(range(50)) == numbers(footage.pictures())
    assert footage.sound is not None
    assert len(footage.sound.samples) == 96_000
    found = alignment(hum(Fraction(2)), footage.sound)
    assert found.offset_samples == 0
    assert found.correlation > 0.95


def test_a_strangers_clip_gives_the_same_from_a_child(clip: Path) -> None:
    span = Span(start_s="0.4", end_s="0.8")
    ours, theirs = (load_footage(clip, span=span, trusted=trusted) for trusted in (True, False))
    assert numbers(theirs.pictures()) == list(range(10, 20))
    assert ours.sound is not None
    assert theirs.sound is not None
    assert np.array_equal(ours.sound.samples, theirs.sound.samples)


@pytest.mark.parametrize(("start", "end", "expected"), [("0.4", "0.8", range(10, 20)), ("1.96", "2", [49])])
def test_a_taken_span_is_exact_after_writing(clip: Path, tmp_path: Path, start: str, end: str, expected) -> None:
    write_footage(load_footage(clip, span=Span(start_s=start, end_s=end)), tmp_path / "cut.mp4")
    again = load_footage(tmp_path / "cut.mp4")
    assert numbers(again.pictures()) == list(expected)
    truth = hum(Fraction(2)).part(Span(start_s=start, end_s=end))
    assert again.sound is not None
    assert len(again.sound.samples) == len(truth.samples)
    found = alignment(truth, again.sound, within_s=Fraction(1, 50))
    assert (found.offset_samples, found.correlation > 0.9) == (0, True)


def test_trimming_footage_equals_taking_a_span(clip: Path) -> None:
    span = Span(start_s="0.4", end_s="1.2")
    cut, taken = trim(load_footage(clip), span), load_footage(clip, span=span)
    assert all(np.array_equal(a, b) for a, b in zip(cut.pictures(), taken.pictures(), strict=True))
    assert cut.sound is not None
    assert taken.sound is not None
    assert np.array_equal(cut.sound.samples, taken.sound.samples)
    # Between two frames, the first that begins inside counts.
    assert numbers(trim(made(), Span(start_s="0.41", end_s="0.5")).pictures()) == [11, 12]


def test_a_clock_of_milliseconds_drops_no_frame(tmp_path: Path) -> None:
    """30000/1001 fps in Matroska: stamps are 0, 33, 67, 100, … ms, some before and some after the true times."""
    rate, path = Fraction(30_000, 1001), tmp_path / "clip.mkv"
    with av.open(str(path), "w", format="matroska") as out:
        stream = out.add_stream("libx264", rate=rate, options={"crf": "10"})
        stream.width, stream.height, stream.pix_fmt = 128, 64, "yuv420p"
        for number in range(60):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(coded(number), format="rgb24")))
        out.mux(stream.encode(None))
    assert numbers(load_footage(path, rate=rate).pictures()) == list(range(60))


def test_another_rate_shows_what_is_on_screen_then(clip: Path) -> None:
    footage = load_footage(clip, rate=Fraction(10), span=Span(start_s=1, end_s=2))
    assert numbers(footage.pictures()) == [25, 27, 30, 32, 35, 37, 40, 42, 45, 47]


def test_joined_parts_follow_each_other_without_drift() -> None:
    """At 30000/1001 fps a part of one picture has 1601.6 samples; the hundredth still begins on time."""
    rate = Fraction(30_000, 1001)
    parts = [made(number, 1, rate, seed=number) for number in range(100)]
    whole = join_footage(parts)
    assert numbers(whole.pictures()) == list(range(100))
    assert whole.sound is not None
    assert len(whole.sound.samples) == round(100 / rate * 48_000)
    last = parts[99].sound
    assert last is not None
    start = round(99 / rate * 48_000)
    assert np.array_equal(whole.sound.samples[start : start + 1500], last.samples[:1500])


def test_a_silent_part_stays_silent_and_none_stays_none() -> None:
    quiet = replace_sound(made(count=5), None)
    whole = join_footage([made(count=5), quiet, made(count=5, seed=2)])
    assert whole.sound is not None
    parts = whole.sound.samples.reshape(3, 9600, 2)
    assert np.array_equal(parts[2], hum(Fraction(1, 5), 2).samples)
    assert not parts[1].any()
    assert join_footage([quiet, quiet]).sound is None


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 49), min_size=1, max_size=5, unique=True))
def test_cutting_apart_and_joining_gives_the_same(cuts: list[int]) -> None:
    whole, edges = made(), [0, *sorted(cuts), 50]
    parts = [trim(whole, Span(start_s=a / RATE, end_s=b / RATE)) for a, b in pairwise(edges)]
    again = join_footage(parts)
    assert numbers(again.pictures()) == list(range(50))
    assert again.sound is not None
    assert whole.sound is not None
    assert np.array_equal(again.sound.samples, whole.sound.samples)


@pytest.mark.parametrize("late_s", [Fraction(-1, 5), Fraction(0), Fraction(1, 3)])
def test_sound_is_put_under_pictures_with_an_offset(tmp_path: Path, late_s: Fraction) -> None:
    muxed = replace_sound(made(), hum(Fraction(2), seed=7), late_s=late_s)
    write_footage(muxed, tmp_path / "clip.mp4")
    heard = load_footage(tmp_path / "clip.mp4").sound
    assert heard is not None
    assert alignment(hum(Fraction(2), seed=7), heard).offset_samples == late_s * 48_000
    assert len(heard.samples) == 96_000


@pytest.mark.parametrize("factor", [Fraction(2), Fraction(1, 2), Fraction(5, 4)])
def test_speed_moves_pictures_and_sound_alike_and_keeps_the_pitch(factor: Fraction) -> None:
    """A click every 0.5 s over a tone of 1 kHz; the tone keeps its pitch and the clicks come factor times as often."""
    at = np.arange(96_000) / 48_000
    tone = (0.1 * np.sin(2 * np.pi * 1000 * at)).astype(np.float32)
    for click in (24_000, 48_000, 72_000):
        tone[click : click + 240] += 0.8
    fast = change_speed(replace_sound(made(), Sound(tone, 48_000)), factor)
    assert fast.count == round(50 / factor)
    assert numbers(fast.pictures()) == [int(number * factor) for number in range(fast.count)]
    assert fast.sound is not None
    samples = fast.sound.samples
    assert len(samples) == round(fast.count * 1920)
    loud = np.flatnonzero(samples > 0.5)
    for click in (24_000, 48_000, 72_000):
        assert np.abs(loud - float(click / factor)).min() < 0.03 * 48_000
    spectrum = np.abs(np.fft.rfft(samples))
    low = len(samples) * 500 // 48_000
    assert (low + int(np.argmax(spectrum[low:]))) * 48_000 / len(samples) == pytest.approx(1000, rel=0.01)


def test_filters_change_pictures_and_sound_in_their_span_only() -> None:
    span = Span(start_s="0.4", end_s="0.8")
    before = made()
    after = apply_filters(before, pictures="negate", sound="volume=0.5", span=span)
    for number, (a, b) in enumerate(zip(before.pictures(), after.pictures(), strict=True)):
        assert np.array_equal(b, 255 - a if 10 <= number < 20 else a)
    assert before.sound is not None
    assert after.sound is not None
    truth = before.sound.samples.copy()
    truth[19_200:38_400] *= 0.5
    assert np.allclose(after.sound.samples, truth, atol=1e-7)


def test_filters_may_resize_but_not_drop_pictures(tmp_path: Path) -> None:
    small = apply_filters(made(count=4), pictures="scale=64:32,hflip")
    assert {pixels.shape for pixels in small.pictures()} == {(32, 64, 3)}
    write_footage(small, tmp_path / "small.mp4")
    assert load_footage(tmp_path / "small.mp4").count == 4


def test_filters_with_memory_keep_the_count() -> None:
    """tmix looks back at two pictures, so the first of the span must not wait for later ones to be counted."""
    assert len(list(apply_filters(made(count=9), pictures="tmix=frames=3").pictures())) == 9


def test_a_chain_cannot_open_a_file() -> None:
    with pytest.raises(UnknownName, match="no filter 'movie'"):
        apply_filters(made(), pictures="movie=secret.mp4")
    with pytest.raises(UnknownName, match="no filter 'amovie'"):
        apply_filters(made(), sound="volume=1,amovie=secret.mp4")
    with pytest.raises(UnknownName, match="no filter 'curves'"):
        apply_filters(made(), pictures="curves=psfile=secret.acv")
    for options in ("/r=secret", "g=val:/r=secret", "g=val: '/r=secret'"):
        with pytest.raises(BadInput, match="'lutrgb' would open a file"):
            apply_filters(made(), pictures=f"lutrgb={options}")
    with pytest.raises(UnknownName, match="did you mean 'negate'"):
        apply_filters(made(), pictures="negatte")
    with pytest.raises(BadInput, match="FFmpeg does not take it"):
        list(apply_filters(made(), pictures="negate=wrong=1").pictures())
    for chain in ("", "hue=s=0,", ",hue", "hue='s=0"):
        with pytest.raises((BadInput, UnknownName)):
            parse_filter_chain(chain, PICTURE_FILTERS)


def test_every_filter_that_we_name_is_there() -> None:
    assert (PICTURE_FILTERS | SOUND_FILTERS).issubset(av.filter.filters_available)
    assert not (PICTURE_FILTERS | SOUND_FILTERS) & {"movie", "amovie", "curves", "loudnorm", "lut3d", "sendcmd", "ass"}


def test_a_quoted_comma_does_not_end_a_filter() -> None:
    steps = parse_filter_chain(r"lutrgb=r='if(gt(val,9),1,0)':g=clip(val\,1\,2),negate", PICTURE_FILTERS)
    assert [step.name for step in steps] == ["lutrgb", "negate"]
    (pixels,) = apply_filters(
        hold_picture(coded(255), count=1, rate=RATE), pictures="lutrgb=r='if(gt(val,9),7,0)'"
    ).pictures()
    assert (pixels[..., 0] == 7).all()


def test_the_same_edit_gives_the_same_bytes_and_tells_how_far_it_is(clip: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    for name in ("a.mp4", "b.mp4"):
        edit = apply_filters(
            change_speed(load_footage(clip), Fraction(2)), pictures="hue=s=0,gblur=sigma=1", sound="lowpass=f=800"
        )
        write_footage(edit, tmp_path / name, progress=lambda done, count: told.append((done, count)))
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert told == [(done, 25) for done in range(1, 26)] * 2


def test_a_clip_may_be_replaced_by_its_own_edit(clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.mp4"
    path.write_bytes(clip.read_bytes())
    write_footage(trim(load_footage(path), Span(start_s=1, end_s=2)), path)
    assert numbers(load_footage(path).pictures()) == list(range(25, 50))


def test_nothing_is_left_of_an_edit_that_fails(tmp_path: Path) -> None:
    short = Footage(lambda: iter([coded(1)]), 2, RATE, None, "short")
    with pytest.raises(BadInput, match=r"clip 'a.mp4': 'short' gave 1 pictures of 2"):
        write_footage(short, tmp_path / "a.mp4")
    assert list(tmp_path.iterdir()) == []


def test_a_clip_without_sound_stays_without(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.mp4", [coded(1)] * 5, rate=RATE)
    assert load_footage(tmp_path / "a.mp4").sound is None


def test_errors_say_what_is_the_case(clip: Path) -> None:
    for span in (("-1", "1"), ("1", "3"), ("1", "1.01")):
        with pytest.raises(BadInput, match=r"has no picture inside 'clip.mp4'"):
            load_footage(clip, span=Span(start_s=span[0], end_s=span[1]))
        with pytest.raises(BadInput, match=r"has no picture inside 'made' \(0 to 2 s\)"):
            trim(made(), Span(start_s=span[0], end_s="1" if span[1] == "1.01" else span[1]))
    with pytest.raises(BadInput, match="parts have 25, 30 pictures a second; take them at one rate"):
        join_footage([made(), made(rate=Fraction(30))])
    with pytest.raises(BadInput, match="sounds differ in rate or channels"):
        join_footage([made(), replace_sound(made(), Sound(np.zeros(9, np.float32), 8000))])
    with pytest.raises(BadInput, match="has no parts"):
        join_footage([])
    with pytest.raises(BadInput, match="factor is 1/3"):
        change_speed(made(), Fraction(1, 3))
    with pytest.raises(BadInput, match="'made': has no sound to change"):
        apply_filters(replace_sound(made(), None), sound="volume=2")
