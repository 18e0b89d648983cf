"""Orders of clips: the three factors by hand and against brute force, and everything that is no order."""

from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.sequencing.order_score import OrderScore, order_score, refuse_order
from cutscore.core.errors import Unscored
from cutscore.scoring.verifiers.refusal import Refusal


def brute(predicted: list[str], truth: list[str]) -> tuple[Fraction, Fraction, Fraction]:
    """ND, LIS and ADJ written from the paper's equations in another way: dynamic programme, set of pairs, search."""
    n = len(truth)
    moved = sum(abs(predicted.index(clip) - truth.index(clip)) for clip in truth)
    longest = [1] * n
    for j in range(n):
        for i in range(j):
            if truth.index(predicted[i]) < truth.index(predicted[j]):
                longest[j] = max(longest[j], longest[i] + 1)
    pairs = {(truth[i], truth[i + 1]) for i in range(n - 1)}
    kept = len(pairs & {(predicted[i], predicted[i + 1]) for i in range(n - 1)})
    return Fraction(moved, (n * n - n % 2) // 2), Fraction(max(longest), n), Fraction(kept, n - 1)


def factors(score: OrderScore) -> tuple[float, float, float, float]:
    return score.nd, score.lis, score.adj, score.score


@pytest.mark.parametrize(
    ("predicted", "nd", "lis", "adj", "score"),
    [
        ("abcd", 0, 1, 1, 1),
        ("dcba", 1, 1 / 4, 0, 0),  # 3 + 1 + 1 + 3 = 8 of 8
        ("bacd", 2 / 8, 3 / 4, 1 / 3, 0.75 * 0.75 / 3),  # only c → d is left of the cuts
        ("abdc", 2 / 8, 3 / 4, 1 / 3, 0.75 * 0.75 / 3),
        ("acbd", 2 / 8, 3 / 4, 0, 0),  # a swap in the middle breaks every cut
        ("dabc", 6 / 8, 3 / 4, 2 / 3, 0.25 * 0.75 * 2 / 3),
        ("cdab", 1, 2 / 4, 2 / 3, 0),  # as far off as a reversal, with two cuts right
    ],
)
def test_four_clips_by_hand(predicted: str, nd: float, lis: float, adj: float, score: float) -> None:
    found = order_score(list(predicted), list("abcd"))
    assert factors(found) == pytest.approx((nd, lis, adj, score))
    assert found.strict is (predicted == "abcd")


def test_two_clips_are_right_or_reversed() -> None:
    assert factors(order_score(["a", "b"], ["a", "b"])) == (0, 1, 1, 1)
    assert factors(order_score(["b", "a"], ["a", "b"])) == (1, 1 / 2, 0, 0)


def test_the_papers_nine_clips_in_perfect_order() -> None:
    clips = [f"clip{number}" for number in range(9)]  # Appendix B.1
    assert factors(order_score(clips, clips)) == (0, 1, 1, 1)
    assert order_score(clips, clips).because == "in place 1.000 × longest run in order 9/9 × cuts kept 8/8 = 1.000"


@pytest.mark.parametrize("n", range(2, 7))
def test_every_order_of_few_clips_agrees_with_brute_force(n: int) -> None:
    truth = [f"c{number}" for number in range(n)]
    best = 0
    for order in permutations(truth):
        found = order_score(list(order), truth)
        assert (found.nd, found.lis, found.adj) == tuple(map(float, brute(list(order), truth)))
        best = max(best, found.displaced)
    assert best == n * n // 2  # what ND is divided by can be reached


@pytest.mark.parametrize("n", range(7, 21))
def test_orders_of_seven_to_twenty_clips_agree_with_brute_force(n: int) -> None:
    draw, truth = Random(n), [f"c{number}" for number in range(n)]
    for swaps in (0, 1, 2, 5, 50):
        order = truth.copy()
        for _ in range(swaps):
            i, j = draw.sample(range(n), 2)
            order[i], order[j] = order[j], order[i]
        nd, lis, adj = brute(order, truth)
        found = order_score(order, truth)
        assert factors(found) == tuple(map(float, (nd, lis, adj, (1 - nd) * lis * adj)))
    assert factors(order_score(truth[::-1], truth)) == (1, 1 / n, 0, 0)


@pytest.mark.parametrize("order", ["badcfeg", "gfabcde", "cadbgef"])
def test_the_backbone_is_the_largest_subset_in_order(order: str) -> None:
    most = max(size for size in range(8) for some in combinations(order, size) if list(some) == sorted(some))
    assert order_score(list(order), list("abcdefg")).backbone == most


@pytest.mark.parametrize(
    ("predicted", "name", "because"),
    [
        ([], "missing", "the order lacks 3 of 3 clips, first 'a'"),
        (["a", "b"], "missing", "the order lacks 1 of 3 clips, first 'c'"),
        (["a", "b", "b"], "duplicate", "the order has 'b' more than once"),
        (["a", "b", "c", "a"], "duplicate", "the order has 'a' more than once"),
        (["a", "b", "c"] * 500_000, "duplicate", "the order has 'a' more than once"),
    ],
)
def test_what_is_no_order_is_refused_by_name(predicted: list[str], name: str, because: str) -> None:
    found = order_score(predicted, ["a", "b", "c"])
    assert found.refusal == Refusal(name, because)
    assert factors(found) == (1, 0, 0, 0)
    assert found.strict is False
    assert found.because == because


def test_a_refused_order_of_two_is_not_strictly_right() -> None:
    refused = refuse_order(2, Refusal("missing", "solution.json was not delivered"))
    assert (refused.strict, refused.score) == (False, 0)


@pytest.mark.parametrize("truth", [[], ["a"], ["a", "a"]])
def test_a_truth_that_is_no_order_is_our_failure(truth: list[str]) -> None:
    with pytest.raises(Unscored, match="different clips in"):
        order_score(truth, truth)


ORDERS = st.integers(2, 20).flatmap(lambda n: st.permutations(range(n)))


@given(ORDERS, st.randoms(use_true_random=False))
def test_names_of_clips_do_not_matter(order: list[int], draw: Random) -> None:
    names = [f"x{number}" for number in range(len(order))]
    draw.shuffle(names)
    plain = order_score([str(place) for place in order], [str(place) for place in range(len(order))])
    assert order_score([names[place] for place in order], names) == plain


@given(ORDERS)
def test_factors_stay_in_range_and_only_the_truth_gets_full_marks(order: list[int]) -> None:
    found = order_score([str(place) for place in order], [str(place) for place in range(len(order))])
    assert all(0 <= value <= 1 for value in factors(found))
    assert (found.score == 1) is found.strict is (order == sorted(order))
    assert found.lis >= 1 / len(order)
