"""What a cell will cost, told before it starts: calls, frames, tokens and dollars, with what is assumed for each."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from cutscore.core.usage import Usage
from cutscore.ledger.prices import Prices

# 95% of a normal curve lies so many standard deviations around its middle.
_REACH = 1.96


@dataclass(frozen=True)
class TokenCounts:
    """Tokens of one call, and how many of those that are read are known for certain."""

    read: int
    written: int
    certain: int = 0

    def cost_usd(self, prices: Prices, model: str) -> float | None:
        """Return what the call costs; None when the price is not known."""
        return _cost(prices, model, self.read, self.written)

    def least_usd(self, prices: Prices, model: str) -> float:
        """Return what it costs at least: what is certainly read, and no answer; 0 when the price is not known."""
        return _cost(prices, model, self.certain, 0) or 0.0


def _cost(prices: Prices, model: str, read: int, written: int) -> float | None:
    return prices.cost_usd(model, Usage(input=read, cached=0, cache_write=0, output=written, reasoning=0))


@dataclass(frozen=True)
class RoleForecast:
    """What one model will be asked in one role, in all samples that are left.

    Args:
        role: `subject` or `judge`.
        sizes: Width and height of frames, each once, the smallest first.
        assumptions: What each number stands on, as sentences without a full stop.
        video_s, audio_s: Seconds of clips and of sound that are sent whole.
        usd: None when the price is not known.
        least_usd: What it costs at least, by published rules alone.
    """

    role: str
    model: str
    calls: int
    frames: int
    sizes: tuple[tuple[int, int], ...]
    read_tokens: int
    written_tokens: int
    usd: float | None
    least_usd: float
    assumptions: tuple[str, ...]
    video_s: float = 0.0
    audio_s: float = 0.0

    @property
    def size(self) -> str:
        """Name the size of frames, or the smallest and the largest."""
        named = [f"{width}×{height}" for width, height in self.sizes]
        return named[0] if len(named) == 1 else f"{named[0]} to {named[-1]}" if named else ""

    def as_json(self) -> dict[str, Any]:
        """Return the calls as `--dry-run --json` prints them."""
        return {
            "role": self.role,
            "model": self.model,
            "calls": self.calls,
            "frames": self.frames,
            "frame_sizes": [list(size) for size in self.sizes],
            "video_s": self.video_s,
            "audio_s": self.audio_s,
            "input_tokens": self.read_tokens,
            "output_tokens": self.written_tokens,
            "usd": self.usd,
            "assumptions": list(self.assumptions),
        }


@dataclass(frozen=True)
class CostForecast:
    """What a cell will cost.

    Args:
        rest_usd: What is left to pay; None when that is not known.
        total_usd: What all its samples cost together, those that are done included.
        low_usd, high_usd: 95% interval of the rest, from the spread of finished samples; None without such.
        least_usd: Below this the rest cannot cost: the low end, or what is certainly read.
        basis: What the sum stands on.
        prices: Price list and its day.
        because: Why the sum is not known, or what it leaves out.
    """

    rest_usd: float | None
    total_usd: float | None
    low_usd: float | None = None
    high_usd: float | None = None
    least_usd: float = 0.0
    basis: str = ""
    prices: str = ""
    roles: tuple[RoleForecast, ...] = ()
    because: str = ""

    @property
    def known_usd(self) -> float | None:
        """Return what is known of the rest, though something may be missing; None when nothing is."""
        known = [role.usd for role in self.roles if role.usd is not None]
        return self.rest_usd if self.rest_usd is not None else math.fsum(known) if known else None

    def as_json(self) -> dict[str, Any]:
        """Return the price as `--dry-run --json` prints it."""
        return {
            "total_usd": self.total_usd,
            "rest_usd": self.rest_usd,
            "known_usd": self.known_usd,
            "low_usd": self.low_usd,
            "high_usd": self.high_usd,
            "basis": self.basis,
            "prices": self.prices,
            "calls": [role.as_json() for role in self.roles],
        }


@dataclass(frozen=True)
class ForecastCheck:
    """What a cell was to cost in this run, beside what its calls did cost; None where it is not known."""

    benchmark: str
    estimated_usd: float | None
    spent_usd: float | None


def sum_checks(checks: Sequence[ForecastCheck]) -> tuple[float | None, float | None]:
    """Add up estimates, and what was spent; one that is not known makes the sum unknown."""
    both = [each.estimated_usd for each in checks], [each.spent_usd for each in checks]
    estimated, spent = (None if None in column else math.fsum(each or 0.0 for each in column) for column in both)
    return estimated, spent


FREE = CostForecast(rest_usd=0.0, total_usd=0.0)
"""Nothing is left to ask, or no model is asked."""


def forecast_from_costs(costs: Sequence[float], left: int) -> tuple[float, float, float] | None:
    """Return low end, mean and high end of what so many more samples cost, by what others did; None without any.

    The interval is that of a sum that is still to be drawn: its own spread, and that of the mean it is told by.
    One sample has no spread, and the ends are then the mean.

    >>> forecast_from_costs([1.0, 1.0], 5), forecast_from_costs([], 5)
    ((5.0, 5.0, 5.0), None)
    """
    if not costs:
        return None
    mean = left * fmean(costs)
    away = _REACH * stdev(costs) * math.sqrt(left + left**2 / len(costs)) if len(costs) > 1 else 0.0
    return max(0.0, mean - away), mean, mean + away
