"""A table of the paper, as data: every printer and the report draw from this one type."""

from typing import Self

from pydantic import Field, model_validator

from cutscore.core.estimate import Estimate
from cutscore.core.noun import Noun

Cell = str | int | float | Estimate | None


class Column(Noun):
    """A column: its heading, and how many decimals its numbers get."""

    name: str
    digits: int = 3
    unit: str = ""


class Table(Noun):
    """A titled table; `title` says the finding, `note` says n and method.

    A cell that could not be measured is None and is printed blank, never as 0.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
    note: str = ""
    paper: str = Field(default="", description="which table or figure of the paper it repeats")

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(f"table '{self.id}': row {number} has {len(row)} cells, not {len(self.columns)}")
        return self
