"""Pairs of cells → verdicts: planted differences of which the answer is known by hand."""

import pytest

from cutscore.core.card import Card
from cutscore.registry import benchmark
from cutscore.results.comparison import Comparison, ScorePair, compare_scores
from cutscore.results.estimates import ItemScores, ScoreView


@pytest.fixture(scope="module")
def card() -> Card:
    return benchmark("colorbars").card


def scores(*values: float | None, clips: int = 1, start: int = 0) -> ItemScores:
    """Scores of items in a row; None was asked and has no mark. `clips` items share a clip."""
    names = [f"item-{start + place:02d}" for place in range(len(values))]
    marked = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    return ItemScores("who", marked, {name: f"clip {place // clips}" for place, name in enumerate(names)})


def matched(first: ItemScores, second: ItemScores, card: Card, *, times: int = 1) -> tuple[Comparison, ...]:
    return compare_scores([ScorePair(first, second, card, ScoreView("accuracy"))] * times)


def test_independent_yes_or_no_is_mcnemar(card: Card) -> None:
    """Eight won, two lost: 2 · (1 + 10 + 45) / 2¹⁰."""
    (found,) = matched(scores(*[1.0] * 8, 0.0, 0.0), scores(*[0.0] * 8, 1.0, 1.0), card)
    assert (found.test.method, found.separable, found.tests) == ("McNemar, exact", False, 1)
    assert found.test.p_value == found.p_adjusted == pytest.approx(112 / 1024)
    assert found.difference.estimate.value == pytest.approx(0.6)


def test_items_of_one_clip_flip_together(card: Card) -> None:
    """Sixteen items in eight clips, all won: 2 / 2⁸, not 2 / 2¹⁶."""
    (found,) = matched(scores(*[1.0] * 16, clips=2), scores(*[0.0] * 16, clips=2), card)
    assert (found.test.p_value, found.test.clusters, found.separable) == (2 / 2**8, 8, True)


def test_what_is_shown_together_is_adjusted_together(card: Card) -> None:
    """2 / 2⁸ alone is below 5%, and among seven it is not: 7 · 2 / 2⁸ = 5.5%."""
    first, second = scores(*[0.75] * 8), scores(*[0.25] * 8)
    (alone,), many = matched(first, second, card), matched(first, second, card, times=7)
    assert (alone.separable, alone.judged.needed, alone.too_few) == (True, 6, False)
    assert {(each.p_adjusted, each.separable, each.tests) for each in many} == {(7 * 2 / 2**8, False, 7)}
    # And it could not have been: eight clusters can show nothing among seven, nine can.
    assert {(each.judged.needed, each.too_few, each.detectable) for each in many} == {(9, True, None)}


def test_a_family_of_hundreds_can_still_show_something(card: Card) -> None:
    """Draws grow with the family: the smallest p of 10,000 draws, times 600, would always be above 5%."""
    found = matched(scores(*[0.75] * 20), scores(*[0.25] * 20), card, times=600)
    assert all(each.separable for each in found)


def test_reach_is_told_for_all_tests_together(card: Card) -> None:
    first, second = scores(*[1.0, 0.0, 1.0, 0.5] * 5), scores(*[0.0, 1.0, 0.5, 0.5] * 5)
    (alone,), (one, *_) = matched(first, second, card), matched(first, second, card, times=3)
    assert alone.detectable is not None
    assert one.detectable is not None
    assert alone.detectable < one.detectable


@pytest.mark.parametrize(
    ("first", "second", "method"),
    [
        (scores(1.0), scores(0.0), "undefined: one cluster"),
        (scores(1.0, 1.0, clips=2), scores(0.0, 0.0, clips=2), "undefined: one cluster"),
        (scores(1.0), scores(1.0, start=1), "undefined: no samples"),
        (scores(None, None), scores(1.0, 1.0), "undefined: no samples"),
    ],
)
def test_what_cannot_be_tested_has_no_verdict_and_does_not_count(
    card: Card, first: ItemScores, second: ItemScores, method: str
) -> None:
    good, bad = scores(*[1.0] * 8), scores(*[0.0] * 8)
    view = ScoreView("accuracy")
    found, other = compare_scores([ScorePair(first, second, card, view), ScorePair(good, bad, card, view)])
    assert (found.test.method, found.test.p_value, found.p_adjusted, found.separable) == (method, None, None, None)
    assert (other.p_adjusted, other.tests) == (2 / 2**8, 1)


def test_a_tie_is_not_separable(card: Card) -> None:
    (found,) = matched(scores(*[0.5] * 8), scores(*[0.5] * 8), card)
    assert (found.tied, found.p_adjusted, found.separable, found.detectable) == (True, 1.0, False, None)
    assert found.difference.estimate.low is None


def test_left_out_is_told_from_unscored(card: Card) -> None:
    """The first was asked items 0 to 5, the second 2 to 7; items 3 and 4 lack a mark on one side."""
    first, second = scores(1.0, 1.0, 1.0, None, 1.0, 1.0), scores(0.0, 0.0, None, 0.0, 0.0, 0.0, start=2)
    (found,) = matched(first, second, card)
    made = found.difference
    assert (made.only_first, made.only_second, found.unscored, made.estimate.n) == (2, 2, 2, 2)


def test_one_cluster_is_too_few_and_says_what_it_takes(card: Card) -> None:
    (alone,) = matched(scores(1.0), scores(0.0), card)
    assert (alone.separable, alone.tests, alone.lacking) == (None, 0, 6)
    (same,) = matched(scores(1.0), scores(1.0), card)
    assert (same.separable, same.lacking) == (False, 0), "no item tells them apart, and more of the like would not"


def test_what_is_separable_is_never_too_few(card: Card) -> None:
    """Holm asks of six clusters 2 / 2⁶ · 1 once the other pair has passed, though 7 would be needed to come first."""
    view = ScoreView("accuracy")
    sure, six = (ScorePair(scores(*[1.0] * n), scores(*[0.0] * n), card, view) for n in (20, 6))
    _, found = compare_scores([sure, six])
    assert (found.judged.needed, found.p_adjusted, found.separable, found.too_few, found.lacking) == (
        7,
        2 / 2**6,
        True,
        False,
        0,
    )


def test_what_every_command_says_of_a_pair(card: Card) -> None:
    (few,) = matched(scores(*[1.0] * 4), scores(*[0.0] * 4), card)
    plain = few.as_json()
    assert list(plain) == [
        "estimate", "first", "second", "leaves_out_zero", "only_first", "only_second", "separable", "verdict",
        "p_value", "p_adjusted", "test", "tests", "needed", "detectable", "unscored",
    ]  # fmt: skip
    assert (plain["separable"], plain["p_adjusted"], plain["tests"], plain["needed"]) == (False, 0.125, 1, 6)
