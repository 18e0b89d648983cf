"""A whole run against a model server on a loopback port in a storm: nothing is lost or paid twice, all is counted.

The server decides by the words of a request and by how often it has seen them, so that it gives the same to every
run, whatever the order: 30% of attempts get HTTP 503, 5% something that is no JSON, 3% hang, 3% lose their connection,
4% get HTTP 429 with Retry-After, 2% half of an answer, 2% an answer that is nonsense.
"""

import contextvars
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, draw

from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row, canonical_rows

pytestmark = pytest.mark.real

ITEMS, RETRIES, SEED, CONNECTIONS = 60, 1, 12, 7
MODEL = "openai-api/loopback/m"
STORM = {"503": 0.30, "garbage": 0.05, "hang": 0.03, "reset": 0.03, "429": 0.04, "half": 0.02, "nonsense": 0.02}
# What the server does, and what a row calls it.
ENDED = {"503": "HTTP 503", "429": "HTTP 429", "timeout": "a timeout", "half": "half an answer"}
FAULTS = {"503": "503", "429": "429", "hang": "timeout", "half": "half", "garbage": "half", "reset": "half"}


def play(question: str, attempt: int) -> str:
    left = draw(SEED, question, attempt)
    for does, share in STORM.items():
        if (left := left - share) < 0:
            return does
    return "answer"


@pytest.fixture
def server(cli: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with ChatServer(play, hang_s=20).serve() as made:
        monkeypatch.setenv("LOOPBACK_BASE_URL", made.url)
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        # Words alone: what is looked at here is not the frames.
        calling = f"timeout_s = 6\nmax_retries = {RETRIES}\nbackoff_s = 0.001\nprovider_failures_max = 1\n"
        own = f"[models.'{MODEL}']\ntakes = 'text'\nmax_connections = {CONNECTIONS}\n"
        Path("cutscore.toml").write_text(calling + own)
        yield made


def run(cli: Any, *words: object) -> Any:
    """Run a command in a context of its own: Inspect would keep its number of retries for the tests that follow."""
    return contextvars.copy_context().run(cli, "run", "colorbars", "--model", MODEL, *words)


def expected(attempts: list[str]) -> tuple[str, Counter[str]]:
    """Say how a sample must end after these attempts, and which repeats its row must count."""
    faults = Counter(FAULTS[each] for each in attempts if each in FAULTS)
    return "unscored" if attempts[-1] in FAULTS else attempts[-1], faults


def check(rows: list[Row], played: dict[str, list[str]]) -> Counter[str]:
    """Compare every row with what the server did to it; give how many ended in which way."""
    ends: Counter[str] = Counter()
    assert len(rows) == len(played) == ITEMS
    for row in rows:
        assert row.ask is not None
        end, faults = expected(played[row.ask.brief])
        ends[end] += 1
        assert row.ending.status == ("unscored" if end == "unscored" else "marked"), row.item
        if end == "unscored":
            last = ENDED[FAULTS[played[row.ask.brief][-1]]]
            fact = f"gave up after {RETRIES + 1} attempts, the last one ended in {last}; run the same command again"
            assert row.ending.because == f"model '{row.model}': {fact}"
        # On a busy machine a connection may also break before the server sees it, and that is counted, too.
        assert (Counter(row.retries) - faults).keys() <= {"half"}, row.item
        assert faults <= Counter(row.retries), row.item
        if end == "nonsense":
            assert row.ending.scores["accuracy"] == 0.0
    return ends


def answered_calls() -> Counter[str]:
    """Count calls of the ledger that were answered, by item."""
    lines = [json.loads(line) for line in Path("logs/ledger.jsonl").read_text().splitlines()]
    items = {line["call"]: line["item"] for line in lines if line["state"] == "sent"}
    return Counter(items[line["call"]] for line in lines if line["state"] == "done")


def test_every_sample_ends_marked_or_unscored_with_its_cause(cli: Any, server: ChatServer) -> None:
    first = run(cli)
    assert first.code == 0, first.err
    rows = read_rows(Path("logs"))
    ends = check(rows, server.played)
    assert set(server.done) == {*STORM, "answer"}, "other words of the prompts need another SEED"
    assert ends["unscored"] > 5
    assert f"{ends['unscored']} unscored" in first.out

    marked = [row for row in rows if row.ending.status == "marked"]
    seen = {question: len(played) for question, played in server.played.items()}
    for _ in range(8):  # the same command again, until nothing is left
        again = run(cli, "--json")
        if again.json["unscored"] == 0:
            break
    assert (again.json["n"], again.json["unscored"]) == (ITEMS, 0)
    kept = {row.item for row in marked}
    now = read_rows(Path("logs"))
    assert canonical_rows(row for row in now if row.item in kept) == canonical_rows(marked)
    for row in marked:
        assert row.ask is not None
        assert len(server.played[row.ask.brief]) == seen[row.ask.brief], "what is marked is not asked again"
    assert answered_calls() == {row.item: 1 for row in now}, "what was answered is paid for once"
    assert server.most <= CONNECTIONS
    assert not list(Path("logs").rglob("work.jsonl"))
