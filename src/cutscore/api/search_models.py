"""Everybody whom a search asks, opened with one journal and one purse; and what a search may spend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.errors import BadInput
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec, Wait
from cutscore.core.tally import Tally
from cutscore.optimize.model_calls import OPTIMIZER_ROLE, PromptedJudge, ask_text_model, matching_function, spent_usd
from cutscore.optimize.problem import AskOptimizer
from cutscore.optimize.rule_writer import RULES, open_rule_writer

if TYPE_CHECKING:
    from cutscore.api.judged_runs import JudgedRuns
    from cutscore.core.matching import MatchWeaknesses
    from cutscore.scoring.judges.call_folder import CallFolder

COST_LIMIT_USD = 30.0
# How judge and optimiser are asked in the paper.
PARAMS: Mapping[str, float | int] = {"temperature": 0, "max_tokens": 32_000}


@dataclass(frozen=True)
class AskedModels:
    """Whom a search asks.

    Args:
        optimizer: None where nothing is optimised.
        replies: What each role's replies cost, those of the journal too.
        unfinished: Calls by role that an earlier process did not end.
    """

    judge: PromptedJudge
    match: MatchWeaknesses | None
    optimizer: AskOptimizer | None
    replies: Mapping[str, Tally] = field(default_factory=dict)
    unfinished: Mapping[str, int] = field(default_factory=dict)

    def spent_usd(self) -> float | None:
        """Return what all replies cost by now; None when that is not known of one."""
        return spent_usd(*self.replies.values())


@contextmanager
def open_models(
    spec: JudgeSpec,
    prompt: str,
    runs: JudgedRuns,
    folder: Path,
    *,
    optimizer: str = "",
    matcher: str = "",
    matching: str = "none",
    cost_limit_usd: float | None = None,
) -> Iterator[AskedModels]:
    """Open judge, matcher and optimiser; calls that an earlier process did not end are counted, and called lost.

    The folder must be locked.
    """
    from anyio.from_thread import start_blocking_portal

    from cutscore.scoring.judges.call_folder import open_call_folder, unfinished_calls
    from cutscore.scoring.judges.text_model import open_text_model

    with open_call_folder(folder, cost_limit_usd=cost_limit_usd) as calls, start_blocking_portal() as portal:
        unfinished = Counter(origin.role for origin in unfinished_calls(calls.path).values())
        calls.ledger("").mark_lost()
        judge = PromptedJudge(spec, prompt, runs.benchmark, runs.items, calls, portal.call, runs.subjects)
        replies = {JUDGE_ROLE: judge.replies}
        ask: AskOptimizer | None = None
        if optimizer == RULES:
            ask = open_rule_writer(runs.benchmark)
        elif optimizer:
            writer = open_text_model(optimizer, OPTIMIZER_ROLE, calls, params=dict(PARAMS), wait=portal.call)
            ask = partial(ask_text_model, writer)
            replies[OPTIMIZER_ROLE] = writer.replies
        match, booked = _open_matching(matcher, matching, calls, portal.call)
        yield AskedModels(judge, match, ask, {**replies, **booked}, dict(unfinished))


def _open_matching(
    name: str, matching: str, calls: CallFolder, wait: Wait
) -> tuple[MatchWeaknesses | None, dict[str, Tally]]:
    from cutscore.scoring.matching.matchers import DEFAULT_MATCHER, open_matcher
    from cutscore.scoring.matching.model_matcher import MATCHER_ROLE, ModelMatcher

    if matching == "none":
        return None, {}
    matcher = open_matcher(name, calls, wait=wait) if name else DEFAULT_MATCHER
    booked = {MATCHER_ROLE: matcher.model.replies} if isinstance(matcher, ModelMatcher) else {}
    return matching_function(matcher, matching), booked


def settle_limits(
    models: Sequence[str], *, calls: int | None, cost_limit_usd: float | None, endless: bool = True
) -> float | None:
    """Return the dollars that may be spent: what was said, else the paper's where every price is known.

    Args:
        models: Everybody who is asked, judges without a model among them.
        calls: Metric calls that were said.
        cost_limit_usd: Dollars that were said.
        endless: Whether something has to end it; what reads a split once ends by itself.

    Raises:
        BadInput: A limit could not be kept, or nothing would end the search.
    """
    from cutscore.ledger.prices import Prices, require_known_prices
    from cutscore.scoring.judges.choose import asks_model
    from cutscore.settings import load_settings

    asked = sorted({name for name in models if asks_model(name)})
    prices = Prices.snapshot(asked, own=load_settings().prices)
    if cost_limit_usd is not None:
        require_known_prices(prices, asked, cost_limit_usd)
        return cost_limit_usd
    unknown = [name for name in asked if name not in prices.models]
    if asked and not unknown:
        return COST_LIMIT_USD
    if unknown and endless and calls is None:
        fact = f"has no known price, so the limit of ${COST_LIMIT_USD:.0f} cannot be kept"
        raise BadInput(f"model '{unknown[0]}'", fact, "give --calls N, or its price in cutscore.toml")
    if endless and calls is None:
        raise BadInput("cutscore optimize judge", "nothing here costs money, so nothing would end it", "give --calls N")
    return None
