"""Items: a question about a procedure on video, on one of five axes, from a folder of the published shape."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, StringConstraints, TypeAdapter, model_validator

from cutscore.authoring.packs import read_pack
from cutscore.benchmarks.vidwork.answers.key_terms import KeyTerms, key_terms, score_terms
from cutscore.benchmarks.vidwork.answers.order import Order
from cutscore.benchmarks.vidwork.words import content_words, words
from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import At, Seconds
from cutscore.media.transcript import Transcript, read_transcript, to_vtt

Domain = Literal["cooking", "repair_manufacturing", "first_aid_safety"]
ErrorType = Literal[
    "step_swap",
    "step_omission",
    "step_modification",
    "action_modification",
    "tool_substitution",
    "quantity_error",
    "causal_reversal",
    "insufficient_input",
]
DOMAINS: tuple[str, ...] = get_args(Domain)
ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)
CENTRES_S = (30, 60, 180, 300)
UNKNOWN = "unknown"
# What an id must not say, since subjects see it.
TELLING = {"temporal_ordering": ("before", "after"), "error_detection": ("twin", "correct", "wrong", *ERROR_TYPES)}
STARTER = Path(__file__).parent / "starter"
SIDECARS = {"transcript": read_transcript}
TRANSCRIPT = "transcript.vtt"  # as subjects get it
BUCKETS = tuple(f"{centre} s" for centre in CENTRES_S)

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\r\n]*$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]


class ProcedureQuestion(Item):
    """What the questions of all axes have.

    Args:
        clip: The video; may be missing where keyframes are published instead.
        keyframes: Pictures at one a second, in order of time.
        transcript: What is said, with times; None when nobody listened.
        duration_s: Length of the clip; None where the published item does not say.
        author: Who wrote question and reference: a person, or a model by name.
        filtered_by: Models whose right answers removed items from the pool; their own scores on the rest are too low.
        at: Stretch of the clip that answers the question.
    """

    domain: Domain
    question: Text
    clip: FileRef | None = None
    keyframes: tuple[FileRef, ...] = ()
    transcript: Transcript | None = None
    duration_s: Annotated[Seconds, Field(gt=0)] | None = None
    author: str = ""
    filtered_by: tuple[str, ...] = ()
    licence: str = ""
    at: Annotated[At, TRUTH] = None

    @model_validator(mode="after")
    def _can_be_seen(self) -> Self:
        if self.clip is None and not self.keyframes:
            raise ValueError("has neither a clip nor keyframes")
        return self

    @property
    def narration(self) -> str:
        """The transcript without times."""
        return self.transcript.text if self.transcript is not None else ""


class StepQuestion(ProcedureQuestion):
    """List the steps of the procedure."""

    axis: Literal["step_recognition"] = "step_recognition"
    steps: Annotated[tuple[Line, ...], TRUTH, Field(min_length=3, max_length=200)]

    @model_validator(mode="after")
    def _steps_have_words(self) -> Self:
        for number, step in enumerate(self.steps, start=1):
            if not words(step):
                raise ValueError(f"step {number} has no word")
        return self


class OrderQuestion(ProcedureQuestion):
    """Did one step happen before or after another?

    Args:
        first, second: The steps A and B of "did A happen before or after B?".
        gold: Where A lies from B.
        pair: Shared with the question that asks the other way round.
    """

    axis: Literal["temporal_ordering"] = "temporal_ordering"
    first: Line
    second: Line
    gold: Annotated[Order, TRUTH]
    pair: Annotated[str, TRUTH] = ""

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Self:
        if set(content_words(self.first)) == set(content_words(self.second)):
            raise ValueError("its two steps have the same words, so no answer can tell them apart")
        return self


class _WordedQuestion(ProcedureQuestion):
    """A question that is answered in words; an answer is searched for the key terms, else for the reference's own."""

    reference: Annotated[Text, TRUTH, Field(max_length=2_000)]
    key_terms: Annotated[tuple[Line, ...], TRUTH] = ()

    @model_validator(mode="after")
    def _reference_answers(self) -> Self:
        told = set(content_words(self.reference))
        strange = [term for term in self.key_terms if not set(content_words(term)) <= told]
        if strange:
            raise ValueError(
                f"key term '{strange[0]}' is not in the reference, so the reference would not get full marks"
            )
        if score_terms(self.reference, self.terms).paper < 1:
            raise ValueError("the reference has no word that the question lacks; list key terms")
        return self

    @property
    def terms(self) -> KeyTerms:
        return key_terms(self.reference, self.question, self.key_terms)


class CausalQuestion(_WordedQuestion):
    """Why was something done, or what if it were left out?"""

    axis: Literal["causal_reasoning"] = "causal_reasoning"


