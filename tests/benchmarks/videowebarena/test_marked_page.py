"""videowebarena: which numbered box is around a point, by the picture that subjects get."""

import numpy as np
import pytest

from cutscore.benchmarks.videowebarena.marked_page import number_at, read_elements
from cutscore.environments.browser.mark_drawing import Box, draw_marks
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.clicks import ScreenPoint

# A menu whose numbers lie over each other's boxes, a wide field, a button in a card, and a 12 that ends in a 2.
BOXES: dict[str, Box] = {
    "1": (20, 10, 110, 40),
    "2": (180, 10, 620, 52),
    "3": (113, 210, 221, 232),
    "4": (113, 234, 181, 256),
    "5": (113, 258, 209, 280),
    "6": (113, 282, 175, 304),
    "7": (300, 150, 700, 400),
    "8": (320, 340, 420, 380),
    "12": (560, 62, 660, 90),
}


@pytest.fixture(scope="module")
def picture() -> Pixels:
    plain = np.full((480, 800, 3), 240, np.uint8)
    cv2 = opencv()
    data = bytes(cv2.imencode(".jpg", plain)[1])
    drawn = cv2.imdecode(np.frombuffer(draw_marks(data, [*BOXES.items()]), np.uint8), cv2.IMREAD_COLOR)
    return np.ascontiguousarray(drawn[:, :, ::-1])


@pytest.mark.parametrize("number", BOXES)
def test_the_box_around_a_point_is_named(picture: Pixels, number: str) -> None:
    left, top, right, bottom = BOXES[number]
    middle = ScreenPoint(round(left + right) // 2, round(top + bottom) // 2)
    at = ScreenPoint(600, 200) if number == "7" else middle
    assert number_at(picture, at, [*BOXES]) == number


def test_where_no_box_is_there_is_no_number(picture: Pixels) -> None:
    assert number_at(picture, ScreenPoint(40, 440), [*BOXES]) == ""
    assert number_at(picture, ScreenPoint(150, 245), ["5", "6"]) == ""  # a box of which the page lists nothing


def test_elements_are_read_from_the_text_of_a_page() -> None:
    text = "[1] [A] [Home]\n[] [StaticText] [3 found]\n[2] [INPUT] []\n[3] [SELECT] [a] b]"
    assert {number: (each.tag, each.words) for number, each in read_elements(text).items()} == {
        "1": ("A", "Home"),
        "2": ("INPUT", ""),
        "3": ("SELECT", "a] b"),
    }
