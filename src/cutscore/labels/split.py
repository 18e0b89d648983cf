"""Labels into train, dev and test, so that nothing is measured on what it was tuned on.

Whatever is about one clip stays in one split: a prompt that was tuned on a clip has seen the answer. So does what was
made from one context, and what shows one video.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from cutscore.core.errors import BadInput
from cutscore.core.frozen import digest_of
from cutscore.core.label import Label
from cutscore.labels.files import HIGHEST, LOWEST, SPLITS, label_verdict

FAMILY = "family"  # the group of labels whose prompt is tuned by itself
THIRDS = MappingProxyType({"train": 1 / 3, "dev": 1 / 3, "test": 1 / 3})


def split_labels(
    labels: Sequence[Label],
    *,
    shares: Mapping[str, float] = THIRDS,
    seed: int = 42,
    cluster_of: Callable[[Label], str] = lambda label: label.item,
) -> list[Label]:
    """Put every label into a split; all that share a cluster go to the same one.

    Clusters go, the largest first and in seeded order among equals, where most is lacking: of labels as such, of
    labels with that verdict, in that family, and on that subject. With clusters of one size every split is within one
    cluster of its share.

    Args:
        labels: Any splits that they have are replaced.
        shares: Share of each split, above 0, together 1.
        seed: Of the order.
        cluster_of: What must not be torn apart, within one benchmark; the item unless clips are known. Labels of plain
            files that share a context or a video are never torn apart either.
    """
    if not shares or min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-9:
        raise BadInput("split", f"shares are {dict(shares)}", "give shares above 0 that add up to 1")
    if unknown := [name for name in shares if name not in SPLITS]:
        raise BadInput("split", f"'{unknown[0]}' is no split", f"use {', '.join(SPLITS)}")
    clusters = [(label.benchmark, name) for label, name in zip(labels, join_clusters(labels, cluster_of), strict=True)]
    groups: dict[tuple[str, str], Counter[object]] = defaultdict(Counter)
    for label, cluster in zip(labels, clusters, strict=True):
        groups[cluster].update(_strata(label))
    totals = Counter[object]()
    for counts in groups.values():
        totals.update(counts)
    given = {name: Counter[object]() for name in shares}
    home: dict[tuple[str, str], str] = {}
    for key in sorted(groups, key=lambda key: (-groups[key][None], digest_of([seed, *key]))):
        home[key] = max(shares, key=lambda name: _lack(groups[key], given[name], totals, shares[name]))
        given[home[key]].update(groups[key])
    return [label.model_copy(update={"split": home[cluster]}) for label, cluster in zip(labels, clusters, strict=True)]


def join_clusters(labels: Sequence[Label], cluster_of: Callable[[Label], str] = lambda label: label.item) -> list[str]:
    """Return the cluster of each label: what shares an item, a context or a video, directly or by way of others.

    It is named after the first cluster in it, by `cluster_of`, in the order of names.
    """
    parent: dict[tuple[str, str, str], tuple[str, str, str]] = {}

    def root(key: tuple[str, str, str]) -> tuple[str, str, str]:
        while parent.setdefault(key, key) != key:
            parent[key] = key = parent[parent[key]]  # a shorter way for whoever comes next
        return key

    for label in labels:
        # Kinds of keys are named so that a cluster, the least of them, becomes the root.
        keys = [(label.benchmark, "cluster", cluster_of(label))]
        if label.files:
            keys += [(label.benchmark, "video", label.files.footage)]
            keys += [(label.benchmark, "context", label.files.context)] if label.files.context else []
        roots = sorted({root(key) for key in keys})
        for other in roots[1:]:
            parent[other] = roots[0]
    return [root((label.benchmark, "cluster", cluster_of(label)))[2] for label in labels]


@dataclass(frozen=True)
class SplitCount:
    """How many labels of a family are in a split.

    Args:
        cases: Labels that name a weakness: a list of some, or a "no" to whether all is as it should be.
    """

    split: str
    family: str
    labels: int
    clusters: int
    cases: int
    undecided: int

    @property
    def prevalence(self) -> float | None:
        """Share of cases among labels with an answer; None without any."""
        decided = self.labels - self.undecided
        return self.cases / decided if decided else None

    @property
    def sentence(self) -> str:
        """The same for people."""
        share = "no answers" if self.prevalence is None else f"{self.prevalence:.0%} with a weakness"
        name = " ".join(filter(None, (self.split or "no split", self.family)))
        return f"{name}: {self.labels} labels in {self.clusters} clusters, {share}"


def count_splits(labels: Sequence[Label]) -> list[SplitCount]:
    """Return how large each split of each family is, and how often a weakness is named there."""
    together: dict[tuple[str, str], list[tuple[Label, str]]] = defaultdict(list)
    for label, cluster in zip(labels, join_clusters(labels), strict=True):
        together[label.groups.get(FAMILY, ""), label.split].append((label, cluster))
    order = {name: place for place, name in enumerate(SPLITS)}
    made = []
    for family, split in sorted(together, key=lambda key: (key[0], order.get(key[1], len(order)))):
        mine = together[family, split]
        said = [label_verdict(label) == ("yes" if label.kind == "weaknesses" else "no") for label, _ in mine]
        undecided = sum(label_verdict(label) is None for label, _ in mine)
        clusters = {(label.benchmark, cluster) for label, cluster in mine}
        made.append(SplitCount(split, family, len(mine), len(clusters), sum(said), undecided))
    return made


def _strata(label: Label) -> tuple[object, ...]:
    said = label_verdict(label)
    if label.kind == "scale" and isinstance(said, int | float):
        said = "high" if said > (LOWEST + HIGHEST) / 2 else "low"
    stratum = (label.benchmark, label.kind, said)
    family = (("family", label.groups[FAMILY]),) if FAMILY in label.groups else ()
    return None, stratum, *((*stratum, each) for each in family), (*stratum, *family, label.subject)


def _lack(group: Counter[object], given: Counter[object], totals: Counter[object], share: float) -> float:
    """Return how much a split still lacks of what a cluster has, as a share of all there is, weighed by how much."""
    return sum(times * (share - given[stratum] / totals[stratum]) for stratum, times in group.items())
