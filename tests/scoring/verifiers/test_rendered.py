"""The order that a film shows, recovered from hashes: found where it is there, refused by name where it is not."""

from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.media.render import write_clip
from cutscore.scoring.metrics.phash import Hashes
from cutscore.scoring.verifiers.rendered import (
    ALIKE,
    ClipRun,
    FilmHashes,
    find_clip_runs,
    hash_film,
    order_mismatch,
    playback_mismatch,
    similarity,
)

RATE = Fraction(10)
NAMES = ("a", "b", "c", "d")


def pictures(seed: int, count: int = 12) -> list[int]:
    """Hashes of a clip: a picture of its own in which three bits change from one to the next."""
    draw = Random(seed)
    now, found = draw.getrandbits(63), []
    for _ in range(count):
        found.append(now)
        for bit in draw.sample(range(63), 3):
            now ^= 1 << bit
    return found


def prints(hashes: list[int]) -> FilmHashes:
    made: Hashes = np.array(hashes, np.uint64)
    return FilmHashes(made, tuple(number / RATE for number in range(len(hashes))), len(hashes) / RATE)


CLIPS = {name: prints(pictures(number)) for number, name in enumerate(NAMES)}


def film(*parts: list[int] | str, noise: int = 0, seed: int = 0) -> FilmHashes:
    """Put clips by name and other pictures one after the other, with so many bits of each changed."""
    draw = Random(seed)
    shown = chain.from_iterable(CLIPS[part].hashes.tolist() if isinstance(part, str) else part for part in parts)
    return prints([_changed(each, draw.sample(range(63), noise)) for each in shown])


def _changed(hash: int, bits: list[int]) -> int:
    for bit in bits:
        hash ^= 1 << bit
    return hash


@given(st.permutations(NAMES), st.integers(0, 4), st.integers(0, 1000))
def test_any_order_is_recovered_to_the_frame_through_the_noise_of_an_encoder(
    order: list[str], noise: int, seed: int
) -> None:
    runs = find_clip_runs(film(*order, noise=noise, seed=seed), CLIPS)
    assert [run.clip for run in runs] == order
    assert [run.start_s for run in runs] == [Fraction(12 * number, 10) for number in range(4)]
    assert order_mismatch(runs, order, CLIPS) is None


@given(st.permutations(NAMES), st.permutations(NAMES))
def test_a_film_shows_the_order_that_is_said_or_another(shown: list[str], said: list[str]) -> None:
    refusal = order_mismatch(find_clip_runs(film(*shown), CLIPS), said, CLIPS)
    assert (refusal is None) == (shown == said)
    assert refusal is None or refusal.name == "other order"


def test_one_picture_that_looks_like_another_clip_is_no_shot() -> None:
    mixed = CLIPS["a"].hashes.tolist()
    mixed[6] = int(CLIPS["c"].hashes[0])
    assert [run.clip for run in find_clip_runs(film(mixed, "b"), CLIPS)] == ["a", "b"]


@pytest.mark.parametrize(
    ("parts", "name", "because"),
    [
        (["b", "a", "c", "d"], "other order", "place 1 of the film shows b, solution.json says a"),
        (["a", "b", "c"], "other order", "place 4 of the film is over, solution.json says d"),
        (["a", "b", "c", "d", "a"], "other order", "after all 4 clips the film shows a as well"),
        (["a", "b", "a", "c", "d"], "other order", "place 3 of the film shows a, solution.json says c"),
        (["a", "b", "c", "d", pictures(99, 8)], "foreign", "0.80 of 5.60 s are of none of the clips"),
        ([pictures(99, 40)], "foreign", "4.00 of 4.00 s are of none of the clips"),
        ([[0] * 20, "a", "b", "c", "d"], "foreign", "2.00 of 6.80 s"),
        ([pictures(0)[:5], "b", "c", "d"], "length", "a lasts 0.50 s in the film and 1.20 s itself"),
        ([pictures(0)[:1] * 21, "b", "c", "d"], "length", "a lasts 2.10 s in the film and 1.20 s itself"),
    ],
)
def test_a_film_that_does_not_show_the_order_is_refused_by_name(
    parts: list[list[int] | str], name: str, because: str
) -> None:
    refusal = order_mismatch(find_clip_runs(film(*parts), CLIPS), NAMES, CLIPS)
    assert refusal is not None
    assert refusal.name == name
    assert because in refusal.reason


@pytest.mark.parametrize("said", [["a", "b", "a", "c"], ["a", "a", "b", "c"]])
def test_a_clip_may_come_as_often_as_is_said(said: list[str]) -> None:
    assert order_mismatch(find_clip_runs(film(*said), CLIPS), said, CLIPS) is None
    assert order_mismatch(find_clip_runs(film("b", "c"), CLIPS), said, CLIPS) is not None


