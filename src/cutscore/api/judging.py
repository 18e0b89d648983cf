"""A judge outside of a running evaluation: for one deliverable, or for many of several runs as often as audits ask."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.api.items import load_items
from cutscore.api.requests import check_judge
from cutscore.core.judgement import CellJudge, Judge, JudgeSession, JudgeSpec
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally

if TYPE_CHECKING:
    from cutscore.bridge.rows import CellRecord
    from cutscore.cells.judge_record import RecordedJudges
    from cutscore.core.item import Item
    from cutscore.core.label import Label
    from cutscore.core.row import Row
    from cutscore.registry import Benchmark
    from cutscore.results.judge_card.gather import JudgeAnswers
    from cutscore.results.judge_card.verdicts import JudgeCase


@contextmanager
def open_item_judges(
    specs: Mapping[str, JudgeSpec],
    found: Benchmark,
    items: Sequence[Item],
    *,
    item: str,
    epoch: int,
    scratch: Path,
    run: Path | None,
    cost_limit_usd: float | None = None,
) -> Iterator[RecordedJudges | None]:
    """Open judges for one item, by role, with an event loop of their own to make calls in; None where nobody is named.

    Replies and costs are kept in the folder `run`, or nowhere; the limit is of what is spent in that folder. The store
    in `scratch` holds what is marked.
    """
    named = {role: spec for role, spec in specs.items() if spec.name}
    if not named:
        yield None
        return
    from anyio.from_thread import start_blocking_portal

    from cutscore.bridge.rows import JOURNAL_FILE, LEDGER_FILE
    from cutscore.cells.judge_record import JudgesByRole, open_session
    from cutscore.cells.run_context import RunContext
    from cutscore.ledger.prices import Prices, require_known_prices
    from cutscore.ledger.spending import Ledger
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    settings = load_settings()
    journal = run / JOURNAL_FILE if run else None
    judges = JudgesByRole({role: _open(replace(each, journal=journal), found, items) for role, each in named.items()})
    prices = Prices.snapshot(judges.models, own=settings.prices)
    require_known_prices(prices, judges.models, cost_limit_usd)
    ledger = Ledger(prices, (run or scratch) / LEDGER_FILE, limit_usd=cost_limit_usd)
    (run or scratch).mkdir(parents=True, exist_ok=True)
    context = RunContext(run=scratch, ledger=ledger, redact=redactor(names=settings.secret_env))
    with start_blocking_portal() as portal:
        # Who made the deliverable is not known here, so it goes by the folder it came in.
        folder = SubjectSpec(kind="folder", label="folder")
        yield open_session(judges, context=context, item=item, subject=folder, wait=portal.call, epoch=epoch)


def _open(spec: JudgeSpec, found: Benchmark, items: Sequence[Item]) -> CellJudge:
    from cutscore.models.provider import require_reachable
    from cutscore.scoring.judges.choose import open_judge

    cell_judge = open_judge(spec, found, {item.id: item for item in items})
    if cell_judge.model:
        require_reachable(cell_judge.model)
    return cell_judge


@dataclass(frozen=True)
class RunJudge:
    """A judge that can be asked again, and remembers nothing; `wait` runs a coroutine function to its end."""

    spec: JudgeSpec
    data: Path | None
    wait: Callable[..., Any]
    clean: Callable[[str], str]
    tally: Tally
    _cell_judge: dict[str, CellJudge] = field(default_factory=dict)
    _subjects: dict[tuple[str, str], SubjectSpec] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """The model that is asked, by Inspect's name; empty when there is none."""
        return next((cell_judge.model for cell_judge in self._cell_judge.values()), "")

    def hear(self, records: Sequence[CellRecord], labels: Sequence[Label]) -> JudgeAnswers:
        """Ask about every deliverable of these cells that has a label."""
        from cutscore.registry import benchmark
        from cutscore.results.judge_card.gather import JudgeAnswers, LabelIndex, ask_about_cell

        known, heard = LabelIndex.of(labels), JudgeAnswers()
        for record in records:
            found, subject = benchmark(record.cell.benchmark), record.cell.subject
            check_judge(found.card, self.spec.name, self.spec.votes)
            items = load_items(found, record.store, self.data)
            cell_judge = self._cell_judge[found.name] = _open(self.spec, found, items)
            here = ask_about_cell(record, found, items, known, partial(self._seated, cell_judge, subject))
            self._subjects.update({(case.benchmark, case.subject): subject for case in here.cases})
            heard.cases.extend(here.cases)
            heard.verdicts.extend(here.verdicts)
        return heard

    def judge_of(self, case: JudgeCase) -> Judge:
        """Return the judge for a case, changed or not."""
        return self._seated(self._cell_judge[case.benchmark], self._subjects[case.benchmark, case.subject], case)

    def _seated(self, cell_judge: CellJudge, subject: SubjectSpec, about: Row | JudgeCase) -> Judge:
        session = JudgeSession(
            about.item, subject, self.wait, model=about.model, epoch=about.epoch, tally=self.tally, clean=self.clean
        )
        return cell_judge.for_sample(session)


@contextmanager
def open_run_judge(spec: JudgeSpec, *, data: Path | None, cost_limit_usd: float | None) -> Iterator[RunJudge]:
    """Set up a judge with an event loop to make calls in, and a purse."""
    from anyio.from_thread import start_blocking_portal

    from cutscore.bridge.rows import LEDGER_FILE
    from cutscore.ledger.prices import Prices
    from cutscore.ledger.spending import Ledger
    from cutscore.redaction import redactor
    from cutscore.scoring.judges.choose import asks_model
    from cutscore.settings import load_settings

    settings = load_settings()
    prices = Prices.snapshot([spec.name] if asks_model(spec.name) else [], own=settings.prices)
    clean = redactor(names=settings.secret_env).text
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder, start_blocking_portal() as portal:
        ledger = Ledger(prices, Path(folder) / LEDGER_FILE, limit_usd=cost_limit_usd)
        tally = Tally(purse=ledger.purse())
        yield RunJudge(replace(spec, own_data=data is not None), data, portal.call, clean, tally)
