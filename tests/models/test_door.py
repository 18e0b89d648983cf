"""Every call of a subject is counted, kept and replayed, whoever makes it: over Inspect's own eval."""

import contextvars
import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.agent import agent_bridge
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model
from inspect_ai.model._model import _model_roles, active_model_context_var
from inspect_ai.solver import solver

from cutscore.cells.work_journal import WorkJournal
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.core.subject import MemoryNotes, WorkContext, WorkNotes
from cutscore.core.tally import Tally
from cutscore.core.turn import Turn
from cutscore.core.usage import Usage
from cutscore.ledger.call_book import CallBook, Spending, read_spending
from cutscore.ledger.prices import Prices
from cutscore.ledger.spending import Ledger
from cutscore.models import scripted  # noqa: F401  registers the provider
from cutscore.models.ask import ask_model
from cutscore.models.boundary import Boundary
from cutscore.models.door import count_model_calls
from cutscore.settings import OwnPrice
from cutscore.store import Store
from cutscore.subjects.answerer import ModelSubject
from cutscore.subjects.function import FunctionSubject

MODEL, HELPER, NAMED = "scripted/main", "scripted/helper", "scripted/named"
ONE_CALL = Usage(input=100, cached=0, cache_write=0, output=10, reasoning=0)
SECRET = "sk-canary-0001"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each model's provider was asked."""
    asked: Counter[str] = Counter()
    provider = type(get_model(MODEL, memoize=False).api)
    generate = provider.generate

    async def count(self: Any, *args: Any, **rest: Any) -> Any:
        asked[self.model_name] += 1
        return await generate(self, *args, **rest)

    monkeypatch.setattr(provider, "generate", count)
    return asked


