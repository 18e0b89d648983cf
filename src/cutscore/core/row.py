"""A row: one sample of one cell, as everyone above the bridge sees it."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import FrozenModel, canonical_json
from cutscore.core.judgement import Judgement
from cutscore.core.manifest import FrameManifest
from cutscore.core.usage import Usage

# Stands in the id of a cell before the name of its run, where several runs of it are shown; no id has it otherwise.
RUN_SEPARATOR = "@"


def short_cell_id(cell: str) -> str:
    """Return what tells a cell from others of its name: its run, where several are shown, else the end of its id.

    >>> short_cell_id("blind-7492f06b34e3"), short_cell_id("blind-7492f06b34e3@june")
    ('7492f06b34e3', 'june')
    """
    own, _, run = cell.partition(RUN_SEPARATOR)
    return run or own.rpartition("-")[2][:12]


class Row(FrozenModel):
    """One sample: who, what, how it ended and what it cost.

    Args:
        cell: Id of the cell, which is also the name of its folder.
        model: Model name, or empty for subjects without one.
        input: What of its input the subject was shown, where not all of it.
        ask: What the subject saw; None in logs that did not keep it.
        deliverable, evidence: By reference; the bytes are in the run's store.
        judge_usage: Tokens of the judge; None when no bucket is known or nobody judged.
        cost_usd: Of subject and judge together; None when a price or a bucket is unknown.
        retries: Provider calls that were repeated, by class (`429`, `503`, `timeout`).
        warnings: What a reader should know (`answered by another model`).
        seconds: Wall time; not part of the canonical row.
    """

    benchmark: str
    version: str
    cell: str
    subject: str
    model: str = ""
    frames: str = ""
    input: str = ""
    item: str
    epoch: int = Field(ge=1)
    cluster: str
    groups: dict[str, str] = Field(default_factory=dict)
    ask: Ask | None = None
    ending: Ending
    deliverable: Deliverable = Deliverable()
    evidence: Evidence = Evidence()
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    judge: str = ""
    judgements: tuple[Judgement, ...] = ()
    judge_seen: tuple[FrameManifest, ...] = ()
    judge_usage: Usage | None = None
    cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What makes a row unique in a run."""
        return (self.benchmark, self.cell, self.subject, self.item, self.epoch)

    def canonical(self) -> dict[str, Any]:
        """Return what must be the same whoever ran it, where, in which order, and after how many kills."""
        moving = {"seconds", "retries", "usage", "judge_usage", "cost_usd"}
        known_by_cell = {"frames", "input"}
        plain = self.model_dump(mode="json", exclude=moving | known_by_cell)
        plain["deliverable"].pop("trajectory")  # its steps carry clock times
        # A row that nobody judged, or that has no reference, is written as before there were such.
        for part, names in ((plain, ("judge", "judgements", "judge_seen")), (plain["ending"], ("references",))):
            for name in names:
                if not part[name]:
                    del part[name]
        return plain


def canonical_rows(rows: Iterable[Row]) -> bytes:
    """Write rows as sorted JSON lines: equal bytes for equal results."""
    lines = sorted((row.key, canonical_json(row.canonical())) for row in rows)
    return b"".join(line + b"\n" for _, line in lines)
