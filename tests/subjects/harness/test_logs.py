"""What agents' own logs tell: logs of the real ones, shortened, then torn, lost and spoiled.

whole     looks at a picture, starts a sub-agent where it can, runs a command that fails, ends well
capped    is refused a third answer
killed    is ended by the clock in the midst of its second call
"""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agent_fixtures import AGENTS

from cutscore.core.files import FileRef
from cutscore.core.trajectory import Action, Step
from cutscore.core.usage import Usage
from cutscore.subjects.harness.adapter import AgentLog, AgentPlace
from cutscore.subjects.harness.catalogue import HARNESSES
from cutscore.subjects.harness.gemini_cli import find_spawning_step

LOGS = Path(__file__).parent / "logs"
TABLES = {
    "session": "id, parent_id",
    "message": "id, session_id, time_created, data",
    "part": "id, message_id, time_created, data",
}
# (input, cached, cache_write, output, reasoning) of the first answer and of later ones, as each agent tells them.
FIRST = {
    "claude_code": (101, 1003, 507, 34, None),
    "openclaw": (608, 1003, 0, 34, None),
    "opencode": (608, 1003, 0, 23, 11),
    "codex_cli": (608, 1003, None, 23, 11),
    "gemini_cli": (608, 1003, None, 23, 11),
}
LATER = {
    "claude_code": (211, 2003, 709, 54, None),
    "openclaw": (920, 2003, 0, 54, None),
    "opencode": (920, 2003, 0, 37, 17),
    "codex_cli": (920, 2003, None, 37, 17),
    "gemini_cli": (920, 2003, None, 37, 17),
}
JUNK: list[Any] = [
    None,
    True,
    -1,
    10**9,
    10**400,
    1e308,
    "",
    "\x00",
    [],
    [[1]],
    {},
    {"text": {"a": [None]}},
    [{"type": 3}],
]


def _usage(name: str, firsts: int, laters: int) -> Usage:
    buckets = ("input", "cached", "cache_write", "output", "reasoning")
    sums = [None if a is None else firsts * a + laters * b for a, b in zip(FIRST[name], LATER[name], strict=True)]  # type: ignore[operator]
    return Usage(**dict(zip(buckets, sums, strict=True)))


def _lay_out(name: str, scene: str, home: Path) -> AgentPlace:
    """Lay a recorded log out as the agent left it; in the checkout no name begins with a dot."""
    recorded = LOGS / name / scene
    for file in sorted((recorded / "home").rglob("*")):
        if file.is_file():
            path = home / ("." + str(file.relative_to(recorded / "home")))
            path.parent.mkdir(parents=True, exist_ok=True)
            if file.name == "rows.json":
                _write_database(path.with_name("opencode.db"), json.loads(file.read_text()))
            else:
                shutil.copyfile(file, path)
    stdout = home / "stdout.txt"
    if (recorded / "stdout.txt").is_file():
        shutil.copyfile(recorded / "stdout.txt", stdout)
    return AgentPlace(home, stdout, home / "stderr.txt", keep=_keep)


def _keep(data: bytes, media_type: str) -> FileRef:
    assert data.startswith(b"\x89PNG")
    return FileRef(name="seen.png", sha256="0" * 64, size_bytes=len(data), media_type=media_type)


def _write_database(file: Path, rows: dict[str, list[list[Any]]]) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        for table, columns in TABLES.items():
            database.execute(f"create table {table} ({columns})")
            for row in rows[table]:
                plain = row if table == "session" else [*row[:-1], json.dumps(row[-1])]
                marks = ", ".join("?" * len(plain))
                database.execute(f"insert into {table} values ({marks})", plain)  # names are our own


def _read(name: str, scene: str, home: Path) -> AgentLog:
    return HARNESSES[name].read_log(_lay_out(name, scene, home))


def _main(log: AgentLog) -> list[Step]:
    return [step for step in log.steps if step.parent is None]


