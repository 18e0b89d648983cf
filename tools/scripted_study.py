"""The paper's study with scripted models: its stacks, real agents in real boxes, and not a cent.

    python tools/scripted_study.py DIR              20 stacks, two tasks of each family, three times
    python tools/scripted_study.py DIR --stacks 2 --tasks 1 --epochs 2

The same command goes on after a stop. The stacks are those of examples/agenticvbench.toml; every model is replaced by
a script of its name in DIR. Scripts plan, look, ask sub-agents, solve and fail in different ways, so that every
table has something to tell. No number that comes out says anything about a model.
"""

import argparse
import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutscore.benchmarks.agenticvbench.families import ORDER, find_families
from cutscore.benchmarks.agenticvbench.score_tables import top_stacks
from cutscore.cli.sweep import Stack, read_sweep
from cutscore.registry import benchmark, suites
from cutscore.results.benchmark import benchmark_results
from cutscore.results.cells import read_runs
from cutscore.store import Store

HERE = Path(__file__).parent
MATRIX = HERE.parent / "examples" / "agenticvbench.toml"
FRAME, GRID = "/workspace/frame.png", "/workspace/grid.png"
# The hint of each family that the best stacks are asked with (section 3.4), and the field that is left out.
ARMS = (
    ("repair", "location"),
    ("sequencing", "narrative"),
    ("assembly", "no_description"),
    ("assembly", "no_camera_movement"),
    ("repurpose", "reference"),
)
PLAN = [{"step": "look", "status": "pending"}, {"step": "cut", "status": "pending"}]
TODOS = [{"content": text, "status": "pending", "activeForm": text, "priority": "high"} for text in ("look", "cut")]
PLANS: tuple[dict[str, Any], ...] = (
    {"tool": "TodoWrite", "arguments": {"todos": TODOS}},
    {"tool": "update_plan", "arguments": {"plan": PLAN}},
    {"tool": "write_todos", "arguments": {"todos": [{"description": "look", "status": "pending"}]}},
    {"tool": "todowrite", "arguments": {"todos": TODOS}},
)
ASKED = {"description": "count", "prompt": "Count the files.", "message": "Count the files."}
SUB_AGENTS: tuple[dict[str, Any], ...] = (
    {"tool": "Agent", "arguments": {**ASKED, "subagent_type": "general-purpose"}},
    {"tool": "spawn_agent", "arguments": {"message": ASKED["message"]}},
    {"tool": "task", "arguments": {**ASKED, "subagent_type": "general"}},
)


@dataclass(frozen=True)
class ScriptedModel:
    """How the script of one model works.

    Args:
        mistakes: How many it makes in a task, more or less; None hands nothing over.
        looks: How often it looks at a frame; `grid` makes a strip of frames first.
        probes: Calls of the shell that look something up.
    """

    mistakes: int | None
    looks: int = 0
    probes: int = 1
    grid: bool = False
    plans: bool = False
    sub_agents: bool = False
    rechecks: bool = False


MODELS = {
    "gpt-5.5": ScriptedModel(0, looks=2, grid=True, plans=True),
    "gpt-5.4-mini": ScriptedModel(1, looks=1, probes=2),
    "claude-opus-4-7": ScriptedModel(1, looks=20, probes=22, plans=True, rechecks=True),
    "claude-sonnet-4-6": ScriptedModel(1, looks=2, plans=True, sub_agents=True, rechecks=True),
    "gemini-3.1-pro-preview": ScriptedModel(2, probes=3),
    "gemini-3-flash-preview": ScriptedModel(4),
    "qwen3-vl-235b-a22b-instruct": ScriptedModel(None, looks=1),
}


def write_scripts(folder: Path, tasks: int) -> dict[str, str]:
    """Write a script for each model of the paper; return the models that follow them by the paper's names."""
    program = (HERE / "scripted_study_work.py").read_text(encoding="utf-8")
    truths = json.dumps(_truths(folder, tasks))
    files = {name: folder / f"{name}.json" for name in MODELS}
    for name, how in MODELS.items():
        usage = {"input": 900, "cached": 15_000 + 10 * len(name), "cache_write": 400, "output": 120, "reasoning": 40}
        turns = _turns(how, f"{_here('/tmp/work.py', program)}\n{_here('/tmp/tasks.json', truths)}")
        files[name].write_text(json.dumps({"turns": turns, "usage": usage}, indent=1), encoding="utf-8")
    return {name: f"scripted/{file.name}" for name, file in files.items()}


