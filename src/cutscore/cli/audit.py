"""`cutscore run --audit`: what of its input does a subject need? Every arm against all of the input, paired.

A subject that scores as well on the question alone, or on the transcript alone, was not measured at looking: the
benchmark leaks, or the subject takes a shortcut. Only items that both cells have count, and verdicts hold for all
arms that are shown together (Holm).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutscore.cli.columns import columns
from cutscore.cli.output import Answer
from cutscore.cli.results import CellResult, Section, sections
from cutscore.cli.running import Extent, Plan, make_plans, run_plans
from cutscore.cli.summary import dry_answer, next_step, tell
from cutscore.cli.table import cost_line
from cutscore.report.wording import count, digits_for, interval, number
from cutscore.subjects.choose import looks

if TYPE_CHECKING:
    from cutscore.bridge.comparison import Comparison
    from cutscore.bridge.run import Wish
    from cutscore.core.card import Card
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
        """Give the share of the score that the arm keeps, counted from 0; None where there is nothing to keep."""
        if self.alone is None or not self.everything or self.everything < 0:
            return None
        return self.alone / self.everything

    def as_json(self) -> dict[str, Any]:
        made, cell = self.comparison, self.cell.record.cell
        return {
            "arm": self.name,
            "subject": cell.subject.label,
            "model": cell.model or None,
            "cell": cell.id,
            "against": self.whole.record.cell.id,
            "value": self.alone,
            "value_of_all": self.everything,
            "kept": self.kept,
            **made.difference.as_json(),
            "separable": made.separable,
            "p_value": made.test.p_value,
            "p_adjusted": made.p_adjusted,
            "test": made.test.method,
            "unscored": made.unscored,
        }


def audited(wishes: Sequence[Wish], extent: Extent, settings: Settings, *, engine: str, dry: bool) -> Answer:
    """Run an audit and say what it found; the object is that of `run` with `audit` and `not_run` beside it."""
    plans, why_not = audit_plans(wishes, extent, settings, dry=dry)
    left_out = [f"not run: {why}" for why in why_not]
    if dry:
        planned = dry_answer(plans, extent)
        return Answer({**planned.plain, "not_run": why_not}, "\n".join([planned.text, *left_out]))
    finished = run_plans(plans, extent, settings=settings, engine=engine)
    told, parts = tell(finished, extent, settings), sections(finished.results)
    arms = audit(parts)
    plain = {**(told.benchmarks[0] if told.benchmarks else {}), "audit": [arm.as_json() for arm in arms]}
    lines = [*_text(arms), *left_out, cost_line(parts), "" if told.error else next_step(extent)]
    return Answer({**plain, "not_run": why_not}, "\n".join(filter(None, lines)), told.warnings, told.error)


def audit_plans(
    wishes: Sequence[Wish], extent: Extent, settings: Settings, *, dry: bool
) -> tuple[list[Plan], list[str]]:
    """Plan the cells of an audit; what would change nothing is left out, and why is said."""
    from cutscore.bridge.arms import NothingToChange

    plans: dict[str, Plan] = {}  # by identity: a subject may be an arm by itself, under a name of its own
    why_not: list[str] = []
    for wish in wishes:
        name = wish.input or (ONE_FRAME if wish.frames else "all")
        if whole := _sent_whole(wish, settings):
            why_not.append(f"{name}: {whole}")
            continue
        try:
            (plan,) = make_plans([wish], extent, dry=dry)
        except NothingToChange as why:
            why_not.append(f"{name}: {why.fact}")
            continue
        if plan.cell.identity() in plans:
            why_not.append(f"{name}: its settings are those of another cell")
        elif not wish.frames or (looks(plan.cell.subject.kind) and not wish.input):  # else no frame is looked at
            plans[plan.cell.identity()] = plan
    return list(plans.values()), list(dict.fromkeys(why_not))


def _sent_whole(wish: Wish, settings: Settings) -> str:
    """Say why frames cannot be chosen for a model; nothing where they can."""
    from cutscore.models.takes import takes

    own = {name: each.takes for name, each in settings.models.items() if each.takes}
    if not (wish.model and (wish.frames or wish.input == "shuffled") and takes(wish.model, own) == "video"):
        return ""
    return f'{wish.model} is sent whole clips; set takes = "frames" for it in cutscore.toml'


def audit(parts: Sequence[Section]) -> list[Arm]:
    """Compare every arm with all of the input of the same subject and model; verdicts are adjusted together."""
    from cutscore.bridge.comparison import Matchup, compare
    from cutscore.bridge.summary import ItemScores, headline, item_scores

    pairs: list[tuple[Section, str, CellResult, CellResult]] = []
    for part in parts:
        pairs += [(part, *pair) for pair in _paired(part)]

    def scores(part: Section, name: str, cell: CellResult) -> ItemScores:
        return item_scores(cell.rows, headline(part.card, part.mode), label=name)

    matchups = [
        Matchup(scores(part, name, cell), scores(part, "all", whole), part.card, headline(part.card, part.mode))
        for part, name, cell, whole in pairs
    ]
    made = []
    for (part, name, cell, whole), matchup, comparison in zip(pairs, matchups, compare(matchups), strict=True):
        shared = matchup.first.values.keys() & matchup.second.values.keys()
        means = [
            sum(side.values[item] for item in sorted(shared)) / len(shared) if shared else None
            for side in (matchup.first, matchup.second)
        ]
        made.append(Arm(name, cell, whole, means[0], means[1], comparison, part.card))
    return made


def _paired(part: Section) -> Iterator[tuple[str, CellResult, CellResult]]:
    """Give every arm with the cell of the same subject and model that was shown everything, if that one ended."""

    def who(each: CellResult) -> tuple[str, str]:
        return str(each.record.cell.subject), each.record.cell.model

    def name(each: CellResult) -> str:
        return each.record.cell.input or (ONE_FRAME if each.record.cell.frames != part.card.frames else "")

    whole = {who(each): each for each in part.cells if not name(each)}
    yield from ((name(each), each, whole[who(each)]) for each in part.cells if name(each) and who(each) in whole)


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
        verdict(made),
    )


def verdict(made: Comparison) -> str:
    """Say what an arm's difference allows one to say."""
    if made.tied:
        return "not separable: no item differs"
    if made.too_few:
        return f"not separable: needs {count(made.needed, 'cluster')}"
    return {True: "separable", False: "not separable", None: "no verdict"}[made.separable]


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
