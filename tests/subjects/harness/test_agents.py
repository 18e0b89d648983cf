"""The real agents in real boxes, against a scripted model: each does a starter task with its own tools.

All four families are among them. Each probes its material, looks at a frame, renders, and writes its files; then every
token is counted, and the mark is that of `cutscore score` for the same files.
"""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agent_fixtures import AGENTS, FIRST, LATER, require_agent, write_script

import cutscore
from cutscore.core.files import FileRef
from cutscore.core.row import Row, canonical_rows
from cutscore.core.trajectory import Trajectory
from cutscore.core.usage import Usage
from cutscore.registry import benchmark
from cutscore.results.behaviour.measures import behaviour_of
from cutscore.results.behaviour.seen import seen_of
from cutscore.store import Store

pytestmark = pytest.mark.real

FRAME = "/workspace/frame.png"
# The tools by which agents look at pictures; a turn whose tool is not on offer is left out.
LOOKS: list[dict[str, Any]] = [
    {"tool": "Read", "arguments": {"file_path": FRAME}},
    {"tool": "view_image", "arguments": {"path": FRAME}},
    {"tool": "read_file", "arguments": {"file_path": FRAME}},
    {"tool": "read", "arguments": {"filePath": FRAME, "path": FRAME}},
]
TASKS = {
    "claude_code": ("sequencing", "film-1"),
    "codex_cli": ("repair", "clip-01"),
    "gemini_cli": ("assembly", "story-1"),
    "opencode": ("repurpose", "recap-1"),
    "openclaw": ("sequencing", "film-2"),
}
REPORT = """One stretch was noisy.

```json
{"schema": "cutscore-ranges-1", "ranges": [{"start_s": 0.0, "end_s": 1.0, "type": "noise"}]}
```
"""


def _reported(name: str, turns: int) -> Usage:
    """Return what an agent tells of its tokens.

    Wires without a bucket for cache writes tell them as input; two agents do not tell reasoning apart.
    """
    sums = {bucket: FIRST[bucket] + (turns - 1) * LATER[bucket] for bucket in FIRST}
    read, written, said, thought = (sums[each] for each in ("input", "cache_write", "output", "reasoning"))
    if name == "claude_code":
        return Usage(input=read, cached=sums["cached"], cache_write=written, output=said + thought)
    if name == "openclaw":
        return Usage(input=read + written, cached=sums["cached"], cache_write=0, output=said + thought)
    cache_write = 0 if name == "opencode" else None
    return Usage(input=read + written, cached=sums["cached"], cache_write=cache_write, output=said, reasoning=thought)


def _causes(name: str) -> set[str]:
    """Return why its count is not the endpoint's, in a run that went well."""
    folds = {"openclaw": {"cache_writes_as_input", "reasoning_in_output"}, "claude_code": {"reasoning_in_output"}}
    return {"opencode": {"cache_writes_as_input", "helpers"}}.get(name) or folds.get(name, {"cache_writes_as_input"})


def _write(name: str, text: str) -> str:
    return f"printf '%s' {shlex.quote(text)} > outputs/{name}"


def _join(clips: Sequence[str]) -> str:
    listed = "\n".join(f"file '/workspace/{name}'" for name in clips)
    joined = "ffmpeg -v error -f concat -safe 0 -i /tmp/list.txt -c copy outputs/solution.mp4"
    return f"printf '%s' {shlex.quote(listed)} > /tmp/list.txt && {joined}"


def _work(family: str, item: Any) -> tuple[str, str]:
    """Return a material to look at, and the command that makes what is wanted."""
    if family == "sequencing":
        clips = [f"{item.id}/{Path(name).name}" for name in item.order]
        return clips[0], f"{_write('solution.json', json.dumps([Path(name).name for name in clips]))}; {_join(clips)}"
    if family == "assembly":
        clips = [f"{item.id}/{Path(name).name}" for name in item.golden.values()]
        return clips[0], f"{_write('solution.json', json.dumps(dict(item.golden)))}; {_join(clips)}"
    if family == "repair":
        clip = f"{item.id}/broken.mp4"
        return clip, f"ffmpeg -v error -i {clip} outputs/fixed.mp4; {_write('report.md', REPORT)}"
    film = f"{item.id}/film.mp4"
    return film, f"ffmpeg -v error -i {film} -t 8 outputs/final.mp4; {_write('report.md', 'The first words.')}"


