"""VISIT.json: what it may say, and what is told of one that says something else."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.tutorials.visit import read_visit
from cutscore.core.errors import BadInput

PLAIN = {"name": "buy_a_cup", "title": "Buying a cup", "site": "shopping", "start": "__SHOPPING__/"}
CLICK = {"tool": "click", "arguments": {"element": "[A] [Cups]"}}


def write(folder: Path, **changes: Any) -> Path:
    file = folder / "visit.json"
    file.write_text(json.dumps({**PLAIN, "steps": [{"say": "Hello."}], **changes}))
    return file


def test_a_visit_knows_all_sites_that_it_goes_to(tmp_path: Path) -> None:
    there = {"tool": "goto", "arguments": {"url": "__REDDIT__/f/cups"}}
    visit = read_visit(write(tmp_path, login=["gitlab"], steps=[{"do": CLICK}, {"do": there}]))
    assert visit.sites == ("shopping", "gitlab", "reddit")
    assert visit.viewport == (1280, 720)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"steps": [{"mark": "nothing"}]}, "steps.0: a step has one of 'say', 'do' and 'wait_s' at least"),
        ({"steps": []}, "a visit has 'steps' or a 'recording', and not both"),
        ({"recording": "cup.mp4"}, "a visit has 'steps' or a 'recording', and not both"),
        ({"steps": [{"say": "One.", "mark": "a"}, {"say": "Two.", "mark": "a"}]}, "mark 'a' stands at two steps"),
        ({"viewport": [1281, 720]}, "viewport: both sides are even numbers from 64 to 4096"),
        ({"name": "../up"}, "name: String should match pattern"),
        ({"tasks": [{"intent": "Buy it.", "eval": {}}]}, "tasks.0: a factual task has 'intermediate_intent'"),
        ({"step": []}, "step: Extra inputs are not permitted"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_visit(write(tmp_path, **changes))
    assert f"cannot be used: {told}" in str(caught.value)
    assert "docs/web-tutorials.md" in str(caught.value)
