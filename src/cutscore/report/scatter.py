"""Two columns of a table → the geometry of a scatter plot: a point for each row, and their names in a column beside it.

Places across are percentages of the drawing's width and places down are pixels, as in `plot.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from cutscore.core.estimate import Estimate
from cutscore.core.table import Scatter, Table, TableCell
from cutscore.report.plot import Ends, Level, join_names, ticks
from cutscore.results.wording import count

TOP_PX, LEAST_PX, FOOT_PX = 16, 320, 44
LEFT_PC, RIGHT_PC, NAMES_PC = 8.0, 56.0, 60.0
LABEL_PX = 16  # between the lines of two names
MOST_LABEL = 38
RADIUS_PX, LEAST_RADIUS_PX, MOST_RADIUS_PX = 5.0, 3.0, 12.0
ROOM = 0.05  # of the data, left free at either end


@dataclass(frozen=True)
class ScatterPoint:
    """One row: its place and size, the ends of its interval where it has one, its name with the height of that."""

    label: str
    said: str
    x_pc: str
    y: float
    radius: float
    low_y: float | None
    high_y: float | None
    text_y: float


@dataclass(frozen=True)
class ScatterPlot:
    """Everything that the template draws."""

    id: str
    title: str
    caption: str
    across: str
    points: tuple[ScatterPoint, ...]
    x_ticks: tuple[Level, ...]
    y_ticks: tuple[tuple[str, float], ...]
    bottom: int
    height: int
    top: int = TOP_PX
    left: str = f"{LEFT_PC}%"
    middle: str = f"{(LEFT_PC + RIGHT_PC) / 2}%"
    right: str = f"{RIGHT_PC}%"
    names: str = f"{NAMES_PC}%"


def lay_out_scatter(table: Table, drawn: Scatter, *, id: str) -> ScatterPlot | None:
    """Lay out one scatter plot of a table; None where fewer than two rows have both values."""
    sizes = table.cells(drawn.size) if drawn.size else [None] * len(table.rows)
    columns = zip(table.rows, table.cells(drawn.across), table.cells(drawn.up), sizes, strict=True)
    rows = [
        (_name(table, drawn, row), x, cell, _number(size))
        for row, across, cell, size in columns
        if (x := _number(across)) is not None and _number(cell) is not None
    ]
    if len(rows) < 2:
        return None
    wide, high = _ends([x for _, x, _, _ in rows]), _ends([y for _, _, cell, _ in rows for y in _heights(cell)])
    bottom = TOP_PX + max(LEAST_PX, LABEL_PX * len(rows))
    largest = max((size for *_, size in rows if size is not None), default=0.0)
    points = [
        replace(
            _point(label, (x, cell), place=lambda y: _down(y, high, bottom), wide=wide, drawn=drawn),
            radius=_radius(size, largest) if drawn.size else RADIUS_PX,
        )
        for label, x, cell, size in rows
    ]
    units = {column.name: f"{column.name} ({column.unit})" if column.unit else column.name for column in table.columns}
    return ScatterPlot(
        id=id,
        title=f"{units[drawn.up]} by {units[drawn.across]}",
        caption=f"{count(len(points), 'point')}, one for each row of the table that has both."
        + (f" The larger, the higher its {drawn.size}; the smallest have none." if drawn.size else ""),
        across=units[drawn.across],
        points=_part_names(points, bottom),
        x_ticks=tuple(Level(_across(at, wide), _word(at), "middle", bottom + 18) for at in ticks(*wide)),
        y_ticks=tuple((_word(at), _down(at, high, bottom)) for at in ticks(*high)),
        bottom=bottom,
        height=bottom + FOOT_PX,
    )


def _name(table: Table, drawn: Scatter, row: tuple[TableCell, ...]) -> str:
    place = {column.name: number for number, column in enumerate(table.columns)}
    return join_names([str(row[place[name]]) for name in drawn.labels if row[place[name]]], MOST_LABEL)


def _number(cell: TableCell) -> float | None:
    if isinstance(cell, Estimate):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None


def _heights(cell: TableCell) -> list[float]:
    ends = (cell.value, cell.low, cell.high) if isinstance(cell, Estimate) else (_number(cell),)
    return [end for end in ends if end is not None]


def _ends(values: Sequence[float]) -> Ends:
    low, high = min(values), max(values)
    room = ROOM * (high - low) or 0.5
    return low - room, high + room


def _radius(value: float | None, largest: float) -> float:
    """Return the size of a point: its area grows with the value."""
    share = max(value or 0.0, 0.0) / largest if largest > 0 else 0.0
    return round(LEAST_RADIUS_PX + (MOST_RADIUS_PX - LEAST_RADIUS_PX) * sqrt(share), 1)


def _across(value: float, ends: Ends) -> str:
    return f"{LEFT_PC + (RIGHT_PC - LEFT_PC) * (value - ends[0]) / (ends[1] - ends[0]):.2f}%"


def _down(value: float, ends: Ends, bottom: int) -> float:
    return round(bottom - (bottom - TOP_PX) * (value - ends[0]) / (ends[1] - ends[0]), 1)


def _word(value: float) -> str:
    return f"{value:,.10g}".replace("-", "−")


def _point(
    label: str, values: tuple[float, TableCell], *, place: Callable[[float], float], wide: Ends, drawn: Scatter
) -> ScatterPoint:
    x, cell = values
    y, ends = _number(cell) or 0.0, (cell.low, cell.high) if isinstance(cell, Estimate) else (None, None)
    low_y, high_y = (None if end is None else place(end) for end in ends)
    return ScatterPoint(
        label=label,
        said=f"{label}: {drawn.across} {x:,.4g}, {drawn.up} {y:,.4g}",
        x_pc=_across(x, wide),
        y=place(y),
        radius=RADIUS_PX,
        low_y=low_y,
        high_y=high_y,
        text_y=place(y),
    )


def _part_names(points: Sequence[ScatterPoint], bottom: int) -> tuple[ScatterPoint, ...]:
    """Put names in the order of their points, as near to their height as none lies on another."""
    order = sorted(points, key=lambda point: (point.y, point.x_pc, point.label))
    places: list[float] = []
    for point in order:
        places.append(max(point.text_y, places[-1] + LABEL_PX) if places else point.text_y)
    floor = bottom + 0.0
    for number in reversed(range(len(places))):
        places[number] = min(places[number], floor)
        floor = places[number] - LABEL_PX
    return tuple(replace(point, text_y=round(at, 1)) for point, at in zip(order, places, strict=True))