def _solve(family: str, item: Any) -> list[dict[str, Any]]:
    material, work = _work(family, item)
    return [
        {"shell": f"ls -R . | head; ffprobe -v error -show_entries format=duration {material}"},
        {"shell": f"ffmpeg -v error -i {material} -frames:v 1 -y {FRAME}; ls {FRAME}"},
        *LOOKS,
        {"shell": work},
        {"say": "The work is done."},
    ]


def _run(name: str, tmp_path: Path, logs: str = "logs") -> Row:
    family, item_id = TASKS[name]
    items = benchmark(family).part("dataset").items(Store(tmp_path / "items"))
    script = tmp_path / "script.json"
    model = write_script(script, _solve(family, next(item for item in items if item.id == item_id)))
    run = cutscore.run(family, subject=name, model=model, items=[item_id], log_dir=tmp_path / logs)
    return run.samples[0]


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_does_a_task_and_every_token_is_counted(name: str, tmp_path: Path) -> None:
    require_agent(name)
    row = _run(name, tmp_path)
    assert not row.ending.failure_class, row.deliverable.failure
    assert (row.told_usage, row.environment["turns"]) == (_reported(name, 5), 5)
    assert row.environment["isolation"] in ("full", "namespaces")
    assert set(row.environment["usage_difference"]) == _causes(name)  # type: ignore[arg-type]

    # The mark is that of anybody who hands in the same files.
    store, handed_in = Store(tmp_path / "logs" / "store"), tmp_path / "handed-in"
    for ref in row.deliverable.files:
        (handed_in / ref.name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / ref.name).write_bytes(store.path(ref).read_bytes())
    family, item = TASKS[name]
    scored = cutscore.score(family, item, handed_in)
    assert (row.ending.status, row.ending.scores) == (scored.ending.status, scored.scores)
    if family in ("sequencing", "assembly"):
        assert {value for key, value in row.ending.scores.items() if key in ("score", "score@paper")} == {1.0}

    # Its way is kept, with the picture that it saw, and with every request.
    assert row.deliverable.trajectory is not None
    steps = Trajectory.from_jsonl(store.path(row.deliverable.trajectory).read_bytes().splitlines()).steps
    assert sum(step.by == "model" for step in steps) == 5
    own = [step for step in steps if step.by in ("model", "tool")]
    assert all(step.at_s is not None for step in own)
    assert [ref.media_type for step in own for ref in step.media] == ["image/png"]
    kept = FileRef.model_validate(row.environment["calls"])
    told = json.loads(store.path(kept).read_bytes())
    assert kept in [ref for step in steps for ref in step.media], "it stays as long as the trajectory does"
    assert [call["status"] for call in told["calls"] if call["by"] == "main"] == [200] * 5
    assert told["strange"] == []

    # The second that it looked at is known, and so is that it looked at nothing else.
    seen = seen_of(row)
    assert seen is not None
    assert (seen.pictures, seen.known_parts, sum(seen.seconds.values())) == (1, 1, 1)
    assert sum("the model was shown" in step.said for step in steps) == 1
    behaviour = behaviour_of(row)
    assert behaviour is not None
    assert (behaviour.calls, behaviour.pictures) == (4, 1)


def test_two_runs_have_the_same_canonical_row(tmp_path: Path) -> None:
    require_agent("codex_cli")
    first, second = _run("codex_cli", tmp_path, "one"), _run("codex_cli", tmp_path, "two")
    assert canonical_rows([first]) == canonical_rows([second])
