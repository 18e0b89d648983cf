"""Web agents on real pages with a model that follows a script: what they are shown, do, answer, and pay."""

import json
import signal
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forked_cli import ForkedCli
from web_fixtures import PageServer

from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row
from cutscore.core.trajectory import Step, Trajectory
from cutscore.media.render import write_clip
from cutscore.registry import benchmark
from cutscore.store import Store

pytestmark = pytest.mark.real

PATIENCE_S = 500  # for a machine that others use, too
RIGHT = 12  # tasks that the script does as they should be done
ODD = ("several", "named", "loop", "lost", "refused")
OBJECTIVE = r"Now the task that you do:\s+OBJECTIVE: "
SCRIPT: dict[str, Any] = {
    "rules": [
        {"when": r"Now the question:\s+QUESTION: What does cup (?P<n>\d+) cost", "say": r"It is \g<n>.50 $"},
        {"when": r"Now the task:\s+TASK: Buy cup (?P<n>\d+)", "say": r"Cup \g<n> costs \g<n>.50 $."},
        {"when": OBJECTIVE + r"Buy cup \d+, named[\s\S]*PREVIOUS ACTION: None", "say": "```click [Cup 1]```"},
        {"when": OBJECTIVE + r"Buy cup \d+, named", "say": "I do not know."},
        {"when": OBJECTIVE + r"Buy cup \d+, loop", "say": "```scroll [up]```"},
        {"when": OBJECTIVE + r"Buy cup \d+, lost[\s\S]*PREVIOUS ACTION: None", "say": "```click [99]```"},
        {
            "when": OBJECTIVE + r"Buy cup \d+, lost[\s\S]*PREVIOUS ACTION: click",
            "say": "```goto [http://cups.example.org/]```",
        },
        {"when": OBJECTIVE + r"Buy cup \d+, lost", "say": "```stop [N/A]```"},
        {"when": r"\[StaticText\] \[Thank you for cup (?P<n>\d+)\]", "say": r"Done. ```stop [\g<n>.50]```"},
        {"when": OBJECTIVE + r"[\s\S]*\[(?P<id>\d+)\] \[BUTTON\] \[Buy\]", "say": r"I buy it. ```click [\g<id>]```"},
        {
            "when": OBJECTIVE + r"Buy cup (?P<n>\d+), several[\s\S]*\n\[(?P<id>\d+)\] \[A\] \[Cup (?P=n)\]",
            "say": r"```click [\g<id>]``` and then ```click [1]```",
        },
        {
            "when": OBJECTIVE + r"Buy cup (?P<n>\d+)[\s\S]*\n\[(?P<id>\d+)\] \[A\] \[Cup (?P=n)\]",
            "say": r"It is the cup of the video. ```click [\g<id>]```",
        },
    ],
    "otherwise": ["I have no idea."],
    "faults": [{"kind": "refusal", "when": OBJECTIVE + r"Buy cup \d+, refused"}],
}


