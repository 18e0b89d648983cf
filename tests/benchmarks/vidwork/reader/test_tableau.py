"""What stands on a table and who is behind it, in drawn pictures; and which of the things is the one that is named."""

from fractions import Fraction

import cv2
import numpy as np
import pytest

from cutscore.benchmarks.vidwork.reader.stature import (
    count_alike,
    guess_clothes,
    guess_colour,
    guess_contents,
    guess_side,
    known_noun,
)
from cutscore.benchmarks.vidwork.reader.tableau import Tableau, read_tableau
from cutscore.core.timeline import Span
from cutscore.media.frames import Frame

SKIN, WALL, FRONT, TOP = (226, 178, 140), (205, 215, 225), (120, 60, 170), 150
RED, GREEN, BLUE, YELLOW, WHITE = (214, 58, 56), (70, 160, 84), (52, 104, 200), (246, 208, 60), (250, 250, 250)


def picture(*things: tuple[tuple[int, int, int, int], tuple[int, int, int]], at_s: int = 0) -> Tableau:
    """A wall above a purple table of 320 × 180 whose front begins at 150, and boxes (left, top, right, bottom)."""
    pixels = np.full((180, 320, 3), WALL, np.uint8)
    pixels[TOP:] = FRONT
    for (left, top, right, bottom), colour in things:
        pixels[top:bottom, left:right] = colour
    return read_tableau(Frame(Fraction(at_s), pixels))


def upright(x: int, colour: tuple[int, int, int] = RED) -> tuple[tuple[int, int, int, int], tuple[int, int, int]]:
    """Something as narrow and high as a bottle."""
    return (x - 8, 114, x + 8, 152), colour


def lying(x: int, colour: tuple[int, int, int] = BLUE) -> tuple[tuple[int, int, int, int], tuple[int, int, int]]:
    """Something as wide and flat as a plate."""
    return (x - 28, 141, x + 28, 152), colour


def test_the_table_ends_where_its_colour_does() -> None:
    seen = picture(upright(60))
    assert seen.lowest.name == "purple"
    assert seen.edge == pytest.approx(TOP / 320, abs=0.01)


def test_only_what_stands_on_the_table_counts() -> None:
    seen = picture(upright(60), lying(200), ((120, 10, 170, 50), GREEN))
    assert [region.colour.name for region in seen.regions] == ["green", "blue", "red"]
    assert sorted(str(region.colour.name) for region in seen.things_on_table()) == ["blue", "red"]


def test_a_part_of_a_thing_is_no_thing_of_its_own() -> None:
    seen = picture(((40, 90, 100, 152), BLUE), ((55, 120, 85, 140), YELLOW))
    assert [region.colour.name for region in seen.things_on_table()] == ["blue"]
    assert guess_contents("bucket", [seen]) == "yellow"


def test_clothes_are_below_a_face() -> None:
    seen = picture(((130, 60, 160, 95), SKIN), ((115, 95, 175, 150), GREEN), upright(60))
    assert guess_clothes([seen]) == "green"
    assert guess_clothes([picture(upright(60))]) is None
    # What is below a face and does not reach it is not worn.
    assert guess_clothes([picture(((130, 20, 160, 55), SKIN), ((125, 110, 165, 152), GREEN))]) is None
    # Whoever stands there is no thing on the table.
    assert guess_colour("unheard-of", [seen]) == "red"


def test_a_thing_is_known_by_its_stature() -> None:
    seen = [picture(upright(60, RED), lying(200, BLUE)), picture(upright(70, RED), lying(200, BLUE))]
    assert (guess_colour("bottle", seen), guess_colour("plate", seen)) == ("red", "blue")
    other = [picture(upright(60, BLUE), lying(200, RED))]
    assert (guess_colour("bottle", other), guess_colour("plate", other)) == ("blue", "red")
    assert guess_colour("bottle", []) is None
    assert guess_colour("bottle", [picture()]) is None


def test_whoever_talks_of_a_thing_points_the_camera_at_it() -> None:
    seen = [picture(upright(160, RED), upright(40, BLUE)), picture(upright(160, BLUE), upright(40, RED), at_s=10)]
    told = Span(start_s=Fraction(9), end_s=Fraction(9))
    assert guess_colour("frobnicator", seen, told=[told]) == "blue"
    assert guess_colour("frobnicator", seen, told=[Span(start_s=Fraction(0), end_s=Fraction(0))]) == "red"


def test_sides_are_told_by_two_statures() -> None:
    seen = picture(upright(60), lying(200))
    assert (guess_side("bottle", "plate", seen), guess_side("plate", "bottle", seen)) == ("left", "right")
    turned = picture(upright(260), lying(100))
    assert (guess_side("bottle", "plate", turned), guess_side("plate", "bottle", turned)) == ("right", "left")
    assert guess_side("bottle", "extinguisher", seen) is None  # both are high
    assert guess_side("bottle", "plate", picture()) is None


@pytest.mark.parametrize("number", [2, 3, 5])
def test_things_that_are_alike_are_counted(number: int) -> None:
    pixels = np.full((180, 320, 3), WALL, np.uint8)
    pixels[TOP:] = FRONT
    for n in range(number):
        cv2.ellipse(pixels, (60 + 22 * n, 140), (7, 9), 0, 0, 360, WHITE, -1, cv2.LINE_AA)
    pixels[110:152, 250:262] = RED
    assert count_alike(read_tableau(Frame(Fraction(0), pixels))) == number


def test_without_any_two_alike_there_is_one() -> None:
    assert count_alike(picture(upright(60), lying(200))) == 1


def test_the_noun_is_the_last_word_whose_stature_is_known() -> None:
    assert known_noun(["what", "colour", "is", "the", "first", "aid", "box"]) == "box"
    assert known_noun(["the", "bottles", "there"]) == "bottle"
    assert known_noun(["the", "frobnicator"]) == "frobnicator"
    assert known_noun([]) == ""


@pytest.mark.parametrize("size", [(16, 16), (1, 400), (400, 1)])
def test_any_picture_can_be_looked_at(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8)
    for pixels in (noise, np.zeros_like(noise)):
        seen = read_tableau(Frame(Fraction(0), pixels))
        assert guess_clothes([seen]) is None or seen.regions
        assert count_alike(seen) >= 1
