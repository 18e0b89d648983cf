"""What a search will take, before anybody is asked: metric calls, calls of each role, dollars, and the assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from cutscore.core.judgement import JUDGE_ROLE, JudgeSession, ask_judge
from cutscore.core.subject import SubjectSpec
from cutscore.ledger.forecast import TokenCounts
from cutscore.ledger.prices import Prices
from cutscore.models.token_rules import CHARS_PER_TOKEN, token_rule
from cutscore.optimize.budget import most_calls
from cutscore.optimize.model_calls import OPTIMIZER_ROLE
from cutscore.optimize.samples import DEV, TEST
from cutscore.scoring.judges.choose import asks_model, open_judge
from cutscore.scoring.judges.request_counter import RequestCounter
from cutscore.settings import load_settings

if TYPE_CHECKING:
    from cutscore.api.optimizing import SearchPlan
    from cutscore.results.judge_card.verdicts import JudgeCase

# Samples whose requests are counted; all others are taken to be like these.
MOST_COUNTED = 5
# Tokens of an opinion for each question, of a matcher's reply, and of an optimiser's: a prompt of a page.
OPINION_TOKENS, PAIRS_TOKENS, PROMPT_TOKENS = 60, 60, 1_500
MATCHER_READS, OPTIMIZER_READS = 900, 4_000


@dataclass(frozen=True)
class SearchForecast:
    """What a search takes at most.

    Args:
        metric_calls: Samples judged in the search, the last step made whole; None where dollars alone end it and no
            price is known.
        calls: Of each role, those for the test split included; guesses but for the judge.
        usd: What they cost together; None when a price is not known.
        assumptions: What the figures stand on.
    """

    metric_calls: int | None
    calls: dict[str, int]
    usd: float | None
    assumptions: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the forecast as `--dry-run --json` prints it."""
        return {
            "metric_calls": self.metric_calls,
            "calls": self.calls,
            "usd": self.usd,
            "assumptions": list(self.assumptions),
        }


def forecast_search(plan: SearchPlan) -> SearchForecast:
    """Return what a search takes at most; nothing is sent, and no clip is decoded."""
    settings, splits = plan.settings, plan.given.splits.by_split
    prices = Prices.snapshot(
        [name for name in (settings.judge, settings.optimizer, settings.matcher) if asks_model(name)],
        own=load_settings().prices,
    )
    step = 2 * settings.minibatch + len(splits[DEV])
    judge_usd, matcher_usd = _judge_usd(plan, prices), _text_usd(settings.matcher, prices, MATCHER_READS, PAIRS_TOKENS)
    optimizer_usd = _text_usd(settings.optimizer, prices, OPTIMIZER_READS, PROMPT_TOKENS)
    test = 2 * len(splits[TEST])
    per_step = 2 if settings.method == "textgrad" else 1
    metric = None
    if settings.calls is not None:
        metric = most_calls(settings.calls, minibatch=settings.minibatch, validation=len(splits[DEV]))
    known = judge_usd is not None and matcher_usd is not None and optimizer_usd is not None
    if metric is None and known and settings.cost_limit_usd is not None:
        a_call = (judge_usd or 0) + (matcher_usd or 0) + (optimizer_usd or 0) * per_step / step
        metric = max(0, int(settings.cost_limit_usd / a_call) - test) if a_call else None
    asked = (metric or 0) + test
    calls = {JUDGE_ROLE: asked * settings.votes, OPTIMIZER_ROLE: per_step * -(-(metric or 0) // step)}
    if asks_model(settings.matcher):
        calls["matcher"] = asked
    usd = None
    if known:
        usd = asked * ((judge_usd or 0) + (matcher_usd or 0)) + calls[OPTIMIZER_ROLE] * (optimizer_usd or 0)
        usd = min(usd, settings.cost_limit_usd) if settings.cost_limit_usd is not None else usd
    return SearchForecast(
        metric,
        calls,
        usd,
        (
            f"a step is validated with {len(splits[DEV])} samples and tried on {settings.minibatch}, twice",
            f"text: {CHARS_PER_TOKEN} characters a token; opinions: {OPINION_TOKENS} tokens a question, guesses",
            f"the optimiser reads {OPTIMIZER_READS:,} tokens and writes {PROMPT_TOKENS:,}, a guess",
            f"the test split is read once, with both prompts: {test} samples",
        ),
    )


def _judge_usd(plan: SearchPlan, prices: Prices) -> float | None:
    """Return what one metric call costs in the mean, with all its votes; None when that is not known."""
    settings, given = plan.settings, plan.given
    if not asks_model(settings.judge):
        return 0.0
    judge = RequestCounter(open_judge(given.judge_spec(plan.request), given.runs.benchmark, given.runs.items))
    rule, costs = token_rule(settings.judge), []
    session = JudgeSession("", SubjectSpec(kind="folder", label="folder"), _never)
    samples = [each for split in given.splits.by_split.values() for each in split][:MOST_COUNTED]
    for sample in samples:
        case: JudgeCase = sample.shown  # type: ignore[assignment]
        judge.heard.clear()
        ask_judge(judge.for_sample(session), case.questions, case.evidence, case.view)
        counted = [TokenCounts(call.input_tokens(rule), OPINION_TOKENS * n, 0) for call, n in judge.heard]
        costs.append([each.cost_usd(prices, settings.judge) for each in counted])
    if not costs or any(cost is None for sample in costs for cost in sample):
        return None
    return fmean(sum(cost or 0.0 for cost in sample) for sample in costs)


def _text_usd(model: str, prices: Prices, reads: int, writes: int) -> float | None:
    if not asks_model(model):
        return 0.0
    return TokenCounts(reads, writes, 0).cost_usd(prices, model)


def _never(call: object) -> object:
    raise AssertionError("nothing is sent before a search")
