"""The four kinds of error of G.4, each counted in its own unit, from the answers of the judges.

    execution     edit points with a wrong answer about execution     entanglement  preservation scores of 5 or less
    physics       videos in which something breaks a law of nature    degradation   videos with artefacts of generation

The first two follow from the checklist; the last two are the forensic judge's (`forensics`). The paper stacks the four
counts and prints each as a share of their sum, though their units differ; here both are told.
"""

from collections.abc import Sequence

from cutscore.benchmarks.covebench.checklist import Checklist, EditPoint
from cutscore.benchmarks.covebench.dataset import EDITED
from cutscore.benchmarks.covebench.scores import Answers, is_right, preservation_points
from cutscore.core.finding import Finding

ENTANGLED = 5  # points of preservation at which what was to stay counts as spoilt (G.4.2)


def find_errors(checklist: Checklist, answers: Answers) -> list[Finding]:
    """Return how many edit points are not executed, and how much of what was to stay is spoilt, of those answered."""
    points = [(point, done) for point in checklist.edit_points if (done := is_executed(point, answers)) is not None]
    failed = [point.target for point, done in points if not done]
    kept = [each for each in checklist.questions if each.measure == "sem"]
    points_of = {each.id: preservation_points(answers.get(each.id), "reference") for each in kept}
    scored = [(id, score) for id, score in points_of.items() if score is not None]
    spoilt = [f"{id} has {score:g}" for id, score in scored if score <= ENTANGLED]
    counts = [
        _count("execution", failed, len(points), "edit points have a wrong answer about execution"),
        _count("entanglement", spoilt, len(scored), f"preservation scores are {ENTANGLED} or less"),
    ]
    return [each for each in counts if each.whole]  # of what nobody answered nothing is known


def is_executed(point: EditPoint, answers: Answers) -> bool | None:
    """Return whether all answers about the execution of an edit point are right; None where there is none."""
    right = [is_right(each, answers.get(each.id)) for each in point.objective if each.measure == "ifs"]
    return None if all(each is None for each in right) else False not in right


def _count(kind: str, found: Sequence[str], whole: int, what: str) -> Finding:
    named = f": {', '.join(found)}" if found else ""
    because = f"{len(found)} of {whole} {what}{named}"
    return Finding(name=f"error/{kind}", value=len(found), whole=whole, because=because, file=EDITED)
