"""Tokens in five buckets, any of which may be unknown, and seconds of video. Unknown is None and never 0."""

from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from cutscore.core.frozen import Finite, FrozenModel

Count = Annotated[int, Field(ge=0)] | None

TOKEN_BUCKETS = ("input", "cached", "cache_write", "output", "reasoning")


class Usage(FrozenModel):
    """Tokens of one or many model calls.

    Args:
        input: Read at the full rate, neither from a cache nor into one.
        reasoning: Output that the reader does not see; None where the provider does not tell it apart,
            and then `output` holds both.
        video_s: Seconds of video that were made.
    """

    input: Count = None
    cached: Count = None
    cache_write: Count = None
    output: Count = None
    reasoning: Count = None
    video_s: Annotated[Finite, Field(ge=0)] = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Add bucket by bucket; a bucket that one side does not know stays unknown.

        >>> (Usage(input=1, output=2) + Usage(input=3)).model_dump(exclude_none=True)
        {'input': 4}
        """

        def both(mine: int | None, theirs: int | None) -> int | None:
            return None if mine is None or theirs is None else mine + theirs

        tokens = {name: both(getattr(self, name), getattr(other, name)) for name in TOKEN_BUCKETS}
        return Usage(**tokens, video_s=self.video_s + other.video_s)

    @model_serializer(mode="wrap")
    def _leave_out_no_video(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Only generators of video have it; the records of all others stay as they were.
        plain: dict[str, Any] = write(self)
        if not self.video_s:
            plain.pop("video_s", None)
        return plain


ZERO_USAGE = Usage(input=0, cached=0, cache_write=0, output=0, reasoning=0)
"""No call was made: the only case where zero is known."""
