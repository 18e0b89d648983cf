"""Boxes and numbers drawn over a screenshot, by the reference's rule for where a number goes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cutscore.media.opencv import opencv

Box = tuple[float, float, float, float]
BORDER_PX, PADDING_PX, FONT_PX = 2, 2, 16
DIGIT_PX = 10  # width of a digit
# Ten colours that follow each other, as (red, green, blue): the usual cycle of plots.
COLOURS = (
    *((31, 119, 180), (255, 127, 14), (44, 160, 44), (214, 39, 40), (148, 103, 189)),
    *((140, 86, 75), (227, 119, 194), (127, 127, 127), (188, 189, 34), (23, 190, 207)),
)
JPEG_QUALITY = 92  # of what a model looks at; small print stays sharp, and it is made in half the time of a PNG


def label_places(box: Box) -> Iterator[tuple[float, float]]:
    """Return where a number may stand, best first: four places along the upper edge, three along the lower one."""
    left, top, right, bottom = box
    inside_right = right - FONT_PX - 2 * PADDING_PX
    for x in (left - FONT_PX, left, right, inside_right):
        yield x, top - FONT_PX
    for x in (left - FONT_PX, left, inside_right):
        yield x, bottom


def place_labels(boxes: Sequence[tuple[str, Box]], size: tuple[int, int]) -> list[Box]:
    """Return the rectangle of each number: inside the picture and over no other, else the last place that was tried.

    >>> place_labels([("1", (100.0, 50.0, 150.0, 80.0))], (400, 300))
    [(82.0, 32.0, 96.0, 52.0)]
    """
    width, height = size
    placed = np.empty((len(boxes), 4))
    for index, (number, box) in enumerate(boxes):
        for x, y in label_places(box):
            right = x + DIGIT_PX * len(number) + PADDING_PX
            label = (x - PADDING_PX, y - PADDING_PX, right, y + FONT_PX + PADDING_PX)
            inside = label[0] >= 0 and label[1] >= 0 and label[2] <= width and label[3] <= height
            if inside and not _overlaps(label, placed[:index]):
                break
        placed[index] = label
    return [(float(left), float(top), float(right), float(bottom)) for left, top, right, bottom in placed]


def _overlaps(label: Box, others: "np.ndarray[Any, Any]") -> bool:
    """Return whether a label lies over one of the others; touching by the padding does not count."""
    room = 2 * PADDING_PX
    left, top, right, bottom = label
    apart = right < others[:, 0] + room
    apart |= left > others[:, 2] - room
    apart |= top > others[:, 3] - room
    apart |= bottom < others[:, 1] + room
    return not bool(apart.all())


def draw_marks(picture_jpeg: bytes, boxes: Sequence[tuple[str, Box]]) -> bytes:
    """Return a screenshot with a box and a number for each element, as a JPEG; unchanged where there is none."""
    if not boxes:
        return picture_jpeg
    cv2 = opencv()
    picture = cv2.imdecode(np.frombuffer(picture_jpeg, np.uint8), cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    labels = place_labels(boxes, (width, height))
    for number, (left, top, right, bottom) in boxes:
        cv2.rectangle(picture, _point(left, top), _point(right, bottom), colour_of(number)[::-1], BORDER_PX)
    for (number, _), label in zip(boxes, labels, strict=True):
        draw_label(picture, number, label)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])


def colour_of(number: str) -> tuple[int, int, int]:
    """Return the colour of an element's box and number, as (red, green, blue)."""
    return COLOURS[(int(number) - 1) % len(COLOURS)]


def draw_label(picture: "np.ndarray[Any, Any]", number: str, label: Box) -> None:
    """Draw a number into its rectangle, on a picture whose channels are blue, green and red."""
    cv2, (left, top, right, bottom) = opencv(), label
    cv2.rectangle(picture, _point(left, top), _point(right, bottom), colour_of(number)[::-1], cv2.FILLED)
    corner = _point(left + PADDING_PX, bottom - 2 * PADDING_PX)
    cv2.putText(picture, number, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)


def _point(x: float, y: float) -> tuple[Any, Any]:
    # A hostile page may place things millions of pixels away, which the drawing does not take.
    return tuple(int(max(-10_000, min(10_000, round(each)))) for each in (x, y))  # type: ignore[return-value]
