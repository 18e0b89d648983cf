"""How much of a checklist was answered, and between what its scores lie, whatever the missing answers are."""

from cutscore.benchmarks.covebench.checklist import Checklist, ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EDITED
from cutscore.benchmarks.covebench.scores import (
    LOWEST,
    PERCENT,
    Answers,
    is_right,
    preservation_points,
    score_checklist,
)
from cutscore.core.finding import Finding

LEAST, MOST = "least", "most"  # of the names of findings that bound a score: `least/uas`


def describe_coverage(
    checklist: Checklist, answers: Answers, *, no_video: str = "", elsewhere: bool = False
) -> list[Finding]:
    """Return how many questions have an answer; where some have none, also the least and the most of each score.

    An answer is one that `paper` takes. Without a video, for which a reason is given, nothing has an answer. An edit
    point counts as open while an answer is missing and none is wrong, though `reference` and `paper` go by the rest.
    """
    asked = checklist.questions
    count = sum(_is_answered(each, answers.get(each.id)) for each in asked)
    because = no_video or f"{count} of {len(asked)} questions have an answer"
    found = [Finding(name="answered", value=count, whole=len(asked), because=because, file=EDITED)]
    if not elsewhere:  # nobody here has seen a video that was judged elsewhere
        because = no_video or "there is a video"
        found.append(Finding(name="video", value=float(not no_video), whole=1, because=because, file=EDITED))
    for name, total in score_checklist(checklist, answers, "strict").items():
        bounds = total.bounds(PERCENT / 10 * LOWEST if name == "sem" else 0.0)
        if total.open and bounds:
            whole = total.whole + total.open
            because = f"{total.open} of {whole} are open"
            found += [
                Finding(name=f"{end}/{name}", value=value * whole, whole=whole, because=because, file=EDITED)
                for end, value in zip((LEAST, MOST), bounds, strict=True)
            ]
    return found


def _is_answered(question: ChecklistQuestion, answer: object) -> bool:
    if question.measure == "sem":
        return preservation_points(answer, "paper") is not None
    return is_right(question, answer) is not None
