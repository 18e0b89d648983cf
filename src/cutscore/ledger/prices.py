"""What tokens cost, with prices frozen on the day of the run. What is not known stays unknown and is never 0.

Prices come from `genai-prices`, which changes every week. A run therefore writes down the prices of just its own
models (`prices.json`), with their source and date, and every later reader computes from that file alone.
"""

import datetime
from collections.abc import Iterable, Mapping
from decimal import Decimal
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field

from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import BUCKETS
from cutscore.settings import OwnPrice

if TYPE_CHECKING:
    from genai_prices.types import TieredPrices

MTOK = 1_000_000
OWN = "cutscore.toml"

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
        per_video_second_usd: For each second of video that was made.
        date: Day from which the price is, where its source says so.
        note: What a reader should know: charges that cannot be counted.
    """

    input: TokenRate
    cached: TokenRate | None = None
    cache_write: TokenRate | None = None
    output: TokenRate | None = None
    reasoning: TokenRate | None = None
    per_call_usd: Usd = Decimal(0)
    per_video_second_usd: Usd = Decimal(0)
    source: str
    date: datetime.date | None = None
    note: str = ""

    def cost_usd(self, usage: Usage | None) -> Decimal | None:
        """Return what one call cost, exactly; None when a bucket that costs something is unknown.

        Unknown cached, cache_write or reasoning tokens that cost what the bucket around them costs are in the count of
        that bucket, since whoever charges them alike has no reason to count them apart; then nothing is missing.
        With another rate of their own the split matters, and the cost is unknown.
        """
        if usage is None:
            return None if self.per_video_second_usd else self.cost_usd(Usage())
        counts: dict[str, int | None] = {bucket: getattr(usage, bucket) for bucket in BUCKETS}
        for bucket, (_, around) in BUCKETS.items():
            if around and counts[bucket] is None and getattr(self, bucket) in (None, getattr(self, around)):
                counts[bucket] = 0
        read = [counts[bucket] for bucket in ("input", "cached", "cache_write")]
        read_tokens = None if None in read else sum(count or 0 for count in read)
        total = self.per_call_usd
        if usage.video_s:
            total += self.per_video_second_usd * Decimal(str(usage.video_s))
        for bucket, (_, around) in BUCKETS.items():
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
        """Freeze the prices of models, by Inspect's names, on a day (UTC); the user's own count more than the list."""
        day = on or datetime.datetime.now(datetime.UTC).date()
        found = {
            model: own_price(own[model]) if model in own else _list_price(model, day) for model in sorted(set(models))
        }
        known = {model: price for model, price in found.items() if price is not None}
        return cls(source=f"genai-prices {version('genai-prices')}", date=day, models=known)

    def with_missing(self, models: Iterable[str], *, own: Mapping[str, OwnPrice] = MappingProxyType({})) -> "Prices":
        """Return these prices, and today's for models that have none here: a price that was unknown may be known now.

        A model whose price was known keeps it.
        """
        today = Prices.snapshot([model for model in models if model not in self.models], own=own)
        return self.model_copy(update={"models": {**self.models, **today.models}}) if today.models else self

    def cost_usd(self, model: str, usage: Usage | None) -> float | None:
        """Return what one call cost in dollars; None when the price or a bucket that matters is unknown.

        The usage is that of one call: prices with tiers depend on the size of each call, so add costs, not tokens.
        """
        cost = self.models[model].cost_usd(usage) if model in self.models else None
        return None if cost is None else float(cost)


def require_known_prices(prices: Prices, models: Iterable[str], limit_usd: float | None = 0.0) -> None:
    """Raise when there is a limit and a model without a price: such a limit could never be kept."""
    for model in () if limit_usd is None else sorted(set(models)):
        if model not in prices.models:
            keys = " and ".join(f"{bucket}_usd_per_mtok" for bucket in ("input", "output"))
            next_step = f"""set {keys} under [prices."{model}"] in {OWN}"""
            raise BadInput(f"model '{model}'", "has no known price, so --cost-limit cannot be kept", next_step)


def own_price(price: OwnPrice, listed: str = OWN) -> Price:
    """Return a price as the user or a list of prices gives it, with where that stands."""
    given = {bucket: getattr(price, f"{bucket}_usd_per_mtok", None) for bucket in BUCKETS}
    if given["input"] is None:  # paid by the call or by the second
        given |= {"input": 0.0, "output": 0.0}
    rates = {bucket: {"usd_per_mtok": usd} for bucket, usd in given.items() if usd is not None}
    whole = {"per_call_usd": price.per_call_usd, "per_video_second_usd": price.per_video_second_usd}
    said = {"source": f"{listed}: {price.source}" if price.source else listed, "date": price.date}
    return Price.model_validate({**rates, **whole, **said})


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
    buckets = {bucket: rates.pop(key) for bucket, (key, _) in BUCKETS.items() if key in rates}
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
