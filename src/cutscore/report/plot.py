"""Estimates → the geometry of a dot plot: dots with intervals, sorted, labelled directly.

Places across are percentages of the drawing's width and places down are pixels, so that one drawing serves a
phone and a desk with the same size of type. The template writes the SVG; nothing here knows markup.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutscore.core.estimate import Estimate
from cutscore.core.inert_text import truncate
from cutscore.results.headline import CellHeadline, rank_headlines
from cutscore.results.wording import count, digits_for, interval, number

ROW_PX, HEAD_PX, FOOT_PX = 46, 16, 24
BAR_PX, BAND_PX = 29, 20  # where a row has its bar; lines across are drawn there alone, and cross no words
LINE_PX = 16  # of the name of a level
AXIS_PX = 22  # of the name of the axis
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
    leads: str
    hollow: bool

    @property
    def said(self) -> str:
        """Return the dot in words, for who cannot see it."""
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


@dataclass(frozen=True)
class Point:
    """What becomes of an estimate: a dot, and where a click on it leads.

    A hollow one is a ring, as is every estimate without an interval: it does not say what it seems to say.
    """

    label: str
    estimate: Estimate
    href: str = ""
    leads: str = ""
    hollow: bool = False


Ends = tuple[float, float]


def dot_plot(
    headlines: Sequence[CellHeadline],
    *,
    id: str,
    title: str,
    axis: str,
    levels: Sequence[tuple[str, float]],
    href: Callable[[str], str],
    ratio: bool = False,
    chance: bool = False,
    noun: str = "clip",
) -> DotPlot | None:
    """Lay out the plot of some headlines, best first; None when there is nothing to draw.

    Levels are what they are read against, by name; `chance` tells whether guessing has a level of its own, and
    `noun` what a cluster is.
    """
    order = rank_headlines(headlines)
    if not order:
        return None
    points = [Point(each.label, each.estimate, href(each.name.cell), "open its lowest item") for each in order]
    known = _join_levels(levels)
    ends = whole_scale(points, [level for _, level in known])
    caption = _caption(order, noun=noun, chance=chance, ratio=ratio)
    return lay_out_plot(points, id=id, title=title, axis=axis, caption=caption, levels=known, ends=ends)


def _join_levels(levels: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Put names of one level together, so that no line is drawn twice.

    >>> _join_levels([("floor", 0.0), ("guess", 0.0), ("ceiling", 1.0)])
    [('floor, guess', 0.0), ('ceiling', 1.0)]
    """
    found: dict[float, list[str]] = {}
    for name, level in levels:
        found.setdefault(level, []).append(name)
    return [(", ".join(words), level) for level, words in found.items()]


