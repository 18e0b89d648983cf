"""How far people agree with each other: all of them, in pairs, in groups of items. No judge can be asked for more."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pydantic import JsonValue

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.labels.files import HIGHEST, LOWEST, LabelKey, label_key, label_verdict
from cutscore.results.judge_card.measures import MOST_CATEGORIES, undefined_agreement
from cutscore.results.judge_card.resampling import DEFAULT_RESAMPLING, Resampling
from cutscore.results.judge_card.verdicts import OPEN_ENDED
from cutscore.stats.agreement import cohen_kappa
from cutscore.stats.reliability import Level, krippendorff_alpha

ALPHA, KAPPA = "people: alpha", "people: kappa"


@dataclass(frozen=True)
class DisputedQuestion:
    """A question with what each person said to it, and the share of pairs who differ (on a scale: their distance)."""

    about: LabelKey
    said: dict[str, str | float]
    disagreement: float


@dataclass(frozen=True)
class UnclearQuestion:
    """A question that people understand in several ways: `same` is the mean share of pairs who say the same."""

    benchmark: str
    item: str
    question: str
    same: float
    deliverables: int


def find_unclear(labels: Sequence[Label], *, below: float) -> list[UnclearQuestion]:
    """Return the questions on which people agree less than a bound, the least agreed first.

    They are to be split into smaller ones, worded anew, or dropped. The bound is a share of equal answers.
    """
    apart: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in disputes(labels):
        apart[each.about.benchmark, each.about.item, each.about.question].append(each.disagreement)
    found = [
        UnclearQuestion(*key, same=1 - sum(values) / len(values), deliverables=len(values))
        for key, values in apart.items()
    ]
    low = [each for each in found if each.same < below]
    return sorted(low, key=lambda each: (each.same, each.benchmark, each.item, each.question))


@dataclass(frozen=True)
class _Ratings:
    """Answers as a table: for each question its unit and one answer for each person, None where there is none."""

    people: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]

    @property
    def too_many(self) -> bool:
        """Whether there are more different answers than chance can be computed for."""
        return len({value for row in self.rows for value in row} - {None}) > MOST_CATEGORIES


def people_agreement(
    kind: QuestionKind, labels: Sequence[Label], *, draws: Resampling = DEFAULT_RESAMPLING
) -> tuple[Estimate, ...]:
    """Return Krippendorff's alpha of all people, and Cohen's kappa where exactly two of them share questions.

    On a scale alpha takes the distance between points. Items are clusters. Undefined, and said so, where nothing
    was labelled by two people or all said the same.
    """
    table = _ratings(labels)
    alpha = _alpha(kind, table, draws, name=ALPHA)
    if alpha.n == 0 or len(table.people) != 2 or kind == "scale" or (kind in OPEN_ENDED and table.too_many):
        return (alpha,)
    return alpha, _kappa(table, draws, name=KAPPA)[0]


def pair_agreement(
    kind: QuestionKind, labels: Sequence[Label], *, draws: Resampling = DEFAULT_RESAMPLING
) -> tuple[Estimate, ...]:
    """Return Cohen's kappa, and how often they say the same, of every two people; on a scale alpha of the two."""
    table, made = _ratings(labels), list[Estimate]()
    for one, two in combinations(range(len(table.people)), 2):
        pair = _Ratings(
            (table.people[one], table.people[two]), table.units, tuple((row[one], row[two]) for row in table.rows)
        )
        name = " × ".join(pair.people)
        shared = any(None not in row for row in pair.rows)
        if kind == "scale" or (kind in OPEN_ENDED and pair.too_many) or not shared:
            made.append(_alpha(kind, pair, draws, name=f"{name}: alpha"))
        else:
            kappa, rate = _kappa(pair, draws, name=f"{name}: kappa")
            made += [kappa, rate.model_copy(update={"name": f"{name}: same answer"})]
    return tuple(made)


def disputes(labels: Sequence[Label]) -> list[DisputedQuestion]:
    """Return every question that two people or more answered, the most disputed first.

    Among equals come those that more people answered, then the order of names.
    """
    kinds = {label_key(label): label.kind for label in labels}
    found = []
    for key, answers in _by_question(labels).items():
        said = {person: answer for person, answer in sorted(answers.items()) if answer is not None}
        pairs = list(combinations(said.values(), 2))
        if pairs:
            apart = sum(_distance(kinds[key], one, two) for one, two in pairs) / len(pairs)
            found.append(DisputedQuestion(key, said, apart))
    return sorted(found, key=lambda each: (-each.disagreement, -len(each.said), each.about))


