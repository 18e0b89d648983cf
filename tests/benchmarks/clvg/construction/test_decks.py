"""clvg: labels are dealt without replacement, so that every value comes up as often as any other."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.clvg.construction.decks import count_labels, deal_labels, read_elements


def test_the_elements_have_the_papers_values() -> None:
    sizes = {name: len(values) for name, values in read_elements().items()}
    assert (sizes["subject"], sizes["shots"], sizes["camera"], sizes["genre"]) == (3, 3, 18, 24)
    assert all(len({*values}) == len(values) for values in read_elements().values())


@settings(max_examples=25, deadline=None)
@given(count=st.integers(1, 120), seed=st.integers(0, 1000))
def test_counts_of_a_deck_differ_by_at_most_one(count: int, seed: int) -> None:
    labels = deal_labels(count, seed)
    assert len(labels) == count
    for counts in count_labels(labels).values():
        assert max(counts.values()) - min(counts.values()) <= 1
    assert deal_labels(count, seed) == labels


def test_another_seed_deals_otherwise() -> None:
    assert deal_labels(30, 1) != deal_labels(30, 2)
