"""Questions about what is seen and not said: checked against the transcript, not hoped."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import Procedure, Sight
from cutscore.benchmarks.vidwork.terms import key_terms
from cutscore.benchmarks.vidwork.words import content_words, stem, words


@dataclass(frozen=True)
class Sights:
    """What may be asked, and sentences that say why other sights may not."""

    kept: tuple[Sight, ...]
    refused: tuple[str, ...]


def unsaid(procedure: Procedure) -> Sights:
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
    return Sights(tuple(kept), tuple(refused))


def drawn_sights(sights: Sequence[Sight], draw: Random, *, most: int) -> list[Sight]:
    """Draw sights of different kinds, as far as there are: colours, numbers and sides by turns."""
    by_kind: dict[str, list[Sight]] = {}
    for sight in draw.sample(sights, len(sights)):
        by_kind.setdefault(" ".join(sight.question.split()[:2]), []).append(sight)
    turns = [sight for turn in zip_longest(*by_kind.values()) for sight in turn if sight is not None]
    return turns[:most]
