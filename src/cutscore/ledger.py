"""Tokens into dollars, with prices frozen on the day of the run. What is not known stays unknown and is never 0.

Prices come from `genai-prices`, which changes every week. A run therefore writes down the prices of just its own
models (`prices.json`), with their source and date, and every later reader computes from that file alone.
"""

import datetime
import json
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage
from cutscore.settings import OwnPrice

if TYPE_CHECKING:
    from genai_prices.types import TieredPrices

MTOK = 1_000_000
OWN = "cutscore.toml"

# Our bucket → what genai-prices calls its price, and the bucket that holds it where it has no price of its own.
_BUCKETS = {
    "input": ("input_mtok", ""),
    "cached": ("cache_read_mtok", "input"),
    "cache_write": ("cache_write_mtok", "input"),
    "output": ("output_mtok", ""),
    "reasoning": ("output_reasoning_mtok", "output"),
}
# Where Inspect and genai-prices give one provider two names.
_PROVIDERS = {"azureai": "azure", "bedrock": "aws", "grok": "x-ai", "moonshot": "moonshotai"}
# Inspect's second word when a vendor's models are served by somebody else (`anthropic/bedrock/…`).
_SERVICES = {"azure": "azure", "bedrock": "aws", "vertex": "google"}

Usd = Annotated[Decimal, Field(ge=0)]


class PriceTier(FrozenModel):
    """What all tokens of a call cost once it reads more than so many."""

    above_tokens: int = Field(ge=0)
    usd_per_mtok: Usd


class TokenRate(FrozenModel):
    """Dollars per million tokens of one bucket.

    A call that reads more than a tier's threshold pays the tier's price for all its tokens, not only for those above.
    Read are input, cached and cache_write together.
    """

    usd_per_mtok: Usd
    tiers: tuple[PriceTier, ...] = ()

    @property
    def free(self) -> bool:
        """Whether it costs nothing at any size."""
        return not any((self.usd_per_mtok, *(tier.usd_per_mtok for tier in self.tiers)))

    def at(self, read_tokens: int | None) -> Decimal | None:
        """Return the price for a call of that size; None when the size is unknown and matters."""
        if read_tokens is None:
            return None if self.tiers else self.usd_per_mtok
        reached = [tier for tier in self.tiers if read_tokens > tier.above_tokens]
        return max(reached, key=lambda tier: tier.above_tokens).usd_per_mtok if reached else self.usd_per_mtok


class Price(FrozenModel):
    """What one model costs.

    Args:
        input, cached, cache_write, output, reasoning: Rate of each bucket of `Usage`. Where a bucket has none, its
            tokens cost what the bucket around it costs: cached and cache_write as input, reasoning as output.
        per_call_usd: Charged for every call.
        source: Where the price is from, with version and the name under which it was found.
        note: What a reader should know: charges that the five buckets cannot hold.
    """

    input: TokenRate
    cached: TokenRate | None = None
    cache_write: TokenRate | None = None
    output: TokenRate | None = None
    reasoning: TokenRate | None = None
    per_call_usd: Usd = Decimal(0)
    source: str
    note: str = ""

    def cost_usd(self, usage: Usage) -> Decimal | None:
        """Return what one call cost, exactly; None when a bucket that costs something is unknown.

        Unknown cached, cache_write or reasoning tokens without a rate of their own are in the count of the bucket
        around them, since whoever charges them alike has no reason to count them apart; then nothing is missing.
        With a rate of their own the split matters, and the cost is unknown.
        """
        counts: dict[str, int | None] = {bucket: getattr(usage, bucket) for bucket in _BUCKETS}
        for bucket, (_, around) in _BUCKETS.items():
            if around and counts[bucket] is None and getattr(self, bucket) is None:
                counts[bucket] = 0
        read = [counts[bucket] for bucket in ("input", "cached", "cache_write")]
        read_tokens = None if None in read else sum(count or 0 for count in read)
        total = self.per_call_usd
        for bucket, (_, around) in _BUCKETS.items():
            count = counts[bucket]
            rate: TokenRate | None = getattr(self, bucket) or (getattr(self, around) if around else None)
            if count == 0 or (rate and rate.free):
                continue
            usd = rate.at(read_tokens) if rate else None
            if count is None or usd is None:
                return None
            total += usd * count / MTOK
        return total


