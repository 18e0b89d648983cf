"""Tokens into dollars: against genai-prices' own calculator, by hand, and around everything that is unknown."""

import datetime
import itertools
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import pytest
from genai_prices import Usage as Counts
from genai_prices import calc_price
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import TimeOfDateConstraint
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.usage import TOKEN_BUCKETS, ZERO_USAGE, Usage
from cutscore.ledger.prices import Price, Prices, PriceTier, TokenRate, require_known_prices
from cutscore.ledger.spending import Ledger
from cutscore.ledger.token_counts import usage_from_counts
from cutscore.settings import OwnPrice

DAY = datetime.date(2026, 11, 15)
NOON = datetime.datetime(2026, 11, 15, 12, tzinfo=datetime.UTC)

# Flat, tiered, with and without prices for the cache, a fee per call, reasoning at its own price.
REAL = {
    "openai/gpt-5.5": ("openai", "gpt-5.5"),
    "openai/azure/gpt-4o": ("azure", "gpt-4o"),
    "anthropic/claude-sonnet-4-5": ("anthropic", "claude-sonnet-4-5"),
    "anthropic/vertex/claude-sonnet-4-5": ("google", "claude-sonnet-4-5"),
    "google/gemini-2.5-pro": ("google", "gemini-2.5-pro"),
    "google/gemini-2.5-flash": ("google", "gemini-2.5-flash"),
    "grok/grok-4": ("x-ai", "grok-4"),
    "perplexity/sonar": ("perplexity", "sonar"),
    "perplexity/sonar-deep-research": ("perplexity", "sonar-deep-research"),
    "openrouter/google/gemini-3.1-pro-preview": ("openrouter", "google/gemini-3.1-pro-preview"),
    "openai-api/together/Qwen/Qwen3.5-9B": ("together", "Qwen/Qwen3.5-9B"),
}


def theirs(provider: str, name: str, usage: Usage, at: datetime.datetime = NOON) -> Decimal:
    """Ask genai-prices, which counts cached tokens within input and reasoning within output."""
    buckets = {bucket: count or 0 for bucket, count in usage}
    counts = Counts(
        input_tokens=buckets["input"] + buckets["cached"] + buckets["cache_write"],
        cache_read_tokens=buckets["cached"],
        cache_write_tokens=buckets["cache_write"],
        output_tokens=buckets["output"] + buckets["reasoning"],
        output_reasoning_tokens=buckets["reasoning"],
    )
    return calc_price(counts, name, provider_id=provider, genai_request_timestamp=at).total_price


# --- against the other implementation


@pytest.mark.parametrize("model", REAL)
def test_our_costs_are_theirs_to_the_last_digit(model: str) -> None:
    price = Prices.snapshot([model], on=DAY).models[model]
    grid = itertools.product((0, 1, 199_999, 200_001, 300_000), (0, 200_000), (0, 72_001), (0, 777), (0, 1_000_003))
    for counts in grid:
        usage = Usage(**dict(zip(TOKEN_BUCKETS, counts, strict=True)))
        assert price.cost_usd(usage) == theirs(*REAL[model], usage), usage


def test_the_whole_list_can_be_read() -> None:
    """Models of every provider get their price, or none where they have none for tokens. A fifth of 2,300 will do."""
    usage = Usage(input=150_001, cached=60_000, cache_write=7_000, output=11_000, reasoning=3_000)
    priced = 0
    for provider in get_snapshot().providers:
        names = {f"openai-api/{provider.id}/{model.id}": model for model in provider.models[::5]}
        prices = Prices.snapshot(names, on=DAY)
        for name, model in names.items():
            hourly = isinstance(model.prices, list) and any(
                isinstance(each.constraint, TimeOfDateConstraint) for each in model.prices
            )
            if name in prices.models and prices.models[name].output and not hourly:
                assert prices.models[name].cost_usd(usage) == theirs(provider.id, model.id, usage), name
                priced += 1
    assert priced > 300


