"""Marking one sample, without Inspect: what `score`, `rescore`, `check` and the scorer all call."""

import logging
from collections.abc import Mapping

from cutscore.cells.evidence import require_reads
from cutscore.core.bundle import Bundle, UnscorableBundle
from cutscore.core.card import Card
from cutscore.core.deliverable import Deliverable, FailureClass
from cutscore.core.ending import Ending, ending_from_error, fold_findings
from cutscore.core.errors import CutscoreError
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.finding import score_key
from cutscore.core.item import Item
from cutscore.core.judgement import Judges
from cutscore.registry import Benchmark

logger = logging.getLogger(__name__)


def mark_one(
    found: Benchmark,
    deliverable: Deliverable,
    evidence: Evidence,
    item: Item,
    *,
    store: FileStore,
    judges: Judges | None = None,
    mode: str = "",
    options: Mapping[str, str] | None = None,
) -> Ending:
    """Mark a deliverable and say how it ended.

    Options that are not given are the card's defaults; `mark` gets all of them, if the card has any.

    Whatever goes wrong here is our failure, so it leaves the item unscored with the reason (or stopped, when this
    machine lacks something). A subject's failure never raises: `mark` finds it and gives 0.
    """
    try:
        return mark_or_raise(found, deliverable, evidence, item, store=store, judges=judges, mode=mode, options=options)
    except Exception as error:  # a bug in a marker is an unscored item, not the end of a run
        logger.warning("marking %s of '%s' failed", item.id, found.name, exc_info=True)
        return Ending(status="unscored", because=f"marking failed: {type(error).__name__}: {error}")


def mark_or_raise(
    found: Benchmark,
    deliverable: Deliverable,
    evidence: Evidence,
    item: Item,
    *,
    store: FileStore,
    judges: Judges | None = None,
    mode: str = "",
    options: Mapping[str, str] | None = None,
) -> Ending:
    """Mark as `mark_one` does, and let what is no error of ours pass: authors want to see their bugs."""
    if isinstance(item, UnscorableBundle):
        return Ending(status="unscored", because=item.untold)
    try:
        given = {name: option.default for name, option in found.card.options.items()} | dict(options or {})
        rest = {"options": given} if given else {}
        require_reads(found, item, evidence)
        findings = found.part("mark").mark(deliverable, evidence.bind(store), item, judges or {}, **rest)
        names = score_names(found.card, mode)
        ending = fold_findings(findings, names)
        failed = classify_failure(deliverable, evidence, ending, headline=names[0])
        hidden = item.hidden if isinstance(item, Bundle) else ()
        return ending.model_copy(update={"references": hidden, "failure_class": failed})
    except CutscoreError as error:
        return ending_from_error(error)


def decide_stop(
    found: Benchmark, evidence: Evidence, item: Item, *, store: FileStore, judges: Judges | None = None
) -> str:
    """Return why no further turn of a sample needs to be made, by the evidence so far; empty to go on.

    The marker asks its judges what `mark` asks them afterwards, so that their journal has it by then.
    """
    if isinstance(item, UnscorableBundle):
        return ""
    said: str = found.part("mark").find_failure(evidence.bind(store), item, judges or {})
    return said


def classify_failure(
    deliverable: Deliverable, evidence: Evidence, ending: Ending, *, headline: str
) -> FailureClass | None:
    """Return how a subject failed by its own doing; None where it did not, and where nobody could mark it.

    What it says of itself comes first. Nothing at all is a failure unless the evidence of a world stands for it. The
    marker says of the headline's finding that nothing can be read: a broken film beside a good order is no failure
    where the order alone counts.
    """
    if ending.status != "marked":
        return None
    if deliverable.failure:
        return deliverable.failure_class or "crash"
    if deliverable.empty and not (evidence.files or evidence.facts or evidence.turns):
        return "nothing"
    names = (headline, headline.partition("@")[0])
    unread = any(each.unreadable and score_key(each.name, each.mode) in names for each in ending.findings)
    return "unreadable" if unread else None


def score_names(card: Card, mode: str) -> tuple[str, ...]:
    """Name every score of a benchmark, the headline in the given mode first."""
    return card.score_keys(card.mode(mode or None))