class Prices(FrozenModel):
    """The prices of a run's models on one day: `prices.json`.

    Args:
        source: Price list and its version.
        date: Day for which the list was read, UTC.
        models: By Inspect's name of the model. A model that is not here has no known price.
    """

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    record: Literal["cutscore.prices/1"] = Field(default="cutscore.prices/1", alias="schema")
    source: str
    date: datetime.date
    models: dict[str, Price] = Field(default_factory=dict)

    @classmethod
    def snapshot(
        cls,
        models: Iterable[str],
        *,
        own: Mapping[str, OwnPrice] = MappingProxyType({}),
        on: datetime.date | None = None,
    ) -> "Prices":
        """Freeze the prices of some models.

        Args:
            models: Inspect's names: `openai/gpt-5.5`, `openrouter/…`, `openai-api/vendor/name`.
            own: Prices that the user set; they count more than the list.
            on: Day of the prices; today (UTC) when left out.
        """
        day = on or datetime.datetime.now(datetime.UTC).date()
        found = {
            model: _own_price(own[model]) if model in own else _list_price(model, day) for model in sorted(set(models))
        }
        known = {model: price for model, price in found.items() if price is not None}
        return cls(source=f"genai-prices {version('genai-prices')}", date=day, models=known)

    def known(self, model: str) -> bool:
        """Return whether a model has a price here."""
        return model in self.models

    def cost_usd(self, model: str, usage: Usage) -> float | None:
        """Return what one call cost in dollars; None when the price or a bucket that matters is unknown.

        The usage is that of one call: prices with tiers depend on the size of each call, so add costs, not tokens.
        """
        cost = self.models[model].cost_usd(usage) if model in self.models else None
        return None if cost is None else float(cost)


def require_known_prices(prices: Prices, models: Iterable[str], limit_usd: float | None = 0.0) -> None:
    """Raise when there is a limit and a model without a price: such a limit could never be kept.

    Args:
        prices: The snapshot.
        models: Everybody who will be called.
        limit_usd: The limit; None when there is none, and then nothing is refused.
    """
    for model in () if limit_usd is None else sorted(set(models)):
        if not prices.known(model):
            keys = " and ".join(f"{bucket}_usd_per_mtok" for bucket in ("input", "output"))
            next_step = f"""set {keys} under [prices."{model}"] in {OWN}"""
            raise BadInput(f"model '{model}'", "has no known price, so --cost-limit cannot be kept", next_step)


class Ledger:
    """What a run has spent: one line a call, written before the next call starts, and only ever added to.

    So it counts work that a kill threw away (that money is gone all the same), and all runners of one run folder share
    it. Safe for many threads and processes.

    Args:
        prices: Prices of the models that will be called.
        file: `ledger.jsonl` of the run folder.
        limit_usd: What may be spent in the run folder altogether; None for no limit.
    """

    def __init__(self, prices: Prices, file: Path, *, limit_usd: float | None = None) -> None:
        if limit_usd is not None and not limit_usd >= 0:
            raise BadInput("--cost-limit", f"{limit_usd} is not a sum of money", "give US dollars, 0 or more")
        self._prices, self._file, self._limit_usd = prices, file, limit_usd
        # Decimals add up to the same sum in any order; floats do not.
        self._spent, self._unknown_calls, self._read_bytes = Decimal(0), 0, 0
        self._lock = threading.Lock()

    def add(self, model: str, usage: Usage | None) -> float | None:
        """Book one call and give its cost; None when it is unknown, which is counted."""
        price = self._prices.models.get(model)
        cost = price.cost_usd(usage) if price and usage else None
        line = {
            "model": model,
            "usage": usage.model_dump(exclude_none=True) if usage else None,
            "usd": None if cost is None else str(cost),
        }
        # One write of one line: appends of several runners do not mix.
        handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.write(handle, json.dumps(line).encode() + b"\n")
        finally:
            os.close(handle)
        return None if cost is None else float(cost)

    @property
    def spent_usd(self) -> float:
        """What is known to be spent by now, by anyone in the run folder; calls of unknown cost come on top."""
        self._catch_up()
        return float(self._spent)

    @property
    def unknown_calls(self) -> int:
        """How many calls in the run folder have no known cost."""
        self._catch_up()
        return self._unknown_calls

    def check(self) -> None:
        """Raise when the money is spent. Ask before every call: calls under way may still go beyond."""
        if self._limit_usd is not None and (spent := self.spent_usd) >= self._limit_usd:
            fact = f"spent {_dollars(spent)} of {_dollars(self._limit_usd)}"
            raise BudgetReached("run", fact, "raise --cost-limit and run the same command again")

    def _catch_up(self) -> None:
        """Read the lines that were added since the last look."""
        with self._lock, suppress(FileNotFoundError), self._file.open("rb") as lines:
            lines.seek(self._read_bytes)
            for line in lines:
                if not line.endswith(b"\n"):
                    return  # somebody is writing it right now
                self._read_bytes += len(line)
                cost = _read_cost(line)
                self._unknown_calls += cost is None
                self._spent += cost or 0


def _read_cost(line: bytes) -> Decimal | None:
    try:
        return Decimal(json.loads(line)["usd"])
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None  # unknown, or a line that a full disk cut short


def _dollars(usd: float) -> str:
    """Write a sum with cents, or with two digits where cents would hide it."""
    return f"${usd:.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.2g}"


# --- the price list ---------------------------------------------------------------------------------------------


def _own_price(price: OwnPrice) -> Price:
    told = {bucket: getattr(price, f"{bucket}_usd_per_mtok", None) for bucket in _BUCKETS}
    rates = {bucket: {"usd_per_mtok": usd} for bucket, usd in told.items() if usd is not None}
    return Price.model_validate({**rates, "source": OWN})


