"""clvg_turns: the assisted arm, in which a model predicts the script that a generator films."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.clvg_turns.around import AssistedGenerator, ask_for_script, wrap
from cutscore.bridge.rows import read_rows
from cutscore.core.ask import Ask, AskPart
from cutscore.core.trajectory import Trajectory
from cutscore.store import Store

MAKER = '''
import shutil
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed

def film(ask, context):
    """Write down what it is asked; refuse where the script says so."""
    words = ask.part("instruction").text
    with open("asked.txt", "a") as out:
        out.write(ask.part("turn").text + ": " + words.replace("\\n", " ") + "\\n")
    if "forbidden" in words:
        raise SubjectFailed("maker", "refused it", failure_class="refused")
    return Deliverable()
'''


def test_without_a_model_nothing_is_put_around() -> None:
    assert wrap("somebody", {"assistant": ""}) == "somebody"  # type: ignore[arg-type,comparison-overlap]
    assert isinstance(wrap("somebody", {"assistant": "lab/x"}), AssistedGenerator)  # type: ignore[arg-type]


def test_the_script_stands_where_brief_and_history_stood() -> None:
    roles = ("instruction", "turn", "role", "feedback", "assistant")
    ask = Ask(item="a", brief="all of it", parts=[AskPart(role=role, text=role) for role in roles])
    made = ask_for_script(ask, "The card leaves.")
    assert made.brief == "The card leaves."
    assert [(part.role, part.text) for part in made.parts] == [("instruction", "The card leaves."), ("turn", "turn")]


@pytest.mark.real
def test_scripts_are_predicted_kept_booked_and_looked_back_on(
    tmp_path: Path, cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maker.py").write_text(MAKER)
    monkeypatch.syspath_prepend(tmp_path)
    rules = [
        {"when": "After film 2, the viewer[\\s\\S]*card with 2", "say": "A forbidden script."},
        {"when": "The card with 6 fades[\\s\\S]*card with 4", "say": "It looked back."},
        {"when": "card with 6", "say": "The card with 6 fades."},
    ]
    script = {"rules": rules, "otherwise": ["Nothing fits."], "usage": {"input": 100, "output": 5}}
    (tmp_path / "writer.json").write_text(json.dumps(script))
    done = cli(
        *("run", "clvg_turns", "--subject", "python:maker:film", "--item", "sums-b"),
        *("--set", "assistant=scripted/writer.json"),
    )
    assert done.code == 0, done.err
    (row,) = read_rows(tmp_path / "logs")
    said = [turn.deliverable.text for turn in row.evidence.turns]
    assert said[0] == "", "turn 1 follows the given script"
    assert said[1] == "The card with 6 fades."
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert asked[1] == "2: The card with 6 fades."
    assert len(asked) == 4
    assert row.usage is not None
    assert row.usage.input == 300, "three calls, in one ledger"
    assert [turn.usage.input if turn.usage else None for turn in row.evidence.turns] == [0, 100, 100, 100]
    track = row.evidence.turns[1].deliverable.trajectory
    assert track is not None
    with Store(tmp_path / "logs" / "store").path(track).open("rb") as lines:
        calls = [call for step in Trajectory.from_jsonl(lines).steps for call in step.did]
    assert ("predict the script", {"script": "The card with 6 fades."}) in [(c.tool, c.arguments) for c in calls]
    refused = [turn for turn in row.evidence.turns if turn.deliverable.failure_class == "refused"]
    assert [turn.deliverable.text for turn in refused] == ["A forbidden script."] * len(refused)
    booked = [json.loads(line) for line in (tmp_path / "logs" / "ledger.jsonl").read_text().splitlines()]
    assert {line.get("role") for line in booked if line.get("role")} == {"assistant"}
