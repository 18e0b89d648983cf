"""Slots: the paper's correction by hand, chance by enumeration, empty and repeated clips."""

from itertools import product
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.assembly.verify.slots import SlotScore, SlotTruth, slot_score
from cutscore.core.errors import Unscored
from cutscore.scoring.verifiers.refusal import Refusal


def board(*candidates: int) -> dict[str, SlotTruth]:
    return {f"s{place}": SlotTruth(f"golden{place}", k) for place, k in enumerate(candidates, 1)}


def choose(truth: dict[str, SlotTruth], right: int) -> dict[str, str | None]:
    return {name: slot.golden if place < right else "other" for place, (name, slot) in enumerate(truth.items())}


@pytest.mark.parametrize(
    ("right", "slots", "k", "score"),
    [
        (3, 3, 3, 1),  # r = 1
        (1, 3, 3, 0),  # r = 1/k
        (0, 3, 3, -1 / 2),  # r = 0: −(1/k)/(1 − 1/k) = −1/(k − 1)
        (2, 3, 3, 1 / 2),
        (2, 4, 3, 1 / 4),  # the paper's mean story: four slots, three candidates
        (1, 2, 2, 0),
        (0, 2, 2, -1),
        (0, 5, 5, -1 / 4),
    ],
)
def test_equation_one_by_hand(right: int, slots: int, k: int, score: float) -> None:
    truth = board(*[k] * slots)
    found = slot_score(choose(truth, right), truth)
    r = right / slots
    assert found.score == pytest.approx(score)
    assert found.score == pytest.approx((r - 1 / k) / (1 - 1 / k))
    assert found.share == r
    assert found.chance == pytest.approx(1 / k)
    assert found.clipped == max(0, found.score)


@pytest.mark.parametrize("sizes", [(3, 3, 3), (2, 3, 4), (2, 5)])
def test_blind_choice_gives_nothing_on_average_whatever_k_is(sizes: tuple[int, ...]) -> None:
    truth = board(*sizes)
    every = product(*[[slot.golden, *map(str, range(slot.candidates - 1))] for slot in truth.values()])
    scores = [slot_score(dict(zip(truth, clips, strict=True)), truth) for clips in every]
    assert mean(found.score for found in scores) == pytest.approx(0)
    assert mean(found.share for found in scores) == pytest.approx(scores[0].chance)
    assert mean(found.clipped for found in scores) > 0  # why the headline is not clipped


def test_each_slot_is_corrected_by_its_own_number_of_candidates() -> None:
    truth = board(2, 4)
    assert slot_score({"s1": "golden1"}, truth).score == pytest.approx((1 - 1 / 3) / 2)
    assert slot_score({"s2": "golden2"}, truth).score == pytest.approx((-1 + 1) / 2)


def test_an_empty_slot_is_a_wrong_one() -> None:
    truth = board(3, 3, 3)
    left_out, null = slot_score({"s1": "golden1"}, truth), slot_score({"s1": "golden1", "s2": None, "s3": None}, truth)
    assert left_out == null
    assert left_out.score == slot_score({"s1": "golden1", "s2": "x", "s3": "y"}, truth).score


def test_one_clip_in_every_slot_is_allowed_and_gains_nothing() -> None:
    truth = board(3, 3, 3)
    found = slot_score(dict.fromkeys(truth, "golden1"), truth)
    assert found.score == pytest.approx(0)


def test_slots_that_are_not_on_the_storyboard_change_nothing() -> None:
    truth = board(3, 3)
    assert slot_score({**choose(truth, 1), "s9": "other"}, truth) == slot_score(choose(truth, 1), truth)


def test_a_refused_manifest_is_zero_with_its_reason() -> None:
    found = slot_score(Refusal("missing file", "solution.json was not delivered"), board(3, 3))
    assert (found.score, found.share, found.because) == (0, 0, "solution.json was not delivered")


def test_what_is_wrong_is_named() -> None:
    truth = board(3, 3, 3)
    assert slot_score(choose(truth, 1), truth).because == "1 of 3 slots right, chance gives 0.333; wrong: s2, s3"
    assert slot_score(choose(truth, 3), truth).because == "3 of 3 slots right, chance gives 0.333"


@pytest.mark.parametrize(("truth", "says"), [({}, "has no slots"), (board(3, 1), "fewer than 2 candidates")])
def test_a_storyboard_without_a_choice_is_our_failure(truth: dict[str, SlotTruth], says: str) -> None:
    with pytest.raises(Unscored, match=says):
        slot_score({}, truth)


@given(st.lists(st.integers(2, 6), min_size=1, max_size=6), st.data())
def test_one_more_right_slot_never_scores_less(sizes: list[int], data: st.DataObject) -> None:
    truth = board(*sizes)
    fewer = data.draw(st.integers(0, len(sizes) - 1))

    def scored(right: int) -> SlotScore:
        return slot_score(choose(truth, right), truth)

    assert -1 <= scored(fewer).score < scored(fewer + 1).score <= 1
    assert scored(len(sizes)).score == 1
