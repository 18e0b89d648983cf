"""Pixels seen: which second of which material reached the model, by matching pictures in requests to frames.

It is done when the sample ends, within a clock. Of a film first the key frames are looked at, which cost little and
stand where shots begin, then frames in short steps as far as time allows; the record says how far. Whatever is like no
frame is unknown: crops, drawings, other people's pictures.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import takewhile
from math import ceil
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import CutscoreError
from cutscore.core.files import FileRef, FileStore
from cutscore.media.budget import DEFAULT_BUDGET
from cutscore.media.frames import Frame, iter_frames
from cutscore.media.packets import PacketIndex, index_of
from cutscore.media.plan import FramePlan, Times
from cutscore.media.source import open_source
from cutscore.media.stills import read_still
from cutscore.models.endpoint.pictures import PictureBook, RequestPicture
from cutscore.models.endpoint.server import EndpointCall
from cutscore.perception.frame_match import FrameIndex, PicturePart, match_picture

SEARCH_S, MATCH_S = 60.0, 60.0  # for the materials of a sample, and for its pictures
FRAMES = "fps=12,max=1200"  # of a film; neighbours are a twelfth of a second apart, of long films more
MOST_SECONDS = 12  # named in one sentence
MOST_KEY_FRAMES = 1_200
MOST_REMEMBERED = 16  # films of which the frames stay in memory


@dataclass(frozen=True)
class SearchedFilm:
    """A material, and how far it was searched; a picture is a film of one frame.

    Args:
        searched_s: How far it was looked at in short steps.
        key_frames: How many key frames of the whole film were looked at besides.
    """

    name: str
    length_s: float
    searched_s: float
    index: FrameIndex
    key_frames: int = 0


@dataclass(frozen=True)
class SeenPicture:
    """A picture that reached a model, with what it shows.

    Args:
        call: Number of the request that first had it; `at_s` is when that was, and `by` whose it was.
        fault: Why it could not be looked at; empty when it was.
    """

    call: int
    at_s: float
    by: str
    file: FileRef
    parts: tuple[PicturePart, ...] = ()
    fault: str = ""

    @property
    def known(self) -> list[PicturePart]:
        """The parts that show a frame of the materials."""
        return [part for part in self.parts if part.film]

    def as_json(self) -> dict[str, JsonValue]:
        """Return it for the record."""
        return {
            "call": self.call,
            "at_s": round(self.at_s, 3),
            "by": self.by,
            "fault": self.fault,
            "file": self.file.model_dump(mode="json"),
            "parts": [asdict(part) for part in self.parts],
        }


@dataclass(frozen=True)
class PicturesSeen:
    """All pictures of a sample, and the materials among whose frames they were looked for."""

    seen: tuple[SeenPicture, ...] = ()
    films: tuple[SearchedFilm, ...] = ()
    left_out: int = 0

    def summary(self) -> dict[str, JsonValue]:
        """Return the numbers that ride in the row; seconds are whole ones, each counted once."""
        seconds: dict[str, set[int]] = {film.name: set() for film in self.films}
        for part in (part for picture in self.seen for part in picture.known):
            seconds[part.film].add(int(part.at_s or 0))
        return {
            "pictures": len(self.seen),
            "unknown": sum(not picture.known for picture in self.seen),
            "parts": sum(len(picture.parts) for picture in self.seen),
            "known_parts": sum(len(picture.known) for picture in self.seen),
            "left_out": self.left_out,
            "seconds": {film: len(found) for film, found in seconds.items()},
        }

    def as_json(self) -> dict[str, JsonValue]:
        """Return the whole record."""
        searched: list[JsonValue] = [
            {
                "name": film.name,
                "length_s": round(film.length_s, 3),
                "searched_s": round(film.searched_s, 3),
                "key_frames": film.key_frames,
            }
            for film in self.films
        ]
        return {"materials": searched, "pictures": [each.as_json() for each in self.seen], "left_out": self.left_out}


def look_at_pictures(
    book: PictureBook, calls: Sequence[EndpointCall], materials: Sequence[FileRef], store: FileStore
) -> PicturesSeen:
    """Return what the pictures of a sample's requests show; without pictures no material is opened."""
    if not book.pictures:
        films = tuple(SearchedFilm(ref.name, 0.0, 0.0, FrameIndex.of([])) for ref in materials if _kind(ref))
        return PicturesSeen((), films, book.left_out)
    films = tuple(search_materials(materials, store))
    return PicturesSeen(tuple(match_pictures(book.pictures, calls, films, store)), films, book.left_out)


def _kind(ref: FileRef) -> str:
    """Return `video` or `image`, or nothing for what has no frames."""
    kind = ref.media_type.partition("/")[0]
    return kind if kind in ("video", "image") else ""


_searched: dict[tuple[str, int], SearchedFilm] = {}


