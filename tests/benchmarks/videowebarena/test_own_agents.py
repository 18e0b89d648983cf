"""Web agents on sites of our own with a model that follows a script: right answers, faults, arms, and a kill."""

import json
import re
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from forked_cli import ForkedCli
from scripted_web import OBJECTIVE, can_be_told, lost_without_words, rules_of, script_of

from cutscore import registry
from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row
from cutscore.core.trajectory import Trajectory
from cutscore.store import Store

pytestmark = pytest.mark.real

OWN = registry.benchmark("videowebarena").folder / "own"
PATIENCE_S = 900
ODD = ("several", "named", "loop", "crash")
PER_SITE = 2


@pytest.fixture(scope="module")
def able(tmp_path_factory: pytest.TempPathFactory) -> list[WebItem]:
    """Own tasks that a script can do, two of each site first."""
    told = [each for each in items(Store(tmp_path_factory.mktemp("store")), OWN) if can_be_told(each)]
    seen: Counter[str] = Counter()
    first = [each for each in told if seen.update([each.site]) or seen[each.site] <= PER_SITE]
    return [*first, *(each for each in told if each not in first)]


@pytest.fixture
def needed(chromium: str) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")


def words_of(chosen: list[WebItem], subject: str, *more: str) -> list[str]:
    picked = [word for item in chosen for word in ("--item", item.id)]
    words = ["run", "videowebarena", "--data", str(OWN), "--subject", subject, "--model", "scripted/script.json"]
    return [*words, "--log-dir", "logs", *picked, *more]


def write_script(folder: Path, right: list[WebItem], odd: dict[str, WebItem] | None = None, **more: Any) -> None:
    rules, faults = [], []
    for kind, item in (odd or {}).items():
        at = OBJECTIVE + re.escape(item.intent.strip())
        first = rules_of(item)[0]
        if kind == "several":
            rules.append({"when": first["when"], "say": first["say"] + " and then ```scroll [down]```"})
        if kind == "named":
            rules.append({"when": at + r"[\s\S]*PREVIOUS ACTION: None", "say": "```click [Home]```"})
            rules.append({"when": at, "say": "I do not know."})
        if kind == "loop":
            rules.append({"when": at, "say": "```scroll [up]```"})
        if kind == "crash":
            faults.append({"kind": "refusal", "when": at})
        rules += rules_of(item)
    rules += [rule for item in right for rule in rules_of(item)]
    (folder / "script.json").write_text(json.dumps(script_of(*more.get("first", []), *rules, faults=faults)))


def diagnosis(row: Row) -> set[str]:
    seen = [each.name for each in row.ending.findings if each.value]
    return {name.removeprefix("diagnosis/") for name in seen if name.startswith("diagnosis/")}


def marks(row: Row) -> tuple[float | None, float | None]:
    return row.ending.scores.get("final@reference"), row.ending.scores.get("intermediate@reference")


def watched(row: Row, logs: Path) -> dict[str, Any]:
    assert row.deliverable.trajectory is not None
    with Store(logs / "store").path(row.deliverable.trajectory).open("rb") as lines:
        (did,) = (did for step in Trajectory.from_jsonl(lines).steps for did in step.did if did.tool == "watch")
    return did.arguments


