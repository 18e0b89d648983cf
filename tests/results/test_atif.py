"""ATIF: every step of ours has its place in the format, and nothing that is missing makes it fail."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage
from cutscore.results import cells
from cutscore.results.atif import to_atif
from cutscore.results.stored_steps import read_stored_steps
from cutscore.store import Store

PICTURE = FileRef(name="seen.png", sha256="ab" * 32, size_bytes=3, media_type="image/png")
STEPS = (
    Step(
        n=1,
        at_s=2.5,
        said="I look.",
        did=(Action(tool="Bash", arguments={"command": "ffprobe film.mp4"}), Action(tool="Read")),
        usage=Usage(input=312, cached=3006, output=60, reasoning=28),
    ),
    Step(n=2, by="tool", saw="60 s"),
    Step(n=3, by="tool", media=(PICTURE,), saw="a picture"),
    Step(n=4, did=(Action(tool="Agent"),)),
    Step(n=5, by="tool", error="no such agent"),
    Step(n=6, by="environment", said="the turn limit is reached"),
    Step(n=7, said="I help.", parent=4),
)


def row(**more: object) -> Row:
    plain = {"benchmark": "repair", "version": "1", "cell": "codex_cli-3f", "subject": "codex_cli", "cluster": "a"}
    ending = Ending(status="marked", scores={"score": 0.5})
    return Row(**{**plain, "item": "a", "epoch": 1, "ending": ending, "ask": Ask(item="a", brief="Fix it."), **more})


def test_steps_become_turns_with_calls_and_observations() -> None:
    made = to_atif(row(environment={"agent": "codex_cli", "agent_version": "0.128.0"}, model="lab/m"), STEPS)
    main = made.documents["trajectory.json"]
    assert main["agent"] == {"name": "codex_cli", "version": "0.128.0", "model_name": "lab/m"}
    assert [step["step_id"] for step in main["steps"]] == [1, 2, 3, 4]
    assert [step["source"] for step in main["steps"]] == ["user", "agent", "agent", "system"]
    asked, first, second, _ = main["steps"]
    assert asked["message"] == "Fix it."
    calls = [call["tool_call_id"] for call in first["tool_calls"]]
    results = first["observation"]["results"]
    assert [result["source_call_id"] for result in results] == calls
    assert results[0]["content"] == "60 s"
    assert results[1]["content"][1]["source"] == {"media_type": "image/png", "path": "images/abababababababab.png"}
    assert made.pictures == {"images/abababababababab.png": PICTURE}
    buckets = {"input": 312, "cached": 3006, "output": 60, "reasoning": 28}
    tokens = {"prompt_tokens": 3318, "completion_tokens": 88, "cached_tokens": 3006, "extra": buckets}
    assert (first["metrics"], first["extra"]) == (tokens, {"step": 1, "at_s": 2.5})
    assert second["extra"]["errors"] == ["no such agent"]


def test_a_sub_agent_has_a_file_of_its_own_to_which_its_spawner_refers() -> None:
    made = to_atif(row(), STEPS)
    helper = made.documents["subagent-4.json"]
    reference = made.documents["trajectory.json"]["steps"][2]["observation"]["results"][0]["subagent_trajectory_ref"]
    assert reference == [{"session_id": helper["session_id"], "trajectory_path": "subagent-4.json"}]
    assert [step["message"] for step in helper["steps"]] == ["I help."]


def test_what_a_tool_says_first_and_calls_without_a_model_are_told_too() -> None:
    steps = [Step(n=1, by="tool", saw="started"), Step(n=2, by="tool", did=(Action(tool="cut"),), saw="done")]
    told = to_atif(row(ask=None), steps).documents["trajectory.json"]["steps"]
    assert [step["source"] for step in told] == ["system", "agent"]
    assert told[1]["observation"]["results"] == [{"content": "done", "source_call_id": "call-2-1"}]
    assert to_atif(row(ask=None), ()).documents["trajectory.json"]["steps"] == []


def test_a_torn_trajectory_tells_what_is_left_and_a_missing_one_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    torn = Trajectory(steps=STEPS).to_jsonl()[:-20] + b'\n{"n": "x"}\n\xff\n'
    ref = store.put_bytes(torn, name="trajectory.jsonl")
    assert read_stored_steps(row(deliverable=Deliverable(trajectory=ref)), store) == STEPS[:-1]
    assert read_stored_steps(row(deliverable=Deliverable(trajectory=PICTURE)), store) == ()
    assert read_stored_steps(row(), store) == ()


def test_a_run_is_exported_one_folder_for_each_sample(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    picture = store.put_bytes(b"png", name="seen.png", media_type="image/png")
    steps = (*STEPS, Step(n=8, by="tool", media=(picture,)))
    ref = store.put_bytes(Trajectory(steps=steps).to_jsonl(), name="trajectory.jsonl")
    rows = [row(deliverable=Deliverable(trajectory=ref)), row(item="b")]
    cell = SimpleNamespace(record=SimpleNamespace(store=store), rows=rows)
    monkeypatch.setattr(cells, "read_run", lambda _run: [cell])
    ran = cli("export", "atif", "logs", "-o", "out", "--json")
    assert (ran.code, ran.json["trajectories"], ran.json["without_steps"], ran.json["missing_pictures"]) == (0, 1, 1, 1)
    folder = Path("out/repair/codex_cli-3f/a-1")
    assert {path.name for path in folder.rglob("*.*")} == {
        "trajectory.json",
        "subagent-4.json",
        f"{picture.sha256[:16]}.png",
    }
    assert "--where: means nothing for 'atif'" in cli("export", "atif", "logs", "-o", "x", "--where", "a=b").err
    assert "no item 'c'" in cli("export", "atif", "logs", "-o", "x", "--item", "c").err
    assert "1 sample, and none has steps" in cli("export", "atif", "logs", "-o", "x", "--item", "b").err
