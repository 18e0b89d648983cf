"""Rows → Table 4: what a script that a model wrote changes, paired by case."""

from collections.abc import Sequence
from dataclasses import replace

from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.core.table import Plot, Table, TableCell
from cutscore.results.tables.differences import pair_lines
from cutscore.results.tables.lines import WHO, CellLine, plain_columns
from cutscore.results.verdict import judge_pairs
from cutscore.stats.paired import paired_differences

PASSED = "passed"


def script_table(lines: Sequence[CellLine], source: str) -> Table:
    """Return, for each generator with a written script, the pass rates with and without it and their difference."""
    categories, _ = read_taxonomy()
    parts = {each.short: code for code, each in categories.items()}
    found = []
    for arm, whole in script_pairs(lines):
        for short, code in (*parts.items(), ("all", "")):
            pair = pair_lines(_of_category(arm, code), _of_category(whole, code), PASSED)
            if pair.shared:
                found.append((arm, short, pair))
    pairs = [pair for *_, pair in found]
    body: list[tuple[TableCell, ...]] = []
    for (arm, short, pair), gap, judged in zip(found, paired_differences(pairs), judge_pairs(pairs), strict=True):
        part, of, other_part, other_of = (sum(column) for column in pair.columns)
        written, estimate = arm.conditions["script"], gap.estimate
        verdict = judged.say("written", "plain", ahead=(estimate.value or 0.0) > 0, unit="case")
        rates = other_part / other_of, part / of
        body.append((*arm.who[:2], written, short, estimate.n, *rates, estimate, verdict))
    return Table(
        id="scripts",
        title=f"What a written script changes, by the {source}" if body else "No generator was given a written script",
        columns=plain_columns(*WHO[:2], "script by", "category", "n", "plain", "written", "written − plain", "verdict"),
        rows=tuple(body),
        note="paired by case, 95% by cluster; the model that writes has seen the whole context",
        paper="Table 4",
        plot=Plot(
            values=("written − plain",),
            labels=("category", *WHO[:2]),
            level=0.0,
            level_name="no difference",
            tight=True,
        ),
    )


def script_pairs(lines: Sequence[CellLine]) -> list[tuple[CellLine, CellLine]]:
    """Pair every line with a written script with that of the same generator without one, all else equal."""
    plain = [line for line in lines if not line.conditions.get("script")]

    def other_conditions(line: CellLine) -> dict[str, str]:
        return {name: value for name, value in line.conditions.items() if name != "script"}

    return [
        (arm, whole)
        for arm in lines
        if arm.conditions.get("script")
        for whole in plain
        if (arm.subject, arm.model, other_conditions(arm)) == (whole.subject, whole.model, other_conditions(whole))
    ]


def _of_category(line: CellLine, code: str) -> CellLine:
    return replace(line, marks=[mark for mark in line.marks if not code or mark.groups.get("category") == code])
