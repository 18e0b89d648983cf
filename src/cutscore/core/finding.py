"""One thing that marking found: a value, the sentence that gives the reason, and the place in the clip."""

from typing import Any

from pydantic import Field

from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import At

# The name of findings about what a subject itself says of a stretch; a timeline shows them in a line of their own.
REPORTED = "reported"


class Finding(FrozenModel):
    """A value with its reason.

    A finding whose name the card lists under `[scores]` is that score for the item; all others explain.

    Args:
        value: 0 is nothing, 1 is full marks, unless the card gives the score another scale.
        whole: Of a score that is a ratio, what the value is a part of (3 of 8); the value is then the part. Of a whole
            of 0 there is nothing to count, and the sample has no such score.
        file: The file that it speaks of, by its delivered or asked name.
        at: The stretch of that file which caused it; written `[start, end]`.
        mode: The scoring mode that this value belongs to; empty when it is the same in all of them.
        unreadable: It is a 0 because nobody can read what was delivered (no film, no JSON).
    """

    name: str = Field(min_length=1)
    value: Finite
    because: str = Field(min_length=1)
    whole: Finite | None = Field(default=None, ge=0)
    file: str | None = None
    at: At = None
    mode: str = ""
    unreadable: bool = False

    @property
    def score(self) -> float | None:
        """Return the value on the scale of its score: the part's share of the whole; None where there is no whole.

        >>> Finding(name="found", value=3, whole=8, because="3 of 8 cuts").score
        0.375
        """
        if self.whole is None:
            return self.value
        return self.value / self.whole if self.whole else None

    @property
    def amount(self) -> str:
        """Write the value as people read it: a part with its whole, or their ratio where that is no share.

        >>> Finding(name="found", value=3, whole=8, because="3 of 8 cuts").amount
        '3 of 8'
        >>> Finding(name="points", value=160, whole=2, because="80 points on average").amount
        '80'
        """
        if self.whole is None:
            return f"{self.value:g}"
        return (
            f"{self.value:g} of {self.whole:g}" if self.value <= self.whole or not self.whole else f"{self.score:.4g}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the finding of the JSON contract, with times as plain numbers of seconds."""
        at = None if self.at is None else [float(self.at.start_s), float(self.at.end_s)]
        plain = {"name": self.name, "value": self.value, "because": self.because, "file": self.file, "at": at}
        later = {"whole": self.whole, "mode": self.mode or None}
        return plain | {name: value for name, value in later.items() if value is not None}


def score_key(name: str, mode: str = "") -> str:
    """Name a score with its mode, as rows and tables do.

    >>> score_key("f1"), score_key("f1", "strict")
    ('f1', 'f1@strict')
    """
    return f"{name}@{mode}" if mode else name