class CrossModalQuestion(_WordedQuestion):
    """What is to be seen and not said."""

    axis: Literal["cross_modal_grounding"] = "cross_modal_grounding"


class ErrorQuestion(ProcedureQuestion):
    """Is a description of the clip correct?

    Args:
        error_type: What was changed; for a correct description, what its twin had changed.
        change: What was changed, for the reader of a report.
        pair: Shared by a wrong description and its correct twin.
    """

    axis: Literal["error_detection"] = "error_detection"
    description: Text
    error_type: Annotated[ErrorType, TRUTH]
    wrong: Annotated[bool, TRUTH] = True
    change: Annotated[str, TRUTH] = ""
    pair: Annotated[str, TRUTH] = ""


AnyQuestion = StepQuestion | OrderQuestion | CausalQuestion | CrossModalQuestion | ErrorQuestion
ADAPTER: TypeAdapter[AnyQuestion] = TypeAdapter(Annotated[AnyQuestion, Field(discriminator="axis")])
AXES: tuple[str, ...] = tuple(kind.model_fields["axis"].default for kind in get_args(AnyQuestion))


def items(store: FileStore, data: Path | None = None) -> list[AnyQuestion]:
    """Return the items of the starter pack, or of a folder in its order, with their strata filled in."""
    folder = data or STARTER
    read = read_pack(folder, ADAPTER, store, files=("clip",), folders=("keyframes",), sidecars=SIDECARS)
    put_transcripts(read, store)
    return list(with_groups(read))


def transcript_bytes(item: AnyQuestion) -> bytes | None:
    """Return the transcript as the file that a subject gets; None when nobody listened."""
    return to_vtt(item.transcript).encode() if item.transcript is not None else None


def put_transcripts(read: Iterable[AnyQuestion], store: FileStore) -> None:
    """Put the transcripts that `ask` refers to into the store; many questions share one."""
    for said in {said for item in read if (said := transcript_bytes(item)) is not None}:
        store.put_bytes(said, name=TRANSCRIPT, media_type="text/vtt")


def with_groups(read: Sequence[AnyQuestion]) -> Iterator[AnyQuestion]:
    """Fill in the strata that tables are made of; all of them are public.

    Author and filter appear only when some item names them, and then for all.
    """
    authors, filters = any(item.author for item in read), any(item.filtered_by for item in read)
    for item in read:
        groups = {"axis": item.axis, "domain": item.domain, "duration": bucket(item.duration_s)}
        groups |= {"author": item.author or UNKNOWN} if authors else {}
        groups |= {"filter": "+".join(sorted(item.filtered_by)) or "none"} if filters else {}
        yield item.model_copy(update={"groups": {**item.groups, **groups}})


def bucket(duration_s: Fraction | None) -> str:
    """Name the duration bucket with the nearest centre; half way between two it is the shorter.

    >>> [bucket(Fraction(length)) for length in (12, 45, 46, 600)]
    ['30 s', '30 s', '60 s', '300 s']
    """
    if duration_s is None:
        return UNKNOWN
    return f"{min(CENTRES_S, key=lambda centre: abs(centre - duration_s))} s"


def empty_cells(clips: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the cells (domain, duration bucket) that no clip falls into."""
    seen = set(clips)
    return [(domain, length) for domain in DOMAINS for length in BUCKETS if (domain, length) not in seen]


def remarks(read: Sequence[AnyQuestion]) -> list[str]:
    """Describe what a reader of scores should know of a pack; none of it makes the pack unusable."""
    cells = empty_cells((item.domain, bucket(item.duration_s)) for item in read)
    found = [f"no clip in {domain} × {length}" for domain, length in cells]
    found += [f"no item on axis {axis}" for axis in AXES if axis not in {item.axis for item in read}]
    golds = Counter(item.gold for item in read if isinstance(item, OrderQuestion))
    if golds["before"] != golds["after"]:
        found.append(f"order questions have {golds['before']} times before and {golds['after']} times after")
    pairs = Counter((item.axis, item.pair) for item in read if isinstance(item, OrderQuestion | ErrorQuestion))
    for item in read:
        if any(word in item.id.lower() for word in TELLING.get(item.axis, ())):
            found.append(f"item '{item.id}': its id, which subjects see, hints at the answer")
        if isinstance(item, OrderQuestion) and (not item.pair or pairs[item.axis, item.pair] < 2):
            found.append(f"item '{item.id}': is not asked the other way round")
        if isinstance(item, ErrorQuestion) and item.wrong and (not item.pair or pairs[item.axis, item.pair] < 2):
            found.append(f"item '{item.id}': has no correct twin")
        if isinstance(item, CrossModalQuestion) and item.terms.wanted <= set(content_words(item.narration)):
            found.append(f"item '{item.id}': its whole answer is said in the transcript")
    return found
