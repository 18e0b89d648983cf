"""What was answered of what was asked, and every checklist score in its three modes beside each other."""

from collections.abc import Mapping, Sequence

from cutscore.benchmarks.covebench.analysis.coverage import LEAST, MOST
from cutscore.benchmarks.covebench.scores import SCORES
from cutscore.core.finding import score_key
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine, SampleMark


def coverage_table(lines: Sequence[CellLine]) -> Table:
    """Return how many tasks have a video, and how many questions an answer; a missing video is nobody's answer."""
    body: list[tuple[TableCell, ...]] = []
    for line in lines:
        there = [mark for mark in line.marks if "answered" in mark.found]
        asked, answered = (_sum_whole(there, "answered"), _sum_part(there, "answered"))
        gone = _sum_whole([mark for mark in there if mark.found.get("video") == 0], "answered")
        seen = [mark for mark in there if "video" in mark.found]
        videos = round(_sum_part(seen, "video")) if seen else None
        counts = (asked, answered, gone, asked - answered - gone)
        body.append((*line.who, len(line.marks), videos, len(line.marks) - len(there), *map(round, counts)))
    whole = all(row[-1] == row[-2] == 0 for row in body)
    return Table(
        id="coverage",
        title="Coverage: every question has an answer" if whole else "Coverage: answers are missing",
        columns=(
            *(Column(name=name) for name in WHO),
            *(Column(name=name) for name in ("tasks", "videos", "unscored")),
            *(Column(name=name) for name in ("asked", "answered", "no video", "no answer")),
        ),
        rows=tuple(body),
        note="samples, then questions; reference and paper leave out what has no answer or no video, strict counts a "
        "missing video as wrong; no answer is what the judge left open, and a preservation score that is no whole "
        "number from 1 to 10",
    )


def modes_table(lines: Sequence[CellLine]) -> Table:
    """Return each checklist score as the released code, the paper and a strict reader have it, with its bounds."""
    body: list[tuple[TableCell, ...]] = []
    apart: dict[str, float] = {}
    for line in lines:
        for name in SCORES:
            reference, paper, strict = (line.mean(score_key(name, mode)) for mode in ("reference", "paper", "strict"))
            counted, asked = _sum_whole(line.marks, score_key(name, "reference")), _asked(line.marks, name)
            bounds = [_bound(line.marks, name, end) for end in (LEAST, MOST)]
            left = sum(mark.lacks(score_key(name, "strict")) for mark in line.marks)
            if reference is not None and strict is not None:
                apart[f"{name} of {line.label}"] = reference - strict
            body.append((*line.who, name, reference, paper, *bounds, strict, left, round(counted), round(asked)))
    return Table(
        id="modes",
        title=f"Modes: {_describe_apart(apart)}",
        columns=(
            *(Column(name=name) for name in (*WHO, "score")),
            *(Column(name=name, digits=2) for name in ("reference", "paper", "at least", "at most", "strict")),
            *(Column(name=name) for name in ("open in strict", "counted", "asked")),
        ),
        rows=tuple(body),
        note="per cent; whatever the missing answers are, videos that are not there included, the score lies between "
        "'at least' and 'at most'; strict leaves tasks open that the judge did not answer; counted by reference, in "
        "edit points, questions or tasks",
    )


def _describe_apart(apart: Mapping[str, float]) -> str:
    most = max(apart, key=lambda each: abs(apart[each]), default="")
    if not most or not round(apart[most], 2):
        return "reference and strict agree"
    way = "below" if apart[most] > 0 else "above"
    return f"strict is at most {abs(apart[most]):.1f} {way} reference ({most})"


def _sum_whole(marks: Sequence[SampleMark], name: str) -> float:
    return sum(mark.wholes.get(name, 0.0) for mark in marks)


def _sum_part(marks: Sequence[SampleMark], name: str) -> float:
    return sum(mark.found[name] * mark.wholes[name] for mark in marks)


def _asked(marks: Sequence[SampleMark], name: str) -> float:
    return sum(mark.wholes.get(f"{LEAST}/{name}", mark.wholes.get(score_key(name, "paper"), 0.0)) for mark in marks)


def _bound(marks: Sequence[SampleMark], name: str, end: str) -> float | None:
    """Return one end of a score over all tasks; a task without a bound of its own has every answer."""
    part, whole = 0.0, 0.0
    for mark in marks:
        own, key = f"{end}/{name}", score_key(name, "paper")
        value = mark.found.get(own, mark.scores.get(key))
        weight = mark.wholes.get(own, mark.wholes.get(key, 0.0))
        part, whole = part + weight * (value or 0.0), whole + weight
    return part / whole if whole else None
