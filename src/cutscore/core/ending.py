"""How an item ends: marked, unscored or stopped. There is no fourth way."""

from collections.abc import Iterable
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from cutscore.core.deliverable import FailureClass
from cutscore.core.errors import Stopped
from cutscore.core.files import FileRef
from cutscore.core.finding import Finding, score_key
from cutscore.core.frozen import Finite, FrozenModel

Status = Literal["marked", "unscored", "stopped"]


class ScoreGap(FrozenModel):
    """Why one score of a sample is not there, though others may be; `mark` returns it among its findings.

    Args:
        name: The score, as the card lists it.
        status: *excluded*: a rule of the benchmark leaves it out, and nobody counts it. *unscored* and *stopped*: as
            for a whole sample, counted beside that score alone.
        mode: The scoring mode it belongs to; empty for all of them.
    """

    name: str = Field(min_length=1)
    status: Literal["excluded", "unscored", "stopped"]
    because: str = Field(min_length=1)
    mode: str = ""

    def concerns(self, key: str) -> bool:
        """Return whether it is about a score, by its key; without a mode it is about that score in all of them."""
        return key == score_key(self.name, self.mode) or (not self.mode and key.partition("@")[0] == self.name)


class Ending(FrozenModel):
    """The result of marking one sample.

    Args:
        status: *marked*: there is a score, also 0 with its reason. *unscored*: we failed (judge unreachable,
            item broken). *stopped*: this machine lacks something.
        scores: Value of each score by key (`accuracy`, `accuracy@strict`), on the scale that the card gives it; empty
            unless marked. Of a score that is a ratio it is the sample's own share, part / whole.
        wholes: Of each score that is a ratio, the whole of which that is the share, by key: the weight of the sample
            among others. A whole of 0 counts nothing: the score is then a gap that is *excluded*, and has no whole.
        gaps: Scores that are not there, each with its own reason.
        failure_class: How the subject failed, where it did; such a sample is marked and counted as *failed*.
        references: Files that only the marker knew (a golden clip), so that a report can show them beside the others.
    """

    status: Status
    scores: dict[str, Finite] = Field(default_factory=dict)
    wholes: dict[str, Finite] = Field(default_factory=dict)
    gaps: tuple[ScoreGap, ...] = ()
    findings: tuple[Finding, ...] = ()
    because: str = ""
    failure_class: FailureClass | None = None
    references: tuple[FileRef, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.status == "marked" and not self.scores and not self.gaps:
            raise ValueError("a marked ending needs a score, or a gap that says why there is none")
        if self.status != "marked" and (self.scores or not self.because):
            raise ValueError(f"an ending that is {self.status} has a reason and no score")
        return self

    def gap(self, key: str) -> ScoreGap | None:
        """Return why a score is not there, None where it is or nobody said why."""
        return next((gap for gap in self.gaps if gap.concerns(key)), None)

    def status_of(self, key: str, *, judged: bool = False) -> Literal["marked", "unscored", "stopped", "excluded"]:
        """Return how one score ended, whatever the others did; *excluded* is what nobody counts.

        An opinion of a judge that is missing without a word is unscored; any other score that is not there, and that
        marking does not miss, is one that the sample does not have.
        """
        if self.status != "marked" or key in self.scores:
            return self.status
        gap = self.gap(key)
        return gap.status if gap else "unscored" if judged else "excluded"

    def as_json(self, headline: str) -> dict[str, Any]:
        """Return `status, score, findings` of the JSON contract, and what is missing or went wrong."""
        shown = {
            "status": self.status,
            "score": self.scores.get(headline),
            "findings": [finding.as_json() for finding in self.findings],
        }
        later = {
            "because": self.because,
            "failure_class": self.failure_class,
            "gaps": [gap.model_dump(mode="json") for gap in self.gaps],
        }
        return shown | {name: value for name, value in later.items() if value}


def fold_findings(said: Iterable[Finding | ScoreGap], wanted: tuple[str, ...]) -> Ending:
    """Fold findings into an ending: a finding that bears a score's name is that score.

    Wanted are the scores that the card lists, the headline first. A missing headline is our failure and leaves the item
    unscored, and so is a score that was found twice with two values. A finding without a mode counts in every mode.
    Of a ratio the score is the share, beside its whole; a whole of 0 is excluded by that rule.

    A gap among the findings says why a score is not there. With other scores beside it the sample is marked, though its
    headline may be missing; where nothing is left that counts, the sample ends as the gap of its headline does.
    """
    every = tuple(said)
    findings = tuple(each for each in every if isinstance(each, Finding))
    told = tuple(each for each in every if isinstance(each, ScoreGap))
    found: dict[str, Finding] = {}
    for finding in findings:
        own = score_key(finding.name, finding.mode)
        for key in wanted:
            named = key == own or (not finding.mode and key.rpartition("@")[0] == finding.name)
            first = found.setdefault(key, finding) if named else finding
            if (first.value, first.whole) != (finding.value, finding.whole):
                because = f"marking found '{key}' twice, as {first.value:g} and {finding.value:g}"
                return Ending(status="unscored", findings=findings, because=because)
    if both := next((key for key in found if any(gap.concerns(key) for gap in told)), None):
        because = f"marking found '{both}' and says why it is not there"
        return Ending(status="unscored", findings=findings, because=because)
    headline = wanted[0] if wanted else "score"
    missing = next((gap for gap in told if gap.concerns(headline)), None)
    if headline not in found and missing is None:
        return Ending(status="unscored", findings=findings, because=f"marking found no '{headline}'")
    if not found and missing is not None and missing.status != "excluded":
        return Ending(status=missing.status, findings=findings, because=missing.because)
    # In the order in which marking found them, which is that of canonical rows.
    empty = {key: finding for key, finding in found.items() if finding.score is None}
    return Ending(
        status="marked",
        scores={key: each.score for key, each in found.items() if each.score is not None},
        wholes={key: each.whole for key, each in found.items() if each.whole},
        gaps=(*told, *(_no_whole(key, each) for key, each in empty.items())),
        findings=findings,
    )


def _no_whole(key: str, finding: Finding) -> ScoreGap:
    """Say that a ratio of a sample has nothing to count."""
    name, _, mode = key.partition("@")
    return ScoreGap(name=name, mode=mode, status="excluded", because=f"nothing to count: {finding.because}")


def ending_from_error(error: Exception) -> Ending:
    """Turn what kept us from marking into an ending."""
    status: Status = "stopped" if isinstance(error, Stopped) else "unscored"
    return Ending(status=status, because=str(error) or type(error).__name__)
