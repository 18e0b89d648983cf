"""The difficulty filter: baselines answer a pack like any subject, and what all of them know is dropped.

What such items would add to a benchmark is the same for everyone. But the baselines' own scores on the rest are lower
than on the pool, so their names go into the items (`filtered_by`) and tables mark them.

    DIR/.work/unfiltered/    the pack that they answer
    DIR/.work/logs/          their run folder: a build that goes on asks nothing twice
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cutscore.authoring.build_folder import BuildFolder
from cutscore.bridge.run import prepare, run_cell
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.core.errors import BadInput, RunBroken
from cutscore.core.finding import score_key
from cutscore.core.frozen import Finite, FrozenModel, SafeName
from cutscore.core.subject import SubjectSpec
from cutscore.models.provider import script_digest
from cutscore.redaction import redactor
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import load_settings

FEWEST_BASELINES = 3  # the paper has three
ENOUGH = 0.5  # score from which an open question counts as answered; the paper gives none


class FilterCandidate(FrozenModel):
    """An item that may be dropped.

    Args:
        pair: Items of one axis that share it stay or go together; empty when it stands alone.
        closed: Whether an answer is right or wrong; a score below 1 is then no answer.
    """

    item: SafeName
    axis: str
    pair: str = ""
    closed: bool = False


class AxisCount(FrozenModel):
    """How many items of an axis stayed."""

    axis: str
    kept: int
    dropped: int


class BaselineCount(FrozenModel):
    """What a baseline did: items that it answered, missed, and was not scored on (which never count as answered)."""

    name: str
    answered: int
    missed: int
    unscored: int


class FilterResult(FrozenModel):
    """What the filter did: items and axes in the order in which they came, baselines in that of `filtered_by`."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    filtered_by: tuple[str, ...]
    enough: Annotated[Finite, Field(gt=0, le=1)]
    axes: tuple[AxisCount, ...]
    baselines: tuple[BaselineCount, ...]

    def __str__(self) -> str:
        unscored = ", ".join(f"{each.name} {each.unscored}" for each in self.baselines if each.unscored)
        note = f"; unscored, and so not answered: {unscored}" if unscored else ""
        everything = len(self.kept) + len(self.dropped)
        return f"{len(self.dropped)} of {everything} items dropped, answered by {' and '.join(self.filtered_by)}{note}"

    @property
    def sentences(self) -> list[str]:
        """What a datasheet says of it."""
        enough = f"an open question counts as answered from a score of {self.enough:g} on, a closed one from 1"
        axes = (f"{each.axis}: {each.kept} kept, {each.dropped} dropped" for each in self.axes)
        each = (f"{b.name}: {b.answered} answered, {b.missed} missed, {b.unscored} unscored" for b in self.baselines)
        return [str(self), enough, *axes, *each]


def filter_by_consensus(
    candidates: Sequence[FilterCandidate], marks: Mapping[str, Mapping[str, float | None]], *, enough: float = ENOUGH
) -> FilterResult:
    """Drop what all baselines answer.

    An item counts as answered with a score of 1 when it is closed, from `enough` on when it is open. Pairs (a question
    of order both ways, a wrong description and its twin) are dropped only when every baseline answers every member:
    half a pair measures a readiness to say yes. Marks are scores from 0 to 1, by baseline and item; those that are None
    or missing are never an answer.

    Raises:
        BadInput: Fewer than three baselines, a mark of an item that is not in the pool, an item twice.
    """
    what = "difficulty filter"
    if len(marks) < FEWEST_BASELINES:
        raise BadInput(what, f"has {len(marks)} baselines", f"give {FEWEST_BASELINES} or more")
    if not 0 < enough <= 1:
        raise BadInput(what, f"'enough' is {enough:g}", "give a score above 0, at most 1")
    names = [each.item for each in candidates]
    if len(set(names)) < len(names):
        raise BadInput(what, f"item '{next(each for each in names if names.count(each) > 1)}' is there twice")
    for baseline, scores in marks.items():
        if strange := next((item for item in scores if item not in set(names)), None):
            raise BadInput(what, f"baseline '{baseline}' has a mark of '{strange}', which is not in the pool")
    answered = {name: {each.item for each in candidates if _is_answered(each, marks[name], enough)} for name in marks}
    by_all = set(names).intersection(*answered.values())
    members: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    axes: defaultdict[str, set[str]] = defaultdict(set)
    for each in candidates:
        members[_pair_key(each)].append(each.item)
        axes[each.axis].add(each.item)
    dropped = {each.item for each in candidates if by_all.issuperset(members[_pair_key(each)])}
    return FilterResult(
        kept=tuple(name for name in names if name not in dropped),
        dropped=tuple(name for name in names if name in dropped),
        filtered_by=tuple(sorted(marks)),
        enough=enough,
        axes=tuple(
            AxisCount(axis=axis, kept=len(pool - dropped), dropped=len(pool & dropped)) for axis, pool in axes.items()
        ),
        baselines=tuple(_baseline_count(name, names, marks[name], answered[name]) for name in sorted(marks)),
    )


def _is_answered(candidate: FilterCandidate, scores: Mapping[str, float | None], enough: float) -> bool:
    score = scores.get(candidate.item)
    return score is not None and score >= (1.0 if candidate.closed else enough)


def _pair_key(candidate: FilterCandidate) -> tuple[str, str, str]:
    """Return what the items that stay or go together share."""
    return candidate.axis, candidate.pair, "" if candidate.pair else candidate.item


def _baseline_count(
    name: str, items: Sequence[str], scores: Mapping[str, float | None], answered: set[str]
) -> BaselineCount:
    unscored = sum(scores.get(item) is None for item in items)
    missed = len(items) - unscored - len(answered)
    return BaselineCount(name=name, answered=len(answered), missed=missed, unscored=unscored)


LOGS = "logs"

# By baseline, then by item; None where nothing could be marked.
Marks = Mapping[str, Mapping[str, float | None]]


def baseline_request(word: str, *, benchmark: str, data: Path) -> CellRequest:
    """Read a baseline: a subject as `run` takes it, or a model by its name.

    >>> [baseline_request(word, benchmark="vidwork", data=Path("pack")).model for word in ("openai/x", "blind")]
    ['openai/x', '']
    """
    if "/" in SubjectSpec.parse(word).kind:
        return CellRequest(benchmark, "model", model=word, data=str(data), source_digest=script_digest(word))
    return CellRequest(benchmark, word, data=str(data))


def run_baselines(
    baselines: Sequence[str],
    data: Path,
    out: BuildFolder,
    *,
    benchmark: str,
    cost_limit_usd: float | None = None,
    tell: Callable[[str], None],
) -> Marks:
    """Let each baseline answer every item of a pack, and give the headline score of each.

    Raises:
        RunBroken: A baseline did not get through; the same command goes on.
    """
    card = find_benchmark(benchmark).card
    key, made = score_key(card.headline, card.mode(None)), {}
    settings = load_settings()
    context = RunContext(run=out.work / LOGS, redact=redactor(names=settings.secret_env))
    for number, word in enumerate(baselines, start=1):
        tell(f"baseline {number} of {len(baselines)}: {word}")
        request = baseline_request(word, benchmark=benchmark, data=data)
        ran = run_cell(prepare(request, context), settings=settings, cost_limit_usd=cost_limit_usd)
        if ran.interrupted:
            raise KeyboardInterrupt
        if ran.missing:
            fact = f"{ran.missing} items were not answered"
            raise RunBroken(f"baseline '{word}'", fact, "run the same command again")
        made[word] = {row.item: row.ending.scores.get(key) for row in ran.rows}
    return made
