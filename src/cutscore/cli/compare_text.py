"""Compared cells as text: who stands where, who differs from whom, what that allows one to say, and why."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from cutscore.cli.text_tables import NARROW_GAP, NARROWEST, align_columns, describe_place, hang_text
from cutscore.results.settings_diff import describe_values
from cutscore.results.wording import count, digits_for, figures, number, p_value

if TYPE_CHECKING:
    from cutscore.results.flips import FlipSide
    from cutscore.results.run_comparison import (
        BenchmarkComparison,
        ComparedCell,
        ComparedPair,
        RunComparison,
        ViewComparison,
    )

# More pairs than this are counted, not named: the table above names them.
_NAMED = 8


def comparison_text(found: RunComparison, *, flips: int, then: str) -> str:
    """Write everything that was compared, as wide as the terminal is, and what to do next."""
    width = shutil.get_terminal_size().columns
    parts = []
    for view in found.views:
        parts.append("\n".join([_head(view), _cells(view), "", _pairs(view, width), *_notes(view, width)]))
        parts += [_flips(view, pair, flips, width) for pair in view.pairs if flips and pair.found.items]
    parts += [_settings(part, width) for part in found.benchmarks]
    return "\n\n".join([*parts, f"next: {then}"])


def _head(view: ViewComparison) -> str:
    strata = [f"{name}={value}" for name, value in view.view.strata.items()]
    card, mode = view.benchmark.result.card, view.view.mode
    # The mode of the headline is the one that everybody means; another one is named.
    named = [f"mode {mode}"] if mode != view.benchmark.result.mode else []
    score = f"{card.label(view.view.name)} ({view.view.name})"
    return "   ".join([view.benchmark.result.title, score, *named, *strata])


def _cells(view: ViewComparison) -> str:
    """Write who reached what: those that compete, best first, then what they are read against."""
    result, found = view.benchmark.result, view.estimates
    asked = any(each.n != each.clusters for each in found.values())
    clusters = f"{result.card.cluster_noun}s"
    counts = [clusters, *(["asked"] if asked else []), "failed", "unscored"]
    lines = [("", "score", "95% interval", *counts, "cell")]
    for cell in view.benchmark.cells:
        made = found[cell.key]
        numbers = (made.clusters, *([made.n] if asked else []), made.failed, made.unscored)
        role = "" if result.with_references else result.role(cell.cell)
        label = f"{cell.label} ({role})" if role else cell.label
        lines.append((cell.key, *figures(made), *(f"{n:,}" for n in numbers), label))
    return align_columns(lines, right=(1, *range(3, 3 + len(counts))), gap=NARROW_GAP)


def _pairs(view: ViewComparison, width: int) -> str:
    """Write every difference with its verdict; p-values only where they fit beside it."""
    clusters = f"{view.benchmark.result.card.cluster_noun}s"
    lines = [("", "diff", "95% interval", clusters, "p", "verdict")]
    for pair in view.pairs:
        made, found = pair.found.comparison, pair.found.comparison.difference.estimate
        verdict = made.say(*pair.names)
        lines.append((pair.title, *figures(found), f"{found.clusters:,}", p_value(made.p_adjusted), verdict))
    whole = align_columns(lines, right=(1, 3, 4), gap=NARROW_GAP)
    if max(map(cell_len, whole.splitlines())) <= width:
        return whole
    room = width - max(map(cell_len, align_columns([line[:4] for line in lines], gap=NARROW_GAP).splitlines()))
    folded = [
        (*(line[:4] if first else ("",) * 4), part)
        for line in lines
        for first, part in _fold(line[5], max(room - len(NARROW_GAP), NARROWEST))
    ]
    return align_columns(folded, right=(1, 3), gap=NARROW_GAP)


def _fold(text: str, room: int) -> list[tuple[bool, str]]:
    """Break a text into lines, and tell which is the first."""
    return [(place == 0, part) for place, part in enumerate(textwrap.wrap(text, room, break_long_words=False))]


def _notes(view: ViewComparison, width: int) -> list[str]:
    """Write in sentences what the tables mean and what they left out; what holds for many pairs is said once."""
    said: dict[str, list[str]] = {}
    for pair in view.pairs:
        for sentence in _pair_notes(pair):
            said.setdefault(sentence, []).append(pair.title)
    notes = [
        f"{sentence}: {', '.join(titles) if len(titles) <= _NAMED else f'{len(titles):,} of {len(view.pairs):,} pairs'}"
        for sentence, titles in said.items()
    ]
    for cell in view.benchmark.cells:
        found = view.estimates[cell.key]
        if found.mostly_failed:
            notes.append(f"{cell.key} failed on {found.failed:,} of {count(found.n, 'sample')}")
        if found.unscored and found.bounds:
            low, high = (number(end, digits_for(found.scale)) for end in found.bounds)
            notes.append(f"{count(found.unscored, 'unscored sample')} would put {cell.key} between {low} and {high}")
    # Notes are broken into lines, but never between the two cells of a pair.
    whole = [note.replace(" − ", "\xa0−\xa0") for note in [*_method(view), *notes]]
    return [hang_text("", note, width=width).replace("\xa0−\xa0", " − ") for note in whole]


def _pair_notes(pair: ComparedPair) -> Iterable[str]:
    made, found = pair.found.comparison, pair.found.comparison.difference.estimate
    if made.difference.leaves_out_zero and made.separable is False and not (made.tied or made.too_few):
        among = f" among {made.tests:,} comparisons" if made.tests > 1 else ", says the test"
        yield f"the interval by itself leaves out 0, which may be chance{among}"
    if found.low is None and found.clusters > 1 and not made.tied:
        yield f"no interval, since {found.method.removeprefix('undefined: ')}"
    if made.unscored:
        yield f"{count(made.unscored, 'item')} left out without a mark on both sides"
    for n, cell in ((made.difference.only_first, pair.first), (made.difference.only_second, pair.second)):
        if n:
            yield f"{count(n, 'item')} only in {cell.key}, left out"


def _method(view: ViewComparison) -> Iterable[str]:
    made = [pair.found.comparison for pair in view.pairs if pair.found.comparison.p_adjusted is not None]
    if made:
        methods = " or ".join(dict.fromkeys(each.test.method.split(",")[0] for each in made))
        shared = f"adjusted for {made[0].tests:,} comparisons (Holm)" if made[0].tests > 1 else "one comparison"
        yield f"verdicts at 95%: {methods}, {shared}"
    if any(each.separable is False and each.detectable is not None for each in made):
        yield "could have shown: the difference that would be seen four times in five"


def _settings(part: BenchmarkComparison, width: int) -> str:
    if not part.settings:
        return f"{part.result.title}: every setting is equal"
    left = max(cell_len(name) for name in part.settings)
    lines = [
        hang_text(f"  {name.ljust(left)}  ", describe_values(values), width=width)
        for name, values in part.settings.items()
    ]
    return "\n".join([f"{part.result.title}: settings that differ", *lines])


def _flips(view: ViewComparison, pair: ComparedPair, most: int, width: int) -> str:
    n, digits = pair.found.comparison.difference.estimate.n, digits_for(view.estimates[pair.first.key].scale)
    flips, differ = pair.found.flips(most), len(pair.found.items)
    shown = f", {len(flips):,} shown" if len(flips) < differ else ""
    lines = [f"{_head(view)}   {pair.title}: {differ:,} of {count(n, 'item')} differ{shown}"]
    for flip in flips:
        sides = ((flip.first, pair.first), (flip.second, pair.second))
        lines += [f"  {flip.item}", *(_flip_side(side, cell, digits, width) for side, cell in sides)]
    return "\n".join(lines)


def _flip_side(side: FlipSide, cell: ComparedCell, digits: int, width: int) -> str:
    why = "no reason was given" if side.finding is None else f"{side.finding.because} {describe_place(side.finding)}"
    repeat = f" [repeat {side.epoch}]" if side.epoch > 1 else ""
    return hang_text(f"    {cell.key}  {number(side.value, digits)}  ", why.rstrip() + repeat, width=width)
