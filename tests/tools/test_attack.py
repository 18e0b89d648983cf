"""The hostile library: what it counts, that the pages show its size, and that a fifth of it does no harm."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import attack
import pytest
from attacks import folders, packs, provider, texts
from attacks.arena import FAILURES, Outcome, Ran, crash_of
from attacks.films import judge_hostile

from cutscore.core.gate import Trial


def test_a_row_for_each_kind_and_a_column_for_each_ending() -> None:
    outcomes = [Outcome("films", "a", "zero"), Outcome("films", "b", "above"), Outcome("packs", "c", "refused")]
    head, films, found = attack.count(outcomes)
    assert head[:3] == ("kind of input", "tried", "refused")
    counted = dict(zip(head, films, strict=True))
    assert (counted["tried"], counted["marked 0"], counted["above the limit"], counted["hung"]) == ("2", "1", "1", "0")
    assert found[:3] == ("packs", "1", "1")
    page = "x\n<!-- attacks -->\nold\n<!-- end of attacks -->\ny\n"
    assert "| packs | 1 | 1 |" in attack.write_figures(page, attack.count(outcomes))
    assert "old" not in attack.write_figures(page, attack.count(outcomes))


@pytest.mark.parametrize(
    ("ran", "ending"),
    [
        (Ran(0, "fine", 0), None),
        (Ran(2, "error: pack 'x': cannot be read (unexpected end of data)", 0), None),
        (Ran(4, "error: cutscore show: unexpected KeyError: 'id'", 0), "crashed"),
        (Ran(-11, "", 0), "crashed"),
        (Ran(0, "", 2 << 30), "crashed"),
        (Ran(None, "", 0), "hung"),
    ],
)
def test_what_counts_as_a_crash(ran: Ran, ending: str | None) -> None:
    found = crash_of(ran)
    assert (found[0] if found else None) == ending


def test_a_hostile_film_that_earns_too_much_is_above_the_limit() -> None:
    trial = Trial(kind="hostile", name="x", scores={"strict": 0.0}, because="black")
    assert judge_hostile(trial, 0.0, refused=False) == "zero"
    assert judge_hostile(trial, 0.0, refused=True) == "refused"
    spared = trial.model_copy(update={"scores": {"paper": 0.1, "strict": 0.0}})
    assert judge_hostile(spared, 0.0, refused=False) == "allowed"
    assert judge_hostile(spared.model_copy(update={"fault": "gets 0.1"}), 0.0, refused=False) == "above"
    assert judge_hostile(trial.model_copy(update={"scores": {}}), 0.0, refused=False) == "unscored"


@pytest.mark.parametrize("page", attack.PAGES, ids=lambda page: page.name)
def test_a_page_shows_how_many_were_tried(page: Path) -> None:
    """When it does not, run `python tools/attack.py --write`."""
    block = attack.BLOCK.search(page.read_text(encoding="utf-8"))
    assert block is not None
    lines = [line.strip("| ").split(" | ") for line in block[0].splitlines() if line.startswith("|")]
    shown = {line[0]: line[1] for line in lines}
    wanted = {
        packs.KIND: len(packs.pack_attacks()),
        folders.KIND: len(folders.folder_attacks()),
        texts.FILES: len(texts.response_file_attacks()),
        provider.KIND: len(provider.storm().KINDS),
    }
    assert {kind: shown.get(kind) for kind in wanted} == {kind: str(number) for kind, number in wanted.items()}


@pytest.mark.real
def test_a_fifth_of_the_library_does_no_harm(repository: Path) -> None:
    words = [sys.executable, str(repository / "tools" / "attack.py"), "--small", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    outcomes = [Outcome(**each) for each in json.loads(done.stdout)]
    assert [each for each in outcomes if each.ending in FAILURES] == []
    assert done.returncode == 0
    tried = Counter(each.kind for each in outcomes)
    assert len(tried) == 9
    assert min(tried.values()) >= 3