def test_a_tier_prices_all_tokens_of_a_call() -> None:
    """gemini-2.5-pro: 1.25 and 10 up to 200,000 read tokens, 2.50 and 15 above; in dollars per million."""
    prices = Prices.snapshot(["google/gemini-2.5-pro"], on=DAY)
    at = Usage(input=200_000, cached=0, cache_write=0, output=1_000_000)
    above = at.model_copy(update={"input": 200_001})
    assert prices.cost_usd("google/gemini-2.5-pro", at) == pytest.approx(0.25 + 10)
    assert prices.cost_usd("google/gemini-2.5-pro", above) == pytest.approx(0.5000025 + 15)


def test_a_price_that_changes_by_the_hour_is_the_dearest_of_the_day() -> None:
    usage = Usage(input=1_000_000, cached=0, output=1_000_000)
    price = Prices.snapshot(["deepseek/deepseek-chat"], on=DAY).models["deepseek/deepseek-chat"]
    hours = [NOON.replace(hour=hour) for hour in range(24)]
    costs = {theirs("deepseek", "deepseek-chat", usage, at) for at in hours}
    assert len(costs) > 1
    assert price.cost_usd(usage) == max(costs)
    assert price.note == "price of the dearest hour"


def test_prices_are_those_of_the_day() -> None:
    """qwen3-vl-235b on openrouter became dearer on 19 October 2026."""
    name = "openrouter/qwen/qwen3-vl-235b-a22b-instruct"
    before = Prices.snapshot([name], on=datetime.date(2026, 10, 18)).models[name]
    after = Prices.snapshot([name], on=datetime.date(2026, 10, 19)).models[name]
    assert before.output is not None
    assert after.output is not None
    assert before.output.usd_per_mtok < after.output.usd_per_mtok


# --- the snapshot


