"""`cutscore run --audit`: what of its input does a subject need? Plans the arms, runs them, prints what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cutscore.api.plans import CellPlan, RunScope, plan_each
from cutscore.cli.output import CommandOutput
from cutscore.cli.summary import dry_answer, next_step, run_and_summarise
from cutscore.cli.text_tables import align_columns
from cutscore.results.input_audit import ONE_FRAME, AuditArm, audit_arms, audit_finding
from cutscore.results.summary import cost_line
from cutscore.results.wording import count, digits_for, interval, number, p_value
from cutscore.subjects.choose import looks_at_input

if TYPE_CHECKING:
    from cutscore.cells.inputs import NothingToChange
    from cutscore.cells.request import CellRequest
    from cutscore.settings import Settings

# In the order in which they are shown: from nothing to everything in disorder.
ABLATIONS = (
    *(("input", arm) for arm in ("question", "transcript", "frames")),
    ("frames", "1"),
    *(("input", arm) for arm in ("shuffled", "contradicted")),
)
HEAD = ("arm", "score", "arm − all", "95% interval", "n", "clusters", "p", "keeps", "at 95%")


def run_audit(
    requests: Sequence[CellRequest], scope: RunScope, settings: Settings, *, engine: str, dry: bool
) -> CommandOutput:
    """Run an audit and say what it found; the object is that of `run` with `audit` and `not_run` beside it."""
    plans, why_not = audit_plans(requests, scope, settings, dry=dry)
    left_out = [f"not run: {why}" for why in why_not]
    if dry:
        planned = dry_answer(plans, scope)
        return CommandOutput({**planned.plain, "not_run": why_not}, "\n".join([planned.text, *left_out]))
    summary = run_and_summarise(plans, scope, settings, engine=engine)
    arms = audit_arms(summary.parts)
    plain = {**(summary.benchmarks[0] if summary.benchmarks else {}), "audit": [arm.as_json() for arm in arms]}
    lines = [
        *_text(arms),
        *left_out,
        cost_line(summary.parts),
        "" if summary.error else next_step(scope, summary.parts),
    ]
    return CommandOutput({**plain, "not_run": why_not}, "\n".join(filter(None, lines)), summary.warnings, summary.error)


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
        elif not request.frames or (
            looks_at_input(plan.cell.subject.kind) and not request.input
        ):  # else no frame is looked at
            plans[plan.cell.identity()] = plan
    return list(plans.values()), list(dict.fromkeys(why_not))


def _arm_name(request: CellRequest) -> str:
    return request.input or (ONE_FRAME if request.frames else "all")


def _sent_whole(request: CellRequest, settings: Settings) -> str:
    """Explain why frames cannot be chosen for a model; nothing where they can."""
    from cutscore.models.provider import media_input

    own = {name: each.takes for name, each in settings.models.items() if each.takes}
    if not (
        request.model and (request.frames or request.input == "shuffled") and media_input(request.model, own) == "video"
    ):
        return ""
    return f'{request.model} is sent whole clips; set takes = "frames" for it in cutscore.toml'


def _text(arms: Sequence[AuditArm]) -> Iterator[str]:
    """Write one table for each subject, and what it means."""
    by_cell: dict[str, list[AuditArm]] = {}
    for arm in arms:
        by_cell.setdefault(arm.whole.record.cell.id, []).append(arm)
    for each in by_cell.values():
        yield from (
            _title(each[0]),
            align_columns([HEAD, *map(_line, each)], right=(1, 2, 4, 5, 6, 7)),
            audit_finding(each),
        )
    if arms:
        tests = count(arms[0].comparison.tests, "comparison")
        yield f"p: paired by item, adjusted for {tests} (Holm); keeps: score of the arm as a share of that of all"


def _title(arm: AuditArm) -> str:
    cell, digits = arm.whole.record.cell, digits_for(arm.card.scores[arm.card.headline].scale)
    chance = arm.card.scores[arm.card.headline].chance
    guess = "" if chance is None else f", chance {number(chance, digits)}"
    return f"{arm.card.name} v{cell.version} {cell.title}: {arm.card.headline} {number(arm.everything, digits)}{guess}"


def _line(arm: AuditArm) -> tuple[str, ...]:
    made, found = arm.comparison, arm.comparison.difference.estimate
    digits = digits_for(arm.card.scores[arm.card.headline].scale)
    return (
        arm.name,
        number(arm.alone, digits),
        number(found.value, digits),
        interval(found.low, found.high, digits),
        f"{found.n:,}",
        f"{found.clusters:,}",
        p_value(made.p_adjusted),
        number(arm.kept, 2),
        made.verdict,
    )
