"""A provider in a storm: what becomes of a sample by what its server does, over real HTTP on loopback ports.

python -m pytest -q -s tests/models/test_provider_storm.py -k whole_run     prints the table of docs/providers.md
"""

import asyncio
import contextvars
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model
from storm_server import KINDS, READ, RETRY_AFTER_S, WRITTEN, StormServer

from cutscore.bridge.rows import read_rows
from cutscore.bridge.run import prepare
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.core.errors import Unscored
from cutscore.core.row import Row, canonical_rows
from cutscore.core.tally import Tally
from cutscore.models.ask import ask_model
from cutscore.models.boundary import Boundary
from cutscore.registry import benchmark

pytestmark = pytest.mark.real
pytest.importorskip("openai", reason="opt-in: openai is not installed")

MODEL, KEY = "openai-api/storm/m", "sk-storm-0001"
TRIES = 2
TIMEOUT_S = 10  # a busy machine may take some for a call that ends well
INPUT_USD, OUTPUT_USD = 10, 50  # for a million tokens
UNCOUNTED = {"no usage", "null usage", "text usage", "zero usage", "huge usage", "negative usage"}
PAGE = Path(__file__).parents[2] / "docs" / "providers.md"


@pytest.fixture
def elsewhere() -> Iterator[StormServer]:
    """A server that nobody named, to which another one leads."""
    with StormServer(lambda _question, _attempt: "answer").serve() as made:
        yield made


