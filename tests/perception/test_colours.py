"""Colours: names where people agree, none in between."""

import colorsys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import UnknownName
from cutscore.perception.colours import EXAMPLES, NAMES, check_colour_name, lab_of, name_colour, rgb_of

LEVEL = st.integers(0, 255)
# The pure colours around the circle of hues, in degrees.
PURE = {0: "red", 30: "orange", 60: "yellow", 120: "green", 180: "cyan", 240: "blue", 275: "purple", 300: "magenta"}


def at(hue: float, saturation: float = 1.0, value: float = 1.0) -> str | None:
    rgb = tuple(round(255 * level) for level in colorsys.hsv_to_rgb(hue / 360, saturation, value))
    return name_colour(lab_of(rgb)).name


def test_there_are_fourteen_names_and_each_example_has_its_own() -> None:
    assert len(NAMES) == 14
    assert {name_colour(lab_of(rgb)).name for rgb in EXAMPLES["red"]} == {"red"}
    for name, examples in EXAMPLES.items():
        for rgb in examples:
            assert (name_colour(lab_of(rgb)).name, name_colour(lab_of(rgb)).confidence) == (name, 1.0)


def test_pure_hues_have_their_names() -> None:
    assert {hue: at(hue) for hue in PURE} == PURE


def test_between_two_hues_is_one_of_them_or_a_doubt() -> None:
    around = [*PURE.items(), (360, "red")]
    for (first, name), (last, following) in pairwise(around):
        for hue in range(first, last):
            allowed = {name, following, None} | ({"pink"} if following == "red" and first else set())
            assert at(hue) in allowed, hue


def test_there_is_doubt_between_red_and_orange_and_between_yellow_and_green() -> None:
    assert None in [at(hue) for hue in range(30)]
    assert None in [at(hue) for hue in range(60, 100)]


def test_light_and_shade_do_not_rename() -> None:
    assert [at(120, value=value) for value in (0.4, 0.6, 0.8, 1)] == ["green"] * 4
    assert [at(235, value=value) for value in (0.5, 0.7, 1)] == ["blue"] * 3
    assert [at(0, value=value) for value in (0.6, 0.8, 1)] == ["red"] * 3


def test_greys_go_from_black_to_white() -> None:
    names = [name_colour(lab_of((level, level, level))).name for level in range(256)]
    assert (names[0], names[128], names[255]) == ("black", "grey", "white")
    told = [name for name in names if name is not None]
    assert sorted(told, key=["black", "grey", "white"].index) == told


def test_brown_is_dark_orange_and_beige_pale_orange() -> None:
    assert (at(25, 0.8, 0.5), at(30), at(40, 0.2, 0.93)) == ("brown", "orange", "beige")


@settings(max_examples=40)
@given(st.tuples(LEVEL, LEVEL, LEVEL))
def test_numbers_come_back_within_one_level(rgb: tuple[int, int, int]) -> None:
    assert max(abs(one - other) for one, other in zip(rgb_of(lab_of(rgb)), rgb, strict=True)) <= 1


@settings(max_examples=40)
@given(st.tuples(LEVEL, LEVEL, LEVEL))
def test_confidence_is_between_0_and_1_and_0_without_a_name(rgb: tuple[int, int, int]) -> None:
    colour = name_colour(lab_of(rgb))
    assert 0 <= colour.confidence <= 1
    assert (colour.name is None) == (colour.confidence == 0)


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(UnknownName, match="no colour 'gren'; did you mean 'green'"):
        check_colour_name("gren")
