"""Rows and judges' cards → the judge page: who judged, how far that can be trusted, and what was asked and answered.

A judge without a card says that nobody has measured its error. With one, its agreement with people is drawn with
intervals, and scores stand beside what they would be without its errors.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import Judgement
from cutscore.report.gather import Bench, Entry
from cutscore.report.plot import DotPlot, Point, laid_out, whole_scale
from cutscore.results.report_data import Corrected, JudgeTold
from cutscore.results.wording import count, digits_for, interval, number

PAGE = "judge.html"
# Questions of one rubric item each can be many; the rest is on the pages of the items.
MOST_QUESTIONS = 300


@dataclass(frozen=True)
class ScoreLine:
    """A subject's score, raw and corrected."""

    subject: str
    kind: str
    raw: str
    corrected: str
    because: str


@dataclass(frozen=True)
class JudgeSection:
    """One judge."""

    name: str
    calibrated: bool
    because: str
    plots: tuple[DotPlot, ...]
    scores: tuple[ScoreLine, ...]
    flips: str


@dataclass(frozen=True)
class Asked:
    """One question over all who were judged by it.

    Args:
        answers: `yes 12, no 3`.
        split: Share of answers whose votes were not all alike; empty where it was asked once.
        unread: How often no reply could be read.
        href: An item where it was answered, the doubtful first.
    """

    question: str
    judge: str
    n: int
    answers: str
    split: str
    unread: int
    href: str
    item: str


@dataclass(frozen=True)
class JudgePage:
    """All of it."""

    title: str
    judges: tuple[JudgeSection, ...]
    questions: tuple[Asked, ...]
    left: int


def judge_page(bench: Bench) -> JudgePage | None:
    """Lay out what was judged in a benchmark; None when nothing was."""
    said = [
        (each, entry, place)
        for entry in bench.entries
        for place, row in enumerate(entry.rows, start=1)
        for each in row.judgements
    ]
    if not said:
        return None
    by_question: dict[tuple[str, str], list[tuple[Judgement, Entry, int]]] = {}
    for each in said:
        by_question.setdefault((each[0].judge, each[0].question), []).append(each)
    questions = [_asked(question, judge, told) for (judge, question), told in sorted(by_question.items())]
    names = sorted({each.judge for each, _, _ in said})
    judges = tuple(_judge(place, name, bench.judges) for place, name in enumerate(names, start=1))
    return JudgePage(_title(bench, judges), judges, tuple(questions[:MOST_QUESTIONS]), len(questions[MOST_QUESTIONS:]))


def _title(bench: Bench, judges: Sequence[JudgeSection]) -> str:
    open_ = [each.name for each in judges if not each.calibrated]
    if not open_:
        return f"{bench.name}: every judge is calibrated"
    return f"{bench.name}: {count(len(open_), 'judge')} of {len(judges)} not calibrated"


def _judge(place: int, name: str, known: Iterable[JudgeTold]) -> JudgeSection:
    told = next((each for each in known if each.judge == name), None)
    if told is None:
        return JudgeSection(
            name,
            calibrated=True,
            because="its answers are no opinions of a model, so there is nothing to calibrate",
            plots=(),
            scores=(),
            flips="",
        )
    return JudgeSection(
        name=name,
        calibrated=told.calibrated,
        because=told.because,
        plots=tuple(
            plot
            for number_, part in enumerate(told.parts, start=1)
            if (plot := _plot(f"judge{place}-{number_}", part.title, part.judge, part.people)) is not None
        ),
        scores=tuple(_score(each) for each in told.scores),
        flips=_figure(told.flips) if told.flips is not None else "",
    )


def _plot(id: str, title: str, judge: Sequence[Estimate], people: Sequence[Estimate]) -> DotPlot | None:
    """Draw how far judge and people agree, and people with each other, on the scale of shares."""
    points = [Point(each.name, each) for each in judge if each.scale == (0.0, 1.0) and each.value is not None]
    points += [
        Point(f"people: {each.name}", each) for each in people if each.scale == (0.0, 1.0) and each.value is not None
    ]
    if not points:
        return None
    caption = "Dots are shares or coefficients on held-out labels, bars 95% intervals."
    return laid_out(points, id=id, title=title, axis="", caption=caption, levels=(), ends=whole_scale(points))


def _score(each: Corrected) -> ScoreLine:
    corrected = "uncalibrated" if each.corrected is None else _figure(each.corrected)
    return ScoreLine(each.subject, each.kind.replace("_", "/"), _figure(each.raw), corrected, each.because)


def _figure(estimate: Estimate) -> str:
    digits = digits_for(estimate.scale)
    return f"{number(estimate.value, digits)} {interval(estimate.low, estimate.high, digits)}"


def _asked(question: str, judge: str, told: Sequence[tuple[Judgement, Entry, int]]) -> Asked:
    answers = Counter(str(each.answer) for each, _, _ in told if each.answer is not None)
    voted = [each for each, _, _ in told if len(each.votes) > 1]
    split = [each for each in told if len({str(vote) for vote in each[0].votes}) > 1]
    _, entry, place = (split or list(told))[0]
    return Asked(
        question=question,
        judge=judge,
        n=len(told),
        answers=", ".join(f"{answer[:40]} {n:,}" for answer, n in answers.most_common(6)),
        split=f"{len(split):,} of {len(voted):,}" if voted else "",
        unread=sum(each.answer is None for each, _, _ in told),
        href=f"items/{entry.stem}.html#r{place}",
        item=entry.item,
    )
