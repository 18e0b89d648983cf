"""A provider in a storm: each question meets one kind of wrong answer, as often as it is asked.

Every error has the right words in it, and the key beside them: whoever takes an error for an answer gives marks for it,
and whoever writes down what a server said writes down the key.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attacks.arena import Arena, HowItEnded, Outcome, crash_of, run_command
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row
from cutscore.registry import benchmark
from cutscore.store import Store

KIND = "provider"
MODEL = "openai-api/storm/m"
SETTINGS = """timeout_s = 4
max_retries = 1
backoff_s = 0.001
provider_failures_max = 1
[models.'openai-api/storm/m']
takes = 'text'
"""
# The model's own words, whatever else is wrong with the message around them.
ANSWERS = (
    *("answer", "drip", "odd finish", "no usage", "null usage", "text usage", "zero usage"),
    *("huge usage", "negative usage"),
)
RUN_LIMIT_S = 240.0


def storm() -> Any:
    """Return the module of the server, which lies beside the tests."""
    fixtures = str(Path(__file__).resolve().parents[2] / "tests" / "fixtures")
    if fixtures not in sys.path:
        sys.path.append(fixtures)
    return importlib.import_module("storm_server")


def try_provider(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Ask one question for each kind of answer, and see how each ended."""
    server_module, folder = storm(), arena.new_folder()
    bench = load_benchmark(benchmark("colorbars"), Store(folder.parent / "store"))
    right = {bench.ask(item).brief: str(getattr(item, "answer", "")) for item in bench.items}
    kinds: dict[str, str] = {}  # of each question, in the order in which they come

    def play(question: str, _attempt: int) -> str:
        return kinds.setdefault(question, server_module.KINDS[len(kinds) % len(server_module.KINDS)])

    (folder / "cutscore.toml").write_text(SETTINGS)
    server = server_module.StormServer(play, words=lambda question: f"{right[question]} {arena.token}")
    server.elsewhere = f"http://127.0.0.1:{server.server_port}/elsewhere"
    words = ["run", "colorbars", "--model", MODEL, "--limit", str(len(server_module.KINDS)), "--log-dir", "logs"]
    env = {"STORM_BASE_URL": server.url, "STORM_API_KEY": arena.token}
    with server.serve():
        ran = arena.call(run_command, folder, words, env, limit_s=RUN_LIMIT_S)
    if bad := crash_of(ran):
        yield Outcome(KIND, "all", *bad)
        return
    if touched := arena.touched(folder, ran.said):
        yield Outcome(KIND, "the key", "outside", touched)
    for row in read_rows(folder / "logs"):
        yield judge_row(row, kinds[row.ask.brief] if row.ask else "")


def judge_row(row: Row, kind: str) -> Outcome:
    """Return how one answer ended; an error that earned a mark was taken for an answer."""
    value = max(row.ending.scores.values(), default=0.0)
    ending: HowItEnded = "zero" if not value else "allowed" if kind in ANSWERS else "above"
    if row.ending.status != "marked":
        ending = "unscored"
    return Outcome(KIND, kind, ending, row.ending.because or row.ending.findings[0].because)