@dataclass
class Run:
    """A folder in which one sample is worked on, as often as somebody starts it."""

    folder: Path
    tallies: list[Tally] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)

    def start(self, subject: Any, *, notes: WorkNotes | None = None, model: str = MODEL, clean: Any = None) -> Tally:
        """Run a sample under Inspect, as a process that finds what the last one left."""
        price = OwnPrice(input_usd_per_mtok=10, output_usd_per_mtok=0)
        ledger = Ledger(
            Prices.snapshot([MODEL, HELPER], own={MODEL: price, HELPER: price}), self.ledger_file, cell="cell"
        )
        ledger.mark_lost()
        tally = Tally(purse=ledger.purse("item", 1))
        context = WorkContext(
            store=Store(self.folder / "store"),
            make_workspace=lambda: self.folder,
            epoch=1,
            seed=1,
            tally=tally,
            notes=notes if notes is not None else WorkJournal(self.folder).notes("item", 1),
            clean=clean,
        )

        @solver
        def work() -> Any:
            async def solve(state: Any, generate: Any) -> Any:
                try:
                    await subject.work(Ask(item="item", brief="What is it?"), context)
                except (SubjectFailed, Unscored) as error:
                    self.errors.append(error)
                return state

            return solve

        (log,) = eval(
            Task(dataset=MemoryDataset([Sample(id="item", input="x")]), solver=work()),
            model=get_model(model, memoize=False),
            model_roles={"helper": get_model(HELPER, memoize=False)},
            log_dir=str(self.folder / "logs"),
            display="none",
            max_retries=1,
        )
        assert log.status == "success", log.error
        return tally

    @property
    def ledger_file(self) -> Path:
        return self.folder / "ledger.jsonl"

    @property
    def spending(self) -> Spending:
        return read_spending(self.ledger_file)

    @property
    def sent_lines(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.ledger_file.read_text().splitlines()]
        return [line for line in lines if line["state"] == "sent"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def function(call: Any) -> FunctionSubject:
    return FunctionSubject("python:mine", call)


async def ask_twice_and_a_helper(ask: Ask, context: WorkContext) -> str:
    """Ask the same thing twice, then another model by its role."""
    said = [(await get_model().generate(ask.brief)).completion for _ in range(2)]
    return said[0] + (await get_model(role="helper").generate("help")).completion


def test_a_resumed_run_replays_what_was_paid_and_pays_nothing(run: Run, sent: Counter[str]) -> None:
    first = run.start(ModelSubject())
    again = run.start(ModelSubject())
    assert sent == {"main": 1}
    assert (
        (first.calls, first.usage, first.cost_usd) == (again.calls, again.usage, again.cost_usd) == (1, ONE_CALL, 0.001)
    )
    assert (run.spending.answered, float(run.spending.usd)) == (1, 0.001)


def test_get_model_and_roles_in_a_function_pass_the_door(run: Run, sent: Counter[str]) -> None:
    first = run.start(function(ask_twice_and_a_helper))
    assert (first.calls, first.warnings) == (3, [])
    assert [(line["role"], line["model"]) for line in run.sent_lines] == [
        ("subject", MODEL),
        ("subject", MODEL),
        ("helper", HELPER),
    ]
    assert {(line["cell"], line["item"], line["epoch"]) for line in run.sent_lines} == {("cell", "item", 1)}
    again = run.start(function(ask_twice_and_a_helper))
    assert (again.calls, again.cost_usd) == (3, first.cost_usd)
    assert sent == {"main": 2, "helper": 1}, "two equal requests are two calls, and nothing is asked again"


def test_a_killed_run_goes_on_after_its_last_reply(run: Run, sent: Counter[str]) -> None:
    async def first_half(ask: Ask, context: WorkContext) -> str:
        await get_model().generate(ask.brief)
        raise RuntimeError("killed")

    run.start(function(first_half))
    assert run.start(function(ask_twice_and_a_helper)).calls == 3
    assert (sent, run.spending.answered) == ({"main": 2, "helper": 1}, 3)


def test_a_model_that_is_asked_for_by_name_is_counted_once(run: Run, sent: Counter[str]) -> None:
    async def ask_all(ask: Ask, context: WorkContext) -> str:
        await get_model(NAMED).generate("by name")
        await get_model().generate(ask.brief)
        await get_model(NAMED).generate("by name")
        return "done"

    tally = run.start(function(ask_all))
    assert (tally.calls, sent) == (3, {"named": 2, "main": 1})
    assert (run.spending.answered, run.spending.unknown) == (3, 2)
    assert (tally.usage, tally.cost_usd) == (ONE_CALL + ONE_CALL + ONE_CALL, None), "nobody knows the price of 'named'"
    assert tally.warnings == [
        f"model '{NAMED}' was asked for by its name: its calls are counted, but no reply is kept, "
        "and a resumed run pays again"
    ]


def test_a_plain_function_in_a_thread_passes_the_door(run: Run, sent: Counter[str]) -> None:
    def ask_from_a_thread(ask: Ask, context: WorkContext) -> str:
        return anyio.from_thread.run(get_model().generate, ask.brief).completion

    assert run.start(function(ask_from_a_thread)).calls == 1
    assert run.start(function(ask_from_a_thread)).calls == 1
    assert (sent, run.spending.answered) == ({"main": 1}, 1)


def test_equal_requests_at_the_same_time_are_two_replies(run: Run, sent: Counter[str]) -> None:
    async def ask_together(ask: Ask, context: WorkContext) -> str:
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(get_model().generate, ask.brief)
        return "done"

    notes = MemoryNotes()
    assert run.start(function(ask_together), notes=notes).calls == 2
    assert run.start(function(ask_together), notes=notes).calls == 2
    keys = sorted(notes._kept)
    assert [key.rpartition("/")[2] for key in keys] == ["1", "2"]
    assert len({key.rpartition("/")[0] for key in keys}) == 1
    assert sent == {"main": 2}


def test_a_failed_attempt_gives_its_number_back(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "flaky.json"
    script.write_text(json.dumps({"faults": [{"kind": "503"}], "backoff_s": 0.001}))
    notes = MemoryNotes()
    tally = run.start(ModelSubject(), notes=notes, model=f"scripted/{script}")
    assert [key.rpartition("/")[2] for key in notes._kept] == ["1"]
    assert (tally.calls, tally.retries, run.spending.failed) == (1, {"503": 1}, {"503": 1})


def test_other_words_or_another_config_are_other_requests(run: Run, sent: Counter[str]) -> None:
    async def ask_three_ways(ask: Ask, context: WorkContext) -> str:
        await get_model().generate(ask.brief)
        await get_model().generate(ask.brief, config=GenerateConfig(max_retries=9))
        await get_model().generate(ask.brief, config=GenerateConfig(temperature=0.5))
        await get_model().generate(ask.brief + "?")
        return "done"

    notes = MemoryNotes()
    run.start(function(ask_three_ways), notes=notes)
    assert Counter(key.split("/")[2] for key in notes._kept).most_common(1)[0][1] == 2, "patience is no other request"
    assert len({key.split("/")[2] for key in notes._kept}) == 3
    assert {key.split("/")[1] for key in notes._kept} == {"1"}


def test_a_reply_is_kept_without_secrets(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "leaky.json"
    script.write_text(json.dumps({"otherwise": [f"the key is {SECRET}"]}))
    said: list[str] = []

    async def echo(ask: Ask, context: WorkContext) -> str:
        said.append((await get_model().generate(ask.brief)).completion)
        return said[-1]

    for _ in range(2):
        run.start(function(echo), model=f"scripted/{script}", clean=lambda text: text.replace(SECRET, "[redacted]"))
    assert said == ["the key is [redacted]"] * 2
    assert SECRET not in (tmp_path / "work.jsonl").read_text()


def test_a_kill_between_reply_and_booking_is_booked_by_the_replay(run: Run, sent: Counter[str]) -> None:
    """The ledger has the call as sent, the notes have its reply: as a kill leaves them."""
    run.start(ModelSubject())
    lines = run.ledger_file.read_text().splitlines(keepends=True)
    run.ledger_file.write_text(lines[0])
    book = CallBook(run.ledger_file)
    book.catch_up()
    assert (book.total().calls, len(book.under_way)) == (0, 1)
    tally = run.start(ModelSubject())
    assert (sent, tally.cost_usd) == ({"main": 1}, 0.001)
    assert (run.spending.answered, run.spending.lost, float(run.spending.usd)) == (1, 0, 0.001)


def test_a_kill_during_a_call_is_a_lost_call(run: Run, sent: Counter[str]) -> None:
    """The ledger has the call as sent, and nobody has its reply."""
    run.start(ModelSubject())
    run.ledger_file.write_text(run.ledger_file.read_text().splitlines(keepends=True)[0])
    (run.folder / "work.jsonl").unlink()
    run.start(ModelSubject())
    assert (sent, run.spending.answered, run.spending.lost, run.spending.calls) == ({"main": 2}, 1, 1, 2)


def test_a_provider_that_gives_up_is_no_failing_of_the_function(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "down.json"
    script.write_text(json.dumps({"faults": [{"kind": "503", "times": 9}], "backoff_s": 0.001}))
    run.start(function(ask_twice_and_a_helper), model=f"scripted/{script}")
    (error,) = run.errors
    assert isinstance(error, Unscored)
    assert "gave up after 2 attempts, the last one ended in HTTP 503; run the same command again" in str(error)


def test_an_agent_behind_inspects_bridge_passes_the_door(run: Run, sent: Counter[str]) -> None:
    openai = pytest.importorskip("openai")

    async def ask_as_a_client(ask: Ask, context: WorkContext) -> str:
        async with agent_bridge():
            client = openai.AsyncOpenAI(api_key="none")
            message = {"role": "user", "content": ask.brief}
            reply = await client.chat.completions.create(model="inspect", messages=[message])
        return str(reply.choices[0].message.content)

    first, again = (run.start(function(ask_as_a_client)) for _ in range(2))
    assert not run.errors
    assert (first.calls, again.calls, sent, run.spending.answered) == (1, 1, {"main": 1}, 1)


def test_a_boundary_inside_the_door_counts_once_and_a_later_turn_has_its_own_replies(run: Run) -> None:
    async def ask_through_its_own(ask: Ask, context: WorkContext) -> str:
        for turns in ((), (Turn(number=1, ask=ask, deliverable=Deliverable()),)):
            boundary = Boundary.for_work(replace(context, turns=turns), takes="text")
            await ask_model([ChatMessageUser(content=ask.brief)], boundary)
        return "done"

    notes = MemoryNotes()
    assert run.start(function(ask_through_its_own), notes=notes).calls == 2
    assert (run.spending.answered, run.start(function(ask_through_its_own), notes=notes).calls) == (2, 2)
    assert [key.split("/")[1::2] for key in notes._kept] == [["1", "1"], ["2", "1"]]


def test_nothing_stays_behind_when_the_work_has_ended(run: Run, tmp_path: Path) -> None:
    mine, helper = (get_model(name, memoize=False) for name in (MODEL, HELPER))
    context = WorkContext(store=Store(tmp_path), make_workspace=lambda: tmp_path, epoch=1, seed=1)

    def look() -> None:
        active_model_context_var.set(mine)
        _model_roles.set({"helper": helper, "panel": [helper, mine]})
        with suppress(KeyError), count_model_calls(context):
            assert get_model().api is not mine.api
            assert get_model(role="panel").api is not helper.api
            raise KeyError
        assert get_model() is mine
        assert (get_model(role="helper"), _model_roles.get()["panel"]) == (helper, [helper, mine])

    contextvars.copy_context().run(look)
