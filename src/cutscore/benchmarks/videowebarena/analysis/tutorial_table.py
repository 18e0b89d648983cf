"""Table 7: skill tasks with and without the tutorial, paired by task."""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.analysis.step_lines import STEPS, share_by, steps_by
from cutscore.core.finding import score_key
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.differences import arm_pairs, line_difference
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, plain_columns
from cutscore.results.wording import count

SETS = {"wa": "WebArena", "vwa": "VisualWebArena"}
NO_TUTORIAL = "no_tutorial"
SKILL = "skill"


def skill_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return final score and steps of skill tasks, by the set that they come from."""
    columns = list(SETS)
    final = share_by(lines, columns, _placed, score_key("final", mode))
    steps = steps_by(lines, columns, _placed)
    body = [
        (*line.who, *(each.get((number, name)) for name in columns for each in (final, steps)))
        for number, line in enumerate(lines)
        if any((number, name) in final for name in columns)
    ]
    pairs = [each for name in SETS.values() for each in (Column(name=name), Column(name=f"{name} steps", digits=1))]
    return Table(
        id="skill",
        title="Skill tasks by the benchmark that they come from",
        columns=(*plain_columns(*WHO), *pairs),
        rows=tuple(body),
        note=f"final, {mode}; 95% by video",
        paper="Table 7",
    )


def tutorial_effect_table(lines: Sequence[CellLine], mode: str) -> Table:
    """Return what the tutorial does to score and steps: with it minus without it, on tasks that were done both ways."""
    score = score_key("final", mode)
    body: list[tuple[TableCell, ...]] = []
    for without, whole in arm_pairs(lines):
        if without.input != NO_TUTORIAL:
            continue
        for name, shown in {**SETS, "factual": "factual"}.items():
            mine, other = (_only(line, name) for line in (whole, without))
            found, steps = (line_difference(mine, other, each).estimate for each in (score, STEPS))
            if found.n:
                body.append((*whole.who[:2], shown, found.n, *_shared_means(mine, other, score), found, steps.value))
    return Table(
        id="tutorial-effect",
        title=_title(body),
        columns=(
            *plain_columns(*WHO[:2], "set", "n", "with", "without", "with − without"),
            Column(name="steps, with − without", digits=1),
        ),
        rows=tuple(body),
        note=f"final, {mode}, paired by task; above 0 the tutorial helps; 95% by video",
        paper="Table 7",
        plot=Plot(
            values=("with − without",),
            labels=("subject", "model", "set"),
            level=0.0,
            level_name="no difference",
            tight=True,
        )
        if body
        else None,
    )


def _shared_means(first: CellLine, second: CellLine, score: str) -> list[float]:
    """Return the means of two lines over the tasks that both have."""
    mine, other = first.by_item(score), second.by_item(score)
    shared = sorted(mine.keys() & other.keys())
    return [sum(values[item] for item in shared) / len(shared) for values in (mine, other)]


def _placed(mark: SampleMark) -> tuple[str, ...]:
    return (mark.groups.get("set", ""),)


def _only(line: CellLine, name: str) -> CellLine:
    return CellLine(line.subject, line.model, [mark for mark in line.marks if name in _placed(mark)])


def _title(body: Sequence[tuple[TableCell, ...]]) -> str:
    if not body:
        return "No tutorial effect: nobody did tasks with and without the tutorial (--ablate input=no_tutorial)"
    helped = sum(isinstance(row[4], float) and isinstance(row[5], float) and row[4] > row[5] for row in body)
    return f"The score is higher with the tutorial in {helped} of {count(len(body), 'comparison')}"