def search_materials(
    materials: Sequence[FileRef], store: FileStore, *, clock_s: float = SEARCH_S
) -> list[SearchedFilm]:
    """Return the frames of the films and pictures among materials, as far as time allows."""
    ends = time.monotonic() + clock_s
    films = []
    for ref in materials:
        if not _kind(ref):
            continue
        try:
            found = _search_film(store.path(ref), ends) if _kind(ref) == "video" else _search_still(store.path(ref))
        except CutscoreError:
            found = SearchedFilm("", 0.0, 0.0, FrameIndex.of([]))
        named = replace(found.index, films=(ref.name,) * len(found.index.films))
        films.append(replace(found, name=ref.name, index=named))
    return films


def _search_still(path: Path) -> SearchedFilm:
    return SearchedFilm("", 0.0, 0.0, FrameIndex.of([("", Frame(Fraction(0), read_still(path)))]))


def _search_film(path: Path, ends: float) -> SearchedFilm:
    """Return the frames of a film; one that was searched to its end is remembered, since other samples have it, too."""
    key = (str(path), path.stat().st_mtime_ns)
    known = _searched.get(key)
    if known is not None:
        return known
    with open_source(path) as source:
        packets = index_of(source, budget=DEFAULT_BUDGET)
    extent, plan = packets.extent, FramePlan.parse(FRAMES)
    length_s = extent.end_s - extent.start_s
    keys = _index_in_time(path, _key_frames(packets), ends)
    index = _index_in_time(path, plan, ends)
    is_whole = len(index.at_s) >= len(plan.times(length_s))
    searched_s = float(length_s) if is_whole else max(index.at_s, default=0.0)
    found = SearchedFilm("", float(length_s), searched_s, index + keys, len(keys.at_s))
    if is_whole:
        while len(_searched) >= MOST_REMEMBERED:
            _searched.pop(next(iter(_searched)), None)
        _searched[key] = found
    return found


def _key_frames(packets: PacketIndex) -> FramePlan | None:
    """Return a plan of the key frames, or of some; None where they are few, or cannot be taken by themselves."""
    start_s = packets.extent.start_s
    times = [int(ticks) * packets.unit - start_s for ticks in packets.pts[packets.keys]]
    shown = sorted({at_s for at_s in times if at_s >= 0})
    if packets.seek_problem or len(shown) < 2:
        return None
    step = ceil(len(shown) / MOST_KEY_FRAMES)
    return Times(tuple(shown[::step]))


def _index_in_time(path: Path, plan: FramePlan | None, ends: float) -> FrameIndex:
    if plan is None:
        return FrameIndex.of([])
    in_time = takewhile(lambda _: time.monotonic() < ends, iter_frames(path, plan))
    return FrameIndex.of(("", frame) for frame in in_time)


def match_pictures(
    pictures: Sequence[RequestPicture],
    calls: Sequence[EndpointCall],
    films: Sequence[SearchedFilm],
    store: FileStore,
    *,
    clock_s: float = MATCH_S,
) -> list[SeenPicture]:
    """Return every picture with what it shows of the films, as far as time allows."""
    index, ends = FrameIndex.of([]), time.monotonic() + clock_s
    for film in films:
        index += film.index
    seen = []
    for picture in pictures:
        call = calls[picture.call - 1]
        base = SeenPicture(picture.call, call.at_s, call.by, picture.file)
        seen.append(_look(base, index, store) if time.monotonic() < ends else replace(base, fault="no time was left"))
    return seen


def _look(base: SeenPicture, index: FrameIndex, store: FileStore) -> SeenPicture:
    try:
        return replace(base, parts=tuple(match_picture(read_still(store.path(base.file)), index)))
    except CutscoreError as error:
        return replace(base, fault=error.finding)


def describe_picture(seen: SeenPicture) -> str:
    """Return in words what a picture shows.

    >>> from cutscore.perception.frame_match import PixelBox
    >>> ref = FileRef(name="seen.png", sha256="0" * 64, size_bytes=1)
    >>> box = PixelBox(0, 0, 8, 8)
    >>> describe_picture(SeenPicture(1, 2.0, "main", ref, (PicturePart(box, "film.mp4", 12.25, 0.99),)))
    'the model was shown film.mp4 at 12.25 s'
    >>> describe_picture(SeenPicture(1, 2.0, "main", ref, (PicturePart(box),)))
    'the model was shown a picture that is no frame of the materials'
    """
    if seen.fault:
        return f"the model was shown a picture that nobody looked at: {seen.fault}"
    if not seen.known:
        return "the model was shown a picture that is no frame of the materials"
    by_film: dict[str, list[str]] = {}
    for part in seen.known[:MOST_SECONDS]:
        by_film.setdefault(part.film, []).append(f"{part.at_s:g}")
    words = "; ".join(f"{film} at {', '.join(times)} s" for film, times in by_film.items())
    more = len(seen.known) - MOST_SECONDS
    words += f"; and {more} more" if more > 0 else ""
    if (unknown := len(seen.parts) - len(seen.known)) > 0:
        words += f"; {unknown} unknown"
    grid = f"{len(seen.parts)} pictures in one: " if len(seen.parts) > 1 else ""
    return f"the model was shown {grid}{words}"
