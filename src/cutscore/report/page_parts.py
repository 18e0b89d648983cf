"""What pages share: texts that may be long, files with their players, and links to a second of a clip."""

import math
from dataclasses import dataclass
from fractions import Fraction

from cutscore.core.inert_text import truncate
from cutscore.core.timeline import Span, timecode
from cutscore.report.embed import EmbeddedFile
from cutscore.results.wording import count


@dataclass(frozen=True)
class LongText:
    """The start of a text that may be long; `left` is how many characters are left out."""

    text: str
    left: int

    @classmethod
    def start_of(cls, text: str, most: int) -> "LongText":
        """Cut a text to so many characters."""
        return cls(*truncate(text, most))

    @property
    def long(self) -> bool:
        """Return whether the page folds it."""
        return len(self.text) > 1200 or self.text.count("\n") > 16

    @property
    def size(self) -> str:
        """Return how long the whole text is."""
        return count(len(self.text) + self.left, "character")


@dataclass(frozen=True)
class PageClip:
    """A file on an item's page; the player of a film stands with those of the other films, side by side."""

    id: str
    shown: EmbeddedFile
    film: bool = False


@dataclass(frozen=True)
class SeekLink:
    """A link to a second of a clip. Without a player it is only words."""

    text: str
    player: str = ""
    start: str = ""
    href: str = ""
    file: str = ""


def find_player(name: str | None, reach: tuple[PageClip, ...]) -> PageClip | None:
    """Find the player that a finding speaks of; without a name only when there is no second one to mean."""
    players = [clip for clip in reach if clip.shown.plays]
    if name is not None:
        return next((clip for clip in players if clip.shown.name == name), None)
    return players[0] if len({clip.shown.sha256 for clip in players}) == 1 else None


def seek_link(at: Span, clip: PageClip | None, *, text: str = "") -> SeekLink:
    """Make a link to a place in a clip; the place in words when nothing plays it."""
    instant = at.end_s == at.start_s
    text = text or (timecode(at.start_s) if instant else str(at))
    if clip is None:
        return SeekLink(text)
    end = "" if instant else f",{player_seconds(at.end_s)}"
    start = player_seconds(at.start_s)
    return SeekLink(text, clip.id, start, f"{clip.shown.href}#t={start}{end}", clip.shown.name)


def player_seconds(at_s: Fraction) -> str:
    """Write seconds for a player, rounded up to a microsecond: a hair early would show the frame before."""
    micro = math.ceil(max(at_s, Fraction(0)) * 1_000_000)
    return f"{micro // 1_000_000}.{micro % 1_000_000:06d}"
