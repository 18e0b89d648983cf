"""Filters over the whole picture, in integers: sepia, grey, faded, cartoon, grain, vignette."""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from cutscore.media.orientation import Pixels
from cutscore.stage.blend import as_bytes
from cutscore.stage.palette import Rgb
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Filter

_SEPIA: Rgb = (262, 222, 172)  # 256ths of the brightness
_GRAIN = 14  # levels
_TILE = 96  # pixels that the grain is larger than the picture, so that each frame shows another part


def apply_style(pixels: Pixels, scene: Scene, number: int) -> Pixels:
    """Apply the scene's filters to frame `number`, one after the other."""
    for name in scene.style:
        pixels = _FILTERS[name](pixels, scene.seed, number)
    return pixels


def apply_tone(rgb: Rgb, style: tuple[Filter, ...]) -> Rgb:
    """Return what the filters make of a colour that fills an area; grain and edges do not change it."""
    pixel = np.array([[rgb]], np.uint8)
    for name in style:
        if name in ("sepia", "grey", "faded", "cartoon"):
            pixel = _FILTERS[name](pixel, 0, 0)
    red, green, blue = pixel[0, 0].tolist()
    return red, green, blue


def _grey(pixels: Pixels, seed: int, number: int) -> Pixels:
    return as_bytes(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB))


def _cartoon(pixels: Pixels, seed: int, number: int) -> Pixels:
    """Fewer levels, and dark lines where brightness jumps."""
    out = as_bytes(cv2.LUT(pixels, _table("cartoon")))
    if min(pixels.shape[:2]) > 2:
        edges = cv2.Laplacian(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.CV_8U, ksize=1)
        out[edges > 24] = (40, 36, 48)
    return out


def _grain(pixels: Pixels, seed: int, number: int) -> Pixels:
    height, width = pixels.shape[:2]
    brighter, darker = _noise(seed, height + _TILE, width + _TILE)
    x, y = number * 37 % _TILE, number * 61 % _TILE
    part = np.s_[y : y + height, x : x + width]
    return as_bytes(cv2.subtract(cv2.add(pixels, brighter[part]), darker[part]))


@lru_cache(maxsize=4)
def _table(name: str) -> Pixels:
    levels = np.arange(256)[:, None]
    if name == "sepia":
        table = np.minimum(255, levels * np.array(_SEPIA)[None] >> 8)
    elif name == "faded":
        table = 44 + (levels * 176 >> 8) + np.array([[6, 2, 0]])
    else:
        table = np.minimum(255, (levels + 16) // 32 * 32) + np.zeros((1, 3), int)
    return as_bytes(table).reshape(256, 1, 3)


@lru_cache(maxsize=2)
def _noise(seed: int, height: int, width: int) -> tuple[Pixels, Pixels]:
    drawn = np.random.default_rng(seed).integers(-_GRAIN, _GRAIN + 1, (height, width, 1), np.int8)
    colours = np.broadcast_to(drawn, (height, width, 3)).astype(np.int16)
    return np.maximum(colours, 0).astype(np.uint8), np.maximum(-colours, 0).astype(np.uint8)


@lru_cache(maxsize=2)
def _corner_shade(height: int, width: int) -> npt.NDArray[np.uint16]:
    y, x = np.mgrid[0:height, 0:width]
    away = ((2 * x - width) ** 2 * 256 // width**2) + ((2 * y - height) ** 2 * 256 // height**2)
    shade: npt.NDArray[np.uint16] = np.clip(290 - away * 3 // 8, 90, 256).astype(np.uint16)
    return shade[..., None]


_FILTERS: dict[Filter, Callable[[Pixels, int, int], Pixels]] = {
    "sepia": lambda pixels, seed, number: as_bytes(cv2.LUT(_grey(pixels, seed, number), _table("sepia"))),
    "grey": _grey,
    "faded": lambda pixels, seed, number: as_bytes(cv2.LUT(pixels, _table("faded"))),
    "cartoon": _cartoon,
    "grain": _grain,
    "vignette": lambda pixels, seed, number: as_bytes(pixels * _corner_shade(*pixels.shape[:2]) >> 8),
}
