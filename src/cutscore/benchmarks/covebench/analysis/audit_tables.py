"""Rows → what the scores of a judge are worth: audits beside results, single votes, and a judge beside another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from cutscore.benchmarks.covebench.analysis.audits import (
    ANSWERED,
    AUDITED,
    AUDITS,
    CONSTANTS,
    POINTS,
    RIGHT,
    name_constant,
)
from cutscore.core.finding import score_key
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark, constant_line, plain_columns
from cutscore.results.tables.score_tables import scores_table

MODE = "reference"
PERCENT = (0.0, 100.0)
SCALES: Mapping[str, tuple[float, float]] = dict.fromkeys(AUDITED, PERCENT)
ALWAYS = ("B", "Yes", "Yes")
MOST = 10  # points that the best constant gives


def audit_tables(lines: Sequence[CellLine]) -> list[Table]:
    """Return the tables that there is something to fill with."""
    made = [_audits_table(lines), stability_table(lines), judge_table(lines)]
    return [each for each in made if each.rows]


def _audits_table(lines: Sequence[CellLine]) -> Table:
    """Return every subject as it was judged, below it the same with less for the judge to see, at last constants."""
    audited = [line for line in lines if f"{name_constant(ALWAYS)}/uas" in _names(line)]
    shown: list[CellLine] = []
    for line in audited:
        shown.append(line)
        there = [name for name in AUDITS if f"audit/{name}/answered" in _names(line)]
        shown += [_take(line, f"audit/{name}", arm=name.replace("_", " ")) for name in there]
    if audited:
        shown += constant_lines(audited)
    note = f"{MODE}; what a judge gives without the video, for the source, or to a constant is no merit of an editor"
    compared = ("ifs", "vrs")
    return scores_table("audits", "Audits", shown, AUDITED, mode=MODE, compared=compared, note=note, scales=SCALES)


def constant_lines(lines: Sequence[CellLine]) -> list[CellLine]:
    """Return who always says the same: `B / Yes / 8`, and for each format what is expected most often."""
    best = max(CONSTANTS, key=lambda each: _right(lines, each))
    usual = partial(take_scores, prefix=name_constant(ALWAYS))
    most = partial(take_scores, prefix=name_constant(best), sem=10.0 * MOST)
    return [
        constant_line(f"constant {ALWAYS[0]} / {ALWAYS[1]} / {POINTS}", lines, usual),
        constant_line(f"best constant {' / '.join((*best, str(MOST)))}", lines, most),
    ]


def _right(lines: Sequence[CellLine], answers: tuple[str, str, str]) -> float:
    """Return how many questions a constant answers rightly: the most for each format is the most of all."""
    made = constant_line("", lines, partial(take_scores, prefix=name_constant(answers)))
    keys = [score_key(name, MODE) for name in ("ifs", "vrs")]
    return sum(mark.scores[key] * mark.wholes[key] for mark in made.marks for key in keys if key in mark.scores)


def _take(line: CellLine, prefix: str, *, arm: str) -> CellLine:
    """Return a line with the scores of an audit in place of its own."""
    marks = [take_scores(mark, prefix=prefix) for mark in line.marks]
    return replace(line, arm=" · ".join(filter(None, (line.arm, arm))), marks=marks)


def take_scores(mark: SampleMark, *, prefix: str, sem: float | None = None) -> SampleMark:
    """Return a mark whose scores are those of findings under a name; the mean of preservation may be known."""
    keys = {score_key(name, MODE): f"{prefix}/{name}" for name in AUDITED}
    scores = {key: mark.found[name] for key, name in keys.items() if name in mark.found}
    wholes = {key: mark.wholes[name] for key, name in keys.items() if name in mark.wholes}
    if sem is not None and score_key("sem", MODE) in scores:
        scores[score_key("sem", MODE)] = sem
    return replace(mark, scores=scores, wholes=wholes, gaps=())


def stability_table(lines: Sequence[CellLine]) -> Table:
    """Return each vote of the judge scored alone, their spread, and on how many questions votes differ."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        votes = sorted({int(name.split("/")[1]) for name in _names(line) if name.startswith("vote/")})
        means = [[line.mean(f"vote/{vote}/{name}") for name in AUDITED] for vote in votes]
        body += [(*line.who, f"vote {vote}", *each, None) for vote, each in zip(votes, means, strict=True)]
        if votes:
            body.append((*line.who, "spread", *map(_spread, zip(*means, strict=True)), line.mean("votes_differ")))
    return Table(
        id="stability",
        title="Votes of the judge, each scored alone",
        columns=plain_columns(*WHO, "vote", *AUDITED, "differ"),
        rows=tuple(body),
        note="per cent; spread: the largest less the smallest; differ: questions to which votes give several answers",
    )


def _spread(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return max(known) - min(known) if known else None


def judge_table(lines: Sequence[CellLine]) -> Table:
    """Return how far the answers of a judge are those of the control, by kind of question."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        kinds = sorted(name.removeprefix(ANSWERED) for name in _names(line) if name.startswith(ANSWERED))
        body += [
            (*line.who, kind.strip("/") or "all", line.mean(RIGHT + kind), line.mean(ANSWERED + kind)) for kind in kinds
        ]
    return Table(
        id="judge",
        title="The judge beside the control",
        columns=plain_columns(*WHO, "questions", "right", "answered"),
        rows=tuple(body),
        note="per cent of the answers that fit, scores within one point; per cent of the questions that have one",
    )


def _names(line: CellLine) -> set[str]:
    return {name for mark in line.marks for name in mark.found}
