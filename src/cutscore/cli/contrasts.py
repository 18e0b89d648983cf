"""Compared cells as text: who stands where, who differs from whom, what that allows one to say, and why."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cutscore.cli.columns import columns, hanging, width
from cutscore.cli.table import place_of
from cutscore.results.settings_diff import in_words
from cutscore.results.wording import count, digits_for, interval, number, verdict

if TYPE_CHECKING:
    from cutscore.cli.compare import Bout, Contest
    from cutscore.results.comparison import Comparison
    from cutscore.results.flips import Flip, Part
    from cutscore.results.pairing import Field, Side

# Two blanks, so that a line about two cells fits into 80 columns.
_GAP = "  "
_CELLS = ("", "mean", "95% interval", "n", "clusters", "unscored", "cell")
# More pairs than this are counted, not named: the table above names them.
_NAMED = 8
_PAIRS = ("", "diff", "95% interval", "n", "clusters", "p", "at 95%", "reach")


def text(
    contests: Sequence[Contest], differ: Sequence[tuple[Field, Mapping[str, Mapping[str, Any]]]], *, then: str
) -> str:
    """Write everything that was compared, as wide as the terminal is; `then` is what to do next."""
    most = shutil.get_terminal_size().columns
    parts = []
    for contest in contests:
        parts.append("\n".join([_head(contest), _cells(contest), "", _pairs(contest), *_notes(contest, most)]))
        parts += [_flips(contest, bout, most) for bout in contest.bouts if bout.flips]
    parts += [_settings(field, names, most) for field, names in differ]
    return "\n\n".join([*parts, f"next: {then}"])


def _head(contest: Contest) -> str:
    strata = [f"{name}={value}" for name, value in contest.view.strata.items()]
    return "   ".join([contest.field.title, contest.view.key, *strata])


def _cells(contest: Contest) -> str:
    lines = [_CELLS]
    for side in contest.field.sides:
        found = contest.estimates[side.key]
        digits = digits_for(found.scale)
        ends = interval(found.low, found.high, digits)
        counts = (f"{found.n:,}", f"{found.clusters:,}", f"{found.unscored:,}")
        lines.append((side.key, number(found.value, digits), ends, *counts, side.label))
    return columns(lines, right=(1, 3, 4, 5), gap=_GAP)


def _pairs(contest: Contest) -> str:
    reached = any(_reach(bout.comparison) for bout in contest.bouts)
    lines = [_PAIRS if reached else _PAIRS[:-1]]
    for bout in contest.bouts:
        made, found = bout.comparison, bout.comparison.difference.estimate
        digits = digits_for(found.scale)
        ends = interval(found.low, found.high, digits)
        counts = (f"{found.n:,}", f"{found.clusters:,}")
        lines.append((bout.title, number(found.value, digits), ends, *counts, _chance(made), _call(made), _reach(made)))
    return columns(lines, right=(1, 3, 4, 5, 7), gap=_GAP)


def _call(made: Comparison) -> str:
    """Return the verdict in a word or two; a note says the rest."""
    if made.too_few:
        return "too few"
    return {True: "separable", False: "not separable", None: "no verdict"}[made.separable]


def _chance(made: Comparison) -> str:
    p_value = made.p_adjusted
    return "–" if p_value is None else "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _reach(made: Comparison) -> str:
    """Write what these items could have shown, where they showed nothing."""
    if made.separable is not False or made.detectable is None:
        return ""
    scale = made.difference.estimate.scale
    return "none" if made.detectable > scale[1] else number(made.detectable, digits_for(scale))


def _notes(contest: Contest, most: int) -> list[str]:
    """Say in sentences what the tables mean and what they left out; what holds for many pairs is said once."""
    said: dict[str, list[str]] = {}
    for bout in contest.bouts:
        for sentence in _of_pair(bout, alone=len(contest.bouts) == 1):
            said.setdefault(sentence, []).append(bout.title)
    notes = [f"{sentence}: {_listed(titles, len(contest.bouts))}" for sentence, titles in said.items()]
    for side in contest.field.sides:
        found = contest.estimates[side.key]
        if found.unscored and found.bounds:
            low, high = (number(end, digits_for(found.scale)) for end in found.bounds)
            notes.append(f"{count(found.unscored, 'unscored sample')} would put {side.key} between {low} and {high}")
    return [_unbroken(note, most) for note in [*_method(contest), *notes]]


def _unbroken(note: str, most: int) -> str:
    """Break a note into lines, but never between the two cells of a pair."""
    return hanging("", note.replace(" − ", "\xa0−\xa0"), most=most).replace("\xa0−\xa0", " − ")


def _listed(titles: Sequence[str], pairs: int) -> str:
    return ", ".join(titles) if len(titles) <= _NAMED else f"{len(titles):,} of {pairs:,} pairs"


def _of_pair(bout: Bout, *, alone: bool) -> Iterable[str]:
    made, found = bout.comparison, bout.comparison.difference.estimate
    if found.n == 0:
        yield "no verdict, since they have no marked item in common"
    elif made.tied:
        yield "not separable at 95%, since no item tells them apart"
    elif made.too_few:
        yield f"{verdict(made.separable, made.lacking)}, and there {_are(found.clusters)}"
    elif not made.separable:
        reach = _reach(made)
        yield "not separable at 95%" + (f", where this n could have shown {reach}" if alone and reach else "")
        if made.difference.leaves_out_zero:
            among = f" among {made.tests:,} comparisons" if made.tests > 1 else ", says the test"
            yield f"the interval by itself leaves out 0, which may be chance{among}"
    if found.low is None and found.clusters > 1 and not made.tied:
        yield f"interval {found.method}"
    if made.unscored:
        yield f"{count(made.unscored, 'item')} left out without a mark on both sides"
    for n, side in ((made.difference.only_first, bout.first), (made.difference.only_second, bout.second)):
        if n:
            yield f"{count(n, 'item')} only in {side.key}, left out"


def _are(clusters: int) -> str:
    return "is 1, which is one observation" if clusters == 1 else f"are {clusters:,}"


def _method(contest: Contest) -> Iterable[str]:
    made = [bout.comparison for bout in contest.bouts if bout.comparison.p_adjusted is not None]
    if made:
        methods = " or ".join(dict.fromkeys(each.test.method.split(",")[0] for each in made))
        shared = f"adjusted for {made[0].tests:,} comparisons (Holm)" if made[0].tests > 1 else "one comparison"
        yield f"p: {methods}, {shared}"
    if any(_reach(each) for each in made):
        yield "reach: the difference that this n could have shown, four times in five"


def _settings(field: Field, names: Mapping[str, Mapping[str, Any]], most: int) -> str:
    if not names:
        return f"{field.title}: every setting is equal"
    left = max(width(name) for name in names)
    lines = [hanging(f"  {name.ljust(left)}  ", in_words(values), most=most) for name, values in names.items()]
    return "\n".join([f"{field.title}: settings that differ", *lines])


def _flips(contest: Contest, bout: Bout, most: int) -> str:
    n, digits = bout.comparison.difference.estimate.n, digits_for(contest.estimates[bout.first.key].scale)
    shown = f", {len(bout.flips):,} shown" if len(bout.flips) < bout.differ else ""
    lines = [f"{_head(contest)}   {bout.title}: {bout.differ:,} of {count(n, 'item')} differ{shown}"]
    for flip in bout.flips:
        lines += _flip(flip, bout, digits, most)
    return "\n".join(lines)


def _flip(flip: Flip, bout: Bout, digits: int, most: int) -> list[str]:
    return [
        f"  {flip.item}",
        _part(flip.first, bout.first, digits, most),
        _part(flip.second, bout.second, digits, most),
    ]


def _part(part: Part, side: Side, digits: int, most: int) -> str:
    why = "no reason was given" if part.finding is None else f"{part.finding.because} {place_of(part.finding)}"
    repeat = f" [repeat {part.epoch}]" if part.epoch > 1 else ""
    return hanging(f"    {side.key}  {number(part.value, digits)}  ", why.rstrip() + repeat, most=most)
