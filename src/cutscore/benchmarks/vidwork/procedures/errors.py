"""A procedure → descriptions that are wrong in one of eight ways, each with a correct twin and the proof of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from cutscore.benchmarks.vidwork.procedures.claims import Claim, holds
from cutscore.benchmarks.vidwork.procedures.procedure import Procedure
from cutscore.benchmarks.vidwork.procedures.rules import RULES, Draft
from cutscore.benchmarks.vidwork.procedures.telling import MOST_FORMS, tell
from cutscore.benchmarks.vidwork.words import words
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Span

ERROR_TYPES = tuple(RULES)


class Proof(FrozenModel):
    """What two descriptions claim: by the record, the first is false and the second is true."""

    wrong: Claim
    right: Claim

    def stands(self, procedure: Procedure) -> bool:
        """Return whether the record decides both, as it should."""
        return holds(self.wrong, procedure) is False and holds(self.right, procedure) is True


@dataclass(frozen=True)
class ErrorPair:
    """A wrong description and its correct twin, of the same form.

    Args:
        error_type: Which rule made it.
        wrong, right: The descriptions.
        change: What was done to the truth, for the reader of a report.
        at: Stretch of the clip that settles it.
        proof: Both claims as data.
    """

    error_type: str
    wrong: str
    right: str
    change: str
    at: Span
    proof: Proof


def error_pairs(
    procedure: Procedure, draw: Random, *, others: Sequence[Procedure] = (), most: int = 1
) -> list[ErrorPair]:
    """Return wrong descriptions with their twins, of every kind that the procedure allows, in the order of the kinds.

    Every pair is proven before it is given out, and both of its descriptions have the same words.

    Args:
        procedure: What is described.
        draw: Chooses places and forms.
        others: Other procedures, of which steps and tools may be borrowed; those of the same domain first.
        most: Pairs of each kind.
    """
    pairs: list[ErrorPair] = []
    for error_type, rule in RULES.items():
        drafts = list(rule.drafts(procedure, others))
        told = (_told(error_type, draft, procedure, draw) for draft in draw.sample(drafts, len(drafts)))
        pairs += islice((pair for pair in told if pair is not None), most)
    return pairs


def refusals(procedure: Procedure, *, others: Sequence[Procedure] = ()) -> dict[str, str]:
    """Name the kinds of errors that cannot be made of a procedure, each with what it lacks."""
    made = {pair.error_type for pair in error_pairs(procedure, Random(0), others=others)}
    return {name: rule.lacking for name, rule in RULES.items() if name not in made}


def _told(error_type: str, draft: Draft, procedure: Procedure, draw: Random) -> ErrorPair | None:
    """Return a draft in words; None unless it is proven, and told with the same words both times."""
    proof, form = Proof(wrong=draft.wrong, right=draft.right), draw.randrange(MOST_FORMS)
    wrong, right = (tell(each, procedure, form) for each in (proof.wrong, proof.right))
    if wrong is None or right is None or sorted(words(wrong)) != sorted(words(right)) or not proof.stands(procedure):
        return None
    return ErrorPair(error_type, wrong, right, draft.change, draft.at, proof)
