"""Rows and judges' cards → the judge page: who judged, how far that can be trusted, and what was asked and answered.

A judge without a card says that nobody has measured its error. With one, its agreement with people is drawn with
intervals, and scores stand beside what they would be without its errors.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cutscore.core.judgement import Judgement
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, natural_key
from cutscore.report.criteria import shared_sentence
from cutscore.report.plot import DotPlot, Point, lay_out_plot, whole_scale
from cutscore.results.calibration import JudgeCalibration
from cutscore.results.judge_card.card import CardSection
from cutscore.results.judge_card.correction import SubjectScore
from cutscore.results.wording import count, figures

PAGE = "judge.html"
# Questions of one rubric item each can be many; the rest is on the pages of the items.
MOST_QUESTIONS = 300


@dataclass(frozen=True)
class JudgeSection:
    """One judge."""

    name: str
    standing: Literal["calibrated", "not calibrated", "no opinion"]
    because: str
    plots: tuple[DotPlot, ...] = ()
    scores: tuple[SubjectScore, ...] = ()
    flips: str = ""


@dataclass(frozen=True)
class QuestionSummary:
    """One question over all who were judged by it: `yes 12, no 3`, and an item with a doubtful answer if there is one.

    `words` are what it asks in that item, where findings tell; `because` is the reason of that answer. `split` is the
    share of answers whose votes were not all alike; empty where it was asked once.
    """

    question: str
    judge: str
    n: int
    answers: str
    split: str
    unread: int
    href: str
    item: str
    words: str
    because: str


@dataclass(frozen=True)
class JudgePage:
    """Who judged a benchmark, and what was asked; `left` is how many questions the page leaves out."""

    title: str
    judges: tuple[JudgeSection, ...]
    questions: tuple[QuestionSummary, ...]
    left: int


def judge_page(bench: BenchmarkSite) -> JudgePage | None:
    """Lay out what was judged in a benchmark; None when nothing was."""
    answers = [
        (each, item, place)
        for item in bench.items
        for place, row in enumerate(item.rows, start=1)
        for each in row.judgements
    ]
    if not answers:
        return None
    by_question: dict[tuple[str, str], list[tuple[Judgement, SiteItem, int]]] = {}
    for each in answers:
        by_question.setdefault((each[0].judge, each[0].question), []).append(each)
    questions = [
        _question(question, judge, given) for (judge, question), given in sorted(by_question.items(), key=_in_order)
    ]
    known = [each for result in bench.results for each in result.calibrations]
    judges = tuple(
        _judge(place, name, bench.name, known)
        for place, name in enumerate(sorted({each.judge for each, _, _ in answers}), start=1)
    )
    return JudgePage(_title(bench, judges), judges, tuple(questions[:MOST_QUESTIONS]), len(questions[MOST_QUESTIONS:]))


def _in_order(asked: tuple[tuple[str, str], object]) -> tuple[str, object]:
    (judge, question), _ = asked
    return judge, natural_key(question)


def _title(bench: BenchmarkSite, judges: Sequence[JudgeSection]) -> str:
    """Say of how many judges the error is known; what computes its answers is not praised for having none."""
    asked = [each for each in judges if each.standing != "no opinion"]
    if not asked:
        return f"{bench.name}: no model judged, all answers are computed"
    known = sum(each.standing == "calibrated" for each in asked)
    return f"{bench.name}: the error of {known or 'none'} of {count(len(asked), 'judge')} is known"


def _judge(place: int, name: str, bench: str, known: Iterable[JudgeCalibration]) -> JudgeSection:
    found = next((each for each in known if each.judge == name), None)
    if found is None:
        because = (
            "Its answers are computed or given by people, no opinions of a model: how a model would judge is not known."
        )
        return JudgeSection(name, "no opinion", because)
    parts = [part for part in (found.card.parts if found.card else ()) if part.benchmark == bench]
    drawn = (_plot(f"judge{place}-{number}", part) for number, part in enumerate(parts, start=1))
    return JudgeSection(
        name=name,
        standing="calibrated" if found.calibrated else "not calibrated",
        because=found.because,
        plots=tuple(plot for plot in drawn if plot is not None),
        scores=found.scores,
        flips=" ".join(figures(found.card.flips)) if found.card else "",
    )


def _plot(id: str, part: CardSection) -> DotPlot | None:
    """Draw how far judge and people agree, and people with each other, on the scale of shares."""
    named = [*((each.name, each) for each in part.estimates), *((f"people: {each.name}", each) for each in part.people)]
    points = [Point(name, each) for name, each in named if each.scale == (0.0, 1.0) and each.value is not None]
    if not points:
        return None
    group = ", ".join(f"{name} {value}" for name, value in part.group.items())
    title = f"{part.kind.replace('_', '/')}{f', {group}' if group else ''}, {count(part.n, 'question')}"
    caption = "Dots are shares or coefficients on held-out labels, bars 95% intervals."
    return lay_out_plot(points, id=id, title=title, axis="", caption=caption, levels=(), ends=whole_scale(points))


def _question(question: str, judge: str, given: Sequence[tuple[Judgement, SiteItem, int]]) -> QuestionSummary:
    answers = Counter(str(each.answer) for each, _, _ in given if each.answer is not None)
    voted = [each for each, _, _ in given if len(each.votes) > 1]
    split = [each for each in given if len({str(vote) for vote in each[0].votes}) > 1]
    said, item, place = (split or list(given))[0]
    return QuestionSummary(
        question=question,
        judge=judge,
        n=len(given),
        answers=", ".join(f"{answer[:40]} {n:,}" for answer, n in answers.most_common(6)),
        split=f"{len(split):,} of {len(voted):,}" if voted else "",
        unread=sum(each.answer is None for each, _, _ in given),
        href=f"items/{item.stem}.html#r{place}",
        item=item.id,
        words=_words(question, item),
        because=said.because,
    )


def _words(question: str, item: SiteItem) -> str:
    """Return the sentence that findings about a question begin with; they are named by the question, or end with it."""
    found = (each for row in item.rows for each in row.ending.findings if each.name.rpartition("/")[2] == question)
    return shared_sentence([each.because for each in found])
