"""Rows of agents → what each stack did: how it works (Figure 3), how it feeds its model (§3.3), what it saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING

from cutscore.core.table import Column, Table, TableCell
from cutscore.results.behaviour.measures import Behaviour, behaviour_of
from cutscore.results.behaviour.seen import SeenMaterials, seen_of
from cutscore.results.behaviour.vocabulary import archetype, vocabulary
from cutscore.results.tables.lines import WHO, plain_columns

if TYPE_CHECKING:
    from cutscore.results.benchmark import BenchmarkResult

Value = Callable[[Behaviour], float | None]
Who = tuple[str, str, str]


def agent_tables(result: BenchmarkResult) -> list[Table]:
    """Return what agents did, a line for each cell; nothing where no row tells it."""
    found: dict[Who, list[Behaviour]] = {}
    looked: dict[Who, list[SeenMaterials]] = {}
    for cell in result.cells:
        name = result.names[cell.id]
        who = (name.subject, name.model, " · ".join(filter(None, (name.arm, name.tail))))
        if measured := [each for row in cell.rows if (each := behaviour_of(row)) is not None]:
            found[who] = measured
        if shown := [seen for row in cell.rows if (seen := seen_of(row)) is not None]:
            looked[who] = shown
    made = [behaviour_table(found), harness_table(found)] if found else []
    return [*made, *([seen_table(looked)] if looked else [])]


def behaviour_table(found: dict[Who, list[Behaviour]]) -> Table:
    """Return calls, the most used tool, the archetype, planning and checking."""
    body = [_behaviour_line(who, measured) for who, measured in sorted(found.items())]
    limits = vocabulary().archetypes
    named = Counter(str(row[7]) for row in body if row[7])
    title = ", ".join(f"{number} {name}" for name, number in named.most_common()) or "No stack is like an archetype"
    return Table(
        id="behaviour",
        title=title,
        columns=(
            *plain_columns(*WHO, "samples"),
            Column(name="calls", digits=1),
            Column(name="top tool"),
            Column(name="share", digits=2),
            Column(name="archetype"),
            Column(name="planning calls", digits=1),
            Column(name="pictures", digits=1),
            Column(name="before plan", digits=1),
            Column(name="rechecks", digits=1),
        ),
        rows=tuple(body),
        note=(
            "calls: median of the main agent's; share: of all calls those of the top tool; others: means of the samples"
            f" that tell it. Thresholds are ours: one tool from {limits.one_tool_share:g}, many calls from"
            f" {limits.many_calls:g}, spread below {limits.spread_share:g}"
        ),
        paper="Figure 3",
    )


def _behaviour_line(who: Who, measured: Sequence[Behaviour]) -> tuple[TableCell, ...]:
    tools = sum((Counter(each.tools) for each in measured), Counter[str]())
    calls = median(each.calls for each in measured)
    tool, most = tools.most_common(1)[0] if tools else ("", 0)
    share = most / tools.total() if tools else None
    return (
        *who,
        len(measured),
        float(calls),
        tool,
        share,
        "" if share is None else archetype(calls, share) or "",
        _mean(measured, lambda each: each.planning_calls),
        _mean(measured, lambda each: each.pictures),
        _mean(measured, lambda each: each.pictures_before_plan),
        _mean(measured, lambda each: each.rechecks),
    )


def harness_table(found: dict[Who, list[Behaviour]]) -> Table:
    """Return how a harness feeds its model: reasoning, caches, tools for media, sub-agents and sub-models."""
    values: dict[str, Value] = {
        "turns": lambda each: each.turns,
        "cache reads a turn": lambda each: each.cache_reads_per_turn,
        "media tools": lambda each: each.media_calls,
        "sub-agent calls": lambda each: each.sub_agent_calls,
        "sub-model requests": lambda each: each.sub_model_requests,
    }
    body = tuple(
        (
            *who,
            _ratio(measured, lambda each: each.reasoning_turns, lambda each: each.calls),
            _ratio(measured, lambda each: each.cached if each.all_input else None, lambda each: each.all_input),
            *(_mean(measured, value) for value in values.values()),
        )
        for who, measured in sorted(found.items())
    )
    told = sum(row[3] is not None for row in body)
    return Table(
        id="harness-use",
        title=f"{told} of {len(body)} stacks tell their reasoning apart",
        columns=(
            *plain_columns(*WHO),
            Column(name="reasoning to action", digits=2),
            Column(name="cache hits", digits=2),
            *(Column(name=name, digits=0 if name == "cache reads a turn" else 1) for name in values),
        ),
        rows=body,
        note=(
            "reasoning to action: turns with reasoning / calls; cache hits: cached / all input; both of the sums over"
            " samples. Others are means of the samples that tell it"
        ),
        paper="§3.3",
    )


def seen_table(looked: dict[Who, list[SeenMaterials]]) -> Table:
    """Return how much of their materials reached the models: pictures, frames, materials, seconds."""
    everybody = [each for shown in looked.values() for each in shown]
    blind = sum(not each.known_parts for each in everybody)
    return Table(
        id="seen",
        title=f"{blind} of {len(everybody)} samples never saw a frame of their materials",
        columns=(
            *plain_columns(*WHO, "samples", "saw none"),
            Column(name="pictures", digits=1),
            Column(name="frames", digits=1),
            Column(name="known", digits=2),
            Column(name="materials", digits=2),
            Column(name="seconds", digits=1),
        ),
        rows=tuple(_seen_line(who, shown) for who, shown in sorted(looked.items())),
        note=(
            "pictures in requests, by mean; frames: those and the tiles of grids that show a frame of the materials;"
            " known: their share; materials: share of which a frame was seen; seconds: whole ones, each once"
        ),
        paper="Appendix B.3",
    )


def _seen_line(who: Who, shown: Sequence[SeenMaterials]) -> tuple[TableCell, ...]:
    parts, known = sum(each.parts for each in shown), sum(each.known_parts for each in shown)
    materials = [seconds > 0 for each in shown for seconds in each.seconds.values()]
    return (
        *who,
        len(shown),
        sum(not each.known_parts for each in shown),
        fmean(each.pictures for each in shown),
        known / len(shown),
        known / parts if parts else None,
        fmean(materials) if materials else None,
        fmean(sum(each.seconds.values()) for each in shown),
    )


def _mean(measured: Sequence[Behaviour], value: Value) -> float | None:
    known = [each for one in measured if (each := value(one)) is not None]
    return fmean(known) if known else None


def _ratio(measured: Sequence[Behaviour], part: Value, whole: Value) -> float | None:
    """Return the ratio of two sums, over the samples that know the part."""
    known = [(share, whole(each) or 0) for each in measured if (share := part(each)) is not None]
    total = sum(each for _, each in known)
    return sum(share for share, _ in known) / total if total else None
