"""What can be read off a tutorial without a model: its clicks, what was typed after them, and what is said when.

Only its frames and its transcript are looked at, which every subject gets.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np

from cutscore.media.frames import iter_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Every, FramePlan
from cutscore.media.transcript import Segment
from cutscore.perception.clicks import AGAIN_S, BEFORE_S, CHANGED, SeenClick, find_clicks
from cutscore.perception.text import TextBox, read_text

PLAN = "fps=2.5"  # so that no ring of half a second is missed
KEPT = 16  # tutorials; tasks about one come one after the other
LINE_PX = 48  # from the click to the middle of a line that was typed by it
_WORD = re.compile(r"[a-z]{3,}")
_ENDINGS = re.compile(r"(?:ing|ed|es|s)$")
# Words that tasks say of any video, and small ones: that a sentence has them tells nothing.
_COMMON = frozenset(
    """
    the and for that this with you can are was has have not one who what which when where how from they them their there
    here then now out all after before first last right person video speaker say said page take show open made make
    certain point
    """.split()  # noqa: SIM905  # a list of fifty strings is harder to read
)
_watching = Lock()  # one at a time: tasks about one tutorial would otherwise all watch it at the same moment


def watch(tutorial: Path) -> tuple[SeenClick, ...]:
    """Return the clicks of a tutorial in order; each is watched once."""
    with _watching:
        return _watch(tutorial)


@lru_cache(maxsize=KEPT)
def _watch(tutorial: Path) -> tuple[SeenClick, ...]:
    return tuple(find_clicks(iter_frames(tutorial, FramePlan.parse(PLAN))))


@dataclass(frozen=True)
class TypedText:
    """What became of a field: `old` was in it, `new` is."""

    old: str = ""
    new: str = ""


@lru_cache(maxsize=512)
def read_typed(tutorial: Path, click: SeenClick) -> TypedText:
    """Return what was in a field before and after a click; MissingExtra where nothing here reads text."""
    click = _look_closely(tutorial, click)
    if not (np.abs(click.target.astype(np.int16) - click.later) > CHANGED).any():  # reading it would take a second
        return TypedText()
    before, after = (_lines(pixels, click) for pixels in (click.target, click.later))
    return TypedText(_new_text(before, after), _new_text(after, before))


def _look_closely(tutorial: Path, click: SeenClick) -> SeenClick:
    """Return a click after which another page came, by every frame: the last letters may be on view for a moment."""
    if click.turned_s is None:
        return click
    plan = Every(max(Fraction(0), click.at_s - 2 * BEFORE_S), click.turned_s + Fraction(1, 5))
    near = [each for each in find_clicks(iter_frames(tutorial, plan)) if abs(each.at_s - click.at_s) < AGAIN_S]
    return near[-1] if near else click


def _lines(pixels: Pixels, click: SeenClick) -> list[TextBox]:
    return [each for each in read_text(pixels) if abs((each.box[1] + each.box[3]) / 2 - click.inside.y) <= LINE_PX]


def _new_text(lines: Sequence[TextBox], others: Sequence[TextBox]) -> str:
    known = Counter("".join((each.text or "").split()) for each in others)
    new = [each.text for each in lines if each.text and not known["".join(each.text.split())]]
    return " ".join(new)


def find_sentence(segments: Sequence[Segment], words: str) -> int | None:
    """Return which sentence has most in common with some words, rare ones counting more; None where none has any.

    Of several it is the last one.

    >>> said = [Segment(start_s=n, end_s=n + 1, text=text) for n, text in enumerate(["I click here", "Thanks to all"])]
    >>> find_sentence(said, "Where are they when they say thanks?")
    1
    """
    spoken = [_stems(segment.text) for segment in segments]
    often = Counter(stem for stems in spoken for stem in stems)
    asked = _stems(words)
    likeness = [sum(Fraction(1, often[stem] ** 2) for stem in stems & asked) for stems in spoken]
    best = max(likeness, default=Fraction(0))
    return max(number for number, each in enumerate(likeness) if each == best) if best else None


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENDINGS.sub("", word) for word in _WORD.findall(text.lower()) if word not in _COMMON) - _COMMON
