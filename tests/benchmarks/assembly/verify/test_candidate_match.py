"""Which of several clips that look alike a film shows: pictures in numbers, no files."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from cutscore.benchmarks.assembly.verify.candidate_match import APART, GreyPictures, Levels, distance, runs_of
from cutscore.scoring.verifiers.rendered import order_mismatch

LONG = 10  # pictures of a clip, at 8 a second


def glances(pictures: Levels) -> GreyPictures:
    return GreyPictures(pictures, Fraction(len(pictures), 8))


def _levelled(rows: npt.NDArray[np.float64]) -> Levels:
    rows = rows - rows.mean(axis=1, keepdims=True)
    levelled: Levels = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return levelled


def clip(seed: int, *, shift: float = 0.0, drift: float = 0.0) -> GreyPictures:
    """A landscape that the seed draws, seen from an angle (`shift`), by a camera that turns (`drift`)."""
    draw = np.random.default_rng(seed)
    waves = [(draw.normal(), draw.uniform(1, 9), draw.uniform(0, 6)) for _ in range(12)]
    turned = shift + drift * np.linspace(-0.5, 0.5, LONG)[:, None]
    at = np.linspace(0, 6, 300)[None] + turned
    return glances(_levelled(np.sum([height * np.sin(speed * at + phase) for height, speed, phase in waves], axis=0)))


CLIPS = {
    "a": clip(1),
    "a-aside": clip(1, shift=0.05),
    "a-left": clip(1, drift=-0.4),
    "a-right": clip(1, drift=0.4),
    "b": clip(2),
    "b-aside": clip(2, shift=0.05),
}


def film(*names: str, noise: float = 0.004) -> GreyPictures:
    pictures = np.concatenate([CLIPS[name].pictures for name in names]).astype(np.float64)
    return glances(_levelled(pictures + np.random.default_rng(3).normal(0, noise, pictures.shape)))


def shown(seen: GreyPictures) -> list[str | None]:
    return [run.clip for run in runs_of(seen, CLIPS)]


@pytest.mark.parametrize("order", [("a", "b"), ("a-aside", "b-aside"), ("b", "a-left"), ("a-right", "b", "a")])
def test_clips_that_look_alike_are_told_apart(order: tuple[str, ...]) -> None:
    seen = film(*order)
    assert shown(seen) == list(order)
    assert order_mismatch(runs_of(seen, CLIPS), order, CLIPS) is None
    lengths = {run.length_s for run in runs_of(seen, CLIPS)}
    assert lengths == {Fraction(LONG, 8)}


def test_a_pan_shown_backwards_is_the_other_pan() -> None:
    """The two have the same pictures, in opposite order."""
    pictures = CLIPS["a-left"].pictures
    assert np.allclose(pictures[::-1], CLIPS["a-right"].pictures, atol=1e-6)
    assert shown(glances(pictures[::-1])) == ["a-right"]


def test_what_is_of_no_clip_is_foreign() -> None:
    strange = clip(99).pictures
    assert shown(glances(strange)) == [None]
    assert shown(glances(np.concatenate([CLIPS["a"].pictures, strange]))) == ["a", None]
    refusal = order_mismatch(runs_of(glances(strange), CLIPS), ["a"], CLIPS)
    assert refusal is not None
    assert refusal.name == "foreign"


def test_speed_and_rests_show_in_the_length() -> None:
    slow = glances(np.repeat(CLIPS["a-left"].pictures, 2, axis=0))
    refusal = order_mismatch(runs_of(slow, CLIPS), ["a-left"], CLIPS)
    assert refusal is not None
    assert (refusal.name, refusal.reason) == ("length", "a-left lasts 2.50 s in the film and 1.25 s itself")
    trimmed = glances(CLIPS["a-left"].pictures[2:9])
    assert order_mismatch(runs_of(trimmed, CLIPS), ["a-left"], CLIPS) is None


def test_how_far_clips_are_apart() -> None:
    assert distance(CLIPS["a"], CLIPS["a"]) == 0
    assert APART < distance(CLIPS["a"], CLIPS["a-aside"]) < distance(CLIPS["a"], CLIPS["b"]) < 4
