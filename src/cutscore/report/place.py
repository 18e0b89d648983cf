"""A stretch of time in a file → a link that shows it."""

import math
from dataclasses import dataclass
from fractions import Fraction

from cutscore.core.timeline import Span, timecode
from cutscore.report.embed import Shown


@dataclass(frozen=True)
class Clip:
    """A file on an item's page.

    Args:
        id: Names its player.
        shown: What a page may show of it.
        film: Its player stands with those of the other films, side by side.
    """

    id: str
    shown: Shown
    film: bool = False


@dataclass(frozen=True)
class Seek:
    """A link to a second of a clip. Without a player it is only words."""

    text: str
    player: str = ""
    start: str = ""
    href: str = ""
    file: str = ""


def spoken_of(name: str | None, reach: tuple[Clip, ...]) -> Clip | None:
    """Find the player that a finding speaks of; without a name only when there is no second one to mean."""
    players = [clip for clip in reach if clip.shown.plays]
    if name is not None:
        return next((clip for clip in players if clip.shown.name == name), None)
    return players[0] if len({clip.shown.sha256 for clip in players}) == 1 else None


def seek(at: Span, clip: Clip | None, *, text: str = "") -> Seek:
    """Make a link to a place in a clip; the place in words when nothing plays it."""
    instant = at.end_s == at.start_s
    text = text or (timecode(at.start_s) if instant else str(at))
    if clip is None:
        return Seek(text)
    end = "" if instant else f",{decimal(at.end_s)}"
    start = decimal(at.start_s)
    return Seek(text, clip.id, start, f"{clip.shown.href}#t={start}{end}", clip.shown.name)


def decimal(at_s: Fraction) -> str:
    """Write seconds for a player, rounded up to a microsecond: a hair early would show the frame before."""
    micro = math.ceil(max(at_s, Fraction(0)) * 1_000_000)
    return f"{micro // 1_000_000}.{micro % 1_000_000:06d}"
