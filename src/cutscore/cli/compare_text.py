"""Compared cells as text: who stands where, who differs from whom, what that allows one to say, and why."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from cutscore.cli.text_tables import NARROW_GAP, align_columns, describe_place, hang_text
from cutscore.results.settings_diff import describe_values
from cutscore.results.wording import count, digits_for, figures, number, p_value

if TYPE_CHECKING:
    from cutscore.results.comparison import Comparison
    from cutscore.results.flips import FlipSide
    from cutscore.results.run_comparison import (
        BenchmarkComparison,
        ComparedCell,
        ComparedPair,
        RunComparison,
        ViewComparison,
    )

_CELLS = ("", "mean", "95% interval", "samples", "clusters", "failed", "unscored", "cell")
_PAIRS = ("", "diff", "95% interval", "items", "clusters", "p", "at 95%", "reach")
# More pairs than this are counted, not named: the table above names them.
_NAMED = 8


def comparison_text(found: RunComparison, *, flips: int, then: str) -> str:
    """Write everything that was compared, as wide as the terminal is, and what to do next."""
    width = shutil.get_terminal_size().columns
    parts = []
    for view in found.views:
        parts.append("\n".join([_head(view), _cells(view), "", _pairs(view), *_notes(view, width)]))
        parts += [_flips(view, pair, flips, width) for pair in view.pairs if flips and pair.found.items]
    parts += [_settings(part, width) for part in found.benchmarks]
    return "\n\n".join([*parts, f"next: {then}"])


def _head(view: ViewComparison) -> str:
    strata = [f"{name}={value}" for name, value in view.view.strata.items()]
    return "   ".join([view.benchmark.result.title, view.view.key, *strata])


def _cells(view: ViewComparison) -> str:
    lines = [_CELLS]
    for cell in view.benchmark.cells:
        found = view.estimates[cell.key]
        counts = (f"{found.n:,}", f"{found.clusters:,}", f"{found.failed:,}", f"{found.unscored:,}")
        lines.append((cell.key, *figures(found), *counts, cell.label))
    return align_columns(lines, right=(1, 3, 4, 5, 6), gap=NARROW_GAP)


def _pairs(view: ViewComparison) -> str:
    reached = any(_reach(pair.found.comparison) for pair in view.pairs)
    lines = [_PAIRS if reached else _PAIRS[:-1]]
    for pair in view.pairs:
        made, found = pair.found.comparison, pair.found.comparison.difference.estimate
        counts = (f"{found.n:,}", f"{found.clusters:,}", p_value(made.p_adjusted))
        lines.append((pair.title, *figures(found), *counts, _short_verdict(made), _reach(made)))
    return align_columns(lines, right=(1, 3, 4, 5, 7), gap=NARROW_GAP)


def _short_verdict(made: Comparison) -> str:
    """Return the verdict in a word or two; a note says the rest."""
    if made.too_few:
        return "too few"
    return {True: "separable", False: "not separable", None: "no verdict"}[made.separable]


def _reach(made: Comparison) -> str:
    """Write what these items could have shown, where they showed nothing."""
    if made.separable is not False or made.detectable is None:
        return ""
    scale = made.difference.estimate.scale
    return "none" if made.detectable > scale[1] else number(made.detectable, digits_for(scale))


def _notes(view: ViewComparison, width: int) -> list[str]:
    """Write in sentences what the tables mean and what they left out; what holds for many pairs is said once."""
    said: dict[str, list[str]] = {}
    for pair in view.pairs:
        for sentence in _pair_notes(pair, alone=len(view.pairs) == 1):
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


def _pair_notes(pair: ComparedPair, *, alone: bool) -> Iterable[str]:
    made, found = pair.found.comparison, pair.found.comparison.difference.estimate
    if found.n == 0:
        yield "no verdict, since they have no marked item in common"
    elif made.tied:
        yield "not separable at 95%, since no item tells them apart"
    elif made.too_few:
        are = "is 1, which is one observation" if found.clusters == 1 else f"are {found.clusters:,}"
        yield f"{made.verdict}, and there {are}"
    elif not made.separable:
        reach = _reach(made)
        yield "not separable at 95%" + (f", where so many items could have shown {reach}" if alone and reach else "")
        if made.difference.leaves_out_zero:
            among = f" among {made.tests:,} comparisons" if made.tests > 1 else ", says the test"
            yield f"the interval by itself leaves out 0, which may be chance{among}"
    if found.low is None and found.clusters > 1 and not made.tied:
        yield f"interval {found.method}"
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
        yield f"p: {methods}, {shared}"
    if any(_reach(each) for each in made):
        yield "reach: the difference that so many items could have shown, four times in five"


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
