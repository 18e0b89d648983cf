"""How `demo`, `run` and `sweep` end: one line a benchmark and contestant, then what is undecided, stopped and left out.

A narrow terminal gets fewer columns, the least needed first, and a line that says which. Nothing breaks inside a word.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from cutscore.cli.text_tables import GAP, HOLM, NARROW_GAP, align_columns, twin_notes
from cutscore.results.fitness import common_reason
from cutscore.results.pairs import rank_rivals
from cutscore.results.references import ROLES, reference_cell
from cutscore.results.summary import describe_cost
from cutscore.results.wording import count, counted, digits_for, figures, number

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult

WIDEST = 120  # where nobody says how wide the screen is
SHORTEST = 16  # of a contestant's name
NOTHING = ("", "0", "–", "$0")
# Columns that a narrow screen does without, in this order, after those that say nothing here. What was lost stays.
SPARE, LOSSES = ("asked", "cost", "ceiling", "guess"), ("failed", "unscored")


@dataclass(frozen=True)
class Standing:
    """One line of the table: a contestant on a benchmark, with each column's text by its heading."""

    benchmark: str
    columns: dict[str, str]


def line_width() -> int | None:
    """Return how wide the reader's lines are; None where they go into a file or a pipe, and nothing has to fit."""
    return shutil.get_terminal_size((0, 0)).columns or None


def standings_text(results: Sequence[BenchmarkResult], *, width: int | None = None) -> str:
    """Write who stands where, then every verdict, then what was stopped and left out, in lines of that width."""
    lines = [*_references_alone(results), *_people(results), *_verdicts(results), *_losses(results)]
    notes = [note for result in results for note in twin_notes(result)]
    table = _table([each for result in results for each in _standings(result)], width or WIDEST)
    return "\n".join([*table, *wrap_lines([*lines, *notes], width)])


def wrap_lines(lines: Iterable[str], width: int | None) -> list[str]:
    """Break sentences into lines of a width; words that are longer stay whole.

    >>> wrap_lines(["one two three"], 9), wrap_lines(["one two three"], None)
    (['one two', '  three'], ['one two three'])
    """
    given = list(lines)
    if width is None:
        return given
    return [
        part
        for line in given
        for part in textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    ]


def _standings(result: BenchmarkResult) -> list[Standing]:
    """Return the lines of those that compete, the best first; arms follow."""
    ranked = rank_rivals(result)
    arms = [each for each in result.rivals if each.rows and result.whole(each) is not None]
    return [Standing(result.title, _columns(result, each)) for each in (*ranked, *arms)]


def _columns(result: BenchmarkResult, cell: CellResult) -> dict[str, str]:
    estimate: Estimate = result.estimates[cell.id][0]
    digits, card = digits_for(estimate.scale), result.card
    asked = "" if estimate.n == estimate.clusters else count(estimate.n, card.sample_noun)
    return {
        "contestant": result.labels[cell.id],
        "score": " ".join(figures(estimate)),
        "guess": number(result.level("guess").value, digits),
        "ceiling": number(result.level("ceiling").value, digits),
        "on": count(estimate.clusters, card.cluster_noun),
        "asked": asked,
        "failed": f"{estimate.failed:,}",
        "unscored": f"{estimate.unscored:,}",
        "cost": describe_cost(cell.rows),
    }


def _table(lines: Sequence[Standing], width: int) -> list[str]:
    """Lay the lines out with as many columns as fit, and say which did not."""
    if not lines:
        return []
    lines = _with_one_noun(lines)
    names = [name for name in lines[0].columns if name != "asked" or any(each.columns[name] for each in lines)]
    idle = [name for name in names if all(each.columns[name] in NOTHING for each in lines)]
    able = [name for name in names if name in SPARE or (name in LOSSES and name in idle)]
    spare = sorted(able, key=lambda name: (name != "asked", name not in idle, [*SPARE, *LOSSES].index(name)))
    for dropped in (spare[:most] for most in range(len(spare) + 1)):
        kept = [name for name in names if name not in dropped]
        short = _shorten(lines, by=_width(_headed(lines, kept)) - width)
        made = [_inline(lines, kept, GAP), _inline(lines, kept, NARROW_GAP), _headed(lines, kept)]
        # Names give way before any column that says something does.
        made += [_headed(short, kept)] if {"asked", *idle} & {*spare} <= {*dropped} else []
        fitting = next((each for each in made if _width(each) <= width), "")
        if fitting:
            break
    return [fitting or made[-1], *wrap_lines(_left_out(dropped, idle), width)]


def _with_one_noun(lines: Sequence[Standing]) -> list[Standing]:
    """Put what a cluster is into the heading, where it is the same in all lines."""
    nouns = {each.columns["on"].partition(" ")[2].removesuffix("s") for each in lines}
    if len(nouns) > 1:
        return list(lines)
    heading = f"{nouns.pop()}s"
    return [
        replace(
            each,
            columns={
                (heading if name == "on" else name): text.partition(" ")[0] if name == "on" else text
                for name, text in each.columns.items()
            },
        )
        for each in lines
    ]