def test_a_snapshot_is_read_back_equal_without_the_price_list(tmp_path: Path) -> None:
    models = ["openai/gpt-5.5", "scripted/x"]
    prices = Prices.snapshot(models, own={"scripted/y": OwnPrice(input_usd_per_mtok=1, output_usd_per_mtok=2)}, on=DAY)
    file = tmp_path / "prices.json"
    file.write_text(prices.model_dump_json(indent=1))
    assert Prices.model_validate_json(file.read_bytes()) == prices
    assert '"schema": "cutscore.prices/1"' in file.read_text()
    code = f"""
import sys
sys.modules["genai_prices"] = None  # importing it now fails
from cutscore.core.usage import Usage
from cutscore.ledger.prices import Prices
prices = Prices.model_validate_json(open({str(file)!r}).read())
print(prices.cost_usd("openai/gpt-5.5", Usage(input=1_000_000, cached=0, output=0)), prices.date, prices.source)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    cost, date, *source = said.split()
    assert float(cost) == pytest.approx(float(theirs("openai", "gpt-5.5", Usage(input=1_000_000))))
    assert (date, source[0]) == ("2026-11-15", "genai-prices")


def test_importing_the_ledger_loads_no_price_list() -> None:
    code = "import sys, cutscore.ledger.prices as l; l.Prices.snapshot([]); print('genai_prices' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


def test_a_snapshot_says_where_each_price_is_from() -> None:
    """The dated name is found as the model that it is; audio, which costs more, is counted as plain input."""
    prices = Prices.snapshot(["openai/gpt-4o-2024-08-06", "google/gemini-2.5-flash"], on=DAY)
    assert prices.models["openai/gpt-4o-2024-08-06"].source.endswith(", openai gpt-4o")
    assert prices.models["openai/gpt-4o-2024-08-06"].source.startswith(prices.source)
    assert "not counted: input_audio_mtok at $1;" in prices.models["google/gemini-2.5-flash"].note
    assert list(prices.models) == sorted(prices.models)


def test_today_is_the_default_day() -> None:
    assert abs(Prices.snapshot([]).date - datetime.datetime.now(datetime.UTC).date()) <= datetime.timedelta(days=1)


@pytest.mark.parametrize(
    "model",
    [
        "scripted/x",
        "openai/no-such-model",
        "openai/",
        "",
        "none/none",
        "vllm/gpt-5.5",
        "openai-api/my-openai-mirror/gpt-5.5",
        "groq/whisper-large-v3",
    ],
)
def test_a_model_that_is_not_listed_has_no_price(model: str) -> None:
    prices = Prices.snapshot([model], on=DAY)
    assert model not in prices.models
    assert prices.cost_usd(model, ZERO_USAGE) is None


def test_own_prices_count_more_than_the_list() -> None:
    own = OwnPrice(input_usd_per_mtok=0.1, output_usd_per_mtok=0.2, cached_usd_per_mtok=0.05)
    prices = Prices.snapshot(["openai/gpt-5.5", "scripted/x"], own={"openai/gpt-5.5": own, "scripted/x": own})
    for model in ("openai/gpt-5.5", "scripted/x"):
        assert prices.models[model].source == "cutscore.toml"
        usage = Usage(input=3_000_000, cached=1_000_000, cache_write=1_000_000, output=1_000_000, reasoning=1_000_000)
        # A tenth is a tenth: floats from a TOML file are read as they were written.
        assert prices.models[model].cost_usd(usage) == Decimal("0.85")


def test_a_price_is_not_negative() -> None:
    with pytest.raises(ValidationError):
        TokenRate(usd_per_mtok=Decimal(-1))


# --- unknown is never 0


def rate(usd: float, *tiers: tuple[int, float]) -> TokenRate:
    made = tuple(PriceTier(above_tokens=start, usd_per_mtok=Decimal(str(price))) for start, price in tiers)
    return TokenRate(usd_per_mtok=Decimal(str(usd)), tiers=made)


FULL = Usage(input=1_000_000, cached=1_000_000, cache_write=1_000_000, output=1_000_000, reasoning=1_000_000)
EVERY = Price(input=rate(1), cached=rate(2), cache_write=rate(4), output=rate(8), reasoning=rate(16), source="")
PLAIN = Price(input=rate(1), output=rate(8), source="")


def without(*buckets: str) -> Usage:
    return FULL.model_copy(update=dict.fromkeys(buckets))


def test_every_bucket_has_its_price() -> None:
    assert EVERY.cost_usd(FULL) == 1 + 2 + 4 + 8 + 16


def test_a_bucket_without_a_price_costs_what_the_one_around_it_costs() -> None:
    assert PLAIN.cost_usd(FULL) == 3 * 1 + 2 * 8


@pytest.mark.parametrize("bucket", TOKEN_BUCKETS)
def test_an_unknown_bucket_with_a_price_makes_the_cost_unknown(bucket: str) -> None:
    assert EVERY.cost_usd(without(bucket)) is None


@pytest.mark.parametrize("bucket", ["cached", "cache_write", "reasoning"])
def test_an_unknown_bucket_without_a_price_is_in_the_one_around_it(bucket: str) -> None:
    """OpenAI charges nothing apart for writing its cache, so nobody counts it; reasoning is mostly plain output."""
    assert PLAIN.cost_usd(without(bucket)) == PLAIN.cost_usd(FULL.model_copy(update={bucket: 0}))


@pytest.mark.parametrize("bucket", ["input", "output"])
def test_unknown_input_or_output_is_unknown_cost(bucket: str) -> None:
    assert PLAIN.cost_usd(without(bucket)) is None


def test_an_unknown_bucket_that_is_free_costs_nothing() -> None:
    assert EVERY.model_copy(update={"cache_write": rate(0)}).cost_usd(without("cache_write")) == 1 + 2 + 8 + 16
    free = Price(input=rate(0), output=rate(0), source="")
    assert free.cost_usd(Usage()) == 0
    at_first = Price(input=rate(0, (1000, 1)), output=rate(0), source="")
    assert at_first.cost_usd(Usage()) is None
    assert at_first.cost_usd(Usage(input=1_000_000)) == 1


def test_a_free_bucket_of_unknown_size_may_hide_the_tier() -> None:
    price = Price(input=rate(1, (1_500_000, 2)), cached=rate(0), output=rate(8), source="")
    assert price.cost_usd(Usage(input=1_000_000, cached=0, output=0)) == 1
    assert price.cost_usd(Usage(input=1_000_000, cached=1_000_000, output=0)) == 2
    assert price.cost_usd(Usage(input=1_000_000, output=0)) is None


def test_tokens_without_any_price_make_the_cost_unknown() -> None:
    embedding = Price(input=rate(1), source="")
    assert embedding.cost_usd(Usage(input=1_000_000, output=0)) == 1
    assert embedding.cost_usd(Usage(input=1_000_000, output=1)) is None
    assert embedding.cost_usd(Usage(input=1_000_000)) is None


def test_the_highest_tier_that_was_reached_counts() -> None:
    steps = rate(1, (300, 3), (100, 2))
    assert [steps.at(read) for read in (0, 100, 101, 300, 301)] == [1, 1, 2, 2, 3]


@given(st.lists(st.integers(0, 10**7), min_size=5, max_size=5), st.integers(0, 4), st.integers(1, 10**6))
def test_more_tokens_never_cost_less(counts: list[int], bucket: int, more: int) -> None:
    tiered = EVERY.model_copy(update={"input": rate(1, (200_000, 2)), "output": rate(8, (200_000, 12))})
    names = list(TOKEN_BUCKETS)
    usage = Usage(**dict(zip(names, counts, strict=True)))
    greater = usage.model_copy(update={names[bucket]: counts[bucket] + more})
    less, greater_cost = tiered.cost_usd(usage), tiered.cost_usd(greater)
    assert less is not None
    assert greater_cost is not None
    assert less < greater_cost


# --- the budget


def prices(usd: float = 1.0) -> Prices:
    own = OwnPrice(input_usd_per_mtok=usd, output_usd_per_mtok=usd)
    return Prices.snapshot(["a/b"], own={"a/b": own}, on=DAY)


def tokens(count: int) -> Usage:
    return Usage(input=count, output=0)


def test_a_ledger_adds_up_and_stops(tmp_path: Path) -> None:
    ledger = Ledger(prices(), tmp_path / "ledger.jsonl", limit_usd=1.0)
    assert ledger.add("a/b", tokens(520_000)) == 0.52
    ledger.check()
    assert ledger.add("a/b", tokens(500_000)) == 0.5
    assert ledger.spent_usd == 1.02
    with pytest.raises(BudgetReached) as caught:
        ledger.check()
    assert str(caught.value) == "run: spent $1.02 of $1.00; raise --cost-limit and run the same command again"


def test_money_of_other_runners_and_of_killed_ones_counts(tmp_path: Path) -> None:
    mine = Ledger(prices(), tmp_path / "ledger.jsonl", limit_usd=1.0)
    theirs = Ledger(prices(), tmp_path / "ledger.jsonl")
    theirs.add("a/b", tokens(900_000))
    mine.check()
    theirs.add("a/b", tokens(100_000))
    with pytest.raises(BudgetReached, match=r"spent \$1\.00 of \$1\.00"):
        mine.check()


def test_a_line_that_is_half_written_or_broken_is_no_money_and_no_crash(tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    file.write_bytes(b'not json\n{"usd": "NaN-ish"}\n{"model": "a/b", "usd": "0.25"}\n{"model": "a/b", "us')
    ledger = Ledger(prices(), file)
    assert (ledger.spent_usd, ledger.unknown_calls) == (0.25, 2)


def test_small_sums_are_not_rounded_away(tmp_path: Path) -> None:
    ledger = Ledger(prices(), tmp_path / "ledger.jsonl", limit_usd=0.001)
    ledger.add("a/b", tokens(3_400))
    with pytest.raises(BudgetReached, match=r"^run: spent \$0\.0034 of \$0\.001; "):
        ledger.check()


def test_a_limit_of_nothing_allows_nothing(tmp_path: Path) -> None:
    with pytest.raises(BudgetReached, match=r"spent \$0\.00 of \$0\.00"):
        Ledger(prices(), tmp_path / "ledger.jsonl", limit_usd=0.0).check()


@pytest.mark.parametrize("limit", [-1.0, float("nan")])
def test_a_limit_is_a_sum_of_money(limit: float, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^--cost-limit: .* is not a sum of money; give US dollars, 0 or more$"):
        Ledger(prices(), tmp_path / "ledger.jsonl", limit_usd=limit)


def test_without_a_limit_nothing_stops(tmp_path: Path) -> None:
    ledger = Ledger(prices(), tmp_path / "ledger.jsonl")
    ledger.add("a/b", tokens(10**15))
    ledger.check()


def test_calls_of_unknown_cost_are_counted_and_add_nothing(tmp_path: Path) -> None:
    ledger = Ledger(prices(), tmp_path / "ledger.jsonl")
    assert ledger.add("a/b", None) is None
    assert ledger.add("a/b", Usage(input=5)) is None
    assert ledger.add("no/price", tokens(5)) is None
    assert ledger.add("a/b", ZERO_USAGE) == 0.0
    assert (ledger.unknown_calls, ledger.spent_usd) == (3, 0.0)


def test_many_threads_lose_nothing_and_order_does_not_matter(tmp_path: Path) -> None:
    """A tenth of a cent, eight hundred times: floats would drift, and mixed lines would lose some."""
    ledger = Ledger(prices(), tmp_path / "ledger.jsonl")

    def work() -> None:
        for _ in range(100):
            ledger.add("a/b", tokens(1_000))
            ledger.add("no/price", None)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (ledger.spent_usd, ledger.unknown_calls) == (0.8, 800)


def test_a_limit_needs_every_price() -> None:
    require_known_prices(prices(), ["a/b"], 1.0)
    require_known_prices(prices(), ["no/price"], None)
    with pytest.raises(BadInput) as caught:
        require_known_prices(prices(), ["no/price", "a/b"], 1.0)
    assert str(caught.value) == (
        "model 'no/price': has no known price, so --cost-limit cannot be kept; "
        """set input_usd_per_mtok and output_usd_per_mtok under [prices."no/price"] in cutscore.toml"""
    )
    with pytest.raises(BadInput, match="model 'no/price': has no known price"):
        require_known_prices(prices(), ["no/price"])


# --- what providers count


@pytest.mark.parametrize(
    ("counts", "options", "usage"),
    [
        # Inspect and Anthropic: input without the cache, output with the reasoning.
        (
            {"input": 10, "cached": 90, "cache_write": 5, "output": 30, "reasoning": 20},
            {},
            Usage(input=10, cached=90, cache_write=5, output=10, reasoning=20),
        ),
        # OpenAI's own reply.
        (
            {"input": 100, "cached": 90, "output": 30, "reasoning": 0},
            {"cached_in_input": True},
            Usage(input=10, cached=90, output=30, reasoning=0),
        ),
        # Gemini's own reply, with nothing from the cache.
        (
            {"input": 100, "output": 30, "reasoning": 40},
            {"reasoning_in_output": False, "absent_is_zero": True},
            Usage(input=100, cached=0, cache_write=0, output=30, reasoning=40),
        ),
        # Reasoning that is not told apart stays in output; a cache that is not told of stays unknown.
        ({"input": 100, "output": 30}, {}, Usage(input=100, output=30)),
    ],
)
def test_counts_are_sorted_into_buckets(counts: dict[str, int], options: dict[str, bool], usage: Usage) -> None:
    counted = usage_from_counts(counts, **options)
    assert counted.usage == usage
    assert counted.warnings == ()


@pytest.mark.parametrize(
    ("counts", "options", "usage", "warning"),
    [
        ({}, {"absent_is_zero": True}, Usage(), "the provider counted no tokens"),
        ({"input": -5, "output": 3}, {}, Usage(output=3), "-5 input tokens cannot be; taken as unknown"),
        ({"input": 5, "output": "3"}, {}, Usage(input=5), "'3' output tokens cannot be; taken as unknown"),
        ({"input": True, "output": 3}, {}, Usage(output=3), "True input tokens cannot be; taken as unknown"),
        ({"input": 5, "output": float("nan")}, {}, Usage(input=5), "nan output tokens cannot be; taken as unknown"),
        (
            {"input": 5, "output": 3, "cached": -1},
            {"absent_is_zero": True},
            Usage(input=5, output=3, cache_write=0),
            "-1 cached tokens cannot be; taken as unknown",
        ),
        (
            {"input": 100, "cached": 80, "cache_write": 40, "output": 3},
            {"cached_in_input": True},
            Usage(output=3),
            "120 of 100 input tokens cannot be cached; both are taken as unknown",
        ),
        (
            {"input": 5, "output": 3, "reasoning": 4},
            {},
            Usage(input=5),
            "4 of 3 output tokens cannot be reasoning; both are taken as unknown",
        ),
        (
            {"input": "x" * 10_000, "output": 3},
            {},
            Usage(output=3),
            "'" + "x" * 19 + " input tokens cannot be; taken as unknown",
        ),
    ],
)
def test_counts_that_cannot_be_are_unknown_with_a_warning(
    counts: dict[str, object], options: dict[str, bool], usage: Usage, warning: str
) -> None:
    counted = usage_from_counts(counts, **options)
    assert counted.usage == usage
    assert counted.warnings == (warning,)


anything = st.none() | st.integers(-5, 10**6) | st.floats() | st.text(max_size=3) | st.booleans()


@given(st.dictionaries(st.sampled_from(sorted(TOKEN_BUCKETS)), anything), st.booleans(), st.booleans(), st.booleans())
def test_no_counts_break_us(counts: dict[str, object], cached: bool, reasoning: bool, zero: bool) -> None:
    """Whatever comes, there is a valid usage, and what was sane and not nested is kept."""
    counted = usage_from_counts(counts, cached_in_input=cached, reasoning_in_output=reasoning, absent_is_zero=zero)
    if not cached and type(counts.get("input")) is int and counts["input"] > 0:  # type: ignore[operator]
        assert counted.usage.input == counts["input"]
    odd = [value for value in counts.values() if value is not None and not (type(value) is int and value >= 0)]
    assert len(counted.warnings) >= len(odd)


@pytest.mark.parametrize("counts", [{"input": 0, "output": 0}, {"input": 0, "cached": 0, "output": 0, "reasoning": 0}])
def test_nothing_counted_for_an_answer_is_unknown_and_never_free(counts):
    counted = usage_from_counts(counts, absent_is_zero=True)
    assert counted.warnings == ("the provider counted 0 tokens for a call that it answered; its cost is unknown",)
    price = Prices.snapshot(["openai/gpt-4o"])
    assert price.cost_usd("openai/gpt-4o", counted.usage) is None


@pytest.mark.parametrize("count", [10**18, 100_000_001])
def test_more_tokens_than_can_be_are_unknown(count):
    counted = usage_from_counts({"input": count, "output": 5})
    assert (counted.usage.input, counted.usage.output) == (None, 5)
    assert counted.warnings == (f"{count} input tokens cannot be; taken as unknown",)
