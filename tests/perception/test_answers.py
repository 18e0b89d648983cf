"""Questions to a report, and the words that they are asked in."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.errors import UnknownName
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.answers import (
    colour_at,
    colours_of,
    count,
    find_tracks,
    match_events,
    order_of_events,
    relations,
    track_point,
    when,
)
from cutscore.perception.lexicon import parse_description
from cutscore.perception.report import Report

sys.path.append(str(Path(__file__).parent))

from drawing import film, plain, put  # lies beside this file


def scene(number: int) -> np.ndarray:
    """A red circle at (30, 30) turns blue at frame 20; a green square at (110, 60) is there from frame 10 to frame 30.

    A yellow circle at (70, 30) stays. From frame 40 on there is nothing but black.
    """
    if number >= 40:
        return plain((8, 8, 10))
    picture = put(plain((120, 125, 130)), "circle", "red" if number < 20 else "blue", (30, 30))
    picture = put(picture, "circle", "yellow", (70, 30))
    return put(picture, "square", "green", (110, 60)) if 10 <= number < 30 else picture


@pytest.fixture(scope="module")
def report() -> Report:
    return analyze_clip(film(scene, 48))


def frame(number: int) -> Fraction:
    return Fraction(number, 25)


def test_counts_by_colour_shape_and_moment(report: Report) -> None:
    assert [count(report, at=frame(number)) for number in (5, 15, 35, 45)] == [2, 3, 2, 0]
    assert count(report, shape="circle", at=frame(15)) == 2
    assert count(report, colour="red", at=frame(15)) == 1
    assert count(report, colour="red", at=frame(25)) == 0
    assert count(report, colour="blue", shape="circle", at=frame(25)) == 1
    assert [track.name for track in find_tracks(report, shape="square")] == ["green square"]


def test_a_thing_has_all_its_colours(report: Report) -> None:
    (track,) = find_tracks(report, colour="red")
    assert set(colours_of(report, track)) == {"red", "blue"}
    assert colours_of(report, track, at=frame(30)) == ("blue",)
    assert track_point(track, frame(10)).colour.name == "red"
    assert track_point(track, frame(49)) is None


def test_the_colour_of_a_moment(report: Report) -> None:
    assert colour_at(report, frame(5)).name == "grey"
    assert colour_at(report, frame(45)).name == "black"
    assert colour_at(report, frame(60)) is None


def test_relations(report: Report) -> None:
    (changing,), (yellow,), (square,) = (find_tracks(report, colour=name) for name in ("red", "yellow", "green"))
    assert relations(report, changing, yellow, frame(15)) == {"left of"}
    assert relations(report, square, yellow, frame(15)) == {"right of", "below"}
    assert relations(report, square, yellow, frame(2)) is None


def test_inside_and_touching() -> None:
    picture = put(put(plain(), "square", "white", (60, 45), 40), "circle", "red", (60, 45))
    picture = put(picture, "square", "blue", (101, 45), 14)
    seen = analyze_clip(film(lambda number: picture, 8))
    white, red, blue = (next(t for t in seen.tracks if t.colour.name == name) for name in ("white", "red", "blue"))
    assert {"inside", "touching"} <= relations(seen, red, white, Fraction(0))
    assert "touching" in relations(seen, blue, white, Fraction(0))
    assert "inside" not in relations(seen, blue, white, Fraction(0))


def test_events_come_in_order(report: Report) -> None:
    told = [(each.event.kind, each.track.name) for each in order_of_events(report)]
    assert [kind for kind, _ in told] == ["appears", "changes colour", "disappears"]
    assert told[0] == ("appears", "green square")
    assert [each.event.kind for each in order_of_events(report, ["disappears"])] == ["disappears"]
    assert str(order_of_events(report)[0]) == "green square appears at 0.40 s"


def test_words_find_events(report: Report) -> None:
    assert abs(when(report, "the green box shows up") - frame(10)) <= frame(2)
    assert abs(when(report, "The ball becomes blue.") - frame(20)) <= frame(2)
    assert when(report, "the yellow ball bounces") is None
    assert when(report, "whatever") is None
    assert match_events(report, "a purple thing vanishes") == ()


def test_unknown_names_are_refused(report: Report) -> None:
    with pytest.raises(UnknownName, match="no colour 'blu'; did you mean 'blue'"):
        find_tracks(report, colour="blu")
    with pytest.raises(UnknownName, match="no shape 'hexagon'; known: bar, blob, circle"):
        count(report, shape="hexagon", at=Fraction(0))


@pytest.mark.parametrize(
    ("text", "colours", "shapes", "kinds"),
    [
        ("Two gray discs bumped into each other", ("grey",), ("circle",), ("collides",)),
        ("the violet triangle is shrinking", ("purple",), ("triangle",), ("shrinks",)),
        ("glass fills", (), (), ("rises",)),
        ("the cube came to rest", (), ("square",), ("stops",)),
        ("it stopped, then it set off", (), (), ("stops", "starts")),
        ("boxes vanish", (), ("square",), ("disappears",)),
        ("a crimson star carries on", ("red",), ("star",), ()),
    ],
)
def test_words_are_understood_in_their_forms(text, colours, shapes, kinds) -> None:
    found = parse_description(text)
    assert (found.colours, found.shapes, found.kinds) == (colours, shapes, kinds)


def test_words_that_mean_nothing_are_given_back() -> None:
    assert parse_description("the red gizmo bounces wildly").unknown == ("gizmo", "wildly")
