"""A delivered list of clips → a storyboard: a slot a clip, with its picture, its mark, and its second in the film.

Read from any JSON file that names given films and nothing else, in a list or by slot. Where the clips are together as
long as a film that was delivered, each slot is also a place in that film: the map between the two clocks.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutscore.core.timeline import Span, timecode
from cutscore.report.criteria import FindingView
from cutscore.report.page_parts import PageClip, SeekLink, seek_link
from cutscore.report.review import PageFilms

# A film may be a little longer or shorter than its clips: encoders pad the last picture.
_SAME_LENGTH_S = Fraction(1, 2)


@dataclass(frozen=True)
class SlotFrames:
    """One slot: which clip stands there, and where it is seen in the delivered film, if there is one."""

    name: str
    clip: PageClip
    strip: str
    tone: str
    because: str
    at: Span | None
    seek: SeekLink | None


@dataclass(frozen=True)
class Storyboard:
    """Slots in the order of the film, and the film that was made of them."""

    slots: tuple[SlotFrames, ...]
    film: PageClip | None


def storyboard(
    clips: Sequence[PageClip], given: Sequence[PageClip], findings: Sequence[FindingView], *, films: PageFilms
) -> Storyboard | None:
    """Lay out the first delivered file that is a list of given films; None when there is none."""
    given = [clip for clip in given if clip.film]
    # An agent works in the folder of the clips, and names them without it.
    known = {clip.shown.name.rpartition("/")[2]: clip for clip in given}
    known = (known if len(known) == len(given) else {}) | {clip.shown.name: clip for clip in given}
    listed = next((found for clip in clips if (found := slot_clips(clip.shown.excerpt, known))), None)
    if not listed:
        return None
    spans = _spans([films.length_of(clip) or Fraction(0) for _, clip in listed])
    film = next((clip for clip in clips if clip.film and _as_long(films.length_of(clip), spans[-1].end_s)), None)
    marks = {each.finding.name: each for each in findings}
    return Storyboard(
        tuple(
            SlotFrames(
                name=name,
                clip=clip,
                strip=films.strip_of(clip),
                tone=marks[name].tone if name in marks else "",
                because=marks[name].finding.because if name in marks else "",
                at=at if film else None,
                seek=seek_link(at, film, text=timecode(at.start_s)) if film else None,
            )
            for (name, clip), at in zip(listed, spans, strict=True)
        ),
        film,
    )


def slot_clips(text: str, known: Mapping[str, PageClip]) -> list[tuple[str, PageClip]]:
    """Read slots and their clips; empty unless it is JSON that names known films alone, two at least."""
    if not text.startswith(("[", "{")):
        return []
    try:
        plain = json.loads(text)
    except ValueError:
        return []
    pairs = list(plain.items()) if isinstance(plain, dict) else [(str(n), name) for n, name in enumerate(plain, 1)]
    listed = [(slot, known[name]) for slot, name in pairs if isinstance(name, str) and name in known]
    return listed if len(listed) == len(pairs) > 1 else []


def _spans(lengths: Sequence[Fraction]) -> list[Span]:
    ends = [sum(lengths[: n + 1], Fraction(0)) for n in range(len(lengths))]
    return [Span(start_s=end - length, end_s=end) for end, length in zip(ends, lengths, strict=True)]


def _as_long(length_s: Fraction | None, wanted_s: Fraction) -> bool:
    return length_s is not None and abs(length_s - wanted_s) <= _SAME_LENGTH_S
