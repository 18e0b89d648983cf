"""The compare page: what two cells let one say, on which items they differ, and in which settings."""

from dataclasses import replace

import pytest

from cutscore.core.estimate import Difference, Estimate
from cutscore.report.duels import compare_page, verdict
from cutscore.report.gather import gather
from cutscore.results.report_data import Duel, Flipped


@pytest.fixture
def duel(run) -> Duel:
    estimate = Estimate(name="accuracy", value=0.667, low=0.1, high=1.0, n=3, clusters=3, scale=(-1, 1), method="m")
    return Duel(
        benchmark="colorbars",
        version="1",
        first=run.of("oracle")[0].cell,
        second=run.of("blind")[0].cell,
        difference=Difference(estimate=estimate, first="oracle", second="blind"),
        separable=True,
        p_adjusted=0.0002,
        test="sign flips of clusters",
        detectable=0.5,
        unscored=1,
        differ=3,
        flips=(Flipped("blue-3", 1.0, 0.0, "answered blue", "answered red"), Flipped("green-2", 1.0, 0.0)),
        settings=(("frames", "uniform=4", "–"), ("judge", "<b>a</b>", "b")),
    )


@pytest.fixture
def page(run):
    def page(*duels: Duel):
        (bench,) = gather(run.rows, run.results, [], duels=duels, cards=run.cards, clean=str)
        return compare_page(bench)

    return page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "oracle is ahead of blind by 0.667"),
        ({"separable": False}, "oracle and blind are not separable at 95%"),
        (
            {"separable": None, "lacking": 6},
            "oracle and blind cannot be told apart: too few clusters, 3 and it takes 6",
        ),
    ],
)
def test_the_verdict_is_a_sentence(duel, change, said):
    assert verdict(replace(duel, **change), "oracle", "blind") == said


def test_whoever_is_ahead_is_named_first(duel):
    behind = duel.difference.estimate.model_copy(update={"value": -0.25})
    turned = replace(duel, difference=duel.difference.model_copy(update={"estimate": behind}))
    assert verdict(turned, "oracle", "blind") == "blind is ahead of oracle by 0.250"
    nothing = behind.model_copy(update={"value": None, "low": None, "high": None, "n": 0, "clusters": 0})
    none = replace(duel, difference=duel.difference.model_copy(update={"estimate": nothing}), separable=None)
    assert verdict(none, "a", "b") == "a and b have no marked item in common"


def test_figures_flips_and_what_is_left(page, duel):
    (section,) = page(duel).duels
    figures = dict(section.figures)
    assert figures["difference"] == "0.667"
    assert (figures["adjusted p"], figures["could have shown"], figures["unscored"]) == ("<0.001", "0.500", "1")
    assert [(flip.item, flip.first.text, flip.second.because) for flip in section.flips] == [
        ("blue-3", "1.000", "answered red"),
        ("green-2", "1.000", ""),
    ]
    assert section.more == "on 1 other item"


def test_pairs_that_cannot_be_told_apart_are_rings_whatever_their_interval(page, duel):
    dots = page(duel, replace(duel, separable=False), replace(duel, separable=None)).plot.dots
    assert [(dot.hollow, dot.low_pc != "") for dot in dots] == [(False, True), (True, True), (True, True)]


def test_the_title_says_how_many_pairs_can_be_told_apart(page, duel):
    apart = replace(duel, separable=False)
    assert page(duel).title == "colorbars: the two can be told apart"
    assert page(apart).title == "colorbars: the two cannot be told apart"
    assert page(duel, apart).title == "colorbars: 1 of 2 pairs can be told apart"
    assert page(apart, apart).title == "colorbars: none of 2 pairs can be told apart"
    assert page() is None


def test_the_page_leads_to_the_items_and_is_led_to(build, read, duel):
    site = build(duels=[duel]).parent
    page = read(site / "colorbars" / "compare.html")
    assert "oracle is ahead of blind by 0.667" in page.text
    assert "frames uniform=4 –" in page.text
    assert "<b>a</b>" in page.text
    links = {attrs["href"] for attrs in page.find("a") if "items/" in attrs["href"]}
    assert {"items/blue-3.html", "items/blue-3.html#r2", "items/blue-3.html#r3"} <= links
    for name, href in (("index.html", "colorbars/compare.html"), ("colorbars/index.html", "compare.html")):
        assert read(site / name).find("a", href=href)
