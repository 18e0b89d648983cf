"""One to one: never more than one partner, always as many pairs as there can be, and always the same ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from cutscore.stats.matching import maximum_matching

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
