"""covebench: the reader does what it says, on pictures whose truth is known, and names what it leaves."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.covebench.keyless import read_instruction, recolour, reframe, tone


@pytest.mark.parametrize(
    ("text", "edits", "speed", "left"),
    [
        ("Make the red ball blue.", ["red to blue"], 1, ()),
        ("Change the yellow toy car to green.", ["yellow to green"], 1, ()),
        ("Change the light to night. Leave everything else as it is.", ["night"], 1, ()),
        ("Show the whole video in black and white.", ["grey"], 1, ()),
        ("Slow everything down to half of its speed.", [], Fraction(1, 2), ()),
        ("Pan the camera slowly to the right.", ["frame"], 1, ()),
        ("Remove the bench. Make it rain.", [], 1, ("Remove the bench.", "Make it rain.")),
    ],
)
def test_instructions_are_read_clause_by_clause(
    text: str, edits: list[str], speed: Fraction, left: tuple[str, ...]
) -> None:
    plan = read_instruction(text)
    assert ([name for name, _ in plan.pictures], plan.speed, plan.left) == (edits, speed, left)


def scene() -> np.ndarray:
    """A red disc, lit from above, on green, beside a large blue sky."""
    pixels = np.zeros((90, 160, 3), np.uint8)
    pixels[:40], pixels[40:] = (60, 120, 220), (60, 180, 75)
    rows, columns = np.mgrid[:90, :160]
    disc = (rows - 65) ** 2 + (columns - 80) ** 2 < 15**2
    pixels[disc & (rows < 65)], pixels[disc & (rows >= 65)] = (255, 0, 0), (200, 30, 30)
    return pixels


def test_the_disc_turns_blue_and_nothing_else_does() -> None:
    before = scene()
    made = recolour(before, "red", "blue")
    changed = (made != before).any(axis=2)
    assert changed[65, 80]
    assert not changed[:40].any()
    assert 0.9 < changed.sum() / (np.pi * 15**2) < 1.2
    assert made[60, 80, 2] > made[60, 80, 0]
    assert made[58, 80].sum() > made[72, 80].sum()  # light stays above shade


def test_a_colour_that_is_not_there_or_is_the_background_is_left() -> None:
    before = scene()
    assert (recolour(before, "purple", "blue") == before).all()
    assert (recolour(before, "blue", "red") == before).all()


@pytest.mark.parametrize("name", ["night", "dusk", "sepia", "grey", "faded"])
def test_tones_change_the_whole_picture(name: str) -> None:
    made = tone(scene(), name)
    assert made.dtype == np.uint8
    assert made.shape == scene().shape
    if name == "grey":
        assert (made[..., 0] == made[..., 1]).all()
    if name == "night":
        assert made.mean() < 0.5 * scene().mean()


def test_a_closer_frame_shows_the_middle_and_a_pan_goes_aside() -> None:
    ramp = np.broadcast_to(np.linspace(0, 255, 160).astype(np.uint8)[None, :, None], (90, 160, 3)).copy()
    still, moved = reframe(ramp, 0.5, 0), reframe(ramp, 0.5, 0.16)
    assert still.shape == ramp.shape
    assert still[0, 0, 0] == pytest.approx(64, abs=3)
    assert moved[0, 0, 0] > still[0, 0, 0] + 30
    assert reframe(ramp, 0.5, 5)[0, -1, 0] >= 250  # never beyond the edge
