"""Estimates → the geometry of a dot plot: dots with intervals, sorted, labelled directly.

Places across are percentages of the drawing's width and places down are pixels, so that one drawing serves a
phone and a desk with the same size of type. The template writes the SVG; nothing here knows markup.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutscore.report.headline import Marks, Standing, ranked
from cutscore.report.text import cut
from cutscore.report.wording import count, digits_for, interval, number

ROW_PX, HEAD_PX, FOOT_PX = 46, 48, 46
# Longer names would run into the figure on a phone; the table has them in full.
MOST_LABEL = 34
# Dots at either end of the scale, and the figures under them, need room inside the drawing.
LEFT_PC, RIGHT_PC = 2.0, 98.0


@dataclass(frozen=True)
class Dot:
    """One subject: its words above, its interval and dot on the line below."""

    label: str
    value: str
    interval: str
    at_pc: str
    low_pc: str
    high_pc: str
    text_y: int
    line_y: int
    href: str

    @property
    def whole(self) -> bool:
        return bool(self.low_pc)

    @property
    def said(self) -> str:
        return f"{self.label}: {self.value} {self.interval}".rstrip()


@dataclass(frozen=True)
class Level:
    """A dashed line (floor, chance) or a tick of the axis."""

    at_pc: str
    label: str
    anchor: str
    text_y: int


@dataclass(frozen=True)
class DotPlot:
    """Everything that the template draws."""

    id: str
    title: str
    caption: str
    axis: str
    height: int
    top: int
    bottom: int
    left: str
    right: str
    dots: tuple[Dot, ...]
    levels: tuple[Level, ...]
    ticks: tuple[Level, ...]


def dot_plot(
    standings: Sequence[Standing], *, id: str, title: str, axis: str, marks: Marks, href: Callable[[str], str]
) -> DotPlot | None:
    """Lay out one plot; None when there is nothing to draw.

    Args:
        standings: Headlines of the cells, in any order.
        id: Unique on the page.
        title: The finding.
        axis: Name and unit of the axis.
        marks: Levels to draw as dashed lines.
        href: Where a cell's dot leads, by its id; empty for nowhere.
    """
    order = ranked(standings)
    if not order:
        return None
    low, high = _domain(order, marks)
    digits = digits_for((low, high))
    place = _place(low, high)
    bottom = HEAD_PX + ROW_PX * len(order)
    return DotPlot(
        id=id,
        title=title,
        caption=_caption(order, marks),
        axis=axis,
        height=bottom + FOOT_PX,
        top=HEAD_PX - 6,
        bottom=bottom,
        left=place(low),
        right=place(high),
        dots=tuple(
            _dot(standing, place, digits, HEAD_PX + ROW_PX * row, href(standing.who.cell))
            for row, standing in enumerate(order)
        ),
        levels=_levels(marks, place, digits),
        ticks=tuple(
            Level(place(at), f"{at:,.10g}".replace("-", "−"), _anchor(at, low, high), bottom + 18)
            for at in ticks(low, high)
        ),
    )


def ticks(low: float, high: float) -> tuple[float, ...]:
    """Choose round places on an axis, about five.

    >>> ticks(0.0, 1.0), ticks(0.0, 100.0)
    ((0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 25.0, 50.0, 75.0, 100.0))
    """
    power = 10 ** math.floor(math.log10(high - low))
    step = next(each * power for each in (0.25, 0.5, 1, 2, 2.5) if (high - low) / (each * power) <= 4.5)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(round(each * step, 10) + 0.0 for each in range(first, last + 1))


def _domain(order: Sequence[Standing], marks: Marks) -> tuple[float, float]:
    """Span the whole scale, so that two plots of one score compare, and whatever lies outside of it."""
    ends = [end for standing in order for end in standing.estimate.scale]
    estimates = [(each.estimate.value, each.estimate.low, each.estimate.high) for each in order]
    ends += [end for three in estimates for end in three if end is not None]
    ends += [level for level in (marks.floor, marks.chance) if level is not None]
    low, high = min(ends), max(ends)
    return (low, high) if high - low > 1e-9 else (low - 0.5, high + 0.5)


def _place(low: float, high: float) -> Callable[[float], str]:
    def place(value: float) -> str:
        return f"{LEFT_PC + (RIGHT_PC - LEFT_PC) * (value - low) / (high - low):.2f}%"

    return place


def _dot(standing: Standing, place: Callable[[float], str], digits: int, y: int, href: str) -> Dot:
    estimate = standing.estimate
    label, left = cut(standing.label, MOST_LABEL)
    return Dot(
        label=f"{label}…" if left else label,
        value="nothing to average" if estimate.value is None else number(estimate.value, digits),
        interval="" if estimate.value is None else interval(estimate.low, estimate.high, digits),
        at_pc="" if estimate.value is None else place(estimate.value),
        low_pc="" if estimate.low is None else place(estimate.low),
        high_pc="" if estimate.high is None else place(estimate.high),
        text_y=y + 14,
        line_y=y + 29,
        href=href,
    )


def _levels(marks: Marks, place: Callable[[float], str], digits: int) -> tuple[Level, ...]:
    known = [("chance", marks.chance), ("floor", marks.floor)]
    if marks.chance is not None and marks.chance == marks.floor:
        known = [("chance and floor", marks.chance)]
    return tuple(
        Level(
            at_pc=(at := place(level)),
            label=f"{name} {number(level, digits)}",
            # Words stand beside their line, on the side where there is room; two lines of them never collide.
            anchor="start" if float(at[:-1]) < 50 else "end",
            text_y=14 + 16 * row,
        )
        for row, (name, level) in enumerate(known)
        if level is not None
    )


def _anchor(at: float, low: float, high: float) -> str:
    return "start" if at - low < 0.02 * (high - low) else "end" if high - at < 0.02 * (high - low) else "middle"


def _caption(order: Sequence[Standing], marks: Marks) -> str:
    sizes = sorted({(each.estimate.n, each.estimate.clusters) for each in order})
    if len(sizes) == 1:
        counted = f"n = {sizes[0][0]:,} in {count(sizes[0][1], 'cluster')} for each"
    else:
        counted = f"n = {sizes[0][0]:,} to {sizes[-1][0]:,}, see the table"
    said = ["Dots are means, bars 95% intervals", counted]
    if marks.chance is not None:
        said.append("“at chance” means that the interval holds the level of chance")
    return "; ".join(said) + "."
