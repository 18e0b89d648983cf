"""Whether a metric prefers what people prefer: the formula of G.2 by hand, and by a plain count of its own."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.stats.preferences import agrees, preference_agreement, preference_shares, tie_threshold

# Ten pairs: what people said, and score of A less score of B. 2 of 10 are ties, so tau is the 20th percentile of the
# absolute differences 0.1 … 1.0, at place 0.2 × 9 = 1.8 of them: 0.2 + 0.8 × 0.1 = 0.28.
SAID = ["A", "A", "A", "B", "B", "B", "A", "B", "neither", "neither"]
GAPS = [1.0, 0.9, 0.1, -0.8, -0.7, 0.6, -0.5, -0.4, 0.2, -0.3]


def plain_count(said: list[str], gaps: list[float]) -> float:
    """The agreement as the paper writes it, without a line of ours."""
    ordered = sorted(abs(gap) for gap in gaps)
    place = said.count("neither") / len(said) * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    tau = ordered[low] + (place - low) * (ordered[high] - ordered[low])
    correct = incorrect = unclear = unclear_as_tie = 0
    for one, gap in zip(said, gaps, strict=True):
        if one == "neither":
            unclear += 1
            unclear_as_tie += abs(gap) <= tau + 1e-12
        elif (one == "A" and gap > 0) or (one == "B" and gap < 0):
            correct += 1
        else:
            incorrect += 1
    return (correct + unclear_as_tie) / (correct + incorrect + unclear)


def test_the_formula_by_hand() -> None:
    tau = tie_threshold(GAPS, 0.2)
    assert tau == pytest.approx(0.28)
    found = preference_agreement(SAID, GAPS, [str(n) for n in range(10)], threshold=tau)
    # 6 of 8 clear ones match (the third, within tau, as well); of the ties 0.2 is one, 0.3 is not.
    assert found.rate.value == pytest.approx(0.7)
    assert found.rate.value == pytest.approx(plain_count(SAID, GAPS))
    # Half of the 8 clear ones, and ties as often as the 2 of 10 differences that are tau at most.
    assert found.chance == pytest.approx(0.8 / 2 + 0.2 * 0.2)
    # Kappa: the metric says neither to the 3rd and 9th. Same answer: 6 of 10; people 4/4/2, metric 3/5/2.
    assert found.kappa.value == pytest.approx((0.6 - 0.36) / (1 - 0.36))


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["A", "B", "neither"]), st.integers(-9, 9)), min_size=2, max_size=30))
def test_any_pairs_as_counted_plainly_and_whoever_is_called_a(pairs: list[tuple[str, int]]) -> None:
    said, gaps = [one for one, _ in pairs], [float(gap) for _, gap in pairs]
    tau = tie_threshold(gaps, said.count("neither") / len(said))
    clusters = [str(n) for n in range(len(pairs))]
    found = preference_agreement(said, gaps, clusters, threshold=tau, resamples=100)
    assert found.rate.value == pytest.approx(plain_count(said, gaps))
    swapped = [{"A": "B", "B": "A"}.get(one, one) for one in said]
    other = preference_agreement(swapped, [-gap for gap in gaps], clusters, threshold=tau, resamples=100)
    assert other.rate.value == found.rate.value
    assert other.chance == found.chance
    assert other.kappa.value == pytest.approx(found.kappa.value) if found.kappa.value is not None else True


def test_chance_is_what_labels_dealt_at_random_get() -> None:
    draw = random.Random(1)
    said = ["A"] * 30 + ["B"] * 14 + ["neither"] * 16
    gaps = [draw.choice([0.0, 0.1, 0.5, -0.2, -0.6, 1.0]) for _ in said]
    tau = tie_threshold(gaps, 16 / 60)
    total = 0.0
    for _ in range(1000):
        dealt = [draw.choice([one, {"A": "B", "B": "A"}.get(one, one)]) for one in draw.sample(said, len(said))]
        total += sum(agrees(one, gap, tau) for one, gap in zip(dealt, gaps, strict=True)) / len(said)
    found = preference_agreement(said, gaps, [str(n) for n in range(60)], threshold=tau)
    assert found.chance == pytest.approx(total / 1000, abs=0.01)


def test_a_metric_that_is_the_same_for_all_prefers_nobody() -> None:
    found = preference_agreement(["A", "B", "neither"], [0.0, 0.0, 0.0], ["a", "b", "c"], threshold=0.0)
    assert found.rate.value == pytest.approx(1 / 3)


def test_nobody_ties_where_people_saw_no_tie() -> None:
    assert tie_threshold([1.0, -2.0], 0.0) == 0.0
    assert preference_agreement(["A", "B"], [1.0, -2.0], ["a", "b"], threshold=0.0).kappa.value == 1.0


def test_a_difference_on_the_percentile_is_within_it() -> None:
    tau = tie_threshold([0.1, 0.2, 0.3, 0.4], 1 / 3)
    assert tau < 0.2  # by the last bit
    assert agrees("neither", 0.2, tau)
    assert not agrees("neither", 0.2001, tau)


def test_opponents_count_alike_however_often_they_were_met() -> None:
    often = {("good", "weak"): ["A"] * 98, ("good", "strong"): ["B", "B"]}
    assert preference_shares(often) == {"good": 0.5, "strong": 1.0, "weak": 0.0}


def test_the_printed_agreements_are_shares_of_sixty_and_of_thirty_five() -> None:
    """Table 4 of CoVEBench: G.2 speaks of 60 pairs, and five of its eight figures are no share of 60."""
    printed = [93.3, 85.7, 90.0, 91.4, 85.7, 91.4, 85.0, 85.7]
    fits = {n: [any(round(100 * k / n, 1) == each for k in range(n + 1)) for each in printed] for n in (35, 60)}
    assert fits[60] == [True, False, True, False, False, False, True, False]
    assert all(thirty or sixty for thirty, sixty in zip(fits[35], fits[60], strict=True))
