"""A row: one sample of one cell, as everyone above the bridge sees it."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field, JsonValue

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


# Fields that came later, by the part of a row that has them.
_LATER = {
    "": ("judge", "judgements", "judge_seen"),
    "deliverable": ("failure_class",),
    "evidence": ("reads", "errors", "turns"),
    "ending": ("references", "wholes", "gaps", "failure_class"),
}


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
        conditions: Conditions of work that are not the card's defaults.
        ask: What the subject saw; None in logs that did not keep it.
        deliverable, evidence: By reference; the bytes are in the run's store.
        environment: What the world says that it took (peak memory), where there was one, and under `work` what the
            subject's work took (`WorkFacts`); not part of the canonical row.
        told_usage, told_cost_usd: What the subject itself says that it took, beside what we saw; None when it says
            nothing.
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
    conditions: dict[str, str] = Field(default_factory=dict)
    item: str
    epoch: int = Field(ge=1)
    cluster: str
    groups: dict[str, str] = Field(default_factory=dict)
    ask: Ask | None = None
    ending: Ending
    deliverable: Deliverable = Deliverable()
    evidence: Evidence = Evidence()
    environment: dict[str, JsonValue] = Field(default_factory=dict)
    seen: tuple[FrameManifest, ...] = ()
    usage: Usage | None = None
    told_usage: Usage | None = None
    told_cost_usd: float | None = None
    judge: str = ""
    judgements: tuple[Judgement, ...] = ()
    judge_seen: tuple[FrameManifest, ...] = ()
    judge_usage: Usage | None = None
    cost_usd: float | None = None
    retries: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def failed(self) -> bool:
        """Whether the subject failed by its own doing; such a sample is marked, mostly with 0, and counted."""
        return self.ending.failure_class is not None

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What makes a row unique in a run."""
        return (self.benchmark, self.cell, self.subject, self.item, self.epoch)

    def canonical(self) -> dict[str, Any]:
        """Return what must be the same whoever ran it, where, in which order, and after how many kills."""
        spent = {"usage", "told_usage", "judge_usage", "cost_usd", "told_cost_usd"}
        moving = {"seconds", "retries", "environment", *spent}
        known_by_cell = {"frames", "input", "conditions"}
        plain = self.model_dump(mode="json", exclude=moving | known_by_cell)
        plain["deliverable"].pop("trajectory")  # its steps carry clock times
        for turn in plain["evidence"]["turns"]:
            del turn["usage"], turn["cost_usd"], turn["deliverable"]["trajectory"]
        live = set(plain["evidence"].pop("live"))
        plain["evidence"]["files"] = [file for file in plain["evidence"]["files"] if file["name"] not in live]
        plain["evidence"]["facts"] = {
            name: fact for name, fact in plain["evidence"]["facts"].items() if name not in live
        }
        for finding in plain["ending"]["findings"]:
            del finding["unreadable"]  # the ending's failure class says it
        for said in (plain["ending"], *plain["ending"]["findings"], *plain["ending"]["gaps"]) if live else ():
            del said["because"]  # it may quote what was seen
        # What a row has nothing of is left out, so that rows of before there was such a thing keep their bytes.
        ask = plain["ask"] or {}
        asks = [(ask, ("parts",)), *((turn["ask"], ("parts",)) for turn in plain["evidence"]["turns"])]
        findings = [(finding, ("whole",)) for finding in plain["ending"]["findings"]]
        for part, names in (*asks, *findings, *((plain[part] if part else plain, _LATER[part]) for part in _LATER)):
            for name in names:
                if part.get(name) in ((), [], {}, "", None):
                    part.pop(name, None)
        return plain


def canonical_rows(rows: Iterable[Row]) -> bytes:
    """Write rows as sorted JSON lines: equal bytes for equal results."""
    lines = sorted((row.key, canonical_json(row.canonical())) for row in rows)
    return b"".join(line + b"\n" for _, line in lines)
