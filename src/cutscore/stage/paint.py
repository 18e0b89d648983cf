"""Figures to sprites, in integers: the same bytes on every machine.

A sprite is a figure that was painted once and is put on many frames; its colours are already multiplied by how much it
covers.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from threading import Lock

import cv2
import numpy as np

from cutscore.media.orientation import Pixels
from cutscore.stage.blend import (
    FINE,
    MARGIN,
    SHIFT,
    Corners,
    as_bytes,
    extent,
    flat,
    outline,
    over,
    rows,
    scale_by_mask,
    stamp,
    threefold,
    window,
)
from cutscore.stage.figures import FIGURES
from cutscore.stage.figures.kind import Appearance, Paint, Patch, Points, oval
from cutscore.stage.palette import Rgb, lighten
from cutscore.stage.text import Mask, render_text
from cutscore.stage.things import Material

# How much lighter above and darker below, in 256ths.
_SOFT: dict[Material, int] = {"matte": 22, "shiny": 40, "glass": 18, "wood": 14, "metal": 30, "cloth": 12}
_GLASS = 150  # of 256
_WHITE: Rgb = (255, 255, 255)
_SHADOW: Rgb = (24, 20, 48)


@dataclass(frozen=True)
class Pose:
    """How a figure is painted: everything but where.

    Args:
        width, height: In sixteenths of a pixel.
        turn: Degrees clockwise, in 64ths.
        phase: Sixteenths of a pixel that its middle lies right of and below a pixel's corner.
    """

    kind: str
    look: Appearance
    rgb: Rgb
    filling_rgb: Rgb
    material: Material
    text: str
    width: int
    height: int
    turn: int
    phase: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Sprite:
    """A painted figure: covered colours, cover, and the pixel of its middle within them."""

    colours: Pixels
    cover: Mask
    middle: tuple[int, int]


def corners(points: Points, pose: Pose) -> Corners:
    """Place the points of a figure around (0, 0), in sixteenths of a pixel."""
    kind = FIGURES[pose.kind]
    angle = radians(pose.turn / 64)
    # Rounded, since the last digits of a sine differ between machines.
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    x, y = np.array(points).T
    u, v = (x / kind.width - 0.5) * pose.width, (y / kind.height - 0.5) * pose.height
    placed = np.stack([np.rint(u * c - v * s), np.rint(u * s + v * c)], axis=1)
    return placed.astype(np.int32) + np.array(pose.phase, np.int32)


class _SpriteCache:
    """Sprites that were used lately, up to a number of bytes: a zoom makes large ones that are never used again."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._bytes = most_bytes, 0
        self._sprites: OrderedDict[Pose, Sprite] = OrderedDict()
        self._lock = Lock()

    def sprite(self, pose: Pose) -> Sprite:
        """Return the sprite of a pose, painted if it is not kept."""
        with self._lock:
            if pose in self._sprites:
                self._sprites.move_to_end(pose)
                return self._sprites[pose]
        made = _paint_sprite(pose)
        with self._lock:
            if pose not in self._sprites:
                self._sprites[pose] = made
                self._bytes += 4 * made.cover.size
            while self._bytes > self._most:
                _, oldest = self._sprites.popitem(last=False)
                self._bytes -= 4 * oldest.cover.size
        return made

    def clear(self) -> None:
        """Forget all sprites."""
        with self._lock:
            self._sprites.clear()
            self._bytes = 0


_cache = _SpriteCache(64 << 20)
sprite = _cache.sprite
clear_sprites = _cache.clear


