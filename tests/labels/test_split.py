"""Splits: nothing torn apart, nothing lost, shares kept."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cutscore.core.errors import BadInput
from cutscore.core.judgement import Weakness
from cutscore.core.label import Label, LabelledFiles
from cutscore.labels.split import count_splits, join_clusters, split_labels


def label(item: int, answer: str | None = "yes", subject: str = "", person: str = "ann") -> Label:
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


def filed(item: int, *, video: str, prompt: str, family: str = "x", faults: int = 0, subject: str = "") -> Label:
    return Label(
        benchmark="b",
        item=f"i{item}",
        kind="weaknesses",
        person="ann",
        subject=subject,
        weaknesses=tuple(Weakness(text=f"fault {number}") for number in range(faults)),
        groups={"family": family},
        files=LabelledFiles(video=video, prompt=prompt),
    )


def test_what_shares_a_context_or_a_video_stays_together_by_way_of_others_too() -> None:
    labels = [
        filed(1, video="a.mp4", prompt="one"),
        filed(2, video="b.mp4", prompt="one"),
        filed(3, video="b.mp4", prompt="two"),
        filed(4, video="c.mp4", prompt="three"),
        filed(5, video="d.mp4", prompt=""),
        filed(6, video="e.mp4", prompt=""),
    ]
    assert join_clusters(labels) == ["i1", "i1", "i1", "i4", "i5", "i6"], "an empty context is no context"
    for seed in range(5):
        made = split_labels(labels, seed=seed)
        assert len({each.split for each in made[:3]}) == 1


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25))
def test_clusters_are_the_parts_of_a_graph(triples: list[tuple[int, int, int]]) -> None:
    labels = [filed(item, video=f"v{video}", prompt=f"p{prompt}") for item, video, prompt in triples]
    made = join_clusters(labels)
    graph = np.array([[any(a == b for a, b in zip(one, two, strict=True)) for two in triples] for one in triples])
    _, parts = connected_components(csr_array(graph.astype(int)), directed=False)
    same = [(made[one] == made[two]) == (parts[one] == parts[two]) for one in range(len(made)) for two in range(one)]
    assert all(same)


def test_families_verdicts_and_subjects_are_spread_evenly() -> None:
    labels = [
        filed(
            number,
            video=f"{number}.mp4",
            prompt=f"{number}",
            family="even" if number % 2 else "odd",
            faults=int(number % 3 == 0),
            subject="xy"[number % 4 // 2],
        )
        for number in range(180)
    ]
    made = split_labels(labels)
    found = Counter((each.split, each.groups["family"], bool(each.weaknesses), each.subject) for each in made)
    assert set(found.values()) == {5, 10}
    counts = count_splits(made)
    assert [(each.split, each.family) for each in counts] == [
        (split, family) for family in ("even", "odd") for split in ("train", "dev", "test")
    ]
    assert {(each.labels, each.clusters, each.cases, each.prevalence) for each in counts} == {(30, 30, 10, 1 / 3)}
    assert counts[0].sentence == "train even: 30 labels in 30 clusters, 33% with a weakness"


def test_prevalence_counts_a_no_as_a_case_and_leaves_out_who_could_not_say() -> None:
    (found,) = count_splits([label(1, "no"), label(2), label(3), label(4, None)])
    assert (found.cases, found.undecided, found.prevalence) == (1, 1, pytest.approx(1 / 3))
    assert count_splits([label(1, None)])[0].sentence == "no split: 1 labels in 1 clusters, no answers"


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
