"""How well each matcher tells weaknesses apart, on the triples that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutscore.core.errors import MissingExtra

if TYPE_CHECKING:
    from cutscore.scoring.matching.quality import MatcherQuality


def matcher_table(
    model: str = "", *, cost_limit_usd: float | None = None
) -> tuple[list[MatcherQuality], tuple[str, ...]]:
    """Return precision and recall of every matcher by wording, and of a model where one is named; then who is left out.

    A matcher by codes has nothing to go by here: the triples are in words.
    """
    from anyio.from_thread import start_blocking_portal

    from cutscore.scoring.judges.call_folder import open_call_folder
    from cutscore.scoring.matching.matchers import MATCHERS, open_matcher
    from cutscore.scoring.matching.quality import matcher_quality

    made: list[MatcherQuality] = []
    left_out = ["'code' is left out: the triples have words and no codes"]
    names = [name for name in MATCHERS if "/" not in name and name != "code"] + ([model] if model else [])
    with open_call_folder(None, cost_limit_usd=cost_limit_usd) as calls, start_blocking_portal() as portal:
        for name in names:
            try:
                made += matcher_quality(open_matcher(name, calls, wait=portal.call))
            except MissingExtra as lacking:
                left_out.append(f"'{name}' is left out: {lacking}")
    return made, tuple(left_out)
