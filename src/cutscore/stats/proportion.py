"""Shares of yes with Wilson's interval, for samples that are not all independent."""

from collections.abc import Sequence

from cutscore.core.estimate import Estimate
from cutscore.stats.clustering import effective_size
from cutscore.stats.intervals import wilson_interval
from cutscore.stats.resampling import DECIMALS, LEVEL, check_columns, t_quantile


def proportion(yes: Sequence[bool], clusters: Sequence[str], *, name: str) -> Estimate:
    """Return the share of yes with Wilson's 95% interval on as many samples as these are worth.

    The worth is n over the design effect, made smaller by the square of Student's t for n over that for clusters: the
    spread between few clusters is itself a guess (Korn and Graubard, 1998). Independent samples keep plain Wilson.
    Where samples show no spread, each cluster counts as one. Undefined with a single cluster.
    """
    check_columns(name, clusters, yes)
    n, size = len(yes), len(set(clusters))
    value = sum(map(bool, yes)) / n if n else None
    found = Estimate(name=name, value=value, n=n, clusters=size)
    if value is None or size < 2:
        return found.model_copy(update={"method": f"undefined: {'one cluster' if n else 'no samples'}"})
    upper = (1 + LEVEL) / 2
    worth = effective_size([float(each) for each in yes], clusters)
    if 0 < value < 1:
        worth *= (t_quantile(upper, n - 1) / t_quantile(upper, size - 1)) ** 2
    low, high = wilson_interval(value * worth, worth)
    ends = {"low": round(low, DECIMALS), "high": round(high, DECIMALS)}
    return found.model_copy(update={**ends, "method": f"Wilson, samples worth {worth:.1f} by cluster"})
