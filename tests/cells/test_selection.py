"""Picked items: in published order, and a word for every name that is not there."""

import re

import pytest

from cutscore.cells.selection import EVERY_ITEM, ItemSelection
from cutscore.core.errors import BadInput
from cutscore.core.item import Item

ITEMS = [
    Item(id="a", cluster="1", groups={"site": "map", "level": "easy"}),
    Item(id="b", cluster="1", groups={"site": "shop", "level": "hard"}),
    Item(id="c", cluster="2", groups={"site": "map", "level": "hard"}),
    Item(id="d", cluster="2"),
]


def chosen(*items: str, limit: int | None = None, **where: str) -> list[str]:
    return [item.id for item in ItemSelection(items, where, limit).choose(ITEMS, bench="web")]


def test_everything_must_hold_and_the_limit_counts_last() -> None:
    assert chosen() == ["a", "b", "c", "d"]
    assert chosen("c", "a") == ["a", "c"]
    assert chosen(site="map") == ["a", "c"]
    assert chosen(site="map", level="hard") == ["c"]
    assert chosen("a", "b", "c", limit=1, level="hard") == ["b"]
    assert chosen(limit=2) == ["a", "b"]


@pytest.mark.parametrize(
    ("items", "where", "words"),
    [
        (("e",), {}, "no item 'e': not among the 4 of 'web'; see 'cutscore show web'"),
        ((), {"sites": "map"}, "no group 'sites': no item of 'web' has it; did you mean 'site'?"),
        ((), {"site": "maps"}, "no site 'maps': no item of 'web' has it; did you mean 'map'?"),
        (
            ("a",),
            {"level": "hard"},
            "no item is left: items a; where level=hard; leave one of these out",
        ),
    ],
)
def test_what_is_not_there_is_bad_input(items: tuple[str, ...], where: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        chosen(*items, **where)


def test_what_was_picked_is_said() -> None:
    assert EVERY_ITEM.describe() == ""
    assert EVERY_ITEM.as_json() == ItemSelection(limit=3).as_json() == {}
    assert ItemSelection(("a",), {"site": "map"}, 3).as_json() == {"items": ["a"], "where": {"site": "map"}, "limit": 3}
