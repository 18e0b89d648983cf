"""How a case came to be: who wrote, verified and corrected its words, by which prompts, and what it was made of."""

from typing import Literal

from pydantic import Field

from cutscore.benchmarks.clvg.construction.decks import ScriptLabels
from cutscore.core.frozen import FrozenModel

# accepted: every verifier and the fact check agree; corrected: somebody did not, and an adjudicator wrote it anew.
ReviewState = Literal["accepted", "corrected"]
REASONS = {
    "incomplete": "something that is needed to do it is not said",
    "wrong_requirement": "it asks for something else than its subcategory",
    "impossible": "it cannot be done with the pieces that are given",
    "ambiguous": "two people would make different things of it",
    "false_statement": "it says something of the pieces or of the world that is not so",
}


class VerifierVote(FrozenModel):
    """What one verifier said of a request."""

    by: str
    accept: bool
    reasons: tuple[str, ...] = ()
    note: str = ""


class CaseRecord(FrozenModel):
    """The lineage of one case.

    Args:
        drafted: The request before anybody looked at it.
        votes: Three independent verifiers, then who cross-checked the facts.
        corrected, corrected_by, because: The request as it was written anew where they did not agree, by whom, and why.
        labels, script: What a video was asked for by, where one was made.
        made_by: The generator that made it, else empty: the footage is the context.
        prompts: Digest of each prompt, by name.
    """

    theme: str
    drafted: str
    written_by: str
    state: ReviewState
    votes: tuple[VerifierVote, ...]
    corrected_by: str = ""
    because: str = ""
    labels: ScriptLabels | None = None
    corrected: str = ""
    script: str = ""
    scripted_by: str = ""
    made_by: str = ""
    sources: tuple[str, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict)

    @property
    def request(self) -> str:
        """The request as it stands."""
        return self.corrected or self.drafted
