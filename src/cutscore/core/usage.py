"""Tokens in five buckets, any of which may be unknown. Unknown is None and never 0."""

from typing import Annotated

from pydantic import Field

from cutscore.core.frozen import FrozenModel

Count = Annotated[int, Field(ge=0)] | None


class Usage(FrozenModel):
    """Tokens of one or many model calls.

    Args:
        input: Read at the full rate, neither from a cache nor into one.
        reasoning: Output that the reader does not see; None where the provider does not tell it apart,
            and then `output` holds both.
    """

    input: Count = None
    cached: Count = None
    cache_write: Count = None
    output: Count = None
    reasoning: Count = None

    def __add__(self, other: "Usage") -> "Usage":
        """Add bucket by bucket; a bucket that one side does not know stays unknown.

        >>> Usage(input=1, output=2) + Usage(input=3)
        Usage(input=4, cached=None, cache_write=None, output=None, reasoning=None)
        """

        def both(mine: int | None, theirs: int | None) -> int | None:
            return None if mine is None or theirs is None else mine + theirs

        return Usage(**{name: both(getattr(self, name), getattr(other, name)) for name in Usage.model_fields})


ZERO_USAGE = Usage(input=0, cached=0, cache_write=0, output=0, reasoning=0)
"""No call was made: the only case where zero is known."""