@pytest.fixture
def pack(chromium: str, site: PageServer, tmp_path: Path, make_entry: Callable[..., dict[str, Any]]) -> Path:
    """Tasks to buy cups: twelve that are plain, and one for each way in which the script goes wrong.

    The tutorial is red to 3.0 s, then blue to 6.0 s; what is needed is at 4 s.
    """
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    wishes = [*([""] * RIGHT), *(f", {each}" for each in ODD)]
    links = " ".join(f"<a href=/cup-{number}>Cup {number}</a>" for number in range(1, len(wishes) + 1))
    site.pages = {"/": f"<title>shop</title>{links}"}
    folder = tmp_path / "pack"
    tasks, scripts = [], {}
    for number, wish in enumerate(wishes, start=1):
        site.pages[f"/cup-{number}"] = f"<form method=post action=/bought-{number}><button>Buy</button></form>"
        site.pages[f"/bought-{number}"] = f"<h1>Thank you for cup {number}</h1>"
        checks = {
            "eval_types": ["string_match", "url_match"],
            "reference_answers": {"must_include": [f"{number}.50"]},
            "reference_url": f"__SHOPPING__/bought-{number}",
            "url_note": "EXACT",
        }
        tasks.append(
            make_entry(
                task_id=number - 1,
                require_login=False,
                storage_state=None,
                start_url="__SHOPPING__/",
                intent=f"Buy cup {number}{wish}.",
                intermediate_intent=f"What does cup {number} cost?",
                intermediate_eval={
                    "eval_types": ["string_match"],
                    "reference_answers": {"must_include": [f"{number}.50"]},
                },
                eval=checks,
            )
        )
        done = {"about": "buys", "answer": "done"}
        scripts[f"factual-shopping-{number - 1}"] = {"perfect": done, "near_misses": [done], "needs": ["price"]}
    (folder / "videowa").mkdir(parents=True)
    (folder / "videowa/test_shopping.raw.json").write_text(json.dumps(tasks))
    (folder / "scripts.json").write_text(json.dumps(scripts))
    (folder / "videos").mkdir()
    red, blue = (np.full((90, 160, 3), colour, np.uint8) for colour in ((200, 0, 0), (0, 0, 200)))
    write_clip(folder / "videos/buy_cup.mp4", [*[red] * 30, *[blue] * 30], rate=Fraction(10))
    (folder / "videos/buy_cup.vtt").write_text("WEBVTT\n\n00:04.000 --> 00:05.000\nThis cup is mine.\n")
    log = {"visit": "buy_cup", "seconds": 6, "voice": "none", "marks": {"price": [4.0, 4.5]}, "steps": []}
    (folder / "videos/buy_cup.log.json").write_text(json.dumps(log))
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    return folder


def words_of(pack: Path, subject: str, *more: str, logs: str = "logs") -> list[str]:
    said = ["run", "videowebarena", "--data", str(pack), "--subject", subject, "--model", "scripted/script.json"]
    return [*said, "--log-dir", logs, "--set", "viewport=400x300", *more]


def steps_of(row: Row, logs: Path) -> list[Step]:
    assert row.deliverable.trajectory is not None
    with Store(logs / "store").path(row.deliverable.trajectory).open("rb") as lines:
        return list(Trajectory.from_jsonl(lines))


def diagnosis(row: Row) -> set[str]:
    seen = [each.name for each in row.ending.findings if each.value]
    return {name.removeprefix("diagnosis/") for name in seen if name.startswith("diagnosis/")}


def watched(row: Row, logs: Path) -> dict[str, Any]:
    (did,) = (did for step in steps_of(row, logs) for did in step.did if did.tool == "watch")
    return did.arguments


