"""Searches, forecasts and readings of the test split as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.cli.text_tables import align_columns, named_estimate_words
from cutscore.results.wording import count, number, usd

if TYPE_CHECKING:
    from cutscore.api.search_forecast import SearchForecast
    from cutscore.optimize.candidates import Candidate
    from cutscore.optimize.held_out import HeldOutReading
    from cutscore.optimize.record import OptimizeRecord
    from cutscore.optimize.tables import AnyRecord


def forecast_text(forecast: SearchForecast, sizes: dict[str, int]) -> str:
    """Write what a search will take."""
    splits = ", ".join(f"{name} {size}" for name, size in sizes.items())
    most = "unknown" if forecast.metric_calls is None else f"{forecast.metric_calls:,}"
    calls = ", ".join(f"{role} {times:,}" for role, times in forecast.calls.items())
    lines = [f"samples: {splits}", f"metric calls: at most {most}", f"calls: {calls}"]
    lines.append(f"cost: {'unknown' if forecast.usd is None else 'at most ' + usd(forecast.usd)}")
    return "\n".join([*lines, *(f"  {each}" for each in forecast.assumptions)])


def candidate_line(each: Candidate) -> str:
    """Write a candidate as it was validated."""
    made = f"from {each.parent}" if each.parent is not None else "p0"
    cost = f", {usd(each.usd)}" if each.usd is not None else ""
    unread = f", {each.unread} unread" if each.unread else ""
    return f"candidate {each.number} ({made}): Φ {number(each.phi)} on dev{unread}, {each.calls:,} metric calls{cost}"


def record_text(record: OptimizeRecord, prompt: Path) -> str:
    """Write a search for a person."""
    settings = record.settings
    matching = f"matching {settings.matching}" + (f" by {settings.matcher}" if settings.matcher else "")
    head = (
        f"judge {settings.judge}   {settings.method}   {matching}   Φ {settings.phi}, fractional   seed {settings.seed}"
    )
    splits = ", ".join(
        f"{name} {size} ({number(settings.prevalence[name], 2)} with a weakness)"
        for name, size in settings.sizes.items()
    )
    first, best = record.candidates[0], record.candidates[record.best]
    lines = [head, f"samples: {splits}"]
    lines += [f"simulation: {settings.simulation}"] if settings.simulation else []
    lines.append(f"dev: Φ {number(first.phi)} with p0, {number(best.phi)} with p*, which flatters what it chose")
    lines.append(held_out_text(record.test) if record.test else "no test split, so nothing is known of p* but that")
    counts = [count(len(record.candidates), "candidate"), f"{record.rejected:,} rejected on a minibatch"]
    counts += [f"{times:,} refused: {reason}" for reason, times in record.refused.items()]
    if record.refused_pairs:
        counts.append(f"{count(record.refused_pairs, 'impossible pair')} of the matcher refused")
    lines.append("; ".join(counts))
    lines += [
        f"step {step.candidate}: {sign} {rule}"
        for step in record.way
        for sign, rules in (("+", step.added), ("−", step.removed))
        for rule in rules
    ]
    calls = ", ".join(f"{role} {times:,}" for role, times in record.calls.items())
    lines.append(f"calls: {calls}; cost {usd(record.cost_usd)}; stopped because {record.stopped or 'it was done'}")
    if record.unfinished:
        under_way = ", ".join(f"{role} {times}" for role, times in record.unfinished.items())
        lines.append(f"under way at a kill, and perhaps paid: {under_way}")
    lines.append(f"prompt: {prompt}   record: {prompt.with_suffix('.json')}")
    return "\n".join(lines)


def describe_record(record: AnyRecord) -> str:
    """Write in a sentence or two what a record is of, for the head of a page."""
    from cutscore.optimize.record import TransferRecord

    if isinstance(record, TransferRecord):
        found = f" that was found with {record.found_with}" if record.found_with else ""
        return f"{record.judge} with a prompt{found}. {count(record.calls.get('judge', 0), 'call')} of the judge."
    settings = record.settings
    head = f"{settings.method} for {settings.judge}, prompts by {settings.optimizer}. "
    spent = f"{count(record.calls.get('metric', 0), 'metric call')}, cost {usd(record.cost_usd)}"
    spent += f"; stopped because {record.stopped}."
    return head + spent + (f" A simulation: {settings.simulation}." if settings.simulation else "")


def held_out_text(reading: HeldOutReading) -> str:
    """Write what the test split says."""
    rows: list[Sequence[str]] = []
    for row in reading.rows:
        unread = f"{row.unread} unread" if row.unread else ""
        for place, each in enumerate(row.estimates):
            name, *rest = named_estimate_words(each)
            rows.append(("" if place else row.name, name, *rest, "" if place else unread))
    for place, gain in enumerate(reading.differences):
        name, *rest = named_estimate_words(gain.estimate)
        rows.append(("" if place else "p* − p0", name, *rest))
    share = number(reading.prevalence, 2)
    size = f"{count(reading.n, 'answer')} in {count(reading.clusters, 'cluster')}"
    head = f"test: {size}, {share} with a weakness"
    return "\n".join([head, align_columns(rows, right=(2,)), reading.power, reading.note])
