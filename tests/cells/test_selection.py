"""Picked items: in published order, and a word for every name that is not there."""

import re
from typing import Any

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


class Song(Item):
    @property
    def draw_unit(self) -> str:
        return self.groups.get("album", self.id)


SONGS = [Song(id=f"{album}{number}", cluster="1", groups={"album": album}) for album in "xyz" for number in range(9)]


def drawn(songs: list[Song], **how: Any) -> list[str]:
    return [item.id for item in ItemSelection(**how).choose(songs, bench="songs")]


def test_one_of_each_unit_is_drawn_by_the_seed_and_by_that_unit_alone() -> None:
    made = drawn(SONGS, draw=0)
    assert [name[0] for name in made] == ["x", "y", "z"]
    assert drawn(SONGS[::-1], draw=0) == made[::-1], "published order"
    assert {name for seed in range(99) for name in drawn(SONGS, draw=seed)} == {song.id for song in SONGS}
    assert drawn(SONGS[9:], draw=0) == made[1:], "what is beside a unit does not move it"
    assert drawn(SONGS, draw=0, where={"album": "y"}) == made[1:2]
    assert drawn(SONGS, draw=0, limit=2) == made[:2]
    assert ItemSelection(draw=0).as_json() == {"draw": 0}
    with pytest.raises(BadInput, match="--draw: items of 'web' do not stand for each other; take --limit or --where"):
        ItemSelection(draw=0).choose(ITEMS, bench="web")