@pytest.mark.parametrize("subject", ["video", "frames", "summary"])
def test_an_agent_does_tasks_and_what_goes_wrong_is_told(
    child: Any, site: PageServer, pack: Path, tmp_path: Path, subject: str
) -> None:
    words = words_of(pack, subject, "--role", "summariser=scripted/script.json")
    ran = child(*words, SHOPPING=site.address, seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    rows = {int(row.item.rpartition("-")[2]): row for row in read_rows(tmp_path / "logs")}
    for number in range(RIGHT):
        scores = rows[number].ending.scores
        assert (scores["final@reference"], scores["intermediate@reference"]) == (1.0, 1.0), rows[number].ending.findings
        assert diagnosis(rows[number]) == {"knew_did"}
    several, named, loop, lost, refused = (rows[RIGHT + number] for number in range(len(ODD)))
    assert diagnosis(several) == {"knew_did", "several_actions"}
    assert diagnosis(named) == {"knew_not_did", "named_element", "no_action", "ended_early"}
    assert diagnosis(loop) == {"knew_not_did", "repeated_action", "ended_early"}
    assert diagnosis(lost) == {"knew_not_did", "unknown_element", "foreign_address"}
    assert diagnosis(refused) == {"knew_not_did", "failed"}
    assert refused.ending.failure_class == "refused"
    logs = tmp_path / "logs"
    (seen,) = (each for each in rows[0].seen if each.clip.name == "tutorial.mp4")
    shown = watched(rows[0], logs)
    assert shown["sent_as"] == seen.sent_as == ("video" if subject == "video" else "frames")
    assert shown.get("at_s", []) == [float(frame.at_s) for frame in seen.frames]
    assert len(seen.frames) == (0 if subject == "video" else 6)
    said = [step.said for step in steps_of(rows[0], logs) if step.by == "environment"]
    assert [bool(each) for each in said] == [False, True, True, True], "a look, then each reply once"


def test_fewer_frames_or_no_tutorial_are_cells_of_their_own_in_which_evidence_is_missing(
    child: Any, site: PageServer, pack: Path, tmp_path: Path
) -> None:
    arms = ("--ablate", "frames=1", "--ablate", "input=no_tutorial")
    ran = child(*words_of(pack, "frames", "--limit", "1", *arms), SHOPPING=site.address, seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    rows = {(row.input, row.frames): row for row in read_rows(tmp_path / "logs")}
    assert set(rows) == {("", "fps=1,max=60"), ("", "fps=1,max=1"), ("no_tutorial", "fps=1,max=60")}
    assert "evidence_not_shown" not in diagnosis(rows["", "fps=1,max=60"])
    assert watched(rows["", "fps=1,max=1"], tmp_path / "logs")["at_s"] == [3.0]
    found = next(each for each in rows["", "fps=1,max=1"].ending.findings if each.name.endswith("not_shown"))
    assert (found.value, found.file, found.because) == (1, "tutorial.mp4", "not shown: 'price' at 00:04.000–00:04.500")
    blind = rows["no_tutorial", "fps=1,max=60"]
    assert watched(blind, tmp_path / "logs") == {"sent_as": "nothing"}
    assert "evidence_not_shown" in diagnosis(blind)
    assert not [each for each in blind.seen if each.clip.name == "tutorial.mp4"]


def test_words_of_the_command_line_are_those_that_the_model_reads(
    child: Any, site: PageServer, pack: Path, tmp_path: Path
) -> None:
    ours = (benchmark("videowebarena").folder / "prompts/task_frames.md").read_text()
    (tmp_path / "mine.md").write_text(ours + "\nSay only the colour of the cup.\n")
    rules = [{"when": "Say only the colour of the cup", "say": "```stop [red]```"}, *SCRIPT["rules"]]
    (tmp_path / "script.json").write_text(json.dumps({**SCRIPT, "rules": rules}))
    words = words_of(pack, "frames", "--limit", "1")
    for more in ([], ["--prompt", "task_frames=mine.md"]):
        ran = child(*words, *more, SHOPPING=site.address, seconds=PATIENCE_S)
        assert ran.code == 0, ran.err
    assert sorted(row.deliverable.text for row in read_rows(tmp_path / "logs")) == ["1.50", "red"]
    (tmp_path / "mine.md").write_text("{{objective}}")
    ran = child(*words, "--prompt", "task_frames=mine.md", SHOPPING=site.address, seconds=PATIENCE_S)
    assert (ran.code, "prompt 'task_frames': has no blank {{" in ran.err) == (2, True), ran.err


@pytest.mark.parametrize(("event", "number"), [("reply-written", 3), ("reply-written", 9), ("handover-left", 2)])
def test_a_run_that_is_killed_goes_on_and_pays_nothing_twice(
    site: PageServer, pack: Path, tmp_path: Path, event: str, number: int
) -> None:
    words = words_of(pack, "summary", "--role", "summariser=scripted/script.json", "--limit", "3")
    killed = ForkedCli(tmp_path, words, env={"SHOPPING": site.address}, plant=(event, number))
    assert killed.end(limit_s=PATIENCE_S) == -signal.SIGKILL, killed.said
    again = ForkedCli(tmp_path, words, env={"SHOPPING": site.address})
    assert again.end(limit_s=PATIENCE_S) == 0, again.said
    rows = list(read_rows(tmp_path / "logs"))
    assert [row.ending.scores["final@strict"] for row in rows] == [1.0] * 3
    ends: dict[str, tuple[str, str]] = {}
    for line in (tmp_path / "logs/ledger.jsonl").read_text().splitlines():
        plain = json.loads(line)
        ends[plain["call"]] = (plain["state"], plain.get("role", ends.get(plain["call"], ("", ""))[1]))
    done = Counter(role for state, role in ends.values() if state == "done")
    assert done == {"summariser": 3, "subject": 3 * 4}, "a summary, three actions and an answer for each task"
