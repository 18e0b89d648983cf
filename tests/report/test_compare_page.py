"""The compare page: what two cells let one say, on which items they differ, and in which settings."""

from dataclasses import replace

import pytest

from cutscore.core.deliverable import Deliverable
from cutscore.report.compare_page import compare_page, pair_finding
from cutscore.report.embed import Media
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
def page(run, tmp_path):
    def page(*found):
        site = run.site(comparisons=[("oracle", "blind", each) for each in found])
        return compare_page(site, Media(tmp_path, clean=str))

    return page


def test_the_verdict_is_a_sentence(found, compared):
    assert pair_finding(found) == "oracle is better than blind"
    unsure = replace(found, judged=replace(found.judged, p_adjusted=0.5))
    assert pair_finding(unsure) == "oracle and blind: no difference seen (could have shown 0.500)"
    few = compared("oracle", "blind", (0.667, 0.1, 1.0), p_adjusted=None, clusters=3)
    assert pair_finding(few) == "oracle and blind: too few clips to decide: 3, needs 7"


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


def test_pairs_without_a_difference_are_rings_whatever_their_interval(page, found):
    dots = page(
        found,
        replace(found, judged=replace(found.judged, p_adjusted=0.5)),
        replace(found, judged=replace(found.judged, p_adjusted=None)),
    ).plot.dots
    assert [(dot.hollow, dot.low_pc != "") for dot in dots] == [(False, True), (True, True), (True, True)]


def test_the_title_says_in_how_many_pairs_a_difference_is_seen(page, found):
    apart = replace(found, judged=replace(found.judged, p_adjusted=0.5))
    assert page(found).title == "colorbars: oracle is better than blind"
    assert page(found, apart).title == "colorbars: a difference is seen in 1 of 2 pairs"
    assert page(apart, apart).title == "colorbars: a difference is seen in none of 2 pairs"
    assert page() is None


def test_a_flip_leads_to_both_films_at_the_second_of_its_reason(page, found, run, clips):
    for place, row in enumerate(run.rows):
        colour = "red" if row.subject == "blind" else "blue"
        film = run.store.put(clips[colour], name="out.mp4", media_type="video/mp4")
        run.rows[place] = row.model_copy(update={"deliverable": Deliverable(files=(film,))})
    (section,) = page(found).pairs
    ((_, _, (first, second)), *_) = section.flips
    assert first.film.endswith(".mp4#t=2.000000")
    assert second.film.endswith(".mp4#t=2.000000")
    assert first.film != second.film


def test_the_page_leads_to_the_items_and_is_led_to(build, read, found):
    site = build(comparisons=[("oracle", "blind", found)]).parent
    page = read(site / "colorbars" / "compare.html")
    assert "oracle is better than blind" in page.text
    assert "subject oracle=folder:oracle blind=folder:blind" in page.text
    links = {attrs["href"] for attrs in page.find("a") if "items/" in attrs["href"]}
    assert {"items/blue-3.html", "items/blue-3.html#r2-f1", "items/blue-3.html#r3-f1"} <= links
    assert read(site / "colorbars" / "index.html").find("a", href="../colorbars/compare.html")
