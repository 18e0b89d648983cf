"""Rows → Figure 4b and c: success by turn and cases passed, vanilla and assisted; counts, causes, cost, the paper."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.benchmarks.clvg.analysis.sources import by_source
from cutscore.benchmarks.clvg_turns.questions import question_id
from cutscore.benchmarks.clvg_turns.verdicts import NAMED_TURNS
from cutscore.core.arm import describe_arm
from cutscore.core.card import Card
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, cell_lines, plain_columns
from cutscore.results.tables.score_tables import scores_table

REACHED = tuple(f"turn{turn}" for turn in NAMED_TURNS)
ALL = tuple(f"turn{turn}_all" if turn > NAMED_TURNS[0] else f"turn{turn}" for turn in NAMED_TURNS)
CASES = ("case_passed", "verdicts", "reached")
CAUSE = "cause/"
CLUSTERS = "95% by family of scenes; turn 1 is given and not judged"


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return the tables of every source of verdicts by itself, then what the paper prints."""
    found = [table for source, mine in by_source(rows).items() for table in _of_source(source, mine, card)]
    return [*found, cost_table(rows), *published_tables()]


def _of_source(source: str, rows: Sequence[Row], card: Card) -> list[Table]:
    lines, tail = cell_lines(rows), source.replace(":", "-").replace("/", "-")
    made = []
    for mode in card.modes:
        by, note = f"by the {source}, {mode}", f"{mode}; {CLUSTERS}"
        made += [
            scores_table(
                f"turns-{mode}",
                f"Success by turn, {by}",
                lines,
                REACHED,
                mode=mode,
                compared=REACHED,
                note=f"of those who reached it; {note}",
            ).model_copy(update={"paper": "Figure 4b"}),
            scores_table(
                f"turns-all-{mode}",
                f"Success by turn of all cases, {by}",
                lines,
                ALL,
                mode=mode,
                compared=ALL,
                note=note,
            ).model_copy(update={"paper": "Figure 4b"}),
            scores_table(
                f"cases-{mode}", f"Cases, {by}", lines, CASES, mode=mode, compared=CASES[:1], note=note
            ).model_copy(update={"paper": "Figure 4c"}),
            count_table(lines, mode, source),
        ]
    made.append(cause_table(lines, source))
    return [table.model_copy(update={"id": f"{table.id}-{tail}"}) for table in made]


def count_table(lines: Sequence[CellLine], mode: str, source: str) -> Table:
    """Return the counts behind the rates: what each of them is a share of."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        for turn, of_all in zip(NAMED_TURNS, ALL, strict=True):
            counts = count_turn(line.marks, turn, score_key(f"turn{turn}", mode), score_key(of_all, mode))
            body += [(*line.who, turn, *counts)] if counts[0] else []
    return Table(
        id=f"counts-{mode}",
        title=f"Counts behind the rates, by the {source}, {mode}",
        columns=plain_columns(*WHO, "turn", "cases", "reached", "passed", "with a verdict", "no verdict"),
        rows=tuple(body),
        note="with a verdict: a judge looked at a film; no verdict: whether it passes, or is reached, is open",
    )


def count_turn(marks: Sequence[SampleMark], turn: int, reached: str, of_all: str) -> tuple[int, int, int, int, int]:
    """Return samples that have a turn, that reached it, that passed it, that a judge saw there, and that are open."""
    is_open = [each for each in marks if each.lacks(reached) and int(each.groups.get("turns", turn)) >= turn]
    has = [each for each in marks if each.wholes.get(of_all)]
    there = [each for each in has if each.wholes.get(reached)]
    passed = sum(each.scores.get(reached) == 1 for each in there)
    seen = sum(question_id(turn, "branch") in each.found for each in there)
    return len(has) + len(is_open), len(there), passed, seen, len(is_open)


def cause_table(lines: Sequence[CellLine], source: str) -> Table:
    """Return why turns have no verdict of a judge: refused, no file, no video, or a judge without an answer."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        named = [name.removeprefix(CAUSE) for mark in line.marks for name in mark.found if name.startswith(CAUSE)]
        unmarked = ["not marked" for mark in line.marks if mark.because]
        counts = Counter([*named, *unmarked])
        body += [(*line.who, cause, number, len(line.marks)) for cause, number in sorted(counts.items())]
    return Table(
        id="causes",
        title=f"Turns without a verdict, by the {source}",
        columns=plain_columns(*WHO, "cause", "samples", "of"),
        rows=tuple(body),
        note="the first such turn of a case; what the generator caused is a fail, what the judge caused is open",
    )


def cost_table(rows: Sequence[Row]) -> Table:
    """Return what each turn cost, by subject and conditions; blank where a price is unknown."""
    costs: dict[tuple[str, str, str, int], list[float | None]] = defaultdict(list)
    for row in rows:
        for turn in (each for each in row.evidence.turns if not each.not_made):
            costs[row.subject, row.model, describe_arm(row.conditions, ""), turn.number].append(turn.cost_usd)
    body = [
        (*who, len(paid), None if None in paid else sum(each or 0.0 for each in paid) / len(paid))
        for who, paid in sorted(costs.items())
    ]
    return Table(
        id="cost-by-turn",
        title="What a turn costs",
        columns=(*plain_columns(*WHO, "turn", "films"), Column(name="each", digits=4, unit="USD")),
        rows=tuple(body),
        note="generator and assistant together; the judge is not in it",
    )


@cache
def published() -> Mapping[str, Any]:
    """Return the paper's figures, and what its result files hold."""
    with (Path(__file__).parent / "published.toml").open("rb") as stream:
        return tomllib.load(stream)


def published_tables() -> list[Table]:
    """Return the counts of the released results, and the assisted arm as printed; nothing in them was measured here."""
    figures = published()
    released = Table(
        id="published-counts",
        title="Released results of the vanilla arm, counted",
        columns=(*plain_columns("model"), *(Column(name=name, digits=0) for name in figures["columns"])),
        rows=tuple((who, *counts) for who, counts in figures["released"].items()),
        note=f"nothing here was measured; {'; '.join(figures['slips'])}",
        paper="Figure 4b",
    )
    assisted = Table(
        id="published-assisted",
        title="Cases passed in the assisted arm, as printed",
        columns=(*plain_columns("model"), Column(name="cases passed", digits=0, unit="%")),
        rows=tuple(figures["assisted"].items()),
        note="nothing here was measured, and nothing was released to count it again",
        paper="Figure 4c",
    )
    return [released, assisted]