def _list_price(model: str, day: datetime.date) -> Price | None:
    """Look a model up in genai-prices; None unless this very provider is listed with a price for its tokens."""
    from genai_prices import Usage as NoTokens
    from genai_prices import calc_price

    provider, name = _address(model)
    try:
        listed = calc_price(NoTokens(), name, provider_id=provider)
    except LookupError:
        return None
    hours = [datetime.datetime.combine(day, datetime.time(hour), datetime.UTC) for hour in range(24)]
    prices = [listed.model.get_prices(hour) for hour in hours]
    # The list also takes names that merely sound like a provider's, but a stranger's mirror has its own prices.
    if listed.provider.id != provider or any(price.input_mtok is None for price in prices):
        return None
    # A few prices change by the hour. A run has one price, and a budget is kept with the dearest.
    dearest = max(prices, key=lambda price: _rate(price.input_mtok).usd_per_mtok)
    rates = {key: _rate(value) for key, value in vars(dearest).items() if value is not None}
    per_call = rates.pop("requests_kcount", None)
    buckets = {bucket: rates.pop(key) for bucket, (key, _) in _BUCKETS.items() if key in rates}
    notes = ["price of the dearest hour"] if any(price != dearest for price in prices) else []
    notes += [f"not counted: {key} at ${rate.usd_per_mtok}" for key, rate in sorted(rates.items())]
    return Price(
        **buckets,
        per_call_usd=per_call.usd_per_mtok / 1000 if per_call else Decimal(0),
        source=f"genai-prices {version('genai-prices')}, {provider} {listed.model.id}",
        note="; ".join(notes),
    )


def _rate(value: "Decimal | TieredPrices | None") -> TokenRate:
    if value is None or isinstance(value, Decimal):
        return TokenRate(usd_per_mtok=value or Decimal(0))
    tiers = tuple(PriceTier(above_tokens=tier.start, usd_per_mtok=tier.price) for tier in value.tiers)
    return TokenRate(usd_per_mtok=value.base, tiers=tiers)


def _address(model: str) -> tuple[str, str]:
    """Split Inspect's name of a model into provider and model as genai-prices names them.

    >>> _address("grok/grok-4"), _address("anthropic/bedrock/claude-x"), _address("openai-api/deepseek/chat")
    (('x-ai', 'grok-4'), ('aws', 'claude-x'), ('deepseek', 'chat'))
    """
    provider, _, name = model.partition("/")
    second, slash, rest = name.partition("/")
    if provider in ("openai-api", "openai-api-completions"):
        provider, name = second, rest
    elif slash and provider in ("anthropic", "google", "mistral", "openai") and second in _SERVICES:
        provider, name = _SERVICES[second], rest
    return _PROVIDERS.get(provider, provider), name


# --- what providers count ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountedUsage:
    """A usage, and sentences about counts that cannot be."""

    usage: Usage
    warnings: tuple[str, ...] = ()


def usage_from_counts(
    counts: Mapping[str, object],
    *,
    cached_in_input: bool = False,
    reasoning_in_output: bool = True,
    absent_is_zero: bool = False,
) -> CountedUsage:
    """Sort a provider's counts into our buckets, and take what cannot be for unknown.

    Args:
        counts: As they came, by bucket. What is no whole number from 0 up is unknown, and so is what is left out.
        cached_in_input: `input` holds both cache counts (OpenAI's own replies do; Anthropic's and Inspect's do not).
        reasoning_in_output: `output` holds `reasoning` (Gemini's own replies are the exception).
        absent_is_zero: The source leaves cache counts out where it means 0.

    >>> usage_from_counts({"input": 100, "cached": 120, "output": 5}, cached_in_input=True).warnings
    ('120 of 100 input tokens cannot be cached; both are taken as unknown',)
    """
    told = {bucket: counts.get(bucket) for bucket in _BUCKETS}
    if all(value is None for value in told.values()):
        return CountedUsage(Usage(), ("the provider counted no tokens",))
    sane = {bucket: value if type(value) is int and value >= 0 else None for bucket, value in told.items()}
    odd = [bucket for bucket, value in told.items() if value is not None and sane[bucket] is None]
    warnings = [f"{told[bucket]!r:.20} {bucket} tokens cannot be; taken as unknown" for bucket in odd]
    if absent_is_zero:
        sane |= {bucket: 0 for bucket in ("cached", "cache_write") if told[bucket] is None}
    for whole, nested in (("input", cached_in_input), ("output", reasoning_in_output)):
        parts = [bucket for bucket, (_, around) in _BUCKETS.items() if nested and around == whole]
        inside, total = sum(sane[part] or 0 for part in parts), sane[whole]
        if total is not None and inside > total:
            warnings.append(f"{inside} of {total} {whole} tokens cannot be {parts[0]}; both are taken as unknown")
            sane |= dict.fromkeys((whole, *parts))
        elif total is not None:
            sane[whole] = total - inside
    return CountedUsage(Usage(**sane), tuple(warnings))
