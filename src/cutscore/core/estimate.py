"""A number with its company: interval, counts, clusters, method."""

from typing import Any, Self

from pydantic import Field, model_validator

from cutscore.core.frozen import Finite, FrozenModel


class Estimate(FrozenModel):
    """One printed number.

    Args:
        name: Score or difference that is estimated (`accuracy`, `oracle − blind`).
        value: Point estimate; None when there is nothing to average.
        low, high: 95% interval; None when it is undefined (said, not shown as narrow).
        clusters: Independent units among them.
        failed: Samples among the n in which the subject failed by its own doing.
        stopped: Of the unscored ones, how many this machine lacked something for.
        bounds: Value if every unscored sample were at the bottom of the scale, and at the top.
        method: How the interval was made, with resamples and seed.
        group: Stratum, as `name=value` pairs; empty for the whole.
    """

    name: str
    value: Finite | None
    low: Finite | None = None
    high: Finite | None = None
    n: int = Field(ge=0)
    clusters: int = Field(ge=0)
    failed: int = Field(default=0, ge=0)
    unscored: int = Field(default=0, ge=0)
    stopped: int = Field(default=0, ge=0)
    bounds: tuple[Finite, Finite] | None = None
    scale: tuple[Finite, Finite] = (0.0, 1.0)
    method: str = ""
    mode: str = ""
    group: dict[str, str] = Field(default_factory=dict)

    @property
    def mostly_failed(self) -> bool:
        """Whether the subject failed in more than half of the samples: the value then says little of its skill."""
        return 2 * self.failed > self.n

    @model_validator(mode="after")
    def _interval_is_whole(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("an interval's low end lies below its high end")
        return self

    def as_json(self) -> dict[str, Any]:
        """Return the estimate of the JSON contract."""
        return self.model_dump(mode="json")


class Difference(FrozenModel):
    """A paired difference of two cells on the items that both have.

    Args:
        leaves_out_zero: Whether the 95% interval does; False also when no sample differs; None when it is undefined.
            This is no verdict: among many pairs, the intervals of some leave out 0 by chance.
        only_first, only_second: Samples that had no partner and were left out.
    """

    estimate: Estimate
    first: str
    second: str
    leaves_out_zero: bool | None = None
    only_first: int = 0
    only_second: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the difference of the JSON contract."""
        return self.model_dump(mode="json")