def _inline(lines: Sequence[Standing], names: Sequence[str], gap: str) -> str:
    """Write the benchmark at the left, once."""
    rows, before = [("", *names)], ""
    for each in lines:
        head = "" if each.benchmark == before else each.benchmark
        rows.append((head, *(each.columns[name] for name in names)))
        before = each.benchmark
    return align_columns(rows, right=_right(names, 1), gap=gap)


def _headed(lines: Sequence[Standing], names: Sequence[str]) -> str:
    """Write the benchmark above its lines."""
    body = [("  " + names[0], *names[1:])]
    body += [(f"  {each.columns[names[0]]}", *(each.columns[name] for name in names[1:])) for each in lines]
    head, *rest = align_columns(body, right=_right(names, 0), gap=NARROW_GAP).splitlines()
    made, before = [head], ""
    for each, text in zip(lines, rest, strict=True):
        made += [text] if each.benchmark == before else [each.benchmark, text]
        before = each.benchmark
    return "\n".join(made)


def _right(names: Sequence[str], first: int) -> list[int]:
    return [place for place, name in enumerate(names, start=first) if name not in ("contestant", "score", "on")]


def _width(table: str) -> int:
    return max(cell_len(line) for line in table.splitlines())


def _shorten(lines: Sequence[Standing], *, by: int) -> list[Standing]:
    """Cut the middle out of contestants' names, so that the longest of them is so much shorter."""
    room = max(SHORTEST, max(cell_len(each.columns["contestant"]) for each in lines) - by)
    return [
        replace(each, columns={**each.columns, "contestant": _cut(each.columns["contestant"], room)}) for each in lines
    ]


def _cut(name: str, room: int) -> str:
    """Cut the middle out of a name.

    >>> _cut("codex_cli · openai/gpt-x", 12), _cut("reader", 12)
    ('codex_…gpt-x', 'reader')
    """
    return name if len(name) <= room else f"{name[: room // 2]}…{name[len(name) - (room - 1) // 2 :]}"


def _left_out(dropped: Sequence[str], idle: Sequence[str]) -> list[str]:
    """Write which columns did not fit; of those that say nothing, only that nothing was lost."""
    none = [f"nothing {'failed' if name == 'failed' else 'is unscored'}" for name in dropped if name in LOSSES]
    more = [name for name in dropped if name not in idle]
    said = [*none, *([f"more on a wider screen: {', '.join(more)}"] if more else [])]
    return ["; ".join(said)] if said else []


def _references_alone(results: Sequence[BenchmarkResult]) -> list[str]:
    """Write a line for each benchmark on which nobody competed: what its references reached."""
    lines = []
    for result in (each for each in results if not any(cell.rows for cell in each.rivals)):
        cells = [(role, cell) for role in ROLES if (cell := reference_cell(result, role)) is not None]
        found = [(role, result.estimates[cell.id][0]) for role, cell in cells]
        levels = [f"{role} {' '.join(figures(estimate))}" for role, estimate in found]
        lost = sum(estimate.failed + estimate.unscored for _, estimate in found)
        more = f"; {lost:,} failed or unscored" if lost else ""
        on = f", {counted(found[0][1], result.card)}" if found else ""
        lines.append(f"{result.title}: nobody competed{'; ' if levels else ''}{', '.join(levels)}{on}{more}")
    return lines


def _people(results: Sequence[BenchmarkResult]) -> list[str]:
    return [
        f"{result.title}: {result.people.label} reach {' '.join(figures(result.human[0]))}, median of each task, on "
        f"{counted(result.human[0], result.card)}"
        for result in results
        if result.people and result.human
    ]


def _verdicts(results: Sequence[BenchmarkResult]) -> list[str]:
    """Write what each shown pair allows one to say, and how verdicts are reached where that explains one."""
    pairs = [(result, each.comparison) for result in results for each in result.differences]
    lines = [
        f"{f'{result.card.name}: ' if len(results) > 1 else ''}{made.difference.first} − {made.difference.second}: "
        f"{' '.join(figures(made.difference.estimate))}, {made.verdict}"
        for result, made in pairs
    ]
    puzzling = any(made.difference.leaves_out_zero and not made.separable for _, made in pairs)
    return [*lines, *([HOLM] if puzzling else [])]


def _losses(results: Sequence[BenchmarkResult]) -> list[str]:
    """Write what has no mark: what was stopped and what it lacks, what is missing, what was left out."""
    lines = []
    for result, cell in [(each, cell) for each in results for cell in each.cells]:
        who = f"{result.card.name} {result.labels[cell.id]}"
        if stopped := [row for row in cell.rows if row.ending.status == "stopped"]:
            of = f"{len(stopped):,} of {count(len(cell.rows), 'sample')}"
            lines.append(f"stopped: {who}, {of}: {common_reason(stopped)}")
        lines += [f"{who}: {count(cell.missing, 'sample')} missing"] if cell.missing else []
        lines += [f"{who}: {each}" for each in cell.left_out]
    return lines
