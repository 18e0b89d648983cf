"""Somebody else has to look at tasks that were built here."""

from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.tutorials.crosscheck import tell_signoffs
from cutscore.core.item import Item

ITEMS = [Item(id=f"factual-trac-{n}", cluster="trac_valve") for n in range(2)]
HEAD = "item,reviewer,role,decision,reason,content\n"
AUTHOR = "factual-trac-0,3fa91c02d4e7,author,accept,,\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (AUTHOR, ["2 tasks not signed off by two people in signoffs.csv: factual-trac-0, factual-trac-1"]),
        (
            f"{AUTHOR}factual-trac-0,77ab01e2c9d0,independent,accept,,\n",
            ["1 task not signed off by two people in signoffs.csv: factual-trac-1"],
        ),
        (
            f"{AUTHOR}factual-trac-0,77ab01e2c9d0,independent,revise,too-easy,\n",
            [
                "factual-trac-0 is not let pass: independent 77ab01e2: revise, too-easy",
                "1 task not signed off by two people in signoffs.csv: factual-trac-1",
            ],
        ),
    ],
)
def test_what_two_people_have_not_signed_is_told(tmp_path: Path, lines: str, told: list[str]) -> None:
    (tmp_path / "signoffs.csv").write_text(HEAD + lines)
    assert tell_signoffs(ITEMS, tmp_path) == told


def test_packs_of_other_makers_need_no_signature(tmp_path: Path) -> None:
    assert tell_signoffs(ITEMS, tmp_path) == []
    (tmp_path / "pack.json").write_text('{"recipe": "videowebarena"}')
    assert tell_signoffs(ITEMS, tmp_path)[0].startswith("2 tasks not signed off")
