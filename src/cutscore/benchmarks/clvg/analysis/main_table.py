"""Rows → Table 2: pass rates by category, in groups by what generators take in, on identical cases within a group."""

from collections.abc import Sequence
from dataclasses import replace

from cutscore.benchmarks.clvg.around import ANY
from cutscore.benchmarks.clvg.generators.profile import read_profile
from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.core.errors import CutscoreError
from cutscore.core.table import Plot, Table, TableCell
from cutscore.results.tables.differences import line_difference, pair_lines
from cutscore.results.tables.lines import REFERENCE, WHO, CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import mean_table
from cutscore.results.verdict import judge_pairs
from cutscore.results.wording import count

ALL = "all"
EVERYTHING = "everything"
DASH = "–"
KNOWN = ("oracle", "planted", "echo", "frozen", "null")
PASSED, OF_VIDEOS = "passed", "passed_of_videos"


def group_of(line: CellLine) -> str:
    """Return the group in which a generator is compared: by what its profile says that it takes in."""
    name = line.conditions.get("generator", ANY)
    if name == ANY:
        return EVERYTHING
    try:
        return read_profile(name).group or name
    except CutscoreError:  # a profile of the user's that is not here any more
        return name


def grouped(lines: Sequence[CellLine]) -> dict[str, list[CellLine]]:
    """Return the lines of each group, each with the cases that all of its group have."""
    found: dict[str, list[CellLine]] = {}
    for line in lines:
        found.setdefault(group_of(line), []).append(line)
    return {group: share_cases(mine) for group, mine in found.items()}


def share_cases(lines: Sequence[CellLine]) -> list[CellLine]:
    """Return lines with the cases that all of them were asked, so that their means speak of the same."""
    if not lines:
        return []
    shared = set.intersection(*({mark.item for mark in line.marks} for line in lines))
    return [replace(line, marks=[mark for mark in line.marks if mark.item in shared]) for line in lines]


def pass_table(id: str, title: str, lines: Sequence[CellLine], source: str, *, score: str = PASSED) -> Table:
    """Return pass rates by category and over all; a category of which a generator has no case is a dash."""
    categories, _ = read_taxonomy()
    shorts = {code: each.short for code, each in categories.items()}
    columns = (*shorts.values(), ALL)
    there = {mark.groups.get("category") for line in lines for mark in line.marks}
    body: list[tuple[TableCell, ...]] = []
    for group, mine in grouped(lines).items():

        def placed(mark: SampleMark) -> tuple[str, float] | None:
            short = shorts.get(mark.groups.get("category", ""))
            return (short, mark.scores[score]) if short and score in mark.scores else None

        def asked(mark: SampleMark) -> str:
            return shorts.get(mark.groups.get("category", ""), "") if mark.lacks(score) else ""

        parts = mean_table(mine, tuple(shorts.values()), placed, asked=asked).cells
        whole = mean_table(
            mine,
            (ALL,),
            lambda mark: (ALL, mark.scores[score]) if score in mark.scores else None,
            asked=lambda mark: ALL if mark.lacks(score) else "",
        ).cells
        for number, line in enumerate(mine):
            cells: dict[tuple[int, str], TableCell] = {**parts, **whole}
            for code, short in shorts.items():
                cells.setdefault((number, short), _say_none(line, code, score) if code in there else None)
            body.append((group, *line.who, *(cells.get((number, name)) for name in columns)))
    cases = "; ".join(f"{group}: {_count_cases(mine)}" for group, mine in grouped(lines).items())
    return Table(
        id=id,
        title=f"{title}, by the {source}",
        columns=plain_columns("takes in", *WHO, *columns),
        rows=tuple(body),
        note=f"pass rates, 95% by cluster; within a group on the cases that all of it were asked ({cases}); "
        f"{DASH}: no case of that category is within what the group takes in",
        paper="Table 2",
        plot=Plot(values=(ALL,), labels=("takes in", *WHO)),
    )


def _say_none(line: CellLine, category: str, score: str) -> TableCell:
    """Return what stands in place of a rate: a dash if no case was asked, how many are unscored if all of them are."""
    asked = [mark for mark in line.marks if mark.groups.get("category") == category]
    missing = sum(mark.lacks(score) for mark in asked)
    return f"{missing:,} unscored" if missing else None if asked else DASH


def _count_cases(lines: Sequence[CellLine]) -> str:
    return count(len({mark.item for line in lines for mark in line.marks}), "case")


def is_contestant(line: CellLine) -> bool:
    """Return whether a line is a generator's usual one: its profile may be named, and nothing else be unlike others.

    Those whose marks are known beforehand are no generators.
    """
    known = line.subject.partition(":")[0] in KNOWN or line.computed or REFERENCE in line.remark
    return not known and {*line.conditions} <= {"generator"} and not line.input


def difference_table(lines: Sequence[CellLine], source: str) -> Table:
    """Return paired differences of every two generators, on the cases that both were asked, and how many these are."""
    rivals = [line for line in lines if is_contestant(line)]
    chosen = [(one, other) for at, one in enumerate(rivals) for other in rivals[at + 1 :]]
    pairs = [(one, other, pair_lines(one, other, PASSED)) for one, other in chosen]
    shared = [(one, other, pair) for one, other, pair in pairs if pair.shared]
    body: list[tuple[TableCell, ...]] = []
    for (one, other, _), judged in zip(shared, judge_pairs([pair for *_, pair in shared]), strict=True):
        found = line_difference(one, other, PASSED).estimate
        asked = [len({mark.item for mark in line.marks}) for line in (one, other)]
        verdict = judged.say(one.label, other.label, ahead=(found.value or 0.0) > 0, unit="case")
        body.append((one.label, other.label, asked[0], asked[1], found.n, found, verdict))
    return Table(
        id="differences",
        title=f"Differences between generators, by the {source}",
        columns=plain_columns("first", "second", "cases of first", "of second", "shared", "first − second", "verdict"),
        rows=tuple(body),
        note="paired by case, on the shared cases alone, 95% by cluster",
    )
