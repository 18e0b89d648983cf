"""Rubrics: points by hand, bounds where answers are missing, graders who differ."""

from itertools import product
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.benchmarks.repurpose.rubric.points import PILLARS, Pillar, RubricItem, score_rubric
from cutscore.core.errors import BrokenData, Unscored


def item(name: str, pillar: Pillar, points: float = 1) -> RubricItem:
    return RubricItem(id=name, pillar=pillar, points=points)


# As in the paper: five pillars, 36 positive points.
RUBRIC = [
    item("runtime", "format", 4),
    item("aspect", "format", 2),
    item("scenes", "visual", 10),
    item("arc", "narrative", 8),
    item("reveal", "narrative", 4),
    item("voice", "sound", 8),
    item("spoiler", "penalty", 3),
    item("chaos", "penalty", 6),
]
ALL_YES = {each.id: each.pillar != "penalty" for each in RUBRIC}


def test_all_points_and_no_penalty_are_full_marks() -> None:
    found = score_rubric(RUBRIC, ALL_YES)
    assert (found.total.score, found.total.positive) == (1, 36)
    assert found.because == "36 of 36 points (format 6/6, visual 10/10, narrative 12/12, sound 8/8)"


def test_points_by_hand() -> None:
    found = score_rubric(RUBRIC, {**ALL_YES, "aspect": False, "reveal": False, "spoiler": True})
    assert found.total.score == (4 + 10 + 8 + 8 - 3) / 36
    assert {name: part.score for name, part in found.pillars.items()} == {
        "format": 4 / 6,
        "visual": 1,
        "narrative": 8 / 12,
        "sound": 1,
        "penalty": None,
    }
    assert found.pillars["penalty"].lost == 3
    assert found.because == (
        "30 of 36 points (format 4/6, visual 10/10, narrative 8/12, sound 8/8), 3 lost by penalties"
    )


def test_penalties_never_take_more_than_there_is() -> None:
    worst = {each.id: each.pillar == "penalty" for each in RUBRIC}
    assert score_rubric(RUBRIC, worst).total.score == 0
    assert score_rubric(RUBRIC, {**worst, "aspect": True}).total.score == 0  # 2 − 9


def test_a_pillar_without_items_is_not_there() -> None:
    assert list(score_rubric([item("a", "sound")], {"a": True}).pillars) == ["sound"]


def test_items_without_an_answer_leave_bounds_and_no_score() -> None:
    found = score_rubric(RUBRIC, {**ALL_YES, "scenes": None, "chaos": None})
    assert found.total.score is None
    assert found.total.bounds == ((26 - 6) / 36, 1)
    assert found.pillars["visual"].bounds == (0, 1)
    assert found.pillars["sound"].score == 1  # which nobody doubts
    assert found.unanswered == ("scenes", "chaos")
    assert found.because.endswith("; no answer to scenes, chaos")


def test_an_item_that_is_left_out_is_an_item_without_an_answer() -> None:
    assert score_rubric(RUBRIC, {}) == score_rubric(RUBRIC, dict.fromkeys(ALL_YES))
    assert score_rubric(RUBRIC, {}).total.bounds == (0, 1)


def test_bounds_that_meet_are_a_score() -> None:
    rubric = [item("a", "visual", 2), item("b", "penalty", 9), item("c", "penalty", 1)]
    assert score_rubric(rubric, {"a": True, "b": True, "c": None}).total.score == 0


@pytest.mark.parametrize("points", [0, -1, nan, inf])
def test_points_are_more_than_nothing(points: float) -> None:
    with pytest.raises(ValidationError):
        item("a", "visual", points)


def test_a_rubric_that_cannot_be_scored_is_our_failure() -> None:
    with pytest.raises(Unscored, match="an id twice"):
        score_rubric([item("a", "visual"), item("a", "sound")], {"a": True})
    with pytest.raises(Unscored, match="no item that earns points"):
        score_rubric([item("a", "penalty")], {"a": False})
    with pytest.raises(Unscored, match="no item that earns points"):
        score_rubric([], {})


@pytest.mark.parametrize("answer", [1, 0, "yes", nan, [True]])
def test_answers_are_yes_or_no(answer: object) -> None:
    with pytest.raises(BrokenData, match="answers: item 'voice' is answered with"):
        score_rubric(RUBRIC, {"voice": answer})  # type: ignore[dict-item]


def test_answers_to_another_rubric_are_refused() -> None:
    with pytest.raises(BrokenData, match="answers: 'music' is no item of the rubric"):
        score_rubric(RUBRIC, {"music": True})


ITEMS = st.lists(st.tuples(st.sampled_from(PILLARS), st.integers(1, 9)), min_size=1, max_size=5).map(
    lambda drawn: [
        item("first", "visual", 2),
        *(item(f"i{place}", pillar, points) for place, (pillar, points) in enumerate(drawn)),
    ]
)


@settings(max_examples=60)
@given(ITEMS, st.data())
def test_bounds_are_the_least_and_the_most_that_any_answers_give(items: list[RubricItem], data: st.DataObject) -> None:
    answers = {each.id: data.draw(st.sampled_from([True, False, None])) for each in items}
    open_ = [name for name, answer in answers.items() if answer is None]
    scores = []
    for filled in product([True, False], repeat=len(open_)):
        score = score_rubric(items, {**answers, **dict(zip(open_, filled, strict=True))}).total.score
        assert score is not None
        scores.append(score)
    assert score_rubric(items, answers).total.bounds == (min(scores), max(scores))


@settings(max_examples=60)
@given(ITEMS, st.data())
def test_a_better_answer_never_scores_less(items: list[RubricItem], data: st.DataObject) -> None:
    answers = {each.id: data.draw(st.booleans()) for each in items}
    changed = data.draw(st.sampled_from(items))
    worse, better = (
        score_rubric(items, {**answers, changed.id: good is (changed.pillar != "penalty")}).total.score
        for good in (False, True)
    )
    assert worse is not None
    assert better is not None
    assert worse <= better