def lay_out_plot(
    points: Sequence[Point],
    *,
    id: str,
    title: str,
    axis: str,
    caption: str,
    levels: Sequence[tuple[str, float]],
    ends: Ends,
) -> DotPlot:
    """Lay out dots in the given order on an axis with the given ends."""
    low, high = ends
    digits = digits_for(ends)

    def place(value: float) -> str:
        return f"{LEFT_PC + (RIGHT_PC - LEFT_PC) * (value - low) / (high - low):.2f}%"

    head = HEAD_PX + LINE_PX * len(levels)
    bottom = head + ROW_PX * len(points)
    return DotPlot(
        id=id,
        title=title,
        caption=caption,
        axis=axis,
        height=bottom + FOOT_PX + (AXIS_PX if axis else 0),
        top=head + BAR_PX - BAND_PX // 2,
        bottom=bottom,
        left=place(low),
        right=place(high),
        dots=tuple(_dot(point, place, digits, head + ROW_PX * row) for row, point in enumerate(points)),
        levels=_levels(levels, place, digits),
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


def whole_scale(points: Sequence[Point], levels: Sequence[float] = ()) -> Ends:
    """Span the whole scale, so that two plots of one score compare, and whatever lies outside of it."""
    ends = [end for point in points for end in point.estimate.scale]
    low, high = min(*ends, *_reached(points), *levels), max(*ends, *_reached(points), *levels)
    return (low, high) if high - low > 1e-9 else (low - 0.5, high + 0.5)


def tight_scale(points: Sequence[Point], levels: Sequence[float] = ()) -> Ends:
    """Span what there is with a little room, as fits differences, whose scale is far wider than they are."""
    reached = [*_reached(points), *levels]
    low, high = min(reached, default=0.0), max(reached, default=0.0)
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _reached(points: Sequence[Point]) -> list[float]:
    found = [(each.estimate.value, each.estimate.low, each.estimate.high) for each in points]
    return [end for three in found for end in three if end is not None]


def _dot(point: Point, place: Callable[[float], str], digits: int, y: int) -> Dot:
    estimate = point.estimate
    return Dot(
        label=shorten_label(point.label, MOST_LABEL),
        value="nothing to average" if estimate.value is None else number(estimate.value, digits),
        interval="" if estimate.value is None else interval(estimate.low, estimate.high, digits),
        at_pc="" if estimate.value is None else place(estimate.value),
        low_pc="" if estimate.low is None else place(estimate.low),
        high_pc="" if estimate.high is None else place(estimate.high),
        text_y=y + 14,
        line_y=y + BAR_PX,
        href=point.href,
        leads=point.leads,
        hollow=point.hollow or estimate.low is None,
    )


def shorten_label(label: str, most: int) -> str:
    """Cut a name that is too long before its last bracket, which tells an ablated cell from the whole one.

    >>> shorten_label("provider/a-long-name (1 frame)", 20), shorten_label("provider/a-long-name", 12)
    ('provider/… (1 frame)', 'provider/a-l…')
    """
    name, bracket, arm = label.rpartition(" (")
    tail = bracket + arm if arm.endswith(")") and len(arm) < most // 2 else ""
    kept, left = truncate(label if not tail else name, most - len(tail) - bool(tail))
    return f"{kept}…{tail}" if left and len(label) > most else label


def join_names(words: Sequence[str], most: int) -> str:
    """Name a dot by the words of its row; of too long ones models lose their providers, then the longest is cut.

    So what tells two dots apart stays.

    >>> join_names(["opencode", "anthropic/claude-opus-4-7"], 28), join_names(["opencode", "openai/gpt-5.5"], 28)
    ('opencode · claude-opus-4-7', 'opencode · openai/gpt-5.5')
    """
    kept = list(words)
    if len(" · ".join(kept)) > most:
        kept = [word.rpartition("/")[2] or word for word in kept]
    over = len(" · ".join(kept)) - most
    if over > 0:
        longest = max(range(len(kept)), key=lambda at: len(kept[at]))
        kept[longest] = kept[longest][: max(8, len(kept[longest]) - over - 1)] + "…"
    return " · ".join(kept)


def _levels(levels: Sequence[tuple[str, float]], place: Callable[[float], str], digits: int) -> tuple[Level, ...]:
    return tuple(
        Level(
            at_pc=(at := place(level)),
            label=f"{name} {number(level, digits)}",
            # Words stand beside their line, on the side where there is room; two lines of them never collide.
            anchor="start" if float(at[:-1]) < 50 else "end",
            text_y=14 + LINE_PX * row,
        )
        for row, (name, level) in enumerate(levels)
    )


def _anchor(at: float, low: float, high: float) -> str:
    return "start" if at - low < 0.02 * (high - low) else "end" if high - at < 0.02 * (high - low) else "middle"


def _caption(order: Sequence[CellHeadline], *, noun: str, chance: bool, ratio: bool) -> str:
    sizes = sorted({(each.estimate.n, each.estimate.clusters) for each in order})
    if len(sizes) == 1:
        counted = f"n = {sizes[0][0]:,} in {count(sizes[0][1], noun)} for each"
    else:
        counted = f"n = {sizes[0][0]:,} to {sizes[-1][0]:,}, see the table"
    what = "ratios of sums over all samples" if ratio else "means over samples"
    said = [f"Dots are {what}, bars 95% intervals", counted]
    if chance:
        said.append("“not shown to beat chance” means that the interval holds the level of chance")
    return "; ".join(said) + "."
