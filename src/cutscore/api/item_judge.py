"""A judge for one deliverable, outside of a running evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.judgement import JudgeSpec
from cutscore.core.subject import SubjectSpec

if TYPE_CHECKING:
    from cutscore.bridge.judge_record import RecordedJudge
    from cutscore.core.item import Item
    from cutscore.registry import Benchmark


@dataclass(frozen=True)
class JudgeOptions:
    """Who is asked for opinions, and how.

    Args:
        name: Who judges; nobody when empty.
        votes: How often each question is asked; what the card says when 0.
        prompts: Files that replace the judge's prompts, by name.
        run: Where replies and costs are kept; None keeps nothing.
    """

    name: str = ""
    votes: int = 0
    prompts: Mapping[str, Path] = field(default_factory=dict)
    run: Path | None = None


@contextmanager
def open_item_judge(
    options: JudgeOptions,
    found: Benchmark,
    items: Sequence[Item],
    item: Item,
    *,
    scratch: Path,
    epoch: int,
    own_data: bool,
) -> Iterator[RecordedJudge | None]:
    """Open a judge for one item, with an event loop of its own to make calls in.

    Args:
        options: Who judges, if anybody does.
        found: The benchmark.
        items: All its items.
        item: The one that is marked.
        scratch: Folder whose store holds what is marked.
        epoch: Which repeat it is.
        own_data: The items are the user's own.
    """
    if not options.name:
        yield None
        return
    from anyio.from_thread import start_blocking_portal

    from cutscore.bridge.judge_record import open_session
    from cutscore.bridge.rows import JOURNAL_FILE, LEDGER_FILE
    from cutscore.bridge.run_context import RunContext
    from cutscore.ledger.prices import Prices
    from cutscore.ledger.spending import Ledger
    from cutscore.models.provider import require_reachable
    from cutscore.redaction import redactor
    from cutscore.scoring.judges.choose import open_judge
    from cutscore.settings import load_settings

    settings = load_settings()
    journal = options.run / JOURNAL_FILE if options.run else None
    spec = JudgeSpec(options.name, options.votes, options.prompts, journal, own_data=own_data)
    cell_judge = open_judge(spec, found, {each.id: each for each in items})
    if cell_judge.model:
        require_reachable(cell_judge.model)
    prices = Prices.snapshot([cell_judge.model] if cell_judge.model else [], own=settings.prices)
    ledger = Ledger(prices, (options.run or scratch) / LEDGER_FILE)
    (options.run or scratch).mkdir(parents=True, exist_ok=True)
    context = RunContext(run=scratch, on_call=ledger.add, redact=redactor(names=settings.secret_env))
    with start_blocking_portal() as portal:
        # Who made the deliverable is not known here, so it goes by the folder it came in.
        folder = SubjectSpec(kind="folder", label="folder")
        yield open_session(cell_judge, context=context, item=item.id, subject=folder, wait=portal.call, epoch=epoch)
