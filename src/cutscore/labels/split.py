"""Labels into train, dev and test, so that nothing is measured on what it was tuned on.

Whatever is about one clip stays in one split: a prompt that was tuned on a clip has seen the answer.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from cutscore.core.errors import BadInput
from cutscore.core.frozen import digest_of
from cutscore.core.label import Label
from cutscore.labels.files import HIGHEST, LOWEST, SPLITS, label_verdict

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
    labels with that verdict, and of labels with that verdict on that subject. With clusters of one size every
    split is within one cluster of its share.

    Args:
        labels: Any splits that they have are replaced.
        shares: Share of each split, above 0, together 1.
        seed: Of the order.
        cluster_of: What must not be torn apart, within one benchmark; the item unless clips are known.
    """
    if not shares or min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-9:
        raise BadInput("split", f"shares are {dict(shares)}", "give shares above 0 that add up to 1")
    if unknown := [name for name in shares if name not in SPLITS]:
        raise BadInput("split", f"'{unknown[0]}' is no split", f"use {', '.join(SPLITS)}")
    groups: dict[tuple[str, str], Counter[object]] = defaultdict(Counter)
    for label in labels:
        groups[label.benchmark, cluster_of(label)].update(_strata(label))
    totals = Counter[object]()
    for counts in groups.values():
        totals.update(counts)
    given = {name: Counter[object]() for name in shares}
    home: dict[tuple[str, str], str] = {}
    for key in sorted(groups, key=lambda key: (-groups[key][None], digest_of([seed, *key]))):
        home[key] = max(shares, key=lambda name: _lack(groups[key], given[name], totals, shares[name]))
        given[home[key]].update(groups[key])
    return [label.model_copy(update={"split": home[label.benchmark, cluster_of(label)]}) for label in labels]


def _strata(label: Label) -> tuple[object, ...]:
    said = label_verdict(label)
    if label.kind == "scale" and isinstance(said, int | float):
        said = "high" if said > (LOWEST + HIGHEST) / 2 else "low"
    stratum = (label.benchmark, label.kind, said)
    return None, stratum, (*stratum, label.subject)


def _lack(group: Counter[object], given: Counter[object], totals: Counter[object], share: float) -> float:
    """Return how much a split still lacks of what a cluster has, as a share of all there is, weighed by how much."""
    return sum(times * (share - given[stratum] / totals[stratum]) for stratum, times in group.items())