@dataclass(frozen=True)
class AnnotatorAgreement:
    """What people said to all questions of one kind in one benchmark; only those shared by two tell of agreement.

    For each group that labels name there is alpha, and how often two people say the same.
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
        """Return the agreement of the JSON contract."""
        return {
            "benchmark": self.benchmark,
            "kind": self.kind,
            "people": list(self.people),
            "questions": self.questions,
            "shared": self.shared,
            "estimates": [each.as_json() for each in (self.alpha, *self.pairs, *self.groups)],
        }


def annotator_agreements(
    labels: Sequence[Label], *, draws: Resampling = DEFAULT_RESAMPLING
) -> list[AnnotatorAgreement]:
    """Return the agreement of people, in the order in which benchmarks and kinds first appear.

    Labels of all splits count: how far people agree does not depend on what a prompt was tuned on. The groups of a
    question are those that any of its labels names: each item of a rubric may have a pillar of its own.
    """
    parts: dict[tuple[str, QuestionKind], list[Label]] = defaultdict(list)
    for label in labels:
        parts[label.benchmark, label.kind].append(label)
    return [_annotator_agreement(benchmark, kind, mine, draws) for (benchmark, kind), mine in parts.items()]


def _annotator_agreement(
    benchmark: str, kind: QuestionKind, labels: Sequence[Label], draws: Resampling
) -> AnnotatorAgreement:
    alpha = people_agreement(kind, labels, draws=draws)[0].model_copy(update={"name": "alpha"})
    strata = group_labels(labels)
    return AnnotatorAgreement(
        benchmark,
        kind,
        people=tuple(sorted({label.person for label in labels})),
        questions=len({label_key(label) for label in labels}),
        shared=alpha.n,
        alpha=alpha,
        pairs=pair_agreement(kind, labels, draws=draws),
        groups=tuple(
            each.model_copy(update={"group": {name: value}})
            for (name, value), mine in sorted(strata.items())
            for each in _group_agreement(kind, mine, draws)
        ),
    )


def group_labels(labels: Sequence[Label]) -> dict[tuple[str, str], list[Label]]:
    """Sort labels by the groups of their questions, (name, value) → labels; a question without groups is in none."""
    of_question: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for label in labels:
        of_question[label.benchmark, label.item, label.question] |= label.groups
    strata: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        for name, value in of_question[label.benchmark, label.item, label.question].items():
            strata[name, value].append(label)
    return strata


def _group_agreement(kind: QuestionKind, labels: Sequence[Label], draws: Resampling) -> tuple[Estimate, ...]:
    alpha = people_agreement(kind, labels, draws=draws)[0].model_copy(update={"name": "alpha"})
    shared = disputes(labels)
    if not shared or kind == "scale":
        return (alpha,)
    same = [1 - each.disagreement for each in shared]
    return alpha, draws.mean(same, [f"{each.about.benchmark}/{each.about.item}" for each in shared], name="same answer")


def _distance(kind: QuestionKind, one: str | float, two: str | float) -> float:
    if kind == "scale" and not isinstance(one, str) and not isinstance(two, str):
        return abs(one - two) / (HIGHEST - LOWEST)
    return float(one != two)


def _by_question(labels: Sequence[Label]) -> dict[LabelKey, dict[str, str | float | None]]:
    said: dict[LabelKey, dict[str, str | float | None]] = defaultdict(dict)
    for label in labels:
        said[label_key(label)][label.person] = _category(label_verdict(label))
    return said


def _ratings(labels: Sequence[Label]) -> _Ratings:
    people, said = tuple(sorted({label.person for label in labels})), _by_question(labels)
    units = tuple(f"{key.benchmark}/{key.item}" for key in said)
    return _Ratings(people, units, tuple(tuple(answers.get(person) for person in people) for answers in said.values()))


def _alpha(kind: QuestionKind, table: _Ratings, draws: Resampling, *, name: str) -> Estimate:
    if kind in OPEN_ENDED and table.too_many:
        return undefined_agreement(name, len(table.rows), len(set(table.units)))
    level: Level = "interval" if kind == "scale" else "nominal"
    alpha = krippendorff_alpha(table.rows, table.units, level=level, name=name, **draws.options)
    nobody = {"method": "undefined: no question was labelled by two people"}
    return alpha if alpha.n else alpha.model_copy(update=nobody)


def _kappa(pair: _Ratings, draws: Resampling, *, name: str) -> tuple[Estimate, Estimate]:
    """Return kappa and the rate of agreement of two people, on the questions that both answered."""
    both = [(*row, unit) for row, unit in zip(pair.rows, pair.units, strict=True) if None not in row]
    first, second = [str(one) for one, _, _ in both], [str(two) for _, two, _ in both]
    units = [str(unit) for *_, unit in both]
    found = cohen_kappa(first, second, units, categories=sorted({*first, *second}), name=name, **draws.options)
    return found.kappa, found.rate


def _category(answer: JsonValue) -> str | float | None:
    # A list or an object would be no category; answers that people can give are text and numbers.
    return answer if answer is None or isinstance(answer, str | int | float) else str(answer)