@pytest.mark.parametrize(
    "parts",
    [
        [pictures(0)[:6], "b", "c", "d"],  # just half of the first clip
        [pictures(0)[:1] * 18, "b", "c", "d"],  # one and a half times as long
        ["a", pictures(99, 5), "b", "c", "d"],  # less than a tenth is of no clip
        [pictures(0)[:6], pictures(99, 3), pictures(0)[6:], "b", "c", "d"],  # a flash does not make two of one clip
    ],
)
def test_what_stays_within_the_rules_is_accepted(parts: list[list[int] | str]) -> None:
    assert order_mismatch(find_clip_runs(film(*parts), CLIPS), NAMES, CLIPS) is None


def test_long_films_are_thinned_and_keep_their_length() -> None:
    long = prints(pictures(1, 50_000))
    thin = long.thin(20_000)
    assert len(thin.at_s) == len(thin.hashes) == 16_667
    assert thin.length_s == long.length_s
    assert prints(pictures(1, 3)).thin(20_000).at_s == (Fraction(0), Fraction(1, 10), Fraction(1, 5))


def test_alike_is_the_share_of_the_clip_of_which_more_is_in_the_other() -> None:
    whole, half = prints(pictures(1)), prints([*pictures(1)[:3], *pictures(7)[:9]])
    assert similarity(whole, whole) == 1.0
    assert similarity(CLIPS["a"], CLIPS["b"]) == 0.0
    # Neighbouring pictures differ by three bits, which is within the noise: the fourth is like the third.
    assert similarity(whole, half) == pytest.approx(4 / 12)
    assert similarity(whole, half) < ALIKE
    assert similarity(whole, prints(pictures(1)[:3])) == 1.0


def test_prints_of_a_file(tmp_path: Path) -> None:
    """Half a second of noise at 10 pictures a second."""
    draw = np.random.default_rng(0)
    coarse = draw.integers(0, 255, (4, 6, 3), np.uint8)
    picture = np.kron(coarse, np.ones((16, 16, 1), np.uint8))
    write_clip(tmp_path / "a.mp4", [picture] * 5, rate=RATE)
    found = hash_film(tmp_path / "a.mp4")
    assert found.at_s == tuple(number / RATE for number in range(5))
    assert found.length_s == Fraction(1, 2)
    assert find_clip_runs(found, {"a": found}) == (ClipRun("a", Fraction(0), Fraction(1, 2)),)
    write_clip(tmp_path / "one.mp4", [picture], rate=RATE)
    assert hash_film(tmp_path / "one.mp4").length_s == 0


# ---- played, or not


def how(shown: FilmHashes) -> str:
    runs = find_clip_runs(shown, CLIPS)
    assert order_mismatch(runs, NAMES, CLIPS) is None
    refusal = playback_mismatch(shown, runs, CLIPS)
    return "played" if refusal is None else refusal.reason.split(":")[0]


def of_each(change: Callable[[list[int]], list[int]], noise: int = 0) -> FilmHashes:
    return film(*(change(CLIPS[name].hashes.tolist()) for name in NAMES), noise=noise)


@given(st.integers(0, 4), st.integers(0, 1000))
def test_a_film_that_plays_its_clips_is_told_from_slides_and_clips_run_backwards(noise: int, seed: int) -> None:
    assert how(film(*NAMES, noise=noise, seed=seed)) == "played"
    assert how(of_each(lambda clip: clip[::-1], noise)) == "the clips are backwards"
    assert how(of_each(lambda clip: clip[4:5] * 12, noise)) == "the clips are still"


@pytest.mark.parametrize(
    "change",
    [
        lambda clip: clip[:9],
        lambda clip: clip[2:],
        lambda clip: [picture for picture in clip for _ in range(2)][:17],
        lambda clip: clip[::2] + clip[-1:],
    ],
    ids=["end cut off", "beginning cut off", "slower", "faster"],
)
def test_a_film_may_be_shortened_faster_or_slower(change: Callable[[list[int]], list[int]]) -> None:
    assert how(of_each(change)) == "played"


def test_of_clips_in_which_nothing_moves_nobody_can_tell() -> None:
    still = {name: prints([clip.hashes.tolist()[0]] * 12) for name, clip in CLIPS.items()}
    shown = film(*(clip.hashes.tolist()[::-1] for clip in still.values()), noise=2)
    assert playback_mismatch(shown, find_clip_runs(shown, still), still) is None
