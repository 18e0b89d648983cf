"""The compare page: what two cells let one say, on which items they differ, and in which settings."""

from dataclasses import replace

import pytest

from cutscore.report.compare_page import compare_page, pair_finding
from cutscore.results.comparison import ScorePair
from cutscore.results.estimates import ScoreView, item_scores


@pytest.fixture
def found(run, compared):
    """Oracle is ahead of blind by two items of three."""
    view = ScoreView("accuracy")
    scores = [item_scores(run.of(who), run.cards["colorbars"], view, label=who) for who in ("oracle", "blind")]
    made = compared("oracle", "blind", (0.667, 0.1, 1.0), p_adjusted=0.0002)
    return replace(made, scores=ScorePair(*scores, run.cards["colorbars"], view), unscored=1)


@pytest.fixture
def page(run):
    def page(*found):
        return compare_page(run.site(comparisons=[("oracle", "blind", each) for each in found]))

    return page


def test_the_verdict_is_a_sentence(found, compared):
    assert pair_finding(found, "oracle", "blind") == "oracle is ahead of blind by 0.667"
    unsure = replace(found, judged=replace(found.judged, p_adjusted=0.5))
    assert pair_finding(unsure, "oracle", "blind") == "oracle and blind are not separable at 95%"
    few = compared("oracle", "blind", (0.667, 0.1, 1.0), p_adjusted=None, clusters=3)
    said = "oracle and blind cannot be told apart: too few clusters, 3 and it takes 7"
    assert pair_finding(few, "oracle", "blind") == said


def test_whoever_is_ahead_is_named_first(found, compared):
    turned = compared("oracle", "blind", (-0.25, -0.5, 0.0), p_adjusted=0.01)
    assert pair_finding(turned, "oracle", "blind") == "blind is ahead of oracle by 0.250"
    none = compared("a", "b", (None, None, None), p_adjusted=None)
    assert pair_finding(none, "a", "b") == "a and b have no marked item in common"


def test_figures_flips_and_what_is_left(page, found, monkeypatch):
    monkeypatch.setattr("cutscore.report.compare_page.MOST_FLIPS", 1)
    (section,) = page(found).pairs
    figures = dict(section.figures)
    assert figures["difference"] == "0.667"
    assert (figures["adjusted p"], figures["could have shown"], figures["unscored"]) == ("<0.001", "0.500", "1")
    ((item, _, (first, second)),) = section.flips
    assert (item, first.text, second.text) == ("blue-3", "1.000", "0.000")
    assert second.because == "answered red; the clip is blue from 2.0 s on"
    assert section.more == "on 1 other item"
    assert ("subject", "folder:oracle", "folder:blind") in [
        (name, *(value.rpartition("=")[2] for value in both)) for name, *both in section.settings
    ]


def test_pairs_that_cannot_be_told_apart_are_rings_whatever_their_interval(page, found):
    dots = page(
        found,
        replace(found, judged=replace(found.judged, p_adjusted=0.5)),
        replace(found, judged=replace(found.judged, p_adjusted=None)),
    ).plot.dots
    assert [(dot.hollow, dot.low_pc != "") for dot in dots] == [(False, True), (True, True), (True, True)]


def test_the_title_says_how_many_pairs_can_be_told_apart(page, found):
    apart = replace(found, judged=replace(found.judged, p_adjusted=0.5))
    assert page(found).title == "colorbars: the two can be told apart"
    assert page(apart).title == "colorbars: the two cannot be told apart"
    assert page(found, apart).title == "colorbars: 1 of 2 pairs can be told apart"
    assert page(apart, apart).title == "colorbars: none of 2 pairs can be told apart"
    assert page() is None


def test_the_page_leads_to_the_items_and_is_led_to(build, read, found):
    site = build(comparisons=[("oracle", "blind", found)]).parent
    page = read(site / "colorbars" / "compare.html")
    assert "oracle is ahead of blind by 0.667" in page.text
    assert "subject oracle=folder:oracle blind=folder:blind" in page.text
    links = {attrs["href"] for attrs in page.find("a") if "items/" in attrs["href"]}
    assert {"items/blue-3.html", "items/blue-3.html#r2", "items/blue-3.html#r3"} <= links
    for name, href in (("index.html", "colorbars/compare.html"), ("colorbars/index.html", "compare.html")):
        assert read(site / name).find("a", href=href)
