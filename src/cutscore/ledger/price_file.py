"""A dated price list as a file, to compute the cost of stored tokens again.

It is TOML, with prices as `cutscore.toml` has them:

    source = "our contract"
    date = 2026-11-01

    [prices."gpt-5.5"]
    input_usd_per_mtok = 5.0
    output_usd_per_mtok = 30.0

Rows keep the tokens of a whole sample, and not of each call. So a list has one rate for each bucket and no tiers, and
prices by the call are refused.
"""

import datetime
import tomllib
from pathlib import Path

from pydantic import ValidationError

from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel
from cutscore.core.usage import Usage
from cutscore.ledger.prices import Price, own_price
from cutscore.settings import OwnPrice

NEXT = 'write source, date and [prices."MODEL"] tables; docs/money.md has an example'


class _PriceToml(FrozenModel):
    source: str
    date: datetime.date
    prices: dict[str, OwnPrice]


class PriceFile(FrozenModel):
    """The prices of a list, by the model's name with or without its provider."""

    source: str
    date: datetime.date
    models: dict[str, Price]

    @property
    def title(self) -> str:
        """Name the list and its day."""
        return f"{self.source}, {self.date.isoformat()}"

    def price(self, model: str) -> Price | None:
        """Return the price of a model by Inspect's name, or by that name without its providers; None when unlisted."""
        return self.models.get(model) or self.models.get(model.rpartition("/")[2])

    def cost_usd(self, model: str, usage: Usage | None) -> float | None:
        """Return what tokens cost; None when there is no price, or a bucket that matters is unknown."""
        price = self.price(model)
        cost = None if price is None or usage is None else price.cost_usd(usage)
        return None if cost is None else float(cost)


def read_price_file(file: Path) -> PriceFile:
    """Read and check a price list."""
    what = f"prices '{file}'"
    try:
        read = _PriceToml.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadInput(what, error.strerror or str(error), NEXT) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(what, f"is not TOML: {error}", "mend that line") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(what, f"{where}: {first['msg']}", NEXT) from None
    for model, price in read.prices.items():
        if price.per_call_usd:
            fact = f"'{model}' has a price for each call, and rows do not keep the calls of a sample apart"
            raise BadInput(what, fact, "leave per_call_usd out")
    models = {model: own_price(price, f"{read.source} {read.date}") for model, price in read.prices.items()}
    return PriceFile(source=read.source, date=read.date, models=models)