@pytest.fixture
def server(cli: Any, elsewhere: StormServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[StormServer]:
    """A provider that does one thing to each item of colorbars, again and again, and knows all the answers."""
    prepared = prepare(CellRequest("colorbars", "oracle"), RunContext(run=Path("plan")))
    items = prepared.context.items(benchmark("colorbars"), "").by_id
    samples = list(prepared.task.dataset)[: len(KINDS)]
    kinds = {str(each.input): kind for each, kind in zip(samples, KINDS, strict=True)}
    answers = {str(each.input): items[str(each.id)].answer for each in samples}
    with StormServer(lambda question, _: kinds[question], words=answers.get, elsewhere=elsewhere.root).serve() as made:
        monkeypatch.setenv("STORM_BASE_URL", made.url)
        monkeypatch.setenv("STORM_API_KEY", KEY)
        get_model(MODEL)  # what is imported now does not hold up a call
        assert cli("run", "colorbars", "--subject", "oracle", "--limit", 1, "--log-dir", "plan").code == 0
        Path("cutscore.toml").write_text(
            f"timeout_s = {TIMEOUT_S}\nmax_retries = {TRIES - 1}\nbackoff_s = 0.001\nprovider_failures_max = 1\n"
            f"[models.'{MODEL}']\ntakes = 'text'\nmax_connections = 9\n"
            f"[prices.'{MODEL}']\ninput_usd_per_mtok = {INPUT_USD}\noutput_usd_per_mtok = {OUTPUT_USD}\n"
        )
        made.kinds = kinds
        yield made


def run(cli: Any, *words: object) -> Any:
    """Run a command in a context of its own: Inspect would keep its number of retries for the tests that follow."""
    return contextvars.copy_context().run(cli, "run", "colorbars", "--model", MODEL, "--limit", len(KINDS), *words)


def faults_by_item() -> dict[str, str]:
    """Return the class of the last fault of each item, by the ledger."""
    lines = [json.loads(line) for line in Path("logs/ledger.jsonl").read_text().splitlines()]
    items = {line["call"]: line["item"] for line in lines if line["state"] == "sent"}
    return {items[line["call"]]: line["fault"] for line in lines if line["state"] == "failed"}


def table(rows: list[Row], kinds: Mapping[str, str], tries: Mapping[str, int]) -> list[str]:
    """Write a line for each kind: how its sample ends, the class, what it scores, how often it was asked, its cost."""
    faults, found = faults_by_item(), dict[str, str]()
    for row in rows:
        assert row.ask is not None
        kind = row.ending.failure_class or faults.get(row.item, "–")
        end = "failed" if row.failed else row.ending.status
        score = f"{row.ending.scores['accuracy']:g}" if row.ending.scores else "–"
        cost = "unknown" if row.cost_usd is None else f"${row.cost_usd:.5f}" if row.cost_usd else "–"
        found[kinds[row.ask.brief]] = f"{end} | `{kind}` | {score} | {tries[row.ask.brief]} | {cost}"
    return [f"| {kind} | {found[kind]} |".replace("`–`", "–") for kind in KINDS]


def spent(told: Mapping[str, int]) -> float:
    return (told["input"] * INPUT_USD + told["output"] * OUTPUT_USD) / 1e6


def test_a_whole_run_ends_as_the_page_says_and_the_same_command_fills_what_was_ours(
    cli: Any, server: StormServer, elsewhere: StormServer
) -> None:
    first = run(cli, "--json")
    assert first.code == 0, first.err
    rows = read_rows(Path("logs"))
    tries = Counter(each.question for each in server.requests)
    lines = table(rows, server.kinds, tries)
    print("\n".join(lines))  # noqa: T201  the table, where -s asks for it
    missing = [line for line in lines if line not in PAGE.read_text(encoding="utf-8")]
    assert not missing, "docs/providers.md has other lines"

    unknown = sum(kind in UNCOUNTED for kind in server.kinds.values())
    assert (first.json["spent"]["usd"], first.json["spent"]["unknown"]) == (pytest.approx(spent(server.told)), unknown)
    assert first.json["failed"] == sum(
        kind in ("400 context", "400 filter", "filtered") for kind in server.kinds.values()
    )
    assert not elsewhere.requests
    assert all(KEY in each.headers["authorization"] for each in server.requests)
    check_sentences_and_pauses(rows, server)

    marked = [row for row in rows if row.ending.status == "marked"]
    asked = len(server.requests)
    server.play = lambda _question, _attempt: "answer"
    again = run(cli, "--json")
    assert (again.code, again.json["n"], again.json["unscored"]) == (0, len(rows), 0)
    assert len(server.requests) - asked == len(rows) - len(marked), "only what was ours is asked again"
    kept = {row.item for row in marked}
    assert canonical_rows(row for row in read_rows(Path("logs")) if row.item in kept) == canonical_rows(marked)
    assert (again.json["spent"]["usd"], again.json["spent"]["unknown"]) == (pytest.approx(spent(server.told)), unknown)


def check_sentences_and_pauses(rows: list[Row], server: StormServer) -> None:
    for row in rows:
        assert row.ask is not None
        kind = server.kinds[row.ask.brief]
        at_s = [each.at_s for each in server.requests if each.question == row.ask.brief]
        if row.ending.status == "unscored":
            assert row.ending.because.startswith(f"model '{MODEL}': "), kind
            assert "run the same command again" in row.ending.because
            assert not {"Error", "{", "<", "\n"} & set(row.ending.because.split()), kind
            assert sum(row.retries.values()) == (TRIES if len(at_s) == TRIES else 0), "also of what is unscored"
        if kind == "429":
            assert at_s[1] - at_s[0] >= RETRY_AFTER_S
        if row.failed:
            assert not row.deliverable.text


def test_a_judge_that_gets_an_error_gives_no_verdict(cli: Any, server: StormServer) -> None:
    kinds = cycle(("400 context", "400 filter", "401", "html", "filtered"))
    server.play = lambda _question, _attempt: next(kinds)
    words = ("run", "colorbars", "--subject", "oracle", "--judge", MODEL, "--limit", 24)
    ran = contextvars.copy_context().run(cli, *words)
    assert ran.code == 0, ran.err
    rows = read_rows(Path("logs"))
    assert [(row.ending.scores, row.failed) for row in rows] == [({"accuracy": 1.0}, False)] * 24
    said = {each.because.partition("': ")[2] or each.because for row in rows for each in row.judgements}
    assert "the model or its provider refused to answer" in said
    assert (
        "the request did not fit into the model's context; show it fewer frames, or ask a model with more room" in said
    )
    assert any(each.startswith("its server does not accept the key (HTTP 401: ") for each in said)


# How an attempt ends over another API, where that is not as over chat completions.
SAID_NOTHING = "stop, ''"
WIRES: dict[str, dict[str, str]] = {
    "openai-api/storm/m": {},
    "openai/gpt-4o": {},
    "openai/gpt-5": {"empty choices": SAID_NOTHING, "odd finish": "stop, 'blue'"},
    "anthropic/claude-x": {"empty choices": SAID_NOTHING},
}
ENDS = {
    "400 context": "model_length, ''",
    "400 filter": "content_filter, ''",
    "400 parameter": "unscored: refused the request (HTTP 400: temperature cannot be blue)",
    "401": "unscored: does not accept the key (HTTP 401: no such key: blue)",
    "403": "unscored: does not allow this with the key (HTTP 403: not for this key: blue)",
    "404": "unscored: knows no such model or address (HTTP 404: no such model: blue)",
    "413": "unscored: takes no request of this size (HTTP 413: Request exceeds the maximum size: blue)",
    "500": "unscored: gave up after 2 attempts, the last one ended in HTTP 500",
    "503": "unscored: gave up after 2 attempts, the last one ended in HTTP 503",
    "half": "unscored: gave up after 2 attempts, the last one ended in half an answer",
    "html": "unscored: gave up after 2 attempts, the last one ended in an answer in no form that its API has",
    "other JSON": "unscored: gave up after 2 attempts, the last one ended in an answer in no form that its API has",
    "empty choices": "unscored: gave up after 2 attempts, the last one ended in an answer in no form that its API has",
    "reset": "unscored: gave up after 2 attempts, the last one ended in half an answer",
    "filtered": "content_filter, ''",
    "odd finish": "unknown, 'blue'",
    "answer": "stop, 'blue'",
    **dict.fromkeys(UNCOUNTED, "stop, 'blue'"),
}


@pytest.mark.parametrize("model", WIRES)
def test_every_api_ends_alike(model: str, elsewhere: StormServer, monkeypatch: pytest.MonkeyPatch) -> None:
    if model.startswith("anthropic"):
        pytest.importorskip("anthropic", reason="opt-in: anthropic is not installed")
    monkeypatch.setenv("CUTSCORE_BACKOFF_S", "0.001")
    with StormServer(lambda question, _: question, elsewhere=elsewhere.root).serve() as made:
        ends = asyncio.run(ask_each(model, made))
    redirected = ends.pop("redirect")
    assert ends == {**ENDS, **WIRES[model]}
    assert redirected.startswith(f"unscored: redirects to '{elsewhere.root}/v1/")
    assert not elsewhere.requests


async def ask_each(model: str, server: StormServer) -> dict[str, str]:
    address = server.root if model.startswith("anthropic") else server.url
    asked = get_model(model, base_url=address, api_key=KEY, memoize=False)
    return {kind: await ask(asked, kind) for kind in [*ENDS, "redirect"]}


async def ask(model: Model, kind: str) -> str:
    """Return how a call ends: stop reason and words, or the fact of what it raised."""
    tally = Tally()
    boundary = Boundary(path=lambda _: Path(), tally=tally, frames="", takes="text")
    config = GenerateConfig(max_retries=TRIES - 1)
    try:
        said = await ask_model([ChatMessageUser(content=kind)], boundary, model=model, config=config)
    except Unscored as error:
        return f"unscored: {error.fact.removeprefix('its server ')}"
    known = tally.usage is not None and tally.usage.input == READ and tally.usage.output == WRITTEN
    assert known == (kind not in UNCOUNTED and not kind.startswith("400")), kind
    assert bool(tally.warnings) == (kind in UNCOUNTED or said.stop_reason == "unknown"), tally.warnings
    return f"{said.stop_reason}, '{said.completion}'"
