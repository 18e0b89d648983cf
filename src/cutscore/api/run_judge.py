"""A judge for many deliverables of several runs, outside of a running evaluation, as often as audits ask."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.api.item_judge import JudgeOptions
from cutscore.core.judgement import CellJudge, Judge, JudgeSession, JudgeSpec
from cutscore.core.tally import Tally

if TYPE_CHECKING:
    from cutscore.bridge.rows import CellRecord
    from cutscore.core.label import Label
    from cutscore.core.row import Row
    from cutscore.core.subject import SubjectSpec
    from cutscore.results.judge_card.gather import JudgeAnswers
    from cutscore.results.judge_card.verdicts import JudgeCase


@dataclass(frozen=True)
class RunJudge:
    """A judge that can be asked again, and remembers nothing.

    Args:
        asked: Who judges.
        data: Folder with items of the user's own.
        wait: Runs a coroutine function to its end.
        clean: Takes secrets out of text.
        tally: Counts all its calls.
    """

    asked: JudgeOptions
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
        from cutscore.api.items import load_items
        from cutscore.api.requests import check_judge
        from cutscore.models.provider import require_reachable
        from cutscore.registry import benchmark
        from cutscore.results.judge_card.gather import JudgeAnswers, LabelIndex, ask_about_cell
        from cutscore.scoring.judges.choose import open_judge

        known, heard = LabelIndex.of(labels), JudgeAnswers()
        for record in records:
            found, subject = benchmark(record.cell.benchmark), record.cell.subject
            check_judge(found.card, self.asked.name, self.asked.votes)
            items = load_items(found, record.store, self.data)
            spec = JudgeSpec(self.asked.name, self.asked.votes, self.asked.prompts, own_data=self.data is not None)
            cell_judge = self._cell_judge[found.name] = open_judge(spec, found, {item.id: item for item in items})
            if cell_judge.model:
                require_reachable(cell_judge.model)

            def judge_of(row: Row, cell_judge: CellJudge = cell_judge, record: CellRecord = record) -> Judge:
                return self._seated(cell_judge, row, record.cell.subject)

            here = ask_about_cell(record, found, items, known, judge_of)
            self._subjects.update({(case.benchmark, case.subject): subject for case in here.cases})
            heard.cases.extend(here.cases)
            heard.verdicts.extend(here.verdicts)
        return heard

    def judge_of(self, case: JudgeCase) -> Judge:
        """Return the judge for a case, changed or not."""
        return self._seated(self._cell_judge[case.benchmark], case, self._subjects[case.benchmark, case.subject])

    def _seated(self, cell_judge: CellJudge, about: Row | JudgeCase, subject: SubjectSpec) -> Judge:
        session = JudgeSession(
            item=about.item,
            subject=subject,
            wait=self.wait,
            model=about.model,
            epoch=about.epoch,
            tally=self.tally,
            clean=self.clean,
        )
        return cell_judge.for_sample(session)


@contextmanager
def open_run_judge(asked: JudgeOptions, *, data: Path | None, cost_limit_usd: float | None) -> Iterator[RunJudge]:
    """Set up a judge with an event loop to make calls in, and a purse.

    Args:
        asked: Who judges.
        data: Folder with items of the user's own.
        cost_limit_usd: What may be spent.
    """
    from anyio.from_thread import start_blocking_portal

    from cutscore.bridge.rows import LEDGER_FILE
    from cutscore.ledger.prices import Prices
    from cutscore.ledger.spending import Ledger
    from cutscore.redaction import redactor
    from cutscore.scoring.judges.choose import asks_model
    from cutscore.settings import load_settings

    settings = load_settings()
    prices = Prices.snapshot([asked.name] if asks_model(asked.name) else [], own=settings.prices)
    clean = redactor(names=settings.secret_env).text
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder, start_blocking_portal() as portal:
        ledger = Ledger(prices, Path(folder) / LEDGER_FILE, limit_usd=cost_limit_usd)
        tally = Tally(before_call=ledger.check, on_call=ledger.add)
        yield RunJudge(asked, data, portal.call, clean, tally)