def _truths(folder: Path, tasks: int) -> dict[str, dict[str, Any]]:
    """Return what solves the first tasks of each family, by their ids."""
    store, found = Store(folder / "items"), {}
    for family in ORDER:
        for item in list(benchmark(family).part("dataset").items(store))[:tasks]:
            found[item.id] = {"family": family, **_truth(family, item, store)}
    return found


def _truth(family: str, item: Any, store: Store) -> dict[str, Any]:
    if family == "sequencing":
        return {"order": [Path(name).name for name in item.order]}
    if family == "assembly":
        wrong = {slot: list(item.candidates(slot))[1] for slot in item.slots}
        described = item.storyboard[0].description[::-1]
        return {"golden": dict(item.golden), "wrong": wrong, "told": described}
    if family == "repair":
        window = item.defect.window
        span = [float(window.start_s), float(window.end_s)]
        return {"kind": item.defect.kind, "window": span, "sound": _sound(store.path(item.golden))}
    return {"edit": [[float(each.span.start_s), float(each.span.end_s)] for each in item.edit]}


def _sound(film: Path) -> str:
    """Return the sound of a film, small enough for a command."""
    words = ["ffmpeg", "-v", "error", "-i", str(film), "-vn", "-c:a", "libopus", "-b:a", "16k", "-f", "ogg", "-"]
    return b64encode(subprocess.run(words, check=True, capture_output=True).stdout).decode()


def _turns(how: ScriptedModel, files: str) -> list[dict[str, Any]]:
    first = "f=$(ls */*.mp4 | head -1)"
    made = f"{first}; ffmpeg -v error -i $f -frames:v 1 -y {FRAME}"
    if how.grid:
        made += f"; ffmpeg -v error -i $f -vf fps=2,scale=160:-1,tile=3x1 -frames:v 1 -y {GRID}"
    turns: list[dict[str, Any]] = [
        {"shell": f"{first}; ffprobe -v error -show_entries format=duration $f"}
    ] * how.probes
    turns += [{"shell": made}] if how.looks else []
    for number in range(how.looks):
        turns += _look(GRID if how.grid and number else FRAME)
    turns += [*PLANS] if how.plans else []
    turns += [*SUB_AGENTS] if how.sub_agents else []
    if how.mistakes is not None:
        turns.append({"shell": f"{files}\npython3 /tmp/work.py {how.mistakes} < /tmp/tasks.json"})
    turns += [{"shell": "ffprobe -v error outputs/*.mp4; ls -l outputs"}] if how.rechecks else []
    return [*turns, {"say": "The work is done."}]


def _here(file: str, text: str) -> str:
    """Return the command that writes a file in the box."""
    return f"cat > {file} <<'END'\n{text}\nEND"


def _look(file: str) -> list[dict[str, Any]]:
    """Return one look with whatever tool there is for it."""
    paths = {"Read": ("file_path",), "view_image": ("path",), "read_file": ("file_path",), "read": ("filePath", "path")}
    return [{"tool": tool, "arguments": dict.fromkeys(names, file)} for tool, names in paths.items()]


def write_study(folder: Path, *, stacks: int, tasks: int, epochs: int) -> Path:
    """Write the sweep: the paper's stacks with scripts for models. Return its file."""
    models = write_scripts(folder, tasks)
    sweep = read_sweep(MATRIX)
    chosen = [replace_model(each, models) for each in sweep.stack[:stacks]]
    head = {"benchmarks": list(sweep.benchmarks), "epochs": epochs, "in_turn": sweep.in_turn, "limit": tasks}
    file = folder / "study.toml"
    file.write_text(as_toml({**head, "log_dir": "logs"}, chosen), encoding="utf-8")
    _write_prices(folder / "prices.toml")
    return file


def replace_model(stack: Stack, models: dict[str, str]) -> Stack:
    """Return a stack with the script of its model."""
    return stack.model_copy(update={"model": models[stack.model.rpartition("/")[2]]})