def test_an_agent_does_own_tasks_and_one_that_fails_is_listed(
    child: Any, needed: None, able: list[WebItem], tmp_path: Path
) -> None:
    right, looping = able[0], able[2]
    write_script(tmp_path, [right], {"loop": looping})
    ran = child(*words_of([right, looping], "frames"), seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    rows = {row.item: row for row in read_rows(tmp_path / "logs")}
    assert marks(rows[right.id]) == (1.0, 1.0), rows[right.id].ending.findings
    assert diagnosis(rows[looping.id]) == {"knew_not_did", "repeated_action", "ended_early"}
    told = child("tables", "logs", "--only", "journey", "--json", seconds=PATIENCE_S).json
    (table,) = (table for each in told["benchmarks"] for table in each["tables"])
    assert (table["paper"], table["title"]) == (
        "Figure 7",
        f"frames scripted/script.json on {looping.id}: 0 after 5 actions",
    )
    lines = [dict(zip(("step", "said", "did", "then"), row, strict=True)) for row in table["rows"]]
    assert lines[0]["then"].startswith(looping.intent[:60])
    assert (lines[1]["did"], lines[1]["then"]) == ("watch", "60 frames")
    assert [line["did"] for line in lines[2:7]] == ["scroll [up]"] * 5
    assert lines[3]["then"] == "the page stays as it is"
    assert lines[7]["step"] == "question"
    assert lines[8]["step"] == "verdict"


@pytest.mark.release
@pytest.mark.parametrize("subject", ["video", "frames", "summary"])
def test_twelve_tasks_are_done_and_what_goes_wrong_is_told(
    child: Any, needed: None, able: list[WebItem], tmp_path: Path, subject: str
) -> None:
    right = able[: PER_SITE * 6]
    odd = dict(zip(ODD, able[len(right) :], strict=False))
    assert len({item.site for item in right}) == 6
    write_script(tmp_path, right, odd)
    more = ("--role", "summariser=scripted/script.json")
    ran = child(*words_of([*right, *odd.values()], subject, *more), seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    logs = tmp_path / "logs"
    rows = {row.item: row for row in read_rows(logs)}
    assert {item.id: marks(rows[item.id]) for item in right} == {item.id: (1.0, 1.0) for item in right}
    assert all(diagnosis(rows[item.id]) <= {"knew_did", "evidence_not_shown"} for item in right)
    seen = {kind: diagnosis(rows[item.id]) - {"evidence_not_shown"} for kind, item in odd.items()}
    assert seen["several"] == {"knew_did", "several_actions"}
    assert seen["named"] == {"knew_not_did", "named_element", "no_action", "ended_early"}
    assert seen["loop"] == {"knew_not_did", "repeated_action", "ended_early"}
    assert seen["crash"] == {"knew_not_did", "failed"}
    for item in right:
        (shown,) = (each for each in rows[item.id].seen if each.clip.name == "tutorial.mp4")
        told = watched(rows[item.id], logs)
        assert told["sent_as"] == shown.sent_as == ("video" if subject == "video" else "frames")
        assert told.get("at_s", []) == [round(float(frame.at_s), 3) for frame in shown.frames]
        assert len(shown.frames) == (0 if subject == "video" else 60)


@pytest.mark.release
def test_fewer_frames_and_no_tutorial_end_with_paired_differences(
    child: Any, needed: None, able: list[WebItem], tmp_path: Path
) -> None:
    right = able[: PER_SITE * 6]
    write_script(tmp_path, right, first=[lost_without_words(item) for item in right[:6]])
    arms = ("--ablate", "frames=30", "--ablate", "input=no_tutorial", "--json")
    ran = child(*words_of(right, "frames", *arms), seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    rows = list(read_rows(tmp_path / "logs"))
    assert Counter((row.input, row.frames) for row in rows) == {
        ("", "fps=1,max=60"): 12,
        ("", "fps=1,max=30"): 12,
        ("no_tutorial", "fps=1,max=60"): 12,
    }
    fewer = [row for row in rows if row.frames == "fps=1,max=30"]
    assert {len(each.frames) for row in fewer for each in row.seen if each.clip.name == "tutorial.mp4"} == {30}
    assert not [each for row in rows if row.input for each in row.seen if each.clip.name == "tutorial.mp4"]
    found = {each["estimate"]["value"]: each["estimate"]["n"] for each in ran.json["differences"] if "estimate" in each}
    assert found == {0.0: 12, -0.5: 12} or found == {0.0: 12, 0.5: 12}, ran.json["differences"]
    told = child("tables", "logs", "--only", "tutorial-effect", "--json", seconds=PATIENCE_S).json
    (table,) = (table for each in told["benchmarks"] for table in each["tables"])
    ((*_, n, with_it, without, difference, _steps),) = table["rows"]
    assert (n, with_it, without, difference["value"]) == (12, 1.0, 0.5, 0.5)


@pytest.mark.release
@pytest.mark.parametrize(("event", "number"), [("reply-written", 4), ("handover-left", 2)])
def test_a_run_on_own_sites_that_is_killed_goes_on(
    needed: None, able: list[WebItem], tmp_path: Path, event: str, number: int
) -> None:
    chosen = able[:4]
    write_script(tmp_path, chosen)
    words = words_of(chosen, "frames")
    killed = ForkedCli(tmp_path, words, env={}, plant=(event, number))
    assert killed.end(limit_s=PATIENCE_S) == -signal.SIGKILL, killed.said
    again = ForkedCli(tmp_path, words, env={})
    assert again.end(limit_s=PATIENCE_S) == 0, again.said
    rows = list(read_rows(tmp_path / "logs"))
    assert sorted(row.item for row in rows) == sorted(item.id for item in chosen)
    assert [marks(row) for row in rows] == [(1.0, 1.0)] * 4
    calls: dict[str, str] = {}
    for line in (tmp_path / "logs/ledger.jsonl").read_text().splitlines():
        plain = json.loads(line)
        calls[plain["call"]] = plain["state"]
    asked = [len(item.scripts.perfect.actions) + 2 for item in chosen if item.scripts]
    assert Counter(calls.values())["done"] == sum(asked), "what was under way is done again from the replies at hand"
