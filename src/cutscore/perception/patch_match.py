"""Where a piece of one screen is on another: template matching on grey pixels.

Drawings over the other screen (frames, numbers) cost likeness, so several sizes of the piece are tried, the largest
first: more of it is surer, less of it has less drawn over. Where the point itself is on a blank, such as an empty
field, what is written nearest to it is looked for instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.clicks import ScreenPoint

Grey = npt.NDArray[np.uint8]

SIZES_PX = (320, 40), (160, 28), (80, 22), (44, 18)  # width and height, the largest first
NEAR_PX = 80, 22  # of what is written near a blank
MOST_NEAR = 3  # pieces near a blank that are tried
# Correlation from which a piece counts as found, by how far it is from where it was: at the same place, in the same
# column, anywhere. Other words in the same type have up to 0.8.
ALIKE_THERE, ALIKE_IN_COLUMN, ALIKE = 0.7, 0.78, 0.85
ALIKE_AT_HALF = 0.7  # at half the scale, which is looked at first: it takes a quarter of the pixels
AS_GOOD = 0.03  # below the best at which another place is as good
BLANK = 12.0  # standard deviation of grey levels below which nothing is written
SAME_PX = 3


@dataclass(frozen=True)
class FoundPatch:
    """A place that looks like the piece."""

    point: ScreenPoint
    likeness: float


def find_patch(screen: Pixels, piece: Pixels, inside: ScreenPoint, *, usual: ScreenPoint) -> FoundPatch | None:
    """Return where a point of a piece is on a screen; None where nothing is like it.

    Args:
        screen: Where it is looked for, as RGB.
        piece: What is looked for, at the same scale.
        inside: The point in the piece.
        usual: Where the point was on the piece's own screen: less is asked of a place that is the same, or in the same
            column, and of places that are as good the nearest is taken.
    """
    cv2 = opencv()
    grey, small = (cv2.cvtColor(np.ascontiguousarray(each), cv2.COLOR_RGB2GRAY) for each in (screen, piece))
    for anchor, sizes in islice(_anchors(small, inside), 1 + MOST_NEAR):
        shift = ScreenPoint(inside.x - anchor.x, inside.y - anchor.y)
        there = ScreenPoint(usual.x - shift.x, usual.y - shift.y)
        pieces = [made for size in sizes if (made := _Piece.of(grey, *_cut(small, anchor, size)))]
        # In stages, each over more of the screen, so that the whole is searched only where nothing nearer will do.
        for look in (_Piece.there, _Piece.in_column, _Piece.anywhere):
            for each in pieces:
                if found := look(each, grey, there):
                    place = ScreenPoint(found.point.x + shift.x, found.point.y + shift.y)
                    return FoundPatch(place, found.likeness)
    return None


def _anchors(piece: Grey, inside: ScreenPoint) -> Iterator[tuple[ScreenPoint, tuple[tuple[int, int], ...]]]:
    """Return what to look for: the point itself, else the places near it at which something is written."""
    if _cut(piece, inside, NEAR_PX)[0].std() >= BLANK:
        yield inside, SIZES_PX
        return
    (width, height), (rows, columns) = NEAR_PX, piece.shape
    grid = [
        ScreenPoint(x, y)
        for y in range(height // 2, rows - height // 2, height // 2)
        for x in range(width // 2, columns - width // 2, width // 4)
    ]
    written = [at for at in grid if _cut(piece, at, NEAR_PX)[0].std() >= 2 * BLANK]
    for at in sorted(written, key=lambda at: (abs(at.y - inside.y) + abs(at.x - inside.x) // 2, at.y, at.x)):
        yield at, (NEAR_PX,)


def _cut(piece: Grey, point: ScreenPoint, size: tuple[int, int]) -> tuple[Grey, ScreenPoint]:
    """Return what is around a point, and where the point is in it."""
    left, top = max(0, point.x - size[0] // 2), max(0, point.y - size[1] // 2)
    cut = piece[top : point.y + size[1] // 2, left : point.x + size[0] // 2]
    return cut, ScreenPoint(point.x - left, point.y - top)


@dataclass(frozen=True, eq=False)
class _Piece:
    """What is looked for; `at` is where the point is in it."""

    cut: Grey
    at: ScreenPoint

    @classmethod
    def of(cls, screen: Grey, cut: Grey, at: ScreenPoint) -> "_Piece | None":
        if cut.std() < BLANK or cut.shape[0] > screen.shape[0] or cut.shape[1] > screen.shape[1]:
            return None
        return cls(cut, at)

    def there(self, screen: Grey, usual: ScreenPoint) -> FoundPatch | None:
        x, y = usual.x - self.at.x, usual.y - self.at.y
        return self._best(screen, usual, (y - SAME_PX, y + SAME_PX + 1), (x - SAME_PX, x + SAME_PX + 1), ALIKE_THERE)

    def in_column(self, screen: Grey, usual: ScreenPoint) -> FoundPatch | None:
        x = usual.x - self.at.x
        return self._best(screen, usual, (0, screen.shape[0]), (x - SAME_PX, x + SAME_PX + 1), ALIKE_IN_COLUMN)

    def anywhere(self, screen: Grey, usual: ScreenPoint) -> FoundPatch | None:
        cv2 = opencv()
        half, small = (
            cv2.resize(each, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for each in (screen, self.cut)
        )
        if cv2.matchTemplate(half, small, cv2.TM_CCOEFF_NORMED).max() < ALIKE_AT_HALF:
            return None
        return self._best(screen, usual, (0, screen.shape[0]), (0, screen.shape[1]), ALIKE)

    def _best(
        self, screen: Grey, usual: ScreenPoint, rows: tuple[int, int], columns: tuple[int, int], least: float
    ) -> FoundPatch | None:
        """Return the best of the places whose upper left corners are in some rows and columns.

        Of those that are as good it is the nearest to the usual one.
        """
        (high, wide), top, left = self.cut.shape, max(0, rows[0]), max(0, columns[0])
        part = screen[top : max(0, rows[1] + high - 1), left : max(0, columns[1] + wide - 1)]
        if part.shape[0] < high or part.shape[1] < wide:
            return None
        cv2 = opencv()
        likeness = cv2.matchTemplate(part, self.cut, cv2.TM_CCOEFF_NORMED)
        if likeness.max() < least:
            return None
        ys, xs = np.nonzero(likeness >= max(least, float(likeness.max()) - AS_GOOD))
        across, down = xs + left + self.at.x, ys + top + self.at.y
        chosen = int(np.argmin(np.abs(across - usual.x) + np.abs(down - usual.y)))
        best = round(float(likeness[ys[chosen], xs[chosen]]), 3)
        return FoundPatch(ScreenPoint(int(across[chosen]), int(down[chosen])), best)
