"""Tables as plain text for a terminal, a pipe and a page of docs alike.

rich's tables are not used: they have no way to cut a wide table into blocks of columns, and fill lines up with blanks
that a pipe would keep. What is left for them to do, lining words up, is ten lines here. Widths of letters are rich's.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.cells import cell_len

from cutscore.core.inert_text import Clean, make_inert
from cutscore.results.wording import count, counted, figures

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.core.finding import Finding
    from cutscore.core.table import Table
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.cells import CellResult

GAP = "   "
NARROW_GAP = "  "
LONGEST = 36  # of a line inside a cell that has others beside it; longer ones go on below
NARROWEST = 10  # of a heading that is longer than all below it
MEDIAN = "median per task"
HOLM = (
    "intervals are by resampling, of each pair alone; verdicts are by sign flips, for all pairs together (Holm), and "
    "count where the two disagree"
)


def align_columns(rows: Iterable[Sequence[str]], *, right: Iterable[int] = (), gap: str = GAP) -> str:
    """Line words up under each other, in columns that are flush right where told; shorter lines end early.

    >>> print(align_columns([("a", "1"), ("bcd", "22")], right=(1,)))
    a      1
    bcd   22
    """
    lines, flush = [list(row) for row in rows], set(right)
    widths = [max(map(cell_len, column)) for column in zip_longest(*lines, fillvalue="")]
    return "\n".join(
        gap.join(_pad(word, widths[at], right=at in flush) for at, word in enumerate(row)).rstrip() for row in lines
    )


def _pad(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def hang_text(head: str, text: str, *, width: int) -> str:
    """Break a text so that it hangs beside its head; words longer than a line stay whole.

    >>> print(hang_text("frames   ", "uniform=4 (a), uniform=8 (b)", width=24))
    frames   uniform=4 (a),
             uniform=8 (b)
    """
    indent = " " * cell_len(head)
    made = textwrap.wrap(
        text,
        max(width, len(indent) + 20),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return head + "\n".join(made)[len(indent) :]


def estimate_words(estimate: Estimate) -> tuple[str, str, str]:
    """Return value, interval and counts of an estimate."""
    return (*figures(estimate), f"n={estimate.n:,} in {count(estimate.clusters, 'cluster')}")


def named_estimate_words(estimate: Estimate) -> tuple[str, ...]:
    """Return name, value, interval and counts, and where there is none, why."""
    name = " ".join([estimate.name, *(f"{key}={value}" for key, value in estimate.group.items())])
    why = estimate.method.removeprefix("undefined: ") if estimate.method.startswith("undefined") else ""
    return (name, *estimate_words(estimate), why)


def describe_place(finding: Finding) -> str:
    """Describe where in which file a finding looked; nothing when it names no file."""
    return f"({finding.file}{f' {finding.at}' if finding.at else ''})" if finding.file else ""


def results_table(results: Sequence[BenchmarkResult], *, everything: bool = False) -> str:
    """Write what each cell reached, with interval, counts and unscored; below it every verdict.

    The headline is shown in every mode, what else a judge decides in one; with `everything`, all scores in all modes.
    """
    left = max((cell_len(result.title) for result in results), default=0)
    lines: list[tuple[str, ...]] = []
    for result in results:
        head = result.title
        for each in result.cells:
            for label, estimate in _shown_estimates(result, each, everything=everything):
                lines.append(
                    (
                        _pad(head, left) + GAP + label,
                        *figures(estimate),
                        counted(estimate, result.card),
                        _lost(each, estimate),
                    )
                )
                head = ""
        lines += [
            (_pad("", left) + GAP + who, *figures(each), counted(each, result.card), MEDIAN)
            for who, each in _human(result)
        ]
        for found in (each.comparison for each in result.differences):
            pair = f"{found.difference.first} − {found.difference.second}, paired"
            made = found.difference.estimate
            lines.append((pair, *figures(made), count(made.clusters, result.card.cluster_noun), found.verdict))
    notes = [note for result in results for note in twin_notes(result)]
    differ = [each.comparison for result in results for each in result.differences]
    # How verdicts are reached is said where one is not what the interval beside it suggests.
    holm = [HOLM] if any(each.difference.leaves_out_zero and not each.separable for each in differ) else []
    return "\n".join([align_columns(lines, right=(1,)), *notes, *holm])


def _lost(cell: CellResult, estimate: Estimate) -> str:
    """Write what stands beside a mean: how often the subject failed, and what it does not hold."""
    failed = f"{estimate.failed:,} failed, " if estimate.failed else ""
    stopped = f" ({estimate.stopped:,} stopped)" if estimate.stopped else ""
    missing = f"   {cell.missing:,} missing" if cell.missing else ""
    left_out = "".join(f"   {each}" for each in cell.left_out)
    return f"{failed}{estimate.unscored:,} unscored{stopped}{missing}{left_out}"


def _shown_estimates(result: BenchmarkResult, cell: CellResult, *, everything: bool) -> Iterable[tuple[str, Estimate]]:
    """Return the headline, and then other scores that a sample has or misses."""
    label, judge = result.labels[cell.id], cell.record.cell.judge
    for estimate in result.estimates[cell.id]:
        first, judged = estimate.name == result.card.headline, bool(judge) and result.card.scores[estimate.name].judged
        counted = estimate.n or estimate.unscored or estimate.stopped  # else no sample has it, and none misses it
        beside = counted and (everything or (judged and estimate.mode in ("", result.mode)))
        if (first or beside) and not estimate.group:
            name = f"{label} {estimate.name} by {judge}" if judged else label if first else f"{label} {estimate.name}"
            yield (f"{name} @{estimate.mode}" if estimate.mode else name), estimate


def _human(result: BenchmarkResult) -> Iterable[tuple[str, Estimate]]:
    """Return the human reference of the headline in every mode, where several people did the tasks."""
    for estimate in result.human:
        if result.people and estimate.name == result.card.headline and not estimate.group:
            yield result.people.label + (f" @{estimate.mode}" if estimate.mode else ""), estimate


def twin_notes(result: BenchmarkResult) -> list[str]:
    """Write once what tells cells apart whose subject and model are equal."""
    notes = []
    for each in result.cells:
        cell = each.record.cell
        twins = [other for other in result.cells if (other.label, other.record.cell.model) == (each.label, cell.model)]
        changed = {name: value for twin in twins for name, (value, _) in cell.differs(twin.record.cell).items()}
        changed.pop("conditions", None)  # the name of the cell says them
        if changed:
            alone = sum(result.arm(twin) == result.arm(each) for twin in twins) == 1
            name = (result.arm(each) or "otherwise") if alone else result.labels[each.id]
            said = (f"{name} {'all' if (name, value) == ('input', '') else value}" for name, value in changed.items())
            notes.append(f"{name}: {', '.join(said)}")
    return list(dict.fromkeys(notes))


@dataclass(frozen=True)
class TextColumn:
    """One column of a table, ready to be printed: lines of its heading, and of each cell."""

    head: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    right: bool

    @property
    def width(self) -> int:
        """Return the width of its longest line."""
        return max(cell_len(line) for lines in (self.head, *self.cells) for line in lines or ("",))


def write_table(table: Table, *, width: int, most: int | None = None, clean: Clean = str) -> str:
    """Write a table with its finding above and its note below, of a longer one the first `most` rows.

    A table wider than `width` is cut into blocks; each names its rows again, by number where their names take too much
    room.
    """
    from cutscore.results.tables.text import paper_reference, table_text

    def say(text: str) -> str:
        return make_inert(" ".join(text.split()), clean)

    text = table_text(table)
    shown = text.rows if most is None else text.rows[:most]
    longest = LONGEST if len(text.headings) > 1 else width
    columns = [
        _text_column(say(head.name), head.n, [say(str(row[at])) for row in shown], longest, right=head.numeric)
        for at, head in enumerate(text.headings)
    ]
    left = len(text.rows) - len(shown)
    below = "; ".join(filter(None, (text.note, paper_reference(table))))
    parts = [say(f"{table.title} [{table.id}]")]
    if shown:
        parts.append("\n\n".join(map(_write_block, _blocks(columns, keys=text.keys, room=width))))
    if left:
        parts.append(f"… {count(left, 'row')} more; --only {table.id} shows all")
    if below:
        parts.append(textwrap.fill(say(below), max(width, 40), break_on_hyphens=False))
    return "\n".join(parts)


def _text_column(name: str, n: str, cells: Sequence[str], longest: int, *, right: bool) -> TextColumn:
    body = tuple(tuple(textwrap.wrap(cell, longest, break_on_hyphens=False)) for cell in cells)
    room = max(NARROWEST, len(n), *(len(line) for lines in body for line in lines or ("",)))
    head = textwrap.wrap(name, room, break_on_hyphens=False, break_long_words=False)
    return TextColumn((*head, *filter(None, (n,))), body, right)


def _blocks(columns: Sequence[TextColumn], *, keys: int, room: int) -> Iterator[list[TextColumn]]:
    """Return the columns of each block: those that name a row, and as many others as fit beside them."""
    named, others = list(columns[:keys]), columns[keys:]
    if _total_width(columns) <= room or not others:
        yield list(columns)
        return
    again = named
    if _total_width(named) > room // 3:
        numbers = TextColumn(("#",), tuple((f"{number}",) for number in range(1, len(named[0].cells) + 1)), right=True)
        named, again = [numbers, *named], [numbers]
    block, fresh = list(named), len(named)
    for column in others:
        if _total_width([*block, column]) > room and (len(block) > fresh or fresh > len(again)):
            yield block
            block, fresh = list(again), len(again)
        block.append(column)
    yield block


def _total_width(columns: Sequence[TextColumn]) -> int:
    return sum(column.width for column in columns) + len(NARROW_GAP) * (len(columns) - 1)


def _write_block(columns: Sequence[TextColumn]) -> str:
    deep = max(len(column.head) for column in columns)
    heads = [("",) * (deep - len(column.head)) + column.head for column in columns]  # right above the figures
    rows = (heads, *([column.cells[number] for column in columns] for number in range(len(columns[0].cells))))
    lines = (line for row in rows for line in zip_longest(*(cell or ("",) for cell in row), fillvalue=""))
    return align_columns(lines, right=[at for at, column in enumerate(columns) if column.right], gap=NARROW_GAP)
