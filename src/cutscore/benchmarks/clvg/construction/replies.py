"""What models write for a case, read strictly: a ValueError names the fault, and the model writes again."""

from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from cutscore.benchmarks.clvg.construction.record import REASONS, VerifierVote
from cutscore.core.frozen import FrozenModel


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    if not words.isprintable():
        raise ValueError("holds characters that cannot be printed")
    return words


Line = Annotated[str, AfterValidator(_one_line)]


class RequestDraft(FrozenModel):
    """A theme, and the request that somebody might make."""

    theme: Line = Field(min_length=3, max_length=200)
    request: Line = Field(min_length=20, max_length=1_500)


class _VoteReply(FrozenModel):
    accept: bool
    reasons: tuple[str, ...] = ()
    note: Line = Field(default="", max_length=500)


class Correction(FrozenModel):
    """What an adjudicator decides: the request as it should read, or that there is none."""

    keep: bool
    request: Line = Field(default="", max_length=1_500)
    because: Line = Field(min_length=3, max_length=500)


class ScriptDraft(FrozenModel):
    """A script that a generator can film."""

    script: Line = Field(min_length=40, max_length=3_000)


def read_request(reply: JsonValue) -> RequestDraft:
    """Return a theme with its request."""
    return RequestDraft.model_validate(reply)


def read_vote(reply: JsonValue, *, by: str) -> VerifierVote:
    """Return a vote; whoever refuses gives a reason of the list."""
    vote = _VoteReply.model_validate(reply)
    if unknown := next((each for each in vote.reasons if each not in REASONS), None):
        raise ValueError(f"reasons: '{unknown}' is none of {', '.join(REASONS)}")
    if vote.accept == bool(vote.reasons):
        raise ValueError("accept: whoever does not accept names reasons, and nobody else does")
    return VerifierVote(by=by, accept=vote.accept, reasons=vote.reasons, note=vote.note)


def read_correction(reply: JsonValue) -> Correction:
    """Return what an adjudicator decides; a request that is kept has words."""
    made = Correction.model_validate(reply)
    if made.keep != bool(made.request):
        raise ValueError("request: is there when the case is kept, and not otherwise")
    return made


def read_script(reply: JsonValue) -> str:
    """Return the words of a script."""
    return ScriptDraft.model_validate(reply).script
