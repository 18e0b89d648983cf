"""Questions about reasons and consequences, with answers that the question does not give away."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import Procedure, Step
from cutscore.benchmarks.vidwork.words import content_words, is_content, stem, word_set, words
from cutscore.core.timeline import Span

FEWEST_TERMS = 2  # one word is found by chance, or missed by a synonym
# Words that any reason may have.
WEAK = frozenset(
    map(stem, word_set("1 along get give go hold keep let make need put take thing together until use want"))
)


@dataclass(frozen=True)
class Cause:
    """A question that is answered in words.

    Args:
        key_terms: Words of the answer that the question does not have.
        steps: Those that it is about.
        at: The stretch that answers it.
    """

    question: str
    answer: str
    key_terms: tuple[str, ...]
    steps: tuple[Step, ...]
    at: Span


@dataclass(frozen=True)
class Causes:
    """Questions, and sentences that say why others were not asked."""

    kept: tuple[Cause, ...]
    refused: tuple[str, ...]


def causes(procedure: Procedure, draw: Random, *, most: int) -> Causes:
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
    shorter = min(len(kept[0]), len(kept[1]))
    turns = [cause for both in zip(*kept, strict=False) for cause in both]
    return Causes(tuple([*turns, *kept[0][shorter:], *kept[1][shorter:]][:most]), tuple(refused))


def _reasons(procedure: Procedure) -> Iterator[Cause]:
    for step in procedure.steps:
        if step.why:
            question = f'Why is this step done: "{step.text}"?'
            yield _cause(question, _sentence(step.why), (step,))


def _consequences(procedure: Procedure) -> Iterator[Cause]:
    """Ask for the first step that cannot be done when another one is left out."""
    for step in procedure.steps:
        stuck = next((later for later in procedure.steps if step.id in later.needs), None)
        if stuck is not None:
            question = f'If this step were skipped, which later one could not be done as shown: "{step.text}"?'
            yield _cause(question, _sentence(stuck.text), (step, stuck))


def _cause(question: str, answer: str, steps: tuple[Step, ...]) -> Cause:
    plain = set(content_words(question)) | WEAK
    terms = dict.fromkeys(word for word in words(answer) if is_content(word) and stem(word) not in plain)
    at = Span(start_s=min(step.start_s for step in steps), end_s=max(step.end_s for step in steps))
    return Cause(question, answer, tuple(terms), steps, at)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
