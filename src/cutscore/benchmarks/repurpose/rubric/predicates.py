"""What a rubric can ask of an edit without a judge, as data: predicates over the source's own time.

A predicate speaks of seconds of the source ("the goal, 12.4 to 14 s"). Which of them are in a film, and where, the
source map says; `decisions` puts the two together.
"""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from cutscore.benchmarks.repurpose.source_map.edit import ShareName
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import Seconds, Span

Share = Annotated[Finite, Field(ge=0, le=1)]


class ShowsPredicate(FrozenModel):
    """At least so many seconds of a moment are seen.

    Args:
        span: The moment, in seconds of the source.
        least_s: How much of it has to be there.
        heard: Whether it has to be heard with its own sound, too.
    """

    what: Literal["shows"] = "shows"
    span: Span
    least_s: Annotated[Seconds, Field(gt=0)] = Fraction(1, 2)
    heard: bool = False


class WholePredicate(FrozenModel):
    """Every one of some stretches (sentences, phrases) that the film plays at all it plays to the end.

    A film that plays none of them has cut none off; whether it plays one is for `ShowsPredicate` to ask.
    """

    what: Literal["whole"] = "whole"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]


class OrderPredicate(FrozenModel):
    """Moments are all seen, and first seen in this order."""

    what: Literal["in order"] = "in order"
    spans: Annotated[tuple[Span, ...], Field(min_length=2)]


class OpeningPredicate(FrozenModel):
    """The first seconds of the film are of a stretch of the source."""

    what: Literal["opens"] = "opens"
    span: Span


class EndingPredicate(FrozenModel):
    """The last seconds of the film are of a stretch of the source."""

    what: Literal["ends"] = "ends"
    span: Span


class CoveragePredicate(FrozenModel):
    """At least so many of some stretches are seen, each for at least half a second."""

    what: Literal["covers"] = "covers"
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    least: Annotated[int, Field(ge=1)]


class SharePredicate(FrozenModel):
    """A share of the film lies between two bounds, both included.

    Args:
        share: Which: `from_source`, `repeated` (seconds of the source that it has shown before), `hurried`, `frozen`,
            `padded`, `letterboxed` (of the picture), or `heard` (of what is from the source).
    """

    what: Literal["measures"] = "measures"
    share: ShareName
    least: Share = 0.0
    most: Share = 1.0


class LengthPredicate(FrozenModel):
    """The film lasts longer than so many seconds."""

    what: Literal["lasts"] = "lasts"
    over_s: Annotated[Seconds, Field(gt=0)]


class PacePredicate(FrozenModel):
    """No shot of the film is shorter, or none is longer, than so many seconds."""

    what: Literal["paces"] = "paces"
    shortest_s: Annotated[Seconds, Field(ge=0)] = Fraction(0)
    longest_s: Annotated[Seconds, Field(gt=0)] | None = None


class BeatPredicate(FrozenModel):
    """At least so many of the film's cuts go to a picture of the source that begins on a beat of its music."""

    what: Literal["on beat"] = "on beat"
    beats_s: Annotated[tuple[Seconds, ...], Field(min_length=1)]
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(3, 16)
    least: Share = 0.75


Predicate = Annotated[
    ShowsPredicate
    | WholePredicate
    | OrderPredicate
    | OpeningPredicate
    | EndingPredicate
    | CoveragePredicate
    | SharePredicate
    | LengthPredicate
    | PacePredicate
    | BeatPredicate,
    Field(discriminator="what"),
]
