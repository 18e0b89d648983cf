"""Rows → tables. One score without strata needs none: the headline says it all."""

from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.row import Row
from cutscore.core.table import Table


def tables(rows: Sequence[Row], card: Card) -> list[Table]:
    """Return no table."""
    return []
