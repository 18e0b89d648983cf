"""covebench: which footage is refused, and with which words."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.footage import SourceFootage, read_footage
from cutscore.benchmarks.covebench.construction.filters import ClipLook, find_copy, find_look_fault, screen_footage
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip

FINE = ClipLook(luma=120, edges=30, still=0.1, hashes=np.array([1, 2], np.uint64))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({}, ""),
        ({"luma": 12.3}, "is too dark: mean luma 12 of 255, taken are 20 to 235"),
        ({"luma": 250.0}, "is too light: mean luma 250 of 255, taken are 20 to 235"),
        ({"edges": 3.94}, "is blurred or empty: edge energy 3.9, at least 4 is needed"),
        ({"still": 0.75}, "stands still for 75% of its length; at most 50% is allowed"),
    ],
)
def test_what_is_wrong_with_a_look_is_told_with_its_value(changed: dict[str, float], fault: str) -> None:
    assert find_look_fault(replace(FINE, **changed)) == fault  # type: ignore[arg-type]


def test_a_trimmed_copy_is_found_and_flat_pictures_are_no_copies() -> None:
    long = np.array([0b1111 << (8 * place) for place in range(8)], np.uint64)
    slightly_other = long[2:5] ^ np.uint64(1 << 60)
    assert find_copy(slightly_other, {"long": long}) == "is nearly the same as 'long': 100% of the pictures agree"
    assert find_copy(~long, {"long": long}) == ""
    flat = np.zeros(4, np.uint64)
    assert find_copy(flat, {"flat": flat}) == ""


def draw(number: int, seed: int) -> Pixels:
    """A noisy picture of one seed, on which a square moves: detail, light and motion."""
    noise = np.random.default_rng(seed).integers(0, 256, (12, 16, 3), np.uint8)
    picture = cv2.resize(noise, (640, 480), interpolation=cv2.INTER_NEAREST)
    cv2.rectangle(picture, (20 + 30 * number, 200), (120 + 30 * number, 300), (255, 255, 255), -1)
    return picture  # type: ignore[return-value]


@pytest.fixture
def film(tmp_path: Path) -> Callable[..., None]:
    def write(name: str, picture: Callable[[int], Pixels], *, length_s: int = 4) -> None:
        (tmp_path / "films").mkdir(exist_ok=True)
        frames = [picture(number) for number in range(4 * length_s)]
        write_clip(tmp_path / "films" / f"{name}.mp4", frames, rate=Fraction(4))

    return write


def screen(tmp_path: Path) -> SourceFootage:
    with open_build_folder(tmp_path / "pack", {}) as out:
        taken = read_footage([str(tmp_path / "films")], out, licence="CC0-1.0", tell=lambda line: None)
        return screen_footage(taken, lambda line: None)


@pytest.mark.real
def test_each_refusal_names_clip_fact_and_value(film: Callable[..., None], tmp_path: Path) -> None:
    film("a-fine", lambda number: draw(number, 1))
    film("b-small", lambda number: draw(number, 2)[::2, ::2])
    film("c-short", lambda number: draw(number, 3), length_s=2)
    film("d-long", lambda number: draw(number % 10, 4), length_s=22)
    film("e-dark", lambda number: draw(number, 5) // 20)
    film("f-blurred", lambda number: cv2.GaussianBlur(draw(number, 6), (0, 0), 24))
    film("g-still", lambda number: draw(0, 7))
    film("h-copy", lambda number: cv2.resize(draw(number + 3, 1), (854, 640)))
    kept = screen(tmp_path)
    assert [clip.name for clip in kept.clips] == ["a-fine"]
    told = [f"{each.what} {each.because}" for each in kept.refused]
    # Measured values come from an encoder, whose versions differ a little.
    assert [re.sub(r"(: mean|: edge|: \d+% of).*", "", line) for line in told] == [
        "b-small is 320 × 240: its shorter side needs 480 pixels",
        "c-short lasts 2.00 s; taken are 3 to 21 s; cut a part of that length out of it",
        "d-long lasts 22.00 s; taken are 3 to 21 s; cut a part of that length out of it",
        "e-dark is too dark",
        "f-blurred is blurred or empty",
        "g-still stands still for 94% of its length; at most 50% is allowed",
        "h-copy is nearly the same as 'a-fine'",
    ]
