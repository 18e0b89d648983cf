"""Splits: nothing torn apart, nothing lost, shares kept."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.label import Label
from cutscore.labels.split import split_labels


def label(item: int, answer: str = "yes", subject: str = "", person: str = "ann") -> Label:
    return Label(benchmark="b", item=f"i{item}", question="q", person=person, answer=answer, subject=subject)


LABELS = st.lists(
    st.builds(label, st.integers(0, 20), st.sampled_from(["yes", "no"]), st.sampled_from("xy"), st.sampled_from("ab")),
    max_size=60,
)


@given(LABELS, st.integers(0, 5))
def test_an_item_is_in_one_split_and_nothing_is_lost(labels: list[Label], seed: int) -> None:
    made = split_labels(labels, seed=seed)
    homes = defaultdict(set)
    for each in made:
        homes[each.item].add(each.split)
    assert all(len(home) == 1 for home in homes.values())
    assert [each.model_copy(update={"split": ""}) for each in made] == labels
    assert made == split_labels(labels, seed=seed)


@given(st.integers(1, 40), st.sampled_from([(0.8, 0.1, 0.1), (0.5, 0.25, 0.25), (1 / 3, 1 / 3, 1 / 3)]))
def test_clusters_of_one_size_keep_the_shares_to_within_one(items: int, shares: tuple[float, ...]) -> None:
    wanted = dict(zip(("train", "dev", "test"), shares, strict=True))
    found = Counter(each.split for each in split_labels([label(item) for item in range(items)], shares=wanted))
    assert all(abs(found[name] - share * items) <= 1 for name, share in wanted.items())


def test_verdicts_and_subjects_are_spread_evenly() -> None:
    labels = [label(item, "no" if item % 3 == 0 else "yes", subject="x" if item % 2 else "y") for item in range(180)]
    found = Counter((each.split, each.answer, each.subject) for each in split_labels(labels))
    for name in ("train", "dev", "test"):
        assert [found[name, answer, subject] for answer in ("no", "yes") for subject in "xy"] == [10, 10, 20, 20]


def test_clips_stay_together_where_they_are_known() -> None:
    made = split_labels([label(item) for item in range(30)], cluster_of=lambda each: f"clip{int(each.item[1:]) // 5}")
    assert {len({each.split for each in made[start : start + 5]}) for start in range(0, 30, 5)} == {1}
    assert Counter(each.split for each in made) == {"train": 10, "dev": 10, "test": 10}


def test_the_seed_moves_items() -> None:
    labels = [label(item) for item in range(30)]
    assert split_labels(labels, seed=1) != split_labels(labels, seed=2)


@pytest.mark.parametrize(
    ("shares", "said"),
    [({"train": 0.5}, "give shares above 0"), ({"train": 1.5, "test": -0.5}, "above 0"), ({"all": 1.0}, "'all' is no")],
)
def test_odd_shares_are_refused(shares: dict[str, float], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        split_labels([], shares=shares)
