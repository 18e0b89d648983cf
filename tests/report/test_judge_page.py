"""The judge page: who judged, how far that can be trusted, what was asked; and opinions on the page of an item."""

from datetime import date

import pytest

from cutscore.core.estimate import Estimate
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judgement
from cutscore.report.judge_page import judge_page
from cutscore.results.calibration import JudgeCalibration
from cutscore.results.judge_card.card import CalibrationCard, CardSection
from cutscore.results.judge_card.correction import CorrectedScore, SubjectScore

JUDGE = "openai/j-1"
NASTY = "<img src=x onerror=alert(1)>"


def share(name: str, value: float | None) -> Estimate:
    ends = {"low": value and value - 0.1, "high": value and min(1.0, value + 0.1)}
    return Estimate(name=name, value=value, n=20, clusters=10, method="m", **ends)


@pytest.fixture
def judged(run):
    """One question with three votes for every answer; the first votes were split, one reply was unreadable."""
    for place, row in enumerate(run.rows):
        votes = ("yes", "no", "yes") if place == 0 else ("yes", "yes", "yes")
        said = Judgement(
            question="q-colour",
            judge=JUDGE,
            answer=None if place == 1 else "yes",
            because=NASTY,
            at=(2, 3),
            votes=votes,
            reasons=("a", "b", "c"),
            flags=("addressed",) if place == 0 else (),
        )
        run.rows[place] = row.model_copy(update={"judge": JUDGE, "judgements": (said,)})
    return run


def score(subject: str, raw: float, corrected: float | None, because: str) -> SubjectScore:
    mended = None if corrected is None else share("rate", corrected)
    return SubjectScore("colorbars", "yes_no", subject, CorrectedScore(share("rate", raw), mended, because))


@pytest.fixture
def calibration() -> JudgeCalibration:
    part = CardSection(
        benchmark="colorbars",
        kind="yes_no",
        n=20,
        unread=0,
        undecided=0,
        unjudged=0,
        tuned=0,
        base_rates={},
        estimates=(share("agreement", 0.9), share("kappa", None)),
        people=(share("kappa", 0.7),),
    )
    other = part.model_copy(update={"benchmark": "another"})
    card = CalibrationCard(
        judge=JUDGE,
        labels="0" * 64,
        date=date(2026, 1, 1),
        version="0.1",
        held_out=True,
        parts=(part, other),
        flips=share("flips", 0.2),
    )
    return JudgeCalibration(
        judge=JUDGE,
        calibrated=True,
        because="card of 2026-01-01, 20 held-out labels",
        scores=(score("oracle", 0.9, 0.8, "Rogan-Gladen"), score("blind", 0.4, None, "uncalibrated: too few")),
        card=card,
    )


def page(run, *known):
    return judge_page(run.site(calibrations=known))


def test_nobody_judged_so_there_is_no_page(run):
    assert page(run) is None


def test_questions_are_counted_over_all_who_were_judged(judged):
    (asked,) = page(judged).questions
    assert (asked.question, asked.judge, asked.n, asked.answers) == ("q-colour", JUDGE, 12, "yes 11")
    assert (asked.split, asked.unread) == ("1 of 12", 1)
    assert (asked.item, asked.because) == (judged.rows[0].item, NASTY)
    assert asked.href.startswith(f"items/{asked.item}.html#r")


def test_a_judge_with_a_card_is_drawn_with_people_beside_it(judged, calibration):
    made = page(judged, calibration)
    (judge,) = made.judges
    assert (made.title, judge.standing) == ("colorbars: the error of 1 of 1 judge is known", "calibrated")
    (plot,) = judge.plots
    assert [dot.label for dot in plot.dots] == ["agreement", "people: kappa"]
    assert judge.flips == "0.200 [0.100, 0.300]"


def test_a_judge_without_a_card_is_said_to_be_uncalibrated(judged):
    nobody = JudgeCalibration(JUDGE, calibrated=False, because="uncalibrated: there is no card for it", scores=())
    made = page(judged, nobody)
    assert made.title == "colorbars: the error of none of 1 judge is known"
    assert made.judges[0].because == "uncalibrated: there is no card for it"


def test_what_computes_its_answers_is_not_praised(judged):
    made = page(judged)
    assert (made.title, made.judges[0].standing) == (
        "colorbars: no model judged, all answers are computed",
        "no opinion",
    )


def test_opinions_stand_inert_on_the_page_of_the_item(build, read, judged, calibration):
    site = build(calibrations=[calibration]).parent
    item = judged.rows[0].item
    page = read(site / "colorbars" / "items" / f"{item}.html")
    assert "What the judge said" in page.text
    assert NASTY in page.text
    assert "it says that the submission addresses the judge" in page.text
    assert page.find("a", **{"aria-label": "Show bars.mp4 at 00:02.000–00:03.000"})
    assert not [tag for tag, attrs in page.tags if tag == "img"]
    judge = read(site / "colorbars" / "judge.html")
    assert "card of 2026-01-01, 20 held-out labels" in judge.text
    for row in (("oracle", "0.900 [0.800, 1.000]", "0.800 [0.700, 0.900]"), ("0.400 [0.300, 0.500]", "uncalibrated")):
        assert " ".join(row) in " ".join(judge.text.replace("yes/no", "").split())
    assert read(site / "colorbars" / "index.html").find("a", href="../colorbars/judge.html")


def test_the_words_of_a_question_are_told_where_findings_begin_with_them(judged):
    (plain,) = judge_page(judged.site()).questions
    for place, row in enumerate(judged.rows):
        why = f"Is the panel red? {'Yes' if place % 2 else 'No'}: it is seen"
        found = (*row.ending.findings, Finding(name="checks/q-colour", value=1, because=why))
        judged.rows[place] = row.model_copy(update={"ending": row.ending.model_copy(update={"findings": found})})
    (told,) = judge_page(judged.site()).questions
    assert (plain.words, told.words) == ("", "Is the panel red?")
