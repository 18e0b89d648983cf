"""A task as a folder of the layout that Harbor runs (checked against its version 0.25).

    task.toml                       limits, what is collected, and that the marker has a container of its own
    instruction.md                  the ask, in the words that every subject gets
    environment/Dockerfile          the agent's container, with materials/ in its working folder
    solution/solve.sh, files/       what the oracle hands over
    tests/Dockerfile, test.sh       the marker's container, with the item and its truth in pack/

The truth is in tests/ and solution/ alone. The agent never shares a container with it: Harbor collects
`/workspace/outputs`, stops the agent, and lays that folder into the marker's container. When we could not mark, no
reward is written, so that nobody takes our failure for a score of 0.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cutscore
from cutscore.authoring.pack_writer import copy_files, write_pack
from cutscore.core.ask import Ask
from cutscore.core.bundle import Bundle, UnscorableBundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.environments.sandbox.brief import ANSWER, write_instruction
from cutscore.environments.sandbox.layout import OUTPUTS, WORKSPACE
from cutscore.registry import Benchmark

SCHEMA = "1.4"  # of task.toml
ORGANISATION = "cutscore"
AGENT = "editor"  # nobody edits films as root
AGENT_S, MARKER_S = 1800.0, 600.0  # the paper's wall clock for an agent; Harbor's own default for a verifier
BASE = "python:3.11-slim-bookworm"

ENVIRONMENT = f"""\
FROM {BASE}
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR {WORKSPACE}
COPY materials/ {WORKSPACE}/
RUN mkdir -p {OUTPUTS} && useradd --create-home {AGENT} && chown -R {AGENT} {WORKSPACE}
"""

MARKER = """\
FROM {base}
{install}
COPY . /tests/
"""

SOLVE = f"""\
#!/bin/sh
set -eu
mkdir -p {OUTPUTS}
cp -R "$(dirname "$0")/files/." {OUTPUTS}/
"""

TEST = """\
#!/bin/sh
# Marks what was handed over. Without a mark no reward is written: that is our failure, and not the agent's.
set -u
mkdir -p {outputs} /logs/verifier
{score} --json > /logs/verifier/cutscore.json
python3 - <<'END'
import json

with open("/logs/verifier/cutscore.json") as file:
    told = json.load(file)
if told.get("score") is None:
    raise SystemExit(f"not marked: {{told.get('because') or told.get('error')}}")
with open("/logs/verifier/reward.json", "w") as file:
    json.dump({{"reward": told["score"]}}, file)
END
"""


@dataclass(frozen=True)
class VerifierSettings:
    """How the marker's container marks.

    Args:
        mode: Scoring mode; the card's default when empty.
        judge: Who is asked where an opinion is; nobody when empty.
        wheel: Our package as a file, where it cannot be had by its name and version.
    """

    mode: str = ""
    judge: str = ""
    wheel: Path | None = None


def write_task(
    folder: Path, found: Benchmark, item: Item, ask: Ask, store: FileStore, *, marker: VerifierSettings
) -> None:
    """Write a task into a new folder: the ask for the agent, the item with its truth for marker and oracle."""
    _write(folder / "task.toml", _task_toml(found, item))
    _write(folder / "instruction.md", write_instruction(ask))
    _write(folder / "environment/Dockerfile", ENVIRONMENT)
    (folder / "environment/materials").mkdir()
    copy_files(ask.files, folder / "environment/materials", store)
    if not isinstance(item, UnscorableBundle):
        _write_solution(folder / "solution", found.part("oracle").perfect(item, store), store)
    _write(folder / "tests/Dockerfile", MARKER.format(base=BASE, install=_install_lines(marker.wheel)))
    _write(folder / "tests/test.sh", TEST.format(outputs=OUTPUTS, score=_score_command(found, item, marker)), run=True)
    write_pack(folder / "tests/pack", [item], store)
    if marker.wheel:
        (folder / "tests" / marker.wheel.name).write_bytes(marker.wheel.read_bytes())


def _write_solution(folder: Path, perfect: Deliverable, store: FileStore) -> None:
    _write(folder / "solve.sh", SOLVE, run=True)
    copy_files(perfect.files, folder / "files", store)
    if perfect.text and not any(ref.name == ANSWER for ref in perfect.files):
        _write(folder / f"files/{ANSWER}", perfect.text)


def _install_lines(wheel: Path | None) -> str:
    pip = "RUN pip install --no-cache-dir"
    if wheel is None:
        return f"{pip} cutscore=={cutscore.__version__}"
    return f"COPY {wheel.name} /tmp/\n{pip} /tmp/{wheel.name}"


def _score_command(found: Benchmark, item: Item, marker: VerifierSettings) -> str:
    words = ["cutscore", "score", found.name, item.id, OUTPUTS, "--data", "/tests/pack"]
    words += ["--mode", marker.mode] if marker.mode else []
    words += ["--judge", marker.judge] if marker.judge else []
    return shlex.join(words)


def _task_toml(found: Benchmark, item: Item) -> str:
    """Return task.toml; of the item only what everybody may know."""
    facts: dict[str, object] = {"benchmark": found.name, "benchmark_version": found.card.version, "item": item.id}
    if isinstance(item, Bundle):
        facts |= {"licence": item.licence, "difficulty": item.tier, "modalities": list(item.modalities)}
        facts |= {"media_type": item.media_type} if item.media_type else {}
        facts |= {"expert_minutes": item.human_minutes} if item.human_minutes else {}
    task = {"name": f"{ORGANISATION}/{found.name}-{item.id}", "version": found.card.version}
    tables: dict[str, Mapping[str, object]] = {
        "task": {**task, "description": found.card.about, "keywords": ["video", found.name]},
        "metadata": facts,
        "agent": {"timeout_sec": AGENT_S, "user": AGENT},
        "verifier": {"timeout_sec": MARKER_S, "environment_mode": "separate"},
        "environment": {"workdir": WORKSPACE},
    }
    lines = [f"schema_version = {_toml_value(SCHEMA)}", f"artifacts = {_toml_value([OUTPUTS])}"]
    for name, fields in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml_value(value)}" for key, value in fields.items())]
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    """Write text, numbers and lists of them as TOML, which has them as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(file: Path, text: str, *, run: bool = False) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if run:
        file.chmod(0o755)
