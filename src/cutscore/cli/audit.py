"""`cutscore run --audit`: what of its input does a subject need? Every arm against all of the input, paired.

A subject that scores as well on the question alone, or on the transcript alone, was not measured at looking: the
benchmark leaks, or the subject takes a shortcut. Only items that both cells have count, and verdicts are those that
every command gives on these cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cutscore.api.plans import CellPlan, RunScope, plan_each
from cutscore.cli.columns import columns
from cutscore.cli.output import Answer
from cutscore.cli.summary import dry_answer, next_step, run_and_summarise
from cutscore.cli.table import cost_line
from cutscore.results.sections import CellResult, Section
from cutscore.results.wording import count, digits_for, interval, number, verdict
from cutscore.subjects.choose import looks

if TYPE_CHECKING:
    from cutscore.bridge.conditions import NothingToChange
    from cutscore.bridge.run import CellRequest
    from cutscore.core.card import Card
    from cutscore.results.comparison import Comparison
    from cutscore.results.verdicts import Versus
    from cutscore.settings import Settings

ONE_FRAME = "one frame"
# In the order in which they are shown: from nothing to everything in disorder.
ABLATIONS = (
    *(("input", arm) for arm in ("question", "transcript", "frames")),
    ("frames", "1"),
    *(("input", arm) for arm in ("shuffled", "contradicted")),
)
# Arms without any picture, as the finding calls them: who does as well with these was not measured at looking.
UNSEEN = {"question": "the question alone", "transcript": "the transcript alone"}
HEAD = ("arm", "score", "arm − all", "95% interval", "n", "clusters", "p", "keeps", "at 95%")


@dataclass(frozen=True)
class Arm:
    """One arm beside all of the input.

    Args:
        whole: The cell of the same subject that was shown everything.
        alone, everything: Mean score of either on the items that both have; None when they have none.
        comparison: Arm minus everything.
    """

    name: str
    cell: CellResult
    whole: CellResult
    alone: float | None
    everything: float | None
    comparison: Comparison
    card: Card

    @property
    def kept(self) -> float | None:
        """Return the share of the score that the arm keeps, counted from 0; None where there is nothing to keep."""
        if self.alone is None or not self.everything or self.everything < 0:
            return None
        return self.alone / self.everything

    def as_json(self) -> dict[str, Any]:
        cell = self.cell.record.cell
        return {
            "arm": self.name,
            "subject": cell.subject.label,
            "model": cell.model or None,
            "cell": cell.id,
            "against": self.whole.record.cell.id,
            "value": self.alone,
            "value_of_all": self.everything,
            "kept": self.kept,
            **self.comparison.as_json(),
        }


def run_audit(
    requests: Sequence[CellRequest], scope: RunScope, settings: Settings, *, engine: str, dry: bool
) -> Answer:
    """Run an audit and say what it found; the object is that of `run` with `audit` and `not_run` beside it."""
    plans, why_not = audit_plans(requests, scope, settings, dry=dry)
    left_out = [f"not run: {why}" for why in why_not]
    if dry:
        planned = dry_answer(plans, scope)
        return Answer({**planned.plain, "not_run": why_not}, "\n".join([planned.text, *left_out]))
    summary = run_and_summarise(plans, scope, settings, engine=engine)
    arms = audit(summary.parts)
    plain = {**(summary.benchmarks[0] if summary.benchmarks else {}), "audit": [arm.as_json() for arm in arms]}
    lines = [*_text(arms), *left_out, cost_line(summary.parts), "" if summary.error else next_step(scope)]
    return Answer({**plain, "not_run": why_not}, "\n".join(filter(None, lines)), summary.warnings, summary.error)


def audit_plans(
    requests: Sequence[CellRequest], scope: RunScope, settings: Settings, *, dry: bool
) -> tuple[list[CellPlan], list[str]]:
    """Plan the cells of an audit; what would change nothing is left out, and why is said."""
    plans: dict[str, CellPlan] = {}  # by identity: a subject may be an arm by itself, under a name of its own
    whole = {id(request): _sent_whole(request, settings) for request in requests}
    why_not = [f"{_arm_name(request)}: {whole[id(request)]}" for request in requests if whole[id(request)]]

    def note(request: CellRequest, unchanged: NothingToChange) -> None:
        why_not.append(f"{_arm_name(request)}: {unchanged.fact}")

    able = [request for request in requests if not whole[id(request)]]
    for request, plan in plan_each(able, scope, dry=dry, on_unchanged=note):
        if plan.cell.identity() in plans:
            why_not.append(f"{_arm_name(request)}: its settings are those of another cell")
        elif not request.frames or (looks(plan.cell.subject.kind) and not request.input):  # else no frame is looked at
            plans[plan.cell.identity()] = plan
    return list(plans.values()), list(dict.fromkeys(why_not))


def _arm_name(request: CellRequest) -> str:
    return request.input or (ONE_FRAME if request.frames else "all")


def _sent_whole(request: CellRequest, settings: Settings) -> str:
    """Explain why frames cannot be chosen for a model; nothing where they can."""
    from cutscore.models.takes import takes

    own = {name: each.takes for name, each in settings.models.items() if each.takes}
    if not (request.model and (request.frames or request.input == "shuffled") and takes(request.model, own) == "video"):
        return ""
    return f'{request.model} is sent whole clips; set takes = "frames" for it in cutscore.toml'


def audit(parts: Sequence[Section]) -> list[Arm]:
    """Put every arm beside all of the input of the same subject and model, where both were run."""
    return [_arm(part, pair) for part in parts for pair in part.verdicts if part.whole(pair.first) is pair.second]


def _arm(part: Section, pair: Versus) -> Arm:
    cell, first, second = pair.first.record.cell, pair.matchup.first, pair.matchup.second
    shared = sorted(first.values.keys() & second.values.keys())
    alone, everything = (
        sum(side.values[item] for item in shared) / len(shared) if shared else None for side in (first, second)
    )
    name = cell.input or ONE_FRAME
    difference = pair.comparison.difference.model_copy(update={"first": name, "second": "all"})
    comparison = replace(pair.comparison, difference=difference)
    return Arm(name, pair.first, pair.second, alone, everything, comparison, part.card)


def _text(arms: Sequence[Arm]) -> Iterator[str]:
    """Write one table for each subject, and what it means."""
    by_cell: dict[str, list[Arm]] = {}
    for arm in arms:
        by_cell.setdefault(arm.whole.record.cell.id, []).append(arm)
    for each in by_cell.values():
        yield from (_title(each[0]), columns([HEAD, *map(_line, each)], right=(1, 2, 4, 5, 6, 7)), finding(each))
    if arms:
        tests = count(arms[0].comparison.tests, "comparison")
        yield f"p: paired by item, adjusted for {tests} (Holm); keeps: score of the arm as a share of that of all"


def _title(arm: Arm) -> str:
    cell, digits = arm.whole.record.cell, digits_for(arm.card.scores[arm.card.headline].scale)
    chance = arm.card.scores[arm.card.headline].chance
    guess = "" if chance is None else f", chance {number(chance, digits)}"
    return f"{arm.card.name} v{cell.version} {cell.title}: {arm.card.headline} {number(arm.everything, digits)}{guess}"


def _line(arm: Arm) -> tuple[str, ...]:
    made, found = arm.comparison, arm.comparison.difference.estimate
    digits = digits_for(arm.card.scores[arm.card.headline].scale)
    p_value = made.p_adjusted
    return (
        arm.name,
        number(arm.alone, digits),
        number(found.value, digits),
        interval(found.low, found.high, digits),
        f"{found.n:,}",
        f"{found.clusters:,}",
        "–" if p_value is None else "<0.001" if p_value < 0.001 else f"{p_value:.3f}",
        number(arm.kept, 2),
        _call(made),
    )


def _call(made: Comparison) -> str:
    """Describe what an arm's difference allows one to say; the heading of the column says at which level."""
    if made.tied:
        return "not separable: no item differs"
    return verdict(made.separable, made.lacking).removesuffix(" at 95%")


def finding(arms: Sequence[Arm]) -> str:
    """Say in one sentence how much of the score can be had without looking, by the best arm without pictures."""
    able = [arm for arm in arms if arm.name in UNSEEN and arm.kept is not None]
    if not able:
        return "finding: none; no arm without pictures can be compared"
    best = max(able, key=lambda arm: arm.kept or 0.0)
    told = f"{UNSEEN[best.name]} keeps {number(best.kept, 2)} of the score"
    if best.comparison.too_few:
        had = count(best.comparison.test.clusters, "cluster")
        return f"finding: {told}; {had} are too few for a verdict, {best.comparison.needed:,} would be needed"
    if not best.comparison.separable:
        return f"finding: {told}, not separable from all of the input at 95%"
    if (best.kept or 0.0) > 1:
        return f"finding: {told}: pictures do harm"
    return f"finding: pictures are needed; without them, {told} at most"
