"""Several people, the same questions: how far they agree, by benchmark and kind, in pairs and in groups of items."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.labels.files import about
from cutscore.scoring.audits.draws import PLAIN, Draws
from cutscore.scoring.audits.people import pair_agreement, people_agreement


@dataclass(frozen=True)
class Annotation:
    """What people said to all questions of one kind in one benchmark.

    Args:
        people: Who they are.
        questions: How many were asked.
        shared: How many of them two people or more answered; only these tell of agreement.
        alpha: Krippendorff's alpha of all people.
        pairs: Of every two people.
        groups: Alpha of the items of each group, where labels name groups.
    """

    benchmark: str
    kind: QuestionKind
    people: tuple[str, ...]
    questions: int
    shared: int
    alpha: Estimate
    pairs: tuple[Estimate, ...]
    groups: tuple[Estimate, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "benchmark": self.benchmark,
            "kind": self.kind,
            "people": list(self.people),
            "questions": self.questions,
            "shared": self.shared,
            "estimates": [each.as_json() for each in (self.alpha, *self.pairs, *self.groups)],
        }


def annotations(labels: Sequence[Label], *, draws: Draws = PLAIN) -> list[Annotation]:
    """Give the agreement of people, in the order in which benchmarks and kinds first appear.

    Labels of all splits count: how far people agree does not depend on what a prompt was tuned on. An item's groups are
    those that any of its labels names.
    """
    parts: dict[tuple[str, QuestionKind], list[Label]] = defaultdict(list)
    for label in labels:
        parts[label.benchmark, label.kind].append(label)
    return [_annotation(benchmark, kind, mine, draws) for (benchmark, kind), mine in parts.items()]


def _annotation(benchmark: str, kind: QuestionKind, labels: Sequence[Label], draws: Draws) -> Annotation:
    alpha = people_agreement(kind, labels, draws=draws)[0].model_copy(update={"name": "alpha"})
    of_item: dict[str, dict[str, str]] = defaultdict(dict)
    for label in labels:
        of_item[label.item] |= label.groups
    strata: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        for name, value in of_item[label.item].items():
            strata[name, value].append(label)
    return Annotation(
        benchmark,
        kind,
        people=tuple(sorted({label.person for label in labels})),
        questions=len({about(label) for label in labels}),
        shared=alpha.n,
        alpha=alpha,
        pairs=pair_agreement(kind, labels, draws=draws),
        groups=tuple(
            people_agreement(kind, mine, draws=draws)[0].model_copy(update={"name": "alpha", "group": {name: value}})
            for (name, value), mine in sorted(strata.items())
        ),
    )
