"""Readings of single pictures put together to lines with times."""

import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import cv2
import pytest

from cutscore.core.timeline import Span
from cutscore.perception.answers import text_at
from cutscore.perception.look import look
from cutscore.perception.text import TextBox
from cutscore.perception.writing import Lines

sys.path.append(str(Path(__file__).parent))

from drawing import film, plain  # lies beside this file

HERE, THERE = (10, 10, 90, 30), (10, 100, 90, 120)


def test_a_line_stays_while_it_is_read_again() -> None:
    lines = Lines()
    lines.see(Fraction(0), [TextBox("Cut here", HERE, 0.9)])
    lines.see(Fraction(1), [TextBox("cuthere", (11, 10, 92, 31), 0.97), TextBox("Now", THERE, 0.99)])
    lines.see(Fraction(2), [TextBox("Now", THERE, 0.95)])
    found = lines.result(Fraction(3))
    assert [(line.text, line.span) for line in found] == [
        ("cuthere", Span(start_s=0, end_s=2)),
        ("Now", Span(start_s=1, end_s=3)),
    ]
    assert [line.confidence for line in found] == [0.97, 0.99]


def test_another_place_or_other_words_are_another_line() -> None:
    lines = Lines()
    lines.see(Fraction(0), [TextBox("one", HERE, 0.9)])
    lines.see(Fraction(1), [TextBox("one", THERE, 0.9)])
    lines.see(Fraction(2), [TextBox("two", THERE, 0.9)])
    assert [line.text for line in lines.result(Fraction(3))] == ["one", "one", "two"]


def test_what_could_not_be_made_out_is_a_line_without_text() -> None:
    lines = Lines()
    lines.see(Fraction(0), [TextBox(None, HERE, 0.4)])
    lines.see(Fraction(1), [TextBox(None, HERE, 0.5)])
    (line,) = lines.result(Fraction(2))
    assert (line.text, line.span) == (None, Span(start_s=0, end_s=2))


@pytest.mark.real
def test_a_caption_is_read_from_the_picture() -> None:
    """STEP TWO from frame 10 on."""
    if find_spec("rapidocr") is None:
        pytest.skip("the extra 'ocr' is not installed")

    def scene(number: int):
        picture = plain(width=480, height=270)
        if number >= 10:
            cv2.putText(picture, "STEP TWO", (120, 150), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
        return picture

    report = look(film(scene, 20), text_every_s=Fraction(2, 5))
    assert text_at(report, Fraction(0)) == ()
    assert [line.replace(" ", "") for line in text_at(report, Fraction(3, 4))] == ["STEPTWO"]
