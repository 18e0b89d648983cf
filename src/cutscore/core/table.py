"""A table of the paper, as data: every printer and the report draw from this one type."""

from typing import Self

from pydantic import Field, model_validator

from cutscore.core.estimate import Estimate
from cutscore.core.frozen import FrozenModel, SafeName

TableCell = str | int | float | Estimate | None


class Column(FrozenModel):
    """A column: its heading, how many decimals its numbers get, and whether its words are paths that a page links."""

    name: str
    digits: int = 3
    unit: str = ""
    link: bool = False


class Plot(FrozenModel):
    """How a table is drawn: dots with intervals, one panel for each column of values, all on one scale.

    Args:
        by: Column whose values part the rows into panels, too; empty for none.
        tight: Whether the scale ends where the data do, as fits differences; else it is the whole scale of the score.
        reference: Name of the row that is a line across each panel and no dot.
    """

    values: tuple[str, ...]
    labels: tuple[str, ...]
    by: str = ""
    level: float | None = None
    level_name: str = ""
    tight: bool = False
    reference: str = ""


class Scatter(FrozenModel):
    """Two columns set against each other: a point for each row that has both, named by `labels`, as large as `size`."""

    across: str
    up: str
    labels: tuple[str, ...]
    size: str = ""


class Table(FrozenModel):
    """A titled table; `title` says the finding, `note` says n and method.

    A cell that could not be measured is None and is printed blank, never as 0.
    """

    id: SafeName
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...] = ()
    note: str = ""
    paper: str = Field(default="", description="which table or figure of the paper it repeats")
    plot: Plot | None = Field(default=None, description="how it is drawn, where a drawing answers a question")
    scatters: tuple[Scatter, ...] = Field(default=(), description="columns that are drawn against each other")

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(f"table '{self.id}': row {number} has {len(row)} cells, not {len(self.columns)}")
        return self

    @model_validator(mode="after")
    def _plot_is_of_its_columns(self) -> Self:
        drawn = self.plot
        wanted = {*drawn.values, *drawn.labels, *filter(None, (drawn.by,))} if drawn else set[str]()
        wanted |= {name for each in self.scatters for name in (each.across, each.up, *each.labels, each.size) if name}
        if unknown := wanted - {column.name for column in self.columns}:
            raise ValueError(f"table '{self.id}': its plot names columns that it lacks: {', '.join(sorted(unknown))}")
        return self

    def cells(self, name: str) -> list[TableCell]:
        """Return the cells of a column."""
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]
