"""Marking: one scorer for each axis, and beside each score what explains it or shows its weakness.

Beside scores there are findings that only explain. Some of them say what a fixed answer would get for the item
(`always_flag`, `always_before`, `pasted_transcript`, `stuffed_terms`): tables show them as rows of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutscore.benchmarks.vidwork.answers.key_terms import score_terms
from cutscore.benchmarks.vidwork.answers.order import read_order
from cutscore.benchmarks.vidwork.answers.steps import (
    MATCHERS,
    THRESHOLDS,
    match_steps,
    pair_steps,
    similarities,
    split_steps,
    step_similarity,
)
from cutscore.benchmarks.vidwork.answers.verdict import SUSPICION, read_verdict
from cutscore.benchmarks.vidwork.dataset import (
    AnyQuestion,
    CausalQuestion,
    CrossModalQuestion,
    ErrorQuestion,
    OrderQuestion,
    StepQuestion,
)
from cutscore.benchmarks.vidwork.usual_steps import USUAL_STEPS
from cutscore.benchmarks.vidwork.words import content_words, stem, words
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges

ANSWER_FILE = "answer.txt"
SHOWN = 5  # missing steps or terms that a sentence names


def mark(
    deliverable: Deliverable, evidence: Evidence, item: AnyQuestion, judges: Judges, *, options: Mapping[str, str]
) -> list[Finding]:
    """Return `score`, the same value under the name of the axis, and what explains it.

    The option `matcher` says how steps are compared. The answer is the text, or `answer.txt` where files are
    delivered. Nonsense is an answer, and gets 0; words from which neither an order nor a verdict can be read are
    counted as unreadable beside that.
    """
    filed = evidence.text(ANSWER_FILE)
    answer = deliverable.text if filed is None else filed
    scored = _score(answer, item, matcher=options["matcher"])
    because = scored.because
    if not answer.strip():
        because = f"nothing was answered{deliverable.failure and f' ({deliverable.failure})'}; {because}"
    own = "twin_acceptance" if isinstance(item, ErrorQuestion) and not item.wrong else item.axis
    file = item.clip.name if item.clip is not None else None
    at = item.at if item.clip is not None else None
    unreadable = scored.unreadable and bool(answer.strip())
    scores = [
        Finding(name=name, value=scored.value, because=because, file=file, at=at, unreadable=unreadable)
        for name in ("score", own)
    ]
    return [*scores, *scored.beside]


@dataclass(frozen=True)
class AxisScore:
    """The score of an answer on the axis of its question, why, and the findings that stand beside it.

    Args:
        unreadable: Nobody can tell what was answered.
    """

    value: float
    because: str
    beside: list[Finding]
    unreadable: bool = False


def _score(answer: str, item: AnyQuestion, *, matcher: str) -> AxisScore:
    if isinstance(item, StepQuestion):
        return _score_steps(answer, item, matcher)
    if isinstance(item, OrderQuestion):
        return _score_order(answer, item)
    if isinstance(item, ErrorQuestion):
        return _score_error(answer, item)
    return _score_words(answer, item)


def _score_steps(answer: str, item: StepQuestion, matcher: str) -> AxisScore:
    said = split_steps(answer)
    table = similarities(said, item.steps, similarity=step_similarity(matcher, [*said, *item.steps]))
    by_threshold = {each: pair_steps(table, said=len(said), threshold=each) for each in THRESHOLDS}
    match = by_threshold[MATCHERS[matcher]]
    found = {step for step, _ in match.pairs}
    missing = [step for number, step in enumerate(item.steps) if number not in found]
    because = f"{len(match.pairs)} of {match.annotated} annotated steps among {match.said} said{_name_missing(missing)}"
    beside = [
        Finding(name=f"step_f1_at_{each}", value=by_threshold[each].f1, because=f"F1 if steps match from {each} on")
        for each in THRESHOLDS
    ]
    usual = next(steps for name, steps in USUAL_STEPS.items() if item.domain.replace("_", " ").startswith(name))
    if said:
        template = match_steps(said, usual).precision
        beside.append(Finding(name="template", value=template, because="share of said steps that fit any such clip"))
    if match.tau is not None:
        beside.append(Finding(name="step_tau", value=match.tau, because="Kendall's tau of the matched steps' order"))
    return AxisScore(match.f1, because, beside)


def _score_order(answer: str, item: OrderQuestion) -> AxisScore:
    said = read_order(answer, item.first, item.second)
    because = f"{said.reading}; '{item.first}' happens {item.gold} '{item.second}'"
    beside = [Finding(name="always_before", value=float(item.gold == "before"), because=f"gold is {item.gold}")]
    if item.pair:
        # The order that was claimed, whichever way it was asked: equal for two answers that agree.
        turned = item.first > item.second
        claims = 0.0 if said.order is None else 1.0 if (said.order == "before") != turned else -1.0
        beside.append(Finding(name=f"pair {item.pair}", value=claims, because=said.reading))
    return AxisScore(float(said.order == item.gold), because, beside, said.unreadable)


def _score_words(answer: str, item: CausalQuestion | CrossModalQuestion) -> AxisScore:
    terms, heard = item.terms, item.narration
    score = score_terms(answer, terms)
    counts = f"{len(score.found)} of {len(terms.wanted)} key terms, {score.others} other words"
    because = f"{counts}{_name_missing(_whole_words(score.missing, item))}"
    beside = [
        Finding(name="key_terms_robust", value=score.robust, because="best F1 of a stretch of twice the reference"),
        Finding(
            name="negation_differs",
            value=float(score.negation_differs),
            because="reference and answer differ in having a negation" if score.negation_differs else "no difference",
        ),
    ]
    stuffed = " ".join(sorted(set(content_words(heard))))
    for name, control in (("pasted_transcript", heard), ("stuffed_terms", stuffed)):
        found = score_terms(control, terms)
        for kind, value in (("", found.paper), ("_robust", found.robust)):
            beside.append(Finding(name=name + kind, value=value, because="what this control gets for the item"))
    said = set(content_words(answer))
    if said:
        copied = len(said & set(content_words(heard))) / len(said)
        beside.append(Finding(name="said_in_transcript", value=copied, because="share of the answer's words"))
    return AxisScore(score.paper, because, beside)


def _score_error(answer: str, item: ErrorQuestion) -> AxisScore:
    said = read_verdict(answer)
    value = float(said.verdict == ("flagged" if item.wrong else "accepted"))
    truth = f"wrong ({item.change or item.error_type})" if item.wrong else "correct"
    because = f"{said.reading}: {said.verdict}; the description is {truth}"
    kind = "error" if item.wrong else "twin"
    return AxisScore(
        value,
        because,
        [
            Finding(name=f"{kind} {item.error_type}", value=value, because=because),
            Finding(name=f"verdict {said.verdict}", value=1.0, because=said.reading),
            Finding(name="suspicion", value=SUSPICION[said.verdict], because=said.reading),
            Finding(name="always_flag", value=float(item.wrong), because=f"the description is {truth}"),
        ],
        said.verdict == "none",
    )


def _whole_words(stems: Sequence[str], item: CausalQuestion | CrossModalQuestion) -> list[str]:
    """Return words of the reference for stems, which are no words (`wal` is a wall)."""
    spelled = {stem(word): word for word in reversed(words(" ".join((item.reference, *item.key_terms))))}
    return [spelled.get(each, each) for each in stems]


def _name_missing(missing: list[str] | tuple[str, ...]) -> str:
    if not missing:
        return ""
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    return f"; missing: {', '.join(missing[:SHOWN])}{more}"