@pytest.mark.parametrize("name", AGENTS)
def test_a_whole_log_tells_every_token_and_every_step(name: str, tmp_path: Path) -> None:
    log = _read(name, "whole", tmp_path)
    spawns = {"claude_code", "codex_cli"}
    answers = sum(step.by == "model" for step in _main(log))
    assert (log.ended, log.error, log.torn) == ("done", "", 0)
    assert answers == (5 if name in {*spawns, "opencode"} else 4)
    own = _usage(name, 1, answers - 1)
    assert log.usage == (own + _usage(name, 1, 3) if name == "opencode" else own)
    assert [step.n for step in log.steps] == list(range(1, len(log.steps) + 1))
    first, result, look, looked = _main(log)[:4]
    assert first.said == "I look at it first."
    assert first.did[0].arguments.get("command", first.did[0].arguments.get("cmd", "")).startswith("ffmpeg")
    assert first.usage == _usage(name, 1, 0)
    assert "made" in result.saw
    assert look.usage == _usage(name, 0, 1)
    assert [ref.media_type for ref in looked.media] == ["image/png"]
    assert [bool(step.error) for step in _main(log)].count(True) == 1
    assert _main(log)[-1].said == "Done."


@pytest.mark.parametrize("name", AGENTS)
def test_times_of_steps_count_from_one_clock(name: str, tmp_path: Path) -> None:
    log = _read(name, "whole", tmp_path)
    times = [step.at_s for step in _main(log) if step.at_s is not None]
    assert len(times) == len(_main(log))
    assert all(0 <= at_s < 30 for at_s in times)
    spread = times[-1] - times[0]
    assert 4 < spread < 20, "a command of 4 seconds is among them"
    for step in log.steps:
        if step.parent is not None:  # a sub-agent works while its call is under way
            assert times[0] < (step.at_s or 0) <= times[-1] + 1


@pytest.mark.parametrize(
    ("name", "tool"), [("claude_code", "Agent"), ("codex_cli", "spawn_agent"), ("opencode", "task")]
)
def test_a_sub_agents_steps_are_below_the_call_that_started_it(name: str, tool: str, tmp_path: Path) -> None:
    log = _read(name, "whole", tmp_path)
    below = [step for step in log.steps if step.parent is not None]
    assert {log.steps[step.parent - 1].did[0].tool for step in below if step.parent} == {tool}
    answers = sum(step.by == "model" for step in below)
    assert answers == (3 if name == "codex_cli" else 4)
    helped = _usage(name, 1, answers - 1)
    assert log.helper_usage == (None if name == "opencode" else helped)


def test_a_sub_agent_of_gemini_is_below_the_last_call_for_one_before_it_began() -> None:
    spawn, shell = Action(tool="invoke_agent"), Action(tool="run_shell_command")
    did = [(1.0, spawn), (2.0, shell), (3.0, spawn), (4.0, shell)]
    steps = [Step(n=n, at_s=at_s, did=(call,)) for n, (at_s, call) in enumerate(did, 1)]
    assert [find_spawning_step(steps, began_s) for began_s in (0.5, 1.5, 9.0, None)] == [None, 1, 3, 3]


@pytest.mark.parametrize("name", AGENTS)
def test_a_request_past_the_turn_limit_ends_it(name: str, tmp_path: Path) -> None:
    log = _read(name, "capped", tmp_path)
    assert log.ended == "error"
    assert "turn limit of 2" in log.error
    assert log.usage == _usage(name, 1, 1)


@pytest.mark.parametrize(
    ("name", "ended"), [("claude_code", "refused"), ("opencode", "refused"), ("gemini_cli", "done")]
)
def test_a_refusal_is_told_by_those_who_tell_it(name: str, ended: str, tmp_path: Path) -> None:
    log = _read(name, "refused", tmp_path)
    assert log.ended == ended
    assert log.usage == _usage(name, 1, 8 if name == "gemini_cli" else 1), "answers that it threw away are in its stats"


