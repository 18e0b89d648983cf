"""A picture → which frames of which films it shows: the whole, or the tiles of a grid or strip.

Pictures and frames are compared as thumbnails, by the correlation of their pixels: scaling, compression and another
colour matrix hardly change it. A crop, a drawing over a frame, or a waveform is like no frame, and is unknown. Where
several moments look the same, the best of them is named and `alike` counts the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cutscore.media.frames import Frame
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

Floats = npt.NDArray[np.float32]

SIDE = 32  # pixels of a thumbnail
NEAR = 0.95  # correlation from which a picture shows a frame
AS_GOOD = 0.003  # correlation below the best at which a frame far away looks the same
APART_S = 1.0  # seconds between frames that are not the same moment
MOST_TILES_A_SIDE, LEAST_TILE_PX = 24, 16
LEAST_SHARE = 0.5  # of the tiles that show something, to take a picture for a grid
_ASPECT_OFF = 0.05
_FLAT = 4.0  # standard deviation of grey levels below which a picture, or a line of it, shows nothing


@dataclass(frozen=True, eq=False)
class FrameIndex:
    """Frames of films as thumbnails, one a row: `films[n]` at `at_s[n]`."""

    films: tuple[str, ...]
    at_s: tuple[float, ...]
    thumbnails: Floats
    aspects: tuple[float, ...] = ()

    @staticmethod
    def of(frames: Iterable[tuple[str, Frame]]) -> "FrameIndex":
        """Make one of frames, each with the name of its film."""
        films, times, rows, aspects = [], [], [], set()
        for film, frame in frames:
            films.append(film)
            times.append(float(Fraction(frame.at_s)))
            rows.append(thumbnail(frame.pixels))
            aspects.add(round(frame.pixels.shape[1] / frame.pixels.shape[0], 3))
        matrix = np.stack(rows) if rows else np.zeros((0, 3 * SIDE * SIDE), np.float32)
        return FrameIndex(tuple(films), tuple(times), matrix, tuple(sorted(aspects)))

    def __add__(self, other: "FrameIndex") -> "FrameIndex":
        both = tuple(sorted({*self.aspects, *other.aspects}))
        thumbnails = np.concatenate([self.thumbnails, other.thumbnails])
        return FrameIndex((*self.films, *other.films), (*self.at_s, *other.at_s), thumbnails, both)


@dataclass(frozen=True)
class PixelBox:
    """A part of a picture, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class PicturePart:
    """What a part of a picture shows.

    Args:
        film: Empty where it is like no frame.
        likeness: Correlation with the best frame, from -1 to 1.
        alike: How many frames at other moments look the same.
    """

    box: PixelBox
    film: str = ""
    at_s: float | None = None
    likeness: float = 0.0
    alike: int = 0


def match_picture(pixels: Pixels, index: FrameIndex) -> list[PicturePart]:
    """Return the parts of a picture with what they show: one part, or a tile of a grid each.

    A picture that is neither a frame nor a grid of frames is one part without a film. Tiles that show nothing at all
    (the empty places of a grid) are left out.
    """
    height, width = pixels.shape[:2]
    whole = PixelBox(0, 0, width, height)
    (alone,) = _match_boxes(pixels, [whole], index)
    if alone.film or not len(index.thumbnails):
        return [alone]
    best: list[PicturePart] = []
    for boxes in _layouts(pixels, index):
        parts = _match_boxes(pixels, boxes, index)
        shown = [part for part in parts if part.likeness or part.film]
        known = sum(bool(part.film) for part in shown)
        if known >= 2 and known >= LEAST_SHARE * len(shown) and known > sum(bool(part.film) for part in best):
            best = shown
    return best or [alone]


def thumbnail(pixels: Pixels) -> Floats:
    """Return a picture as a row of numbers with the mean 0 and the length 1; all 0 where it shows nothing."""
    cv2 = opencv()
    small = np.asarray(cv2.resize(np.ascontiguousarray(pixels), (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32)
    if small.mean(axis=2).std() < _FLAT:
        return np.zeros(small.size, np.float32)
    centred: Floats = (small - small.mean()).ravel()
    return centred / np.float32(np.linalg.norm(centred))


def _match_boxes(pixels: Pixels, boxes: Sequence[PixelBox], index: FrameIndex) -> list[PicturePart]:
    cut = (pixels[box.y : box.y + box.height, box.x : box.x + box.width] for box in boxes)
    tiles = np.stack([thumbnail(each) for each in cut])
    if not len(index.thumbnails):
        return [PicturePart(box) for box in boxes]
    likeness = tiles @ index.thumbnails.T
    return [_part(box, row, index) for box, row in zip(boxes, likeness, strict=True)]


def _part(box: PixelBox, likeness: Floats, index: FrameIndex) -> PicturePart:
    place = int(likeness.argmax())
    best = float(likeness[place])
    if best < NEAR:
        return PicturePart(box, likeness=round(best, 4))
    film, at_s = index.films[place], index.at_s[place]
    good = np.flatnonzero(likeness >= best - AS_GOOD).tolist()
    alike = sum(index.films[other] != film or abs(index.at_s[other] - at_s) > APART_S for other in good)
    return PicturePart(box, film, round(at_s, 3), round(best, 4), alike)


def _layouts(pixels: Pixels, index: FrameIndex) -> Iterator[list[PixelBox]]:
    """Return ways to cut a picture: along empty lines, and into equal tiles of the shape of a film."""
    if len(pieces := cut_at_empty_lines(pixels)) > 1:
        yield pieces
    height, width = pixels.shape[:2]
    for rows in range(1, min(MOST_TILES_A_SIDE, height // LEAST_TILE_PX) + 1):
        for columns in range(1, min(MOST_TILES_A_SIDE, width // LEAST_TILE_PX) + 1):
            aspect = (width / columns) / (height / rows)
            if rows * columns > 1 and any(abs(aspect / each - 1) <= _ASPECT_OFF for each in index.aspects):
                yield [box for row in range(rows) for box in _row_of(width, height, rows, row, columns)]


def _row_of(width: int, height: int, rows: int, row: int, columns: int) -> list[PixelBox]:
    top, bottom = row * height // rows, (row + 1) * height // rows
    edges = [column * width // columns for column in range(columns + 1)]
    return [PixelBox(left, top, right - left, bottom - top) for left, right in pairwise(edges)]


def cut_at_empty_lines(pixels: Pixels) -> list[PixelBox]:
    """Return the pieces of a picture between lines of one colour: rows first, then columns of each."""
    grey = pixels.mean(axis=2)
    return [
        PixelBox(left, top, right - left, bottom - top)
        for top, bottom in _runs(grey.std(axis=1) >= _FLAT)
        for left, right in _runs(grey[top:bottom].std(axis=0) >= _FLAT)
    ][: MOST_TILES_A_SIDE**2]


def _runs(is_full: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where runs of full lines begin and end; what is lower than a tile is a label, and left out."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_full, [False]]).astype(np.int8)))
    pairs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(start, end) for start, end in pairs if end - start >= LEAST_TILE_PX]
