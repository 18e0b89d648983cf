"""What can be asked about a procedure: the order of two steps, reasons and consequences, and what is seen and not said.

A pair of steps can be asked about when one is over before the other begins, a cause when the question does not give its
answer away, and a sight when nobody says it: that is checked against the transcript, not hoped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, zip_longest
from random import Random
from typing import Generic, TypeVar

from cutscore.benchmarks.vidwork.answers.key_terms import key_terms
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep, Sight, stretch_of
from cutscore.benchmarks.vidwork.words import content_words, is_content, stem, word_set, words
from cutscore.core.timeline import Span

MARGIN_S = Fraction(1, 2)  # between the end of one and the beginning of the other: people mark ends by eye
MENTIONED = Fraction(1, 2)  # share of a step's words that must be said during it
FEWEST_TERMS = 2  # one word is found by chance, or missed by a synonym
# Words that any reason may have.
WEAK = frozenset(
    map(stem, word_set("1 along get give go hold keep let make need put take thing together until use want"))
)

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Screening(Generic[Kind]):
    """What may be asked about, and sentences that say why the rest may not."""

    kept: tuple[Kind, ...]
    refused: tuple[str, ...]


def _by_turns(*kinds: Sequence[Kind]) -> list[Kind]:
    return [each for turn in zip_longest(*kinds) for each in turn if each is not None]


# ── order ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class OrderPair:
    """Two steps; `audible` when what is said, and when, gives their order away."""

    earlier: ProcedureStep
    later: ProcedureStep
    audible: bool

    @property
    def at(self) -> Span:
        """From the beginning of the earlier to the end of the later one."""
        return Span(start_s=self.earlier.start_s, end_s=self.later.end_s)


def draw_order_pairs(procedure: ProcedureRecord, draw: Random, *, most: int) -> list[OrderPair]:
    """Draw pairs of steps, by turns such that no listener knows the order of and such that one does.

    So at least half of them cannot be put in order by listening, as long as there are such. Among equals those come
    first of which neither needs the other: what must come first can be guessed. A pair that the words of the two steps
    cannot tell apart is left out, and so is a step whose text occurs twice.
    """
    mentioned = {step.id: is_mentioned(step, procedure) for step in procedure.steps}
    texts = Counter(step.text for step in procedure.steps)
    once = [(step, set(content_words(step.text))) for step in procedure.steps if texts[step.text] == 1]
    pairs = [
        OrderPair(one, other, audible=_is_audible(one, other, procedure, mentioned))
        for (one, first), (other, second) in product(once, once)
        if one.end_s + MARGIN_S <= other.start_s and first - second and second - first
    ]
    draw.shuffle(pairs)
    pairs.sort(key=lambda pair: pair.earlier.id in procedure.all_needs[pair.later.id])
    return _by_turns(*([pair for pair in pairs if pair.audible is wanted] for wanted in (False, True)))[:most]


def _is_audible(
    one: ProcedureStep, other: ProcedureStep, procedure: ProcedureRecord, mentioned: Mapping[str, bool]
) -> bool:
    """Return whether a listener knows the order: both are mentioned, or one is and all gaps are on one side of it."""
    if mentioned[one.id] == mentioned[other.id]:
        return mentioned[one.id]
    known = one if mentioned[one.id] else other
    gaps = [step for step in procedure.steps if not mentioned[step.id]]
    return len({gap.start_s < known.start_s for gap in gaps}) == 1


def is_mentioned(step: ProcedureStep, procedure: ProcedureRecord) -> bool:
    """Return whether a step is mentioned while it is done."""
    wanted = set(content_words(step.text))
    heard = set(content_words(procedure.transcript.during(step))) if procedure.transcript is not None else set()
    return len(wanted & heard) >= MENTIONED * len(wanted)


# ── reasons and consequences ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Cause:
    """A question that is answered in words; key terms are those of the answer that the question does not have."""

    question: str
    answer: str
    key_terms: tuple[str, ...]
    steps: tuple[ProcedureStep, ...]
    at: Span


def draw_causes(procedure: ProcedureRecord, draw: Random, *, most: int) -> Screening[Cause]:
    """Draw questions about a procedure, in turn "why?" from its reasons and "what if not?" from its needs."""
    kept: tuple[list[Cause], list[Cause]] = ([], [])
    refused = []
    for kind, made in zip(kept, (_reasons(procedure), _consequences(procedure)), strict=True):
        for cause in made:
            if len(cause.key_terms) >= FEWEST_TERMS:
                kind.append(cause)
            else:
                refused.append(f"'{cause.question}': its answer has too few words that the question lacks")
        draw.shuffle(kind)
    return Screening(tuple(_by_turns(*kept)[:most]), tuple(refused))


def _reasons(procedure: ProcedureRecord) -> Iterator[Cause]:
    for step in procedure.steps:
        if step.why:
            question = f'Why is this step done: "{step.text}"?'
            yield _cause(question, _sentence(step.why), (step,))


def _consequences(procedure: ProcedureRecord) -> Iterator[Cause]:
    """Ask for the first step that cannot be done when another one is left out."""
    for step in procedure.steps:
        stuck = next((later for later in procedure.steps if step.id in later.needs), None)
        if stuck is not None:
            question = f'If this step were skipped, which later one could not be done as shown: "{step.text}"?'
            yield _cause(question, _sentence(stuck.text), (step, stuck))


def _cause(question: str, answer: str, steps: tuple[ProcedureStep, ...]) -> Cause:
    plain = set(content_words(question)) | WEAK
    terms = dict.fromkeys(word for word in words(answer) if is_content(word) and stem(word) not in plain)
    return Cause(question, answer, tuple(terms), steps, stretch_of(*steps))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


# ── what is only seen ────────────────────────────────────────────────────────────────────────────────────────────


def select_unspoken(procedure: ProcedureRecord) -> Screening[Sight]:
    """Sort out the sights whose answer somebody says, or that the question itself gives away.

    One term of the answer in the transcript, anywhere, is enough to refuse it: whoever only reads would have it.
    """
    heard = set(content_words(procedure.narration)) if procedure.narration else set()
    kept, refused = [], []
    for sight in procedure.sights:
        wanted = key_terms(sight.answer, sight.question, sight.key_terms).wanted
        strange = wanted - set(content_words(sight.answer))
        said = [word for word in words(sight.answer) if stem(word) in wanted & heard]
        if not wanted - set(content_words(sight.question)):
            refused.append(f"'{sight.question}': the question gives the answer away")
        elif strange:
            refused.append(f"'{sight.question}': key term '{min(strange)}' is not in the answer")
        elif said:
            refused.append(f"'{sight.question}': '{said[0]}' of the answer is said in the transcript")
        else:
            kept.append(sight)
    return Screening(tuple(kept), tuple(refused))


def draw_sights(sights: Sequence[Sight], draw: Random, *, most: int) -> list[Sight]:
    """Draw sights of different kinds, as far as there are: colours, numbers and sides by turns."""
    by_kind: dict[str, list[Sight]] = {}
    for sight in draw.sample(sights, len(sights)):
        by_kind.setdefault(" ".join(sight.question.split()[:2]), []).append(sight)
    return _by_turns(*by_kind.values())[:most]