def as_toml(head: dict[str, Any], stacks: Sequence[Stack]) -> str:
    """Write a sweep file; JSON's texts, numbers and lists are TOML's, too."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in head.items()]
    for stack in stacks:
        told = stack.model_dump(exclude_defaults=True)
        lines += ["", "[[stack]]", *(f"{name} = {json.dumps(value)}" for name, value in told.items())]
    return "\n".join(lines) + "\n"


def _write_prices(file: Path) -> None:
    """Give every script the price of the model that it stands for."""
    listed = suites()["agenticvbench"].prices.read_text(encoding="utf-8")
    file.write_text(re.sub(r'^\[prices\."(.+)"\]', r'[prices."\1.json"]', listed, flags=re.MULTILINE), encoding="utf-8")


def write_people(folder: Path, tasks: int) -> list[str]:
    """Write what three people hand in: of each task, two with a mistake and one without. Return them as subjects."""
    store, made = Store(folder / "items"), []
    for number, work in enumerate(("near_miss", "near_miss", "perfect"), start=1):
        own = folder / "people" / f"editor-{number}"
        made.append(f"human-{number}=folder:{own.relative_to(folder)}")
        for family in ORDER:
            for item in list(benchmark(family).part("dataset").items(store))[:tasks]:
                (own / item.id).mkdir(parents=True, exist_ok=True)
                for ref in getattr(benchmark(family).part("oracle"), work)(item, store).files:
                    (own / item.id / ref.name).write_bytes(store.path(ref).read_bytes())
    return made


def write_arms(folder: Path, *, tasks: int, epochs: int) -> Path:
    """Write the sweep of section 3.4: the best stacks of each family, with a hint or without a field."""
    families = find_families(benchmark_results(read_runs([folder / "logs"])))
    best = {family.name: top_stacks(family) for family in families}
    stacks = [
        Stack(subject=line.subject, model=line.model, input=arm, only=(family,))
        for family, arm in ARMS
        for line in best.get(family, ())
    ]
    head = {"benchmarks": list(best), "epochs": epochs, "in_turn": True, "limit": tasks, "log_dir": "logs"}
    (folder / "arms.toml").write_text(as_toml(head, stacks), encoding="utf-8")
    return folder / "arms.toml"


def write_judge(folder: Path) -> str:
    """Write a judge who tells reasons by the files that were wanted. Return the model that follows it."""
    rules = []
    for wanted, reason in (("final.mp4", "long_context_loss"), ("fixed.mp4", "temporal_reasoning"), ("", "other")):
        said = {"id": "failure_reason", "because": "as scripted", "answer": reason}
        say = json.dumps({"seal": "SEAL", "addressed": False, "answers": [said]}).replace("SEAL", r"\g<seal>")
        rules.append({"when": rf"(?s)(?=.*{re.escape(wanted)}).*seal (?P<seal>[0-9a-f]{{8}})", "say": say})
    (folder / "judge.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    return "scripted/judge.json"


def main() -> None:
    """Write the study and run it: sweep, people, arms of the best, reasons of failures, tables, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, default in (("stacks", 20), ("tasks", 2), ("epochs", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    folder, size = given.folder.resolve(), {"tasks": given.tasks, "epochs": given.epochs}
    folder.mkdir(parents=True, exist_ok=True)
    study = write_study(folder, stacks=given.stacks, **size)
    command(folder, "sweep", study.name)
    add_company(folder, **size)
    command(folder, "tables", "logs", "--prices", "prices.toml", "--format", "text", "-o", "tables")
    command(folder, "report", "logs", "-o", "site")


def add_company(folder: Path, *, tasks: int, epochs: int) -> None:
    """Run what stands beside the stacks: people, variants of the tasks, and a judge who tells why some failed."""
    people = [word for each in write_people(folder, tasks) for word in ("--subject", each)]
    for family in ORDER:
        command(folder, "run", family, *people, "--limit", tasks, "--log-dir", "logs")
    command(folder, "sweep", write_arms(folder, tasks=tasks, epochs=epochs).name)
    command(folder, "failures", "logs", "--judge", write_judge(folder))


def command(folder: Path, *words: object) -> None:
    """Run a command of cutscore's in a folder; what it says is seen, and a failure ends the study."""
    ran = subprocess.run([sys.executable, "-m", "cutscore", *map(str, words)], cwd=folder, check=False)
    if ran.returncode:
        sys.exit(f"'cutscore {' '.join(map(str, words))}' ended with {ran.returncode}; the same command goes on")


if __name__ == "__main__":
    main()
