"""All checks of a task together: every type of evaluation in its order, multiplied."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.evaluators.answers import AskedWords, match_answer
from cutscore.benchmarks.videowebarena.evaluators.contents import match_target
from cutscore.benchmarks.videowebarena.evaluators.images import ReferenceImages, match_images
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.page_checks import PageCheck, PageRecord, page_checks
from cutscore.benchmarks.videowebarena.evaluators.urls import match_url
from cutscore.benchmarks.videowebarena.evaluators.verdict import CheckOutcome, Verdict, all_passed
from cutscore.benchmarks.videowebarena.released import EvalSection, EvalType
from cutscore.core.files import FileRef


@dataclass(frozen=True)
class FinalState:
    """What a task ended in, and what marking may know of it.

    Args:
        answer: What the subject answered.
        images: Images to compare with that the user's folder has, by address.
    """

    intent: str
    answer: str
    record: PageRecord
    images: Mapping[str, FileRef]


@dataclass(frozen=True)
class TypeOutcome:
    """What one type of evaluation says."""

    type: EvalType
    outcome: CheckOutcome


def evaluate_section(section: EvalSection, state: FinalState, jury: Jury) -> list[TypeOutcome]:
    """Return what every type of a section says; none of them stops the others. Without a type nothing is said."""
    checks = page_checks(section)
    made = []
    for kind in section.eval_types:
        own = [check for check in checks if check.type == kind]
        made.append(TypeOutcome(kind, _evaluate(kind, own, section, state, jury)))
    return made


def _evaluate(
    kind: EvalType, checks: Sequence[PageCheck], section: EvalSection, state: FinalState, jury: Jury
) -> CheckOutcome:
    record = state.record
    if kind == "string_match":
        words = AskedWords(state.intent, state.intent, section.string_note)
        return match_answer(section.reference_answers or (), state.answer, words, record.mode, jury)
    if kind == "url_match":
        return all_passed(
            match_url(record.url(check), section.reference_url or "", section.url_note, record.mode) for check in checks
        )
    if kind == "program_html":
        return all_passed(_targets(checks, state, jury))
    return _evaluate_images(checks, ReferenceImages(section.reference_images, state.images), state, jury)


def _targets(checks: Sequence[PageCheck], state: FinalState, jury: Jury) -> Iterator[Verdict]:
    """Check targets one by one; the first whose locator finds nothing at all is the last."""
    for check in checks:
        outcome = match_target(check, state.record, state.intent, jury)
        if outcome is None:
            locator = check.target.locator[:120] if check.target else ""
            yield Verdict(False, f"{check.url}: seen nothing, '{locator}' found none")
            return
        yield from outcome.verdicts


def _evaluate_images(
    checks: Sequence[PageCheck], references: ReferenceImages, state: FinalState, jury: Jury
) -> CheckOutcome:
    """Check image queries: in the reference the last one alone decides, unless one before it has no image at all."""
    verdicts: list[Verdict] = []
    passed = True
    for check in checks:
        outcome = match_images(check, state.record, references, jury)
        if outcome is None:
            chosen = (check.query.eval_image_class if check.query else "") or "any class"
            verdicts.append(Verdict(False, f"{check.url}: seen no image of {chosen} that can be loaded"))
            return CheckOutcome(False, tuple(verdicts))
        verdicts += outcome.verdicts
        passed = outcome.passed and (passed or state.record.mode == "reference")
    return CheckOutcome(passed, tuple(verdicts))
