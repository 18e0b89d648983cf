"""Options of recipes: every one has its value, and what may not be is refused with what may."""

import pytest

from cutscore.authoring.recipe_options import RecipeOption, parse_options
from cutscore.core.errors import BadInput, UnknownName

OFFERED = {
    "unit": RecipeOption("what is counted", ("seconds", "frames")),
    "note": RecipeOption("anything", ("",), free=True),
    "clips": RecipeOption("how many", ("9",), within=(7, 20)),
}


def test_what_is_not_given_has_its_default() -> None:
    given = {"clips": "20", "note": "seven"}
    assert parse_options(given, OFFERED, recipe="mine") == {"unit": "seconds", "note": "seven", "clips": "20"}


@pytest.mark.parametrize("said", ["6", "21", "nine", "", "-9", "7.5", "9 "])
def test_a_number_is_whole_and_within_its_bounds(said: str) -> None:
    with pytest.raises(BadInput, match=f"^--set clips={said}: is no number from 7 to 20; for example clips=9$"):
        parse_options({"clips": said}, OFFERED, recipe="mine")


def test_other_choices_and_names_are_refused() -> None:
    with pytest.raises(BadInput, match="--set unit=miles: is no choice; write seconds or frames"):
        parse_options({"unit": "miles"}, OFFERED, recipe="mine")
    with pytest.raises(UnknownName, match="no option 'units'; recipe 'mine' has unit, note, clips"):
        parse_options({"units": "frames"}, OFFERED, recipe="mine")
