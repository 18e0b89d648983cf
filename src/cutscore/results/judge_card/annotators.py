"""Several people, the same questions: how far they agree, by benchmark and kind, in pairs and in groups of items."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.labels.files import about
from cutscore.results.judge_card.draws import PLAIN, Draws
from cutscore.results.judge_card.people import disputes, pair_agreement, people_agreement


@dataclass(frozen=True)
class Annotation:
    """What people said to all questions of one kind in one benchmark.

    Args:
        people: Who they are.
        questions: How many were asked.
        shared: How many of them two people or more answered; only these tell of agreement.
        alpha: Krippendorff's alpha of all people.
        pairs: Of every two people.
        groups: Alpha of the questions of each group, and how often two people say the same there, where labels name
            groups.
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
    """Return the agreement of people, in the order in which benchmarks and kinds first appear.

    Labels of all splits count: how far people agree does not depend on what a prompt was tuned on. The groups of a
    question are those that any of its labels names: each item of a rubric may have a pillar of its own.
    """
    parts: dict[tuple[str, QuestionKind], list[Label]] = defaultdict(list)
    for label in labels:
        parts[label.benchmark, label.kind].append(label)
    return [_annotation(benchmark, kind, mine, draws) for (benchmark, kind), mine in parts.items()]


def _annotation(benchmark: str, kind: QuestionKind, labels: Sequence[Label], draws: Draws) -> Annotation:
    alpha = people_agreement(kind, labels, draws=draws)[0].model_copy(update={"name": "alpha"})
    strata = by_group(labels)
    return Annotation(
        benchmark,
        kind,
        people=tuple(sorted({label.person for label in labels})),
        questions=len({about(label) for label in labels}),
        shared=alpha.n,
        alpha=alpha,
        pairs=pair_agreement(kind, labels, draws=draws),
        groups=tuple(
            each.model_copy(update={"group": {name: value}})
            for (name, value), mine in sorted(strata.items())
            for each in _of_group(kind, mine, draws)
        ),
    )


def by_group(labels: Sequence[Label]) -> dict[tuple[str, str], list[Label]]:
    """Sort labels by the groups of their questions, (name, value) → labels; a question without groups is in none."""
    of_question: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for label in labels:
        of_question[label.benchmark, label.item, label.question] |= label.groups
    strata: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        for name, value in of_question[label.benchmark, label.item, label.question].items():
            strata[name, value].append(label)
    return strata


def _of_group(kind: QuestionKind, labels: Sequence[Label], draws: Draws) -> tuple[Estimate, ...]:
    alpha = people_agreement(kind, labels, draws=draws)[0].model_copy(update={"name": "alpha"})
    shared = disputes(labels)
    if not shared or kind == "scale":
        return (alpha,)
    same = [1 - each.disagreement for each in shared]
    return alpha, draws.mean(same, [f"{each.about.benchmark}/{each.about.item}" for each in shared], name="same answer")
