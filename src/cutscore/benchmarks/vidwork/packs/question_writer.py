"""What is known of a procedure → questions on all five axes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cutscore.benchmarks.vidwork.dataset import (
    AnyQuestion,
    CausalQuestion,
    CrossModalQuestion,
    ErrorQuestion,
    OrderQuestion,
    StepQuestion,
)
from cutscore.benchmarks.vidwork.procedures.errors import error_pairs, error_refusals
from cutscore.benchmarks.vidwork.procedures.procedure import FEWEST_STEPS, ProcedureRecord, ProcedureStep, stretch_of
from cutscore.benchmarks.vidwork.procedures.questions import (
    draw_causes,
    draw_order_pairs,
    draw_sights,
    is_mentioned,
    select_unspoken,
)
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.files import FileRef
from cutscore.core.timeline import Span

WHOLE = "List the steps of this procedure, in the order in which they are done."
ORDER = "Did A happen before or after B?"
CORRECT = "Is this description of the clip correct?"


@dataclass(frozen=True)
class QuestionLimits:
    """How many questions are asked about one clip.

    Args:
        parts: Questions about some of the steps, beside the one about all.
        pairs: Pairs of steps, each asked both ways round.
        causes, sights: Questions that are answered in words.
        errors: Places of each kind of error, each described wrongly and rightly.
    """

    parts: int = 1
    pairs: int = 2
    causes: int = 3
    sights: int = 3
    errors: int = 1


USUAL = QuestionLimits()


def questions(
    procedure: ProcedureRecord,
    *,
    clip: FileRef | None = None,
    keyframes: tuple[FileRef, ...] = (),
    others: Sequence[ProcedureRecord] = (),
    seed: int = 0,
    limits: QuestionLimits = USUAL,
) -> list[AnyQuestion]:
    """Draw the questions about one clip, axis by axis; equal seeds ask alike, whatever other clips there are.

    Ids tell the clip, the axis and a number, and nothing of the answer: which of two twins comes first is drawn. A
    subject is shown the clip, or keyframes instead. Wrong descriptions may borrow from other procedures.
    """
    made = _QuestionWriter(procedure, clip, keyframes, seed)
    return [
        *made.steps(limits.parts),
        *made.orders(limits.pairs),
        *made.causes(limits.causes),
        *made.sights(limits.sights),
        *made.errors(limits.errors, others),
    ]


def refusals(procedure: ProcedureRecord, *, others: Sequence[ProcedureRecord] = ()) -> list[str]:
    """Name what cannot be asked about a procedure, and why."""
    why = draw_causes(procedure, Random(0), most=0).refused
    kinds = error_refusals(procedure, others=others)
    return [*why, *select_unspoken(procedure).refused, *(f"{name}: {lacking}" for name, lacking in kinds.items())]


class _QuestionWriter:
    """Makes the questions about one clip."""

    def __init__(
        self, procedure: ProcedureRecord, clip: FileRef | None, keyframes: tuple[FileRef, ...], seed: int
    ) -> None:
        self._procedure, self._seed = procedure, seed
        self._heard = set(content_words(procedure.narration)) if procedure.narration else set()
        self._common = {
            "cluster": procedure.name,
            "domain": procedure.domain,
            "clip": clip,
            "keyframes": keyframes,
            "transcript": procedure.transcript,
            "duration_s": procedure.length_s,
            "author": procedure.author,
            "licence": procedure.licence,
        }

    def steps(self, parts: int) -> Iterator[StepQuestion]:
        """Ask for all steps, and for those before or after one that parts them."""
        asked = [(WHOLE, self._procedure.steps)]
        asked += self._draw("parts").sample(found := list(self._parts()), min(parts, len(found)))
        for number, (question, steps) in enumerate(asked, 1):
            fields = {"question": question, "steps": [step.text for step in steps]}
            yield StepQuestion.model_validate(self._item(f"s{number}", fields, stretch_of(*steps), self._told(steps)))

    def _parts(self) -> Iterator[tuple[str, tuple[ProcedureStep, ...]]]:
        every = self._procedure.steps
        for number, step in list(enumerate(every))[1:-1]:  # all but the first or last would be asked twice
            before, after = every[:number], every[number + 1 :]
            if sum(step.text == other.text for other in every) > 1:
                continue
            if len(before) >= FEWEST_STEPS and all(other.end_s <= step.start_s for other in before):
                yield f'List the steps that are done before this one, in their order: "{step.text}"', before
            if len(after) >= FEWEST_STEPS and all(other.start_s >= step.end_s for other in after):
                yield f'List the steps that are done after this one, in their order: "{step.text}"', after

    def orders(self, most: int) -> Iterator[OrderQuestion]:
        draw = self._draw("order")
        for number, pair in enumerate(draw_order_pairs(self._procedure, draw, most=most), 1):
            one, other = pair.earlier.text, pair.later.text
            ways = [(one, other, "before"), (other, one, "after")]
            for letter, (first, second, gold) in zip("ab", draw.sample(ways, 2), strict=True):
                fields = {"question": ORDER, "first": first, "second": second, "gold": gold}
                fields["pair"] = f"{self._procedure.name}-o{number}"
                yield OrderQuestion.model_validate(self._item(f"o{number}{letter}", fields, pair.at, pair.audible))

    def causes(self, most: int) -> Iterator[CausalQuestion]:
        for number, cause in enumerate(draw_causes(self._procedure, self._draw("cause"), most=most).kept, 1):
            fields = {"question": cause.question, "reference": cause.answer, "key_terms": cause.key_terms}
            told = {stem for term in cause.key_terms for stem in content_words(term)} <= self._heard
            yield CausalQuestion.model_validate(self._item(f"c{number}", fields, cause.at, told))

    def sights(self, most: int) -> Iterator[CrossModalQuestion]:
        kept = select_unspoken(self._procedure).kept
        for number, sight in enumerate(draw_sights(kept, self._draw("sight"), most=most), 1):
            fields = {"question": sight.question, "reference": sight.answer, "key_terms": sight.key_terms}
            yield CrossModalQuestion.model_validate(self._item(f"x{number}", fields, sight, told=False))

    def errors(self, most: int, others: Sequence[ProcedureRecord]) -> Iterator[ErrorQuestion]:
        draw = self._draw("error")
        pairs = error_pairs(self._procedure, draw, others=others, most=most)
        for number, pair in enumerate(draw.sample(pairs, len(pairs)), 1):
            told = self._told(step for step in self._procedure.steps if step.overlap(pair.proof.at))
            for letter, wrong in zip("ab", draw.sample((True, False), 2), strict=True):
                fields = {
                    "question": CORRECT,
                    "description": pair.wrong if wrong else pair.right,
                    "error_type": pair.error_type,
                    "wrong": wrong,
                    "change": pair.proof.change if wrong else "",
                    "pair": f"{self._procedure.name}-e{number}",
                }
                yield ErrorQuestion.model_validate(self._item(f"e{number}{letter}", fields, pair.proof.at, told))

    def _draw(self, axis: str) -> Random:
        return Random(f"vidwork {self._procedure.name} {axis} {self._seed}")

    def _told(self, steps: Iterable[ProcedureStep]) -> bool:
        return all(is_mentioned(step, self._procedure) for step in steps)

    def _item(self, key: str, fields: dict[str, Any], at: Span, told: bool) -> dict[str, Any]:
        """Return an item's fields; `narrate_with_gaps` says whether the words alone could do."""
        return {
            **self._common,
            **fields,
            "id": f"{self._procedure.name}-{key}",
            "at": Span(start_s=at.start_s, end_s=at.end_s),
            "groups": {"narrated": "yes" if told else "no"},
        }