def _paint_sprite(pose: Pose) -> Sprite:
    """Paint all patches of a figure and what is written on it."""
    kind = FIGURES[pose.kind]
    placed = [(part, corners(part.points, pose)) for part in kind.draw(pose.look)]
    if not placed:  # no pieces are left
        return Sprite(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8), (0, 0))
    everything = np.concatenate([points for _, points in placed])
    left, top = (int(low) // FINE - MARGIN for low in everything.min(axis=0))
    right, bottom = (int(high) // FINE + 1 + MARGIN for high in everything.max(axis=0))
    colours = np.zeros((bottom - top, right - left, 3), np.uint8)
    cover = np.zeros((bottom - top, right - left), np.uint8)
    for part, points in placed:
        _paint(colours, cover, points - (left * FINE, top * FINE), part, pose)
    if pose.text and kind.text_at is not None:
        x, y, height = kind.text_at
        across, down = (corners(((x, y),), pose)[0] // FINE).tolist()
        ink = (40, 38, 46) if sum(pose.rgb) > 380 else (250, 248, 240)
        line = render_text(pose.text, max(5, int(height * pose.height / kind.height / FINE)))
        stamp(colours, line, (across - left, down - top), ink, within=cover)
    return Sprite(colours, cover, (-left, -top))


@lru_cache(maxsize=128)
def shadow(width: int, height: int, strength: int, phase: tuple[int, int]) -> Sprite:
    """Paint a soft oval, darker towards its middle; sizes in sixteenths of a pixel."""
    reach = (width * 11 // 20 // FINE + MARGIN + 1, height * 11 // 20 // FINE + MARGIN + 1)
    cover = np.zeros((2 * reach[1] + 1, 2 * reach[0] + 1), np.uint8)
    middle = (reach[0] * FINE + phase[0], reach[1] * FINE + phase[1])
    for n in range(1, 9):
        size = (24 - 2 * n) / 40
        points = np.rint(np.array(oval(*middle, width * size, height * size))).astype(np.int32)
        cv2.fillPoly(cover, [points], (strength * n // 2,), cv2.LINE_AA, SHIFT)
    dark = np.empty((*cover.shape, 3), np.uint8)
    dark[:] = _SHADOW
    return Sprite(scale_by_mask(dark, threefold(cover)), cover, reach)


def blit(canvas: Pixels, figure: Sprite, x: int, y: int, *, presence: int = 256) -> None:
    """Put a sprite on a picture, its middle at a pixel; presence below 256 lets the picture shine through."""
    height, width = figure.cover.shape
    left, top = x - figure.middle[0], y - figure.middle[1]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    part = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    colours, cover = np.ascontiguousarray(figure.colours[part]), np.ascontiguousarray(figure.cover[part])
    if presence < 256:
        colours = as_bytes(colours.astype(np.uint16) * presence >> 8)
        cover = as_bytes(cover.astype(np.uint16) * presence >> 8)
    under = canvas[y0:y1, x0:x1]
    under[:] = cv2.add(scale_by_mask(under, threefold(~cover)), colours)


def _paint(colours: Pixels, cover: Mask, points: Corners, part: Patch, pose: Pose) -> None:
    seen = window(points, cover.shape[1], cover.shape[0])
    if seen is None:
        return
    x0, y0, x1, y1 = seen
    points = points - (x0 * FINE, y0 * FINE)
    mask = outline(points, x1 - x0, y1 - y0)
    under, covered = colours[y0:y1, x0:x1], cover[y0:y1, x0:x1]
    base = lighten(_tone(part.paint, pose), part.shade)
    material = pose.material if part.paint == "body" else "matte"
    soft, (first, last) = _SOFT[material], extent(points)
    top, bottom = lighten(base, soft), lighten(base, -soft)
    if material == "metal":  # bright above, and no darker below its middle
        top, last = lighten(base, 60), (first + last) // 2
    alpha = min(part.alpha, _GLASS) if material == "glass" else part.alpha
    over(under, mask, rows(top, bottom, (first, last), 0, y1 - y0), alpha, covered)
    if material in ("shiny", "glass", "metal") and part.shade == 0:
        over(under, np.minimum(mask, _gleam(points, mask)), flat(_WHITE), 120, covered)
    elif material == "wood":
        over(under, np.minimum(mask, _grain(mask)), flat(lighten(base, -44)), 130, covered)
    elif material == "cloth":
        over(under, np.minimum(mask, _weave(mask)), flat(lighten(base, 46)), 110, covered)


def _tone(paint: Paint, pose: Pose) -> Rgb:
    if paint == "body":
        return pose.rgb
    return pose.filling_rgb if paint == "filling" else paint


def _gleam(points: Corners, mask: Mask) -> Mask:
    """Light from the upper left, on what shines."""
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    width, height = right - left, bottom - top
    spot = oval(left + width * 0.32, top + height * 0.24, width * 0.17, height * 0.11)
    return outline(np.rint(np.array(spot)).astype(np.int32), mask.shape[1], mask.shape[0])


def _grain(mask: Mask) -> Mask:
    lines = np.zeros_like(mask)
    height, width = mask.shape
    for n in range(1, 5):
        y = height * n // 5 * FINE
        bend = [(x * width * FINE // 6, y + (-1) ** (x + n) * height * FINE // 40) for x in range(7)]
        cv2.polylines(lines, [np.array(bend, np.int32)], False, (255,), 1, cv2.LINE_AA, SHIFT)
    return lines


def _weave(mask: Mask) -> Mask:
    threads = np.zeros_like(mask)
    threads[:: max(3, mask.shape[0] // 8)] = 255
    return threads
