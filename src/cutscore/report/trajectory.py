"""A trajectory → the way a subject went, to be read: steps, what each saw and cost, and where it first went wrong.

One component for command-line agents and web agents alike. Time goes to the right where the record tells it, else steps
do; tokens and money are drawn as they add up. A bucket of tokens or a price that is unknown is said, never drawn as 0.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from cutscore.core.errors import BadInput, CorruptEntry
from cutscore.core.files import FileRef, FileStore
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage
from cutscore.report.agent_facts import name_buckets
from cutscore.report.page_parts import LongText, PageClip
from cutscore.report.review import PageFilms
from cutscore.results.wording import count, usd

# Longer ones are in the record; a page with more of them is slow to open and nobody reads it to its end.
MOST_STEPS = 500
MOST_CHARS = 4_000
WIDE, HIGH = 400, 100
Price = Callable[[Usage], float | None]


@dataclass(frozen=True)
class StepView:
    """One step on the page; a call is the tool's name and its arguments as a person writes them."""

    id: str
    step: Step
    when: str
    said: LongText
    calls: tuple[tuple[str, LongText], ...]
    saw: LongText
    clips: tuple[PageClip, ...]
    cost: str


@dataclass(frozen=True)
class CumulativeLine:
    """Something that adds up along the way, as a path in a box `WIDE` by `HIGH`."""

    name: str
    total: str
    path: str


@dataclass(frozen=True)
class TrajectoryView:
    """The way a subject went, to be read: steps, how many are left out, and where it first went wrong."""

    headline: str
    steps: tuple[StepView, ...] = ()
    left: int = 0
    lines: tuple[CumulativeLine, ...] = ()
    first_error: StepView | None = None
    fault: str = ""


def trajectory_view(
    ref: FileRef,
    store: FileStore,
    base: str,
    *,
    films: PageFilms,
    whose: str,
    model: str = "",
    price: Price = lambda _usage: None,
) -> TrajectoryView:
    """Read a trajectory and lay it out, steps with ids from `base`; what cannot be read is said, not raised."""
    try:
        with store.path(ref).open("rb") as lines:
            steps = Trajectory.from_jsonl(lines).steps
    except (BadInput, CorruptEntry) as error:
        return TrajectoryView("cannot be read", fault=error.finding)
    except ValidationError as error:
        return TrajectoryView("cannot be read", fault=str(error).splitlines()[0])
    costs = [price(step.usage) if step.usage is not None else None for step in steps]
    views = tuple(
        _step_view(step, f"{base}-s{step.n}", cost, films=films, store=store, whose=whose)
        for step, cost in zip(steps[:MOST_STEPS], costs, strict=False)
    )
    return TrajectoryView(
        headline=", ".join(filter(None, (model, _headline(steps, costs)))),
        steps=views,
        left=len(steps) - len(views),
        lines=_lines(steps, costs),
        first_error=next((view for view in views if view.step.error), None),
    )


def _step_view(step: Step, id: str, cost: float | None, *, films: PageFilms, store: FileStore, whose: str) -> StepView:
    parts = [f"{told} tokens"] if step.usage is not None and (told := name_buckets(step.usage)) else []
    parts += [usd(cost)] if cost is not None else []
    return StepView(
        id=id,
        step=step,
        when="" if step.at_s is None else clock_time(step.at_s),
        said=_start_of(step.said),
        calls=tuple((action.tool, _start_of(_arguments(action))) for action in step.did),
        saw=_start_of(step.saw),
        clips=films.clips(id, step.media, store, whose=f"{whose}, step {step.n}"),
        cost=", ".join(parts),
    )


def _arguments(action: Action) -> str:
    """Write arguments as a person does: the only one as it is, several by name."""
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in action.arguments.items()
    }
    return "\n".join(texts.values() if len(texts) == 1 else (f"{name}: {text}" for name, text in texts.items()))


def _start_of(text: str) -> LongText:
    return LongText.start_of(text, MOST_CHARS)


def clock_time(at_s: float) -> str:
    """Write a moment of a run, in its first minute to a tenth of a second.

    >>> clock_time(7.26), clock_time(1356)
    ('7.3 s', '22:36')
    """
    return f"{at_s:.1f} s" if at_s < 60 else f"{int(at_s) // 60}:{int(at_s) % 60:02d}"


def _tokens(usage: Usage | None) -> int | None:
    """Add up the buckets that are known; None when none is."""
    known = [value for value in usage.model_dump().values() if value is not None] if usage is not None else []
    return sum(known) if known else None


def _headline(steps: Sequence[Step], costs: Sequence[float | None]) -> str:
    times = [step.at_s for step in steps if step.at_s is not None]
    calls, errors = sum(len(step.did) for step in steps), sum(bool(step.error) for step in steps)
    tokens = [spent for step in steps if (spent := _tokens(step.usage)) is not None]
    paid = [cost for cost in costs if cost is not None]
    parts = [count(len(steps), "step"), count(calls, "tool call")]
    parts += [clock_time(max(times))] if times else []
    parts += [f"{sum(tokens):,} tokens"] if tokens else []
    parts += [usd(sum(paid))] if paid else []
    parts += [count(errors, "error")] if errors else []
    return ", ".join(parts)


def _lines(steps: Sequence[Step], costs: Sequence[float | None]) -> tuple[CumulativeLine, ...]:
    timed = all(step.at_s is not None for step in steps) and len({step.at_s for step in steps}) > 1
    at = [float(step.at_s or 0) if timed else float(step.n) for step in steps]
    tokens = [float(spent) if (spent := _tokens(step.usage)) is not None else None for step in steps]
    made = []
    for name, values, write in (("tokens", tokens, lambda x: f"{x:,.0f}"), ("money", costs, usd)):
        known = [(when, value) for when, value in zip(at, values, strict=True) if value is not None]
        if len(known) > 1 and sum(value for _, value in known) > 0:
            total = write(sum(value for _, value in known))
            made.append(CumulativeLine(name, total, sum_path(known, start=min(at), end=max(at))))
    return tuple(made)


def sum_path(spent: Sequence[tuple[float, float]], *, start: float, end: float) -> str:
    """Draw how values add up: a line that steps up at each, from the lower left to the upper right.

    >>> sum_path([(0, 1), (2, 3)], start=0, end=4)
    'M0,100H0.0V75.0H200.0V0.0H400'
    """
    whole, so_far, path = sum(value for _, value in spent), 0.0, [f"M0,{HIGH}"]
    for when, value in spent:
        so_far += value
        path.append(f"H{WIDE * (when - start) / (end - start or 1):.1f}V{HIGH * (1 - so_far / whole):.1f}")
    return "".join(path) + f"H{WIDE}"
