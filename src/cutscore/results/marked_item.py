"""What marking said of one deliverable, sorted for whoever made it: the mark, its factors, what failed.

In one scoring mode, each sentence once. `score` prints it, and its page to send shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.card import Card
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.results.wording import describe_record

# A rubric's line that takes points away: it failed when it applies. Cards call it a measure, since a low one is good.
PENALTY = "penalty/"


@dataclass(frozen=True)
class MarkedItem:
    """The findings of one deliverable in one scoring mode.

    Args:
        mark: The finding that is the headline; None where marking has none.
        factors: The other scores of the card.
        failed: Requirements that were not met, the worst first.
        other: How many findings are left: what was met, measures, and other modes.
    """

    mark: Finding | None
    factors: tuple[Finding, ...]
    failed: tuple[Finding, ...]
    other: int


def sort_findings(card: Card, ending: Ending, mode: str) -> MarkedItem:
    """Sort the findings of an ending.

    >>> from cutscore.core.card import ScoreCard
    >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="mark", splits={},
    ...             scores={"mark": ScoreCard(about="")}, measures=("penalty/*", "length_s"))
    >>> said = [("mark", 0.5, "half"), ("sound", 0, "no sound"), ("cut", 1, "is cut"), ("length_s", 0, "0 s")]
    >>> said.append(("penalty/black", 1, "is black"))
    >>> findings = tuple(Finding(name=name, value=value, because=because) for name, value, because in said)
    >>> sorted_ = sort_findings(card, Ending(status="marked", scores={"mark": 0.5}, findings=findings), "")
    >>> [each.because for each in sorted_.failed], sorted_.other
    (['no sound', 'is black'], 2)
    """
    here = [each for each in ending.findings if each.mode in ("", mode)]
    mark = next((each for each in here if each.name == card.headline), None)
    factors = tuple(each for each in here if each.name in card.scores and each.name != card.headline)
    rest = [each for each in here if each.name not in card.scores]
    failed = tuple(sorted((each for each in rest if _failed(card, each)), key=_share))
    shown = len(factors) + len(failed) + (mark is not None)
    return MarkedItem(mark, factors, failed, len(ending.findings) - shown)


def new_reasons(findings: Sequence[Finding], said: Sequence[Finding | None]) -> dict[str, str]:
    """Return the reasons of findings, by name, that neither those before them nor others have given already."""
    known = {each.because for each in said if each is not None}
    reasons: dict[str, str] = {}
    for each in findings:
        if each.because not in known and not describe_record(each.because):
            reasons[each.name] = each.because
            known.add(each.because)
    return reasons


def _failed(card: Card, finding: Finding) -> bool:
    """Return whether a finding is a requirement that was not met; a record for programs is none."""
    if describe_record(finding.because):
        return False
    if finding.name.startswith(PENALTY):
        return finding.value > 0
    return card.is_grade(finding.name) and finding.score is not None and 0 <= finding.score < 1


def _share(finding: Finding) -> float:
    return 0.0 if finding.name.startswith(PENALTY) else finding.score or 0.0