@pytest.mark.parametrize("name", AGENTS)
def test_a_killed_log_keeps_tokens_and_the_call_under_way(name: str, tmp_path: Path) -> None:
    log = _read(name, "killed", tmp_path)
    assert log.ended == "unknown"
    assert log.usage == _usage(name, 1, 0 if name == "opencode" else 1), "a killed step of opencode's has zeros"
    last = _main(log)[-1]
    assert last.by == "model"
    assert (last.usage is None) == (name == "opencode")
    assert "sleep 300" in json.dumps([call.arguments for call in last.did])


@pytest.mark.parametrize("name", AGENTS)
def test_nothing_left_is_nothing_known(name: str, tmp_path: Path) -> None:
    log = HARNESSES[name].read_log(AgentPlace(tmp_path, tmp_path / "stdout.txt", tmp_path / "stderr.txt"))
    assert log == AgentLog("unknown")


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "opencode"])
def test_a_torn_last_line_is_counted_and_costs_only_itself(name: str, tmp_path: Path) -> None:
    place = _lay_out(name, "killed", tmp_path)
    whole = HARNESSES[name].read_log(place)
    for file in tmp_path.rglob("*.jsonl"):
        with file.open("a") as log:
            log.write('{"type":"message","message":{"role":"assi')
    torn = HARNESSES[name].read_log(place)
    assert torn.torn == whole.torn + 1
    assert (torn.usage, torn.steps) == (whole.usage, whole.steps)


def test_a_torn_database_is_counted(tmp_path: Path) -> None:
    place = _lay_out("opencode", "whole", tmp_path)
    file = next(tmp_path.rglob("opencode.db"))
    file.write_bytes(file.read_bytes()[:5000])
    log = HARNESSES["opencode"].read_log(place)
    assert log.torn == 1
    assert log.usage is None


@pytest.mark.parametrize("name", AGENTS)
def test_a_link_out_of_the_home_is_not_followed(name: str, tmp_path: Path) -> None:
    secret, home = tmp_path / "secret", tmp_path / "home"
    shutil.copytree(_lay_out(name, "whole", secret).home, home, symlinks=True)
    for file in [*home.rglob("*.jsonl"), *home.rglob("*.db")]:
        file.unlink()
        file.symlink_to(secret / file.relative_to(home))
    log = HARNESSES[name].read_log(AgentPlace(home, home / "none.txt", home / "none.txt"))
    assert (log.usage, log.steps) == (None, ())


def _spoil(value: Any, dice: random.Random) -> Any:
    """Return a value with junk in one place."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        key = dice.choice([*value])
        return {**value, key: _spoil(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        return [*value[:at], _spoil(value[at], dice), *value[at + 1 :]]
    return dice.choice(JUNK)


@pytest.mark.parametrize("name", AGENTS)
def test_hostile_fields_never_raise(name: str, tmp_path: Path) -> None:
    dice = random.Random(name)
    place = AgentPlace(tmp_path, tmp_path / "stdout.txt", tmp_path / "stderr.txt")
    _lay_out(name, "whole", tmp_path)
    files = [*tmp_path.rglob("*.jsonl"), *tmp_path.glob("stdout.txt")]
    originals = {file: file.read_text().splitlines() for file in files}
    rows = json.loads((LOGS / "opencode/whole/home/local/share/opencode/rows.json").read_text())
    for _ in range(8):
        for file, lines in originals.items():
            spoiled = [json.dumps(_spoil(json.loads(line), dice)) for line in lines]
            file.write_text("\n".join([*spoiled, "[" * 5000, '{"type":', "7"]))
        for file in tmp_path.rglob("opencode.db"):
            file.unlink()
            spoiled_rows = {table: [[*row[:-1], _spoil(row[-1], dice)] for row in rows[table]] for table in TABLES}
            _write_database(file, {**spoiled_rows, "session": rows["session"]})
        log = HARNESSES[name].read_log(place)
        assert [step.n for step in log.steps] == list(range(1, len(log.steps) + 1))
        assert all(step.model_dump_json() for step in log.steps)
