"""Algorithm 1's S has golden vectors in both modes, and shares that add up."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.matching import Confusion, MatchMode, verdict_confusion
from cutscore.scoring.matching.confusion import semantic_confusion

THIRD = 1 / 3


@pytest.mark.parametrize(
    ("mode", "sizes", "matches", "cells"),
    [
        ("paper", (0, 0), 0, (0, 1, 0, 0)),
        ("paper", (0, 3), 0, (0, 0, 1, 0)),
        ("paper", (2, 0), 0, (0, 0, 0, 1)),
        ("paper", (2, 2), 2, (1, 0, 0, 0)),
        ("paper", (2, 3), 1, (0.4, 0, 0.4, 0.2)),
        ("paper", (1, 1), 0, (THIRD, 0, THIRD, THIRD)),
        ("reference", (0, 0), 0, (0, 1, 0, 0)),
        ("reference", (0, 3), 0, (0, 0, 1, 0)),
        ("reference", (2, 0), 0, (0, 0, 0, 1)),
        ("reference", (2, 2), 2, (1, 0, 0, 0)),
        ("reference", (2, 3), 1, (0.25, 0, 0.5, 0.25)),
        ("reference", (1, 1), 0, (0, 0, 0.5, 0.5)),
    ],
)
def test_golden_vectors(
    mode: MatchMode, sizes: tuple[int, int], matches: int, cells: tuple[float, float, float, float]
) -> None:
    """Cells are TP, TN, FP, FN."""
    pairs = [(number, number) for number in range(matches)]
    found = semantic_confusion(range(sizes[0]), range(sizes[1]), pairs, mode=mode)
    assert astuple(found) == pytest.approx(cells)


def test_a_plausible_extra_is_a_hit_in_reference_alone_and_only_where_people_listed_some() -> None:
    sizes = range(2), range(3)
    assert semantic_confusion(*sizes, [(0, 0)], mode="reference", plausible={1}) == Confusion(0.5, 0, 0.25, 0.25)
    assert semantic_confusion(*sizes, [(0, 0)], mode="paper", plausible={1}) == Confusion(0.4, 0, 0.4, 0.2)
    assert semantic_confusion([], range(1), [], mode="reference", plausible={0}) == Confusion(fp=1)
    assert semantic_confusion(*sizes, [(0, 0)], mode="reference", plausible={0}) == semantic_confusion(
        *sizes, [(0, 0)], mode="reference"
    ), "what has a partner counts once"


def test_coverage_lets_one_prediction_cover_several_references() -> None:
    """Three faults, of which one sentence of the judge holds two; its other sentence is made up."""
    covered = [(0, 0), (1, 0)]
    found = semantic_confusion(range(3), range(2), covered, mode="reference", coverage=True)
    assert found == Confusion(tp=0.5, fp=0.25, fn=0.25)
    with pytest.raises(BadInput, match="one of them has several partners; pair one-to-one, or say coverage"):
        semantic_confusion(range(3), range(2), covered, mode="reference")


@pytest.mark.parametrize("pair", [(2, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_pair_that_cannot_be_is_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=r"matched weaknesses: pair .* is not among 2 and 3"):
        semantic_confusion(range(2), range(3), [pair], mode="paper")


@given(st.integers(0, 6), st.integers(0, 6), st.data(), st.sampled_from(["paper", "reference"]))
def test_shares_add_up_to_one_and_a_further_match_never_hurts(
    true: int, named: int, data: st.DataObject, mode: MatchMode
) -> None:
    matches = data.draw(st.integers(0, min(true, named)))
    pairs = [(number, number) for number in range(matches)]
    found = semantic_confusion(range(true), range(named), pairs, mode=mode)
    assert found.total == pytest.approx(1)
    assert (found.tn > 0) == (true == named == 0)
    if pairs:
        fewer = semantic_confusion(range(true), range(named), pairs[1:], mode=mode)
        assert found.tp > fewer.tp
        assert found.fp <= fewer.fp
        assert found.fn <= fewer.fn


def test_confusions_add_up() -> None:
    both = verdict_confusion(truth=True, said=True) + verdict_confusion(truth=False, said=True)
    assert both == Confusion(tp=1, fp=1)
    assert verdict_confusion(truth=False, said=False) == Confusion(tn=1)
    assert sum([both, both], start=Confusion()) == Confusion(tp=2, fp=2)
