"""The judge page: who judged, how far that can be trusted, what was asked; and opinions on the page of an item."""

import pytest

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import Judgement
from cutscore.report.gather import gather
from cutscore.report.judging import judge_page
from cutscore.results.report_data import Calibrated, Corrected, JudgeTold

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


@pytest.fixture
def told() -> JudgeTold:
    return JudgeTold(
        benchmark="colorbars",
        version="1",
        judge=JUDGE,
        calibrated=True,
        because="card of 2026-01-01, 20 held-out labels",
        scores=(
            Corrected("oracle", "yes_no", share("rate", 0.9), share("rate", 0.8), "Rogan-Gladen"),
            Corrected("blind", "yes_no", share("rate", 0.4), None, "uncalibrated: too few"),
        ),
        parts=(
            Calibrated("yes/no, 20 questions", (share("agreement", 0.9), share("kappa", None)), (share("kappa", 0.7),)),
        ),
        flips=share("flips", 0.2),
    )


def page(run, *told):
    (bench,) = gather(run.rows, run.results, [], judges=told, cards=run.cards, clean=str)
    return judge_page(bench)


def test_nobody_judged_so_there_is_no_page(run):
    assert page(run) is None


def test_questions_are_counted_over_all_who_were_judged(judged):
    (asked,) = page(judged).questions
    assert (asked.question, asked.judge, asked.n, asked.answers) == ("q-colour", JUDGE, 12, "yes 11")
    assert (asked.split, asked.unread) == ("1 of 12", 1)
    assert asked.item == judged.rows[0].item
    assert asked.href.startswith(f"items/{asked.item}.html#r")


def test_a_judge_with_a_card_is_drawn_with_people_beside_it(judged, told):
    made = page(judged, told)
    (judge,) = made.judges
    assert (made.title, judge.calibrated) == ("colorbars: every judge is calibrated", True)
    (plot,) = judge.plots
    assert [dot.label for dot in plot.dots] == ["agreement", "people: kappa"]
    assert [(line.subject, line.raw, line.corrected) for line in judge.scores] == [
        ("oracle", "0.900 [0.800, 1.000]", "0.800 [0.700, 0.900]"),
        ("blind", "0.400 [0.300, 0.500]", "uncalibrated"),
    ]
    assert judge.flips == "0.200 [0.100, 0.300]"


def test_a_judge_without_a_card_is_said_to_be_uncalibrated(judged):
    nobody = JudgeTold("colorbars", "1", JUDGE, calibrated=False, because="uncalibrated: there is no card for it")
    made = page(judged, nobody)
    assert made.title == "colorbars: 1 judge of 1 not calibrated"
    assert made.judges[0].because == "uncalibrated: there is no card for it"


def test_opinions_stand_inert_on_the_page_of_the_item(build, read, judged, told):
    site = build(judges=[told]).parent
    item = judged.rows[0].item
    page = read(site / "colorbars" / "items" / f"{item}.html")
    assert "What the judge said" in page.text
    assert NASTY in page.text
    assert "it says that the submission addresses the judge" in page.text
    assert page.find("a", **{"aria-label": "Show bars.mp4 at 00:02.000–00:03.000"})
    assert not [tag for tag, attrs in page.tags if tag == "img"]
    judge = read(site / "colorbars" / "judge.html")
    assert "card of 2026-01-01, 20 held-out labels" in judge.text
    for name, href in (("index.html", "colorbars/judge.html"), ("colorbars/index.html", "judge.html")):
        assert read(site / name).find("a", href=href)
