"""Rows → the mean over all tasks and over finished ones, scores by set, site and difficulty, and the paper's tables."""

from collections.abc import Sequence
from typing import get_args

from cutscore.benchmarks.videowebarena.analysis.category_tables import category_tables
from cutscore.benchmarks.videowebarena.analysis.diagnosis_tables import diagnosis_tables
from cutscore.benchmarks.videowebarena.analysis.journey_table import journey_tables
from cutscore.benchmarks.videowebarena.analysis.knowing_table import across_sites_table, knowing_table
from cutscore.benchmarks.videowebarena.analysis.published_tables import published_tables
from cutscore.benchmarks.videowebarena.analysis.site_table import site_table
from cutscore.benchmarks.videowebarena.analysis.step_costs import step_costs_table
from cutscore.benchmarks.videowebarena.analysis.step_lines import step_lines
from cutscore.benchmarks.videowebarena.analysis.tutorial_table import skill_table, tutorial_effect_table
from cutscore.benchmarks.videowebarena.defects import DIFFICULTIES
from cutscore.benchmarks.videowebarena.released import TaskSet
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.core.card import Card
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.results.tables.means import mean_table
from cutscore.results.tables.score_tables import group_table

CRASHED = ("crash", "exit_code")  # the released code's mean leaves such tasks out; a limit is an end like others


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return tables with a line for each cell, by set, site and, where a task tells it, difficulty."""
    lines, mode = step_lines(rows, card), card.modes[0]
    score, note = score_key(card.headline, mode), f"{card.headline}; 95% by video"
    groups = [("sets", "By set of tasks", "set", get_args(TaskSet)), ("sites", "By site", "site", WITH_TASKS)]
    if any(row.groups.get("difficulty") in DIFFICULTIES for row in rows):
        groups.append(("difficulty", "By difficulty of the task", "difficulty", DIFFICULTIES))
    return [
        _means(lines, score),
        *(group_table(id, title, lines, name, order, score=score, note=note) for id, title, name, order in groups),
        *_paper_tables(rows, lines, mode),
    ]


def listings(result: BenchmarkResult) -> list[Table]:
    """Return one run of a web agent step by step, where a model did tasks."""
    return journey_tables(result)


def _paper_tables(rows: Sequence[Row], lines: Sequence[CellLine], mode: str) -> list[Table]:
    """Return the tables of the paper that these rows have something for, and the printed ones."""
    made = [
        site_table(lines, mode),
        skill_table(lines, mode),
        tutorial_effect_table(lines, mode),
        *category_tables(lines, mode),
        knowing_table(lines, mode),
        across_sites_table(lines, mode),
        *diagnosis_tables(lines),
        step_costs_table(rows),
    ]
    return [*(table for table in made if table.rows), *published_tables()]


def _means(lines: Sequence[CellLine], score: str) -> Table:
    """Return both means of each cell: ours, where a task in which the subject crashed is 0, and the released code's."""

    def over_all(mark: SampleMark) -> tuple[str, float] | None:
        return ("all", mark.scores[score]) if score in mark.scores else None

    def over_finished(mark: SampleMark) -> tuple[str, float] | None:
        return None if mark.failure_class in CRASHED or score not in mark.scores else ("finished", mark.scores[score])

    found = {
        **mean_table(lines, ("all",), over_all, asked=lambda mark: "all" if mark.lacks(score) else "").cells,
        **mean_table(lines, ("finished",), over_finished).cells,
    }
    crashed = sum(mark.failure_class in CRASHED for line in lines for mark in line.marks)
    columns = ("all", "finished")
    return Table(
        id="means",
        title=f"Over all tasks, and over finished ones: {crashed} crashed",
        columns=plain_columns(*WHO, *columns),
        rows=tuple((*line.who, *(found.get((number, name)) for name in columns)) for number, line in enumerate(lines)),
        note=f"{score}; a task in which the subject crashed is 0 in `all`, and left out of `finished`; 95% by video",
    )
