"""One to one: never more than one partner, always as many pairs as there can be, and always the same ones."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from cutscore.stats.matching import best_assignment, maximum_matching

graphs = st.integers(1, 9).flatmap(
    lambda others: st.lists(st.lists(st.integers(0, others - 1), unique=True), min_size=1, max_size=9)
)


@given(graphs)
def test_as_many_pairs_are_formed_as_scipy_finds(partners: list[list[int]]) -> None:
    pairs = maximum_matching(partners)
    allowed = np.zeros((len(partners), 9), np.int8)
    for one, others in enumerate(partners):
        allowed[one, others] = 1
    assert len(pairs) == (maximum_bipartite_matching(csr_array(allowed), perm_type="column") >= 0).sum()
    assert all(other in partners[one] for one, other in pairs)
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    assert list(pairs) == sorted(pairs)


def test_the_first_partner_is_preferred() -> None:
    assert maximum_matching([[2, 0], [1, 0]]) == ((0, 2), (1, 1))


def test_whoever_has_the_only_partner_of_another_takes_the_next_one() -> None:
    assert maximum_matching([[0, 1], [0, 2], [0]]) == ((0, 1), (1, 2), (2, 0))


def test_a_way_that_leads_nowhere_is_left_again() -> None:
    """The last one asks 0 of whom nobody can give it up, then 1, whose owner can."""
    assert maximum_matching([[0], [1, 2], [0, 1]]) == ((0, 0), (1, 2), (2, 1))


def test_nobody_and_nothing_are_no_pairs() -> None:
    assert maximum_matching([]) == maximum_matching([[], []]) == ()


def test_a_chain_may_be_longer_than_a_recursion() -> None:
    """Each has to give way to the next: the last one moves all of them."""
    count = 3_000
    pairs = maximum_matching([*([number, number + 1] for number in range(count)), [0]])
    assert pairs == (*((number, number + 1) for number in range(count)), (count, 0))


@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False), st.floats(0.1, 0.9))
def test_the_likest_of_the_largest_assignments(rows: int, columns: int, random: Random, at_least: float) -> None:
    """Compared with every assignment there is."""
    likeness = np.array([[round(random.uniform(-1, 1), 3) for _ in range(columns)] for _ in range(rows)])
    found = best_assignment(likeness, at_least=at_least)
    allowed = [(row, column) for row in range(rows) for column in range(columns) if likeness[row, column] >= at_least]
    possible = [
        each
        for size in range(min(rows, columns) + 1)
        for each in combinations(allowed, size)
        if len({row for row, _ in each}) == len({column for _, column in each}) == size
    ]
    best = max((len(each), sum(likeness[row, column] for row, column in each)) for each in possible)
    assert (len(found), sum(likeness[row, column] for row, column in found)) == pytest.approx(best)


def test_a_pair_that_cannot_be_is_never_formed() -> None:
    assert best_assignment(np.array([[-np.inf, 0.5], [-np.inf, 0.9]]), at_least=0.1) == ((1, 1),)
    assert best_assignment(np.array([[-np.inf]]), at_least=0.1) == best_assignment(np.zeros((0, 3)), at_least=0.1) == ()


def test_two_pairs_are_better_than_one_that_is_liker() -> None:
    assert best_assignment(np.array([[0.9, 0.4], [0.4, -1.0]]), at_least=0.3) == ((0, 1), (1, 0))
