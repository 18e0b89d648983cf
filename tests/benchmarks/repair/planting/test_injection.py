"""Six seconds at 10 pictures a second: texture that moves to the right, three shots, words with pauses."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.repair.defect import AUDIO, CUT_OUT, KINDS, VISUAL, DefectKind
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.planting.injection import Injection, inject
from cutscore.benchmarks.repair.planting.stretches import find_pauses
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

RATE, RATE_HZ, COUNT = Fraction(10), 8000, 60
SHOTS = [(0, 20), (20, 40), (40, 60)]
PAUSE = Span(start_s="2.4", end_s="4.1")  # the long one; others last 0.1 s


@cache
def _texture() -> Pixels:
    small = np.random.default_rng(5).integers(0, 256, (12, 40, 3))
    return np.kron(small, np.ones((4, 4, 1))).astype(np.uint8)


def _pictures() -> Iterator[Pixels]:
    for number in range(COUNT):
        yield np.ascontiguousarray(np.roll(_texture(), 3 * number, axis=1)[:36, :64] // (1 + number // 20))


def _speech() -> Sound:
    """Words of 0.3 s, 0.1 s apart, and silence in the long pause."""
    at = np.arange(6 * RATE_HZ)
    wave = 0.3 * np.sin(2 * np.pi * 220 * at / RATE_HZ) * (at % 3200 < 2400)
    wave[int(PAUSE.start_s * RATE_HZ) : int(PAUSE.end_s * RATE_HZ)] = 0
    return Sound(wave.astype(np.float32), RATE_HZ)


def footage(sound: Sound | None = None) -> Footage:
    return Footage(_pictures, COUNT, RATE, sound or _speech(), "clip")


def word(length_s: float) -> Sound:
    at = np.arange(int(length_s * RATE_HZ))
    return Sound((0.05 * np.sin(2 * np.pi * 330 * at / RATE_HZ)).astype(np.float32), RATE_HZ)


SAID = {"shots": SHOTS, "fillers": [word(0.25), word(0.3), word(0.2)], "sentence": word(1.2)}


def planted(kind: DefectKind, *, seed: int = 0, at: Span | None = None) -> Injection:
    return inject(footage(), kind, seed=seed, at=at, **SAID)


def same(one: Footage, other: Footage) -> bool:
    assert one.sound is not None
    assert other.sound is not None
    pairs = zip(one.pictures(), other.pictures(), strict=True)
    return np.array_equal(one.sound.samples, other.sound.samples) and all(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("kind", [*AUDIO, *VISUAL])
@settings(max_examples=4)
@given(seed=st.integers(0, 10**6))
def test_outside_of_the_window_not_a_pixel_or_sample_differs(kind: DefectKind, seed: int) -> None:
    made = planted(kind, seed=seed)
    window, before, after = made.defect.window, made.golden.sound, made.broken.sound
    assert before is not None
    assert after is not None
    assert 1 <= window.length_s <= Fraction(24, 10)
    pairs = zip(made.golden.pictures(), made.broken.pictures(), strict=True)
    changed = [number for number, (a, b) in enumerate(pairs) if not np.array_equal(a, b)]
    differs = np.flatnonzero(before.samples != after.samples)
    if kind in VISUAL:
        assert changed == list(range(int(window.start_s * RATE), int(window.end_s * RATE)))
        assert not len(differs)
    else:
        assert not changed
        assert len(differs)
        assert window.start_s * RATE_HZ <= differs[0]
        assert differs[-1] < window.end_s * RATE_HZ


@pytest.mark.parametrize("kind", CUT_OUT)
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_whoever_cuts_out_a_true_range_has_golden(kind: DefectKind, seed: int) -> None:
    made = planted(kind, seed=seed)
    assert made.broken.length_s > made.golden.length_s
    assert made.defect.window.start_s == made.ranges[0].spans[0].start_s
    for number in range(max(len(true.spans) for true in made.ranges)):
        spans = [true.spans[min(number, len(true.spans) - 1)] for true in made.ranges]
        assert same(cut_out(made.broken, spans), made.golden)


def test_clipped_waves_are_as_loud_as_they_were() -> None:
    made = planted("clipping", seed=2)
    assert made.golden.sound is not None
    assert made.broken.sound is not None
    before, after = (sound.part(made.defect.window).samples for sound in (made.golden.sound, made.broken.sound))
    assert np.square(after).mean() == pytest.approx(np.square(before).mean(), rel=0.01)
    assert np.abs(after).max() < 0.9 * np.abs(before).max()


def test_words_are_heard_in_a_long_pause_while_pictures_go_on() -> None:
    made = planted("filler_words", seed=1)
    assert made.defect.strength == {"words": 3, "pictures": "go on"}
    assert made.broken.count == COUNT
    spans = [true.spans[0] for true in made.ranges]
    assert all(PAUSE.overlap(span) == span.length_s == Fraction(3, 10) for span in spans)
    assert made.broken.sound is not None
    loud = [float(np.abs(made.broken.sound.part(span).samples).max()) for span in spans]
    assert loud == pytest.approx([0.3] * 3, rel=0.1)  # as loud as the speaker
    assert planted("wrong_sentences").ranges[0].spans[0].length_s == Fraction(12, 10)


def test_without_a_long_pause_the_clip_gets_longer_between_two_words() -> None:
    early = Span(start_s=0, end_s=2)
    made = planted("filler_words", seed=1, at=early)
    assert made.defect.strength["pictures"] == "swing"
    assert made.broken.count == COUNT + 3 + 3 + 2
    assert made.golden.count == COUNT
    first = made.ranges[0].spans[0].start_s
    assert any(span.start_s - 1 / RATE <= first <= span.end_s + 1 / RATE for span in find_pauses(_speech()))
    assert same(cut_out(made.broken, [true.spans[0] for true in made.ranges]), made.golden)


def test_a_repeat_may_be_cut_anywhere_within_unless_it_is_silent() -> None:
    both = {
        bool(made.defect.strength["heard"]): made for made in (planted("repeated_frames", seed=n) for n in range(8))
    }
    count = both[True].defect.strength["pictures"]
    assert len(both[True].ranges[0].spans) == count + 1
    assert len(both[False].ranges[0].spans) == 1


def test_two_shots_change_places_and_their_new_places_are_told() -> None:
    made = planted("swapped_shots", seed=3)
    firsts = sorted((span.start_s, span.end_s) for true in made.ranges for span in true.spans)
    assert firsts in ([(0, 2), (2, 4)], [(2, 4), (4, 6)], [(0, 2), (4, 6)])
    assert (made.defect.window.start_s, made.defect.window.end_s) == (firsts[0][0], firsts[1][1])
    assert made.broken.count == COUNT
    assert not same(made.broken, made.golden)
    short = [(0, 5), (5, 10), (10, 30), (30, 35), (35, 60)]
    for seed in range(6):  # shots of one length, with more than that between them
        spans = [true.spans[0] for true in inject(footage(), "swapped_shots", seed=seed, shots=short).ranges]
        assert [float(span.start_s) for span in spans] in ([0, 3], [0.5, 3])
    inside = planted("swapped_shots", at=Span(start_s="1.5", end_s=6))
    assert (inside.defect.window.start_s, inside.defect.window.end_s) == (2, 6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides_and_a_place_that_is_given_is_kept(kind: DefectKind) -> None:
    one, again, other = (planted(kind, seed=seed).defect for seed in (1, 1, 2))
    assert one == again
    assert one.model_copy(update={"seed": 2}) != other or kind in ("swapped_shots", "wrong_sentences", "filler_words")
    at = Span(start_s="2.02", end_s="4.01")
    if kind in (*AUDIO, *VISUAL):
        assert planted(kind, at=at).defect.window == Span(start_s="2.1", end_s="4.1")


def test_what_has_no_place_is_refused_by_name() -> None:
    silent = footage(Sound(np.zeros(6 * RATE_HZ, np.float32), RATE_HZ))
    mute = Footage(_pictures, COUNT, RATE, None, "mute")
    still = Footage(lambda: iter([_texture()[:36, :64]] * COUNT), COUNT, RATE, _speech(), "still")
    steady = footage(Sound(np.full(6 * RATE_HZ, 0.1, np.float32), RATE_HZ))
    refused = [
        (silent, "noise", "has no ratio to a silent sound"),
        (silent, "clipping", "'clip' is silent in"),
        (mute, "echo", "'mute'.*has no sound to change"),
        (mute, "filler_words", "'mute' has no sound to put them into"),
        (silent, "filler_words", "nothing is heard in the clip"),
        (steady, "wrong_sentences", "nobody pauses in 'clip'"),
        (still, "repeated_frames", "'still' hardly moves in"),
    ]
    for given_, kind, because in refused:
        with pytest.raises(BadInput, match=because):
            inject(given_, kind, **SAID)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="'clip' has 1 whole shots in it"):
        inject(footage(), "swapped_shots", shots=[(0, 60)])
    with pytest.raises(BadInput, match="there is nothing to say"):
        inject(footage(), "wrong_sentences")
    with pytest.raises(BadInput, match=r"has no picture inside 'clip' \(0 to 6 s\)"):
        inject(footage(), "blur", at=Span(start_s=5, end_s=7))
    short = Footage(_pictures, 11, RATE, None, "short")
    with pytest.raises(BadInput, match=r"'short' lasts 1.1 s, too short for a window of 1 s"):
        inject(short, "blur")
