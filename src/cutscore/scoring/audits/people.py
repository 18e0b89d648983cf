"""How far people agree with each other: no judge can be asked for more."""

from collections import defaultdict
from collections.abc import Sequence

from pydantic import JsonValue

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.labels.files import Asked, about, verdict
from cutscore.scoring.audits.draws import PLAIN, Draws
from cutscore.scoring.audits.measures import MOST_CATEGORIES, too_many
from cutscore.stats.agreement import cohen_kappa
from cutscore.stats.reliability import krippendorff_alpha


def people_agreement(kind: QuestionKind, labels: Sequence[Label], *, draws: Draws = PLAIN) -> tuple[Estimate, ...]:
    """Give Krippendorff's alpha of all people, and Cohen's kappa where exactly two of them share questions.

    On a scale alpha takes the distance between points. Items are clusters. Undefined, and said so, where nothing
    was labelled by two people or all said the same.

    Args:
        kind: Of all the labels.
        labels: Of one kind.
        draws: How intervals are made.
    """
    people = sorted({label.person for label in labels})
    said: dict[Asked, dict[str, JsonValue]] = defaultdict(dict)
    for label in labels:
        said[about(label)][label.person] = verdict(label)
    units = [f"{key.benchmark}/{key.item}" for key in said]
    # A list or an object would be no category; answers that people can give are text and numbers.
    ratings = [[_category(told.get(person)) for person in people] for told in said.values()]
    if kind == "choice" and len({value for told in ratings for value in told} - {None}) > MOST_CATEGORIES:
        return (too_many("people: alpha", len(ratings), len(set(units))),)
    alpha = krippendorff_alpha(
        ratings,
        units,
        level="interval" if kind == "scale" else "nominal",
        name="people: alpha",
        **draws.options,
    )
    if alpha.n == 0:
        return (alpha.model_copy(update={"method": "undefined: no question was labelled by two people"}),)
    if len(people) != 2 or kind == "scale":
        return (alpha,)
    both = [(one, two, unit) for (one, two), unit in zip(ratings, units, strict=True) if None not in (one, two)]
    first, second = [str(one) for one, _, _ in both], [str(two) for _, two, _ in both]
    found = cohen_kappa(
        first,
        second,
        [unit for _, _, unit in both],
        categories=sorted({*first, *second}),
        name="people: kappa",
        **draws.options,
    )
    return alpha, found.kappa


def _category(answer: JsonValue) -> str | float | None:
    return answer if answer is None or isinstance(answer, str | int | float) else str(answer)
