"""What is behind everything: rooms and landscapes, painted anew for each view of the camera.

Each is painted in stage units and reaches beyond the stage on all sides, since a picture may show more than 16:9.
"""

from collections.abc import Callable
from functools import lru_cache
from random import Random

import numpy as np
import numpy.typing as npt

from cutscore.media.orientation import Pixels
from cutscore.stage.blend import FINE, Corners, fill
from cutscore.stage.camera import CameraView
from cutscore.stage.figures.kind import Points, bar, box, oval, poly
from cutscore.stage.palette import RGB, Rgb, lighten, mix
from cutscore.stage.setting import Light, Place

_FAR = 3000  # units that a backdrop reaches to each side

_SKY: dict[Light, tuple[Rgb, Rgb]] = {
    "day": ((124, 190, 236), (226, 242, 248)),
    "dusk": ((92, 90, 160), (252, 190, 140)),
    "night": ((24, 30, 66), (72, 84, 134)),
}
_WARM: Rgb = (250, 244, 232)


@lru_cache(maxsize=4096)
def _array(points: Points) -> npt.NDArray[np.float64]:
    return np.array(points, np.float64)


class Easel:
    """A picture that is painted on in stage units."""

    def __init__(self, canvas: Pixels, view: CameraView) -> None:
        self._canvas = canvas
        self._scale = float(view.scale * FINE)
        middle = np.array([canvas.shape[1] * FINE / 2, canvas.shape[0] * FINE / 2])
        self._corner = middle - np.array([float(view.x), float(view.y)]) * self._scale

    def paint(self, points: Points, top: Rgb, bottom: Rgb | None = None, *, alpha: int = 256) -> None:
        """Fill a polygon, from one colour above to another below."""
        placed: Corners = np.rint(_array(points) * self._scale + self._corner).astype(np.int32)
        fill(self._canvas, placed, top, bottom, alpha=alpha)

    def wall(self, y0: float, y1: float, top: Rgb, bottom: Rgb | None = None) -> None:
        """Fill the whole width between two heights."""
        self.paint(box(-_FAR, y0, 2 * _FAR + 1600, y1 - y0), top, bottom)


def backdrop(place: Place, view: CameraView, width: int, height: int) -> Pixels:
    """Paint the backdrop of a place as the camera sees it."""
    canvas = np.zeros((height, width, 3), np.uint8)
    _PAINTERS[place.backdrop](Easel(canvas, view), place, RGB[place.colour])
    return canvas


def _sky(easel: Easel, place: Place, horizon: float) -> None:
    top, low = _SKY[place.light]
    if place.weather != "clear":
        grey = (168, 176, 188) if place.light == "day" else (70, 74, 92)
        top, low = mix(top, grey, 170), mix(low, grey, 150)
    easel.wall(-_FAR, 0, top)
    easel.wall(0, horizon, top, low)
    if place.light == "night":
        draw = Random(7)
        for _ in range(70):
            x, y, r = draw.uniform(-300, 1900), draw.uniform(-200, horizon * 0.8), draw.uniform(1.2, 3)
            easel.paint(oval(x, y, r), (255, 250, 226), alpha=200)
    if place.weather == "clear":
        light: Rgb = {"day": (255, 244, 196), "dusk": (255, 214, 150), "night": (240, 240, 224)}[place.light]
        at = {"day": (1330.0, 130.0), "dusk": (1250.0, horizon - 60), "night": (1330.0, 140.0)}[place.light]
        for size, alpha in ((170, 24), (120, 34), (88, 50), (62, 256)):
            easel.paint(oval(*at, size), light, alpha=alpha)
    pale = (255, 255, 255) if place.light == "day" else mix(low, (255, 255, 255), 70)
    for left, high, wide in ((260, 130, 1.0), (760, 80, 0.7), (1050, 210, 0.85), (-200, 200, 1.0), (1800, 120, 0.9)):
        for dx, dy, r in ((-56, 10, 40), (56, 12, 40), (0, -8, 54), (-20, 16, 50), (26, 18, 46)):
            easel.paint(oval(left + dx * wide, high + dy * wide, r * 1.3 * wide, r * 0.7 * wide), pale, alpha=120)


def _studio(easel: Easel, place: Place, tone: Rgb) -> None:
    back, front = mix(tone, (255, 255, 255), 150), mix(tone, (255, 255, 255), 205)
    easel.wall(-_FAR, 0, back)
    easel.wall(0, 640, back, front)
    easel.wall(640, 1000, mix(tone, (255, 255, 255), 176), mix(tone, (255, 255, 255), 120))
    easel.wall(1000, _FAR, mix(tone, (255, 255, 255), 120))
    for n in range(7):
        easel.paint(oval(800, 420, 760 - 90 * n, 500 - 58 * n), (255, 255, 255), alpha=10)


def _window(easel: Easel, place: Place, left_top: tuple[float, float], width: float, height: float) -> None:
    (x, y), (top, low) = left_top, _SKY[place.light]
    easel.paint(box(x - 16, y - 16, width + 32, height + 32, round_by=14), (252, 250, 246), (226, 222, 214))
    easel.paint(box(x, y, width, height, round_by=6), top, low)
    easel.paint(oval(x + width * 0.3, y + height, width * 0.4, height * 0.3, start=180, end=360), (142, 190, 130))
    easel.paint(oval(x + width * 0.75, y + height, width * 0.25, height * 0.2, start=180, end=360), (120, 172, 116))
    easel.paint(bar(x + width / 2, y, x + width / 2, y + height, 10), (246, 244, 238))
    easel.paint(bar(x, y + height / 2, x + width, y + height / 2, 10), (246, 244, 238))


def _interior(easel: Easel, wall: Rgb, floor: Rgb, edge: float) -> None:
    easel.wall(-_FAR, 0, lighten(wall, 20))
    easel.wall(0, edge, lighten(wall, 20), lighten(wall, -16))
    easel.wall(edge - 22, edge, lighten(wall, 90))
    easel.wall(edge, 1000, lighten(floor, 16), lighten(floor, -30))
    easel.wall(1000, _FAR, lighten(floor, -30))


def _kitchen(easel: Easel, place: Place, tone: Rgb) -> None:
    wall = mix(tone, _WARM, 196)
    _interior(easel, wall, (196, 168, 136), 760)
    for row in range(4):
        for column in range(-4, 18):
            x, y = column * 110 + (55 if row % 2 else 0), 420 + row * 72
            easel.paint(box(x + 3, y + 3, 104, 66, round_by=10), mix(wall, (255, 255, 255), 90), mix(wall, tone, 26))
    _window(easel, place, (620, 90), 340, 240)
    for x in (60, 1180):
        easel.paint(box(x, 40, 330, 250, round_by=14), mix(tone, _WARM, 120), mix(tone, _WARM, 90))
        for door in (x + 14, x + 172):
            easel.paint(box(door, 56, 144, 218, round_by=10), mix(tone, _WARM, 146), mix(tone, _WARM, 112))
            easel.paint(oval(door + (126 if door < x + 100 else 18), 170, 7), (250, 246, 236))


def _workshop(easel: Easel, place: Place, tone: Rgb) -> None:
    wall = mix(tone, (226, 208, 184), 200)
    _interior(easel, wall, (150, 142, 136), 770)
    easel.paint(box(90, 90, 620, 330, round_by=10), (206, 172, 128), (186, 150, 106))
    for row in range(7):
        for column in range(14):
            easel.paint(oval(124 + column * 43, 122 + row * 44, 4), (150, 116, 80))
    for x, colour in ((170, (196, 90, 80)), (290, (90, 120, 170)), (400, (110, 150, 100))):
        easel.paint(bar(x, 160, x, 300, 14), (120, 126, 136), alpha=190)
        easel.paint(box(x - 16, 150, 32, 60, round_by=12), colour, alpha=200)
    _window(easel, place, (900, 110), 300, 250)
    easel.paint(box(1290, 330, 260, 18, round_by=5), (160, 116, 74))
    for x, height, colour in ((1310, 90, (120, 160, 180)), (1380, 120, (214, 150, 90)), (1460, 80, (170, 110, 120))):
        easel.paint(box(x, 330 - height, 54, height, round_by=8), lighten(colour, 30), colour)


def _laboratory(easel: Easel, place: Place, tone: Rgb) -> None:
    wall = mix(tone, (244, 248, 250), 214)
    _interior(easel, wall, (184, 194, 202), 770)
    for n in range(-3, 9):
        easel.paint(bar(n * 220, -200, n * 220, 748, 4), lighten(wall, -18))
    for y in (150, 300):
        easel.paint(box(110, y, 560, 16, round_by=5), (176, 188, 198))
        for n in range(6):
            colour = RGB[("red", "yellow", "green", "cyan", "blue", "purple")[(n + y // 150) % 6]]
            easel.paint(box(140 + n * 88, y - 74, 46, 74, round_by=12), (226, 236, 242), (206, 220, 230))
            easel.paint(box(146 + n * 88, y - 40, 34, 36, round_by=9), colour, alpha=150)
    easel.paint(box(900, 90, 420, 260, round_by=12), (58, 84, 76), (46, 70, 64))
    for n, width in enumerate((300, 220, 260)):
        easel.paint(bar(940, 150 + 60 * n, 940 + width, 150 + 60 * n, 8), (226, 236, 228), alpha=170)


def _room(easel: Easel, place: Place, tone: Rgb) -> None:
    wall = mix(tone, _WARM, 180)
    _interior(easel, wall, (186, 146, 108), 700)
    for n in range(-8, 24):
        easel.paint(bar(n * 120, -200, n * 120, 676, 18), mix(wall, (255, 255, 255), 60), alpha=110)
    _window(easel, place, (180, 130), 300, 300)
    easel.paint(box(1050, 150, 260, 190, round_by=8), (150, 104, 66), (124, 84, 52))
    easel.paint(box(1070, 170, 220, 150), (170, 206, 216), (226, 220, 190))
    easel.paint(poly((1070, 320), (1150, 220), (1210, 290), (1250, 250), (1290, 320)), (120, 156, 120))
    easel.paint(oval(800, 860, 560, 90), mix(tone, (255, 255, 255), 90), mix(tone, (255, 255, 255), 50), alpha=210)


def _hills(easel: Easel, y: float, height: float, tone: Rgb, start: int) -> None:
    for n in range(-2, 8):
        x = start + n * 380
        easel.paint(oval(x, y, 330, height + 26 * (n % 3), start=180, end=360), lighten(tone, 24), tone)
    easel.wall(y - 2, y + 200, tone)


def _park(easel: Easel, place: Place, tone: Rgb) -> None:
    _sky(easel, place, 560)
    grass = (126, 186, 104) if place.weather != "snow" else (226, 234, 242)
    _hills(easel, 560, 130, mix(grass, (150, 190, 200), 110), 60)
    _hills(easel, 620, 80, mix(grass, (110, 160, 120), 60), -120)
    easel.wall(620, 1000, grass, lighten(grass, -40))
    easel.wall(1000, _FAR, lighten(grass, -40))
    easel.paint(poly((700, 620), (780, 620), (1180, 1000), (520, 1000)), (236, 214, 172), (222, 194, 146))


def _street(easel: Easel, place: Place, tone: Rgb) -> None:
    _sky(easel, place, 662)
    draw = Random(11)
    lit = (255, 226, 140) if place.light != "day" else (206, 228, 238)
    for n in range(-3, 12):
        width, height = 190, draw.randrange(260, 470)
        x = n * 200 - 60
        wall = mix(RGB[draw.choice(("red", "orange", "yellow", "cyan", "blue", "pink"))], (236, 226, 214), 176)
        easel.paint(box(x, 660 - height, width, height, round_by=6), lighten(wall, 20), lighten(wall, -20))
        for row in range(height // 110):
            for column in range(2):
                easel.paint(box(x + 32 + 78 * column, 690 - height + row * 104, 46, 60, round_by=6), lit)
    easel.wall(660, 740, (208, 204, 198), (190, 186, 182))
    easel.wall(740, 1000, (110, 114, 124), (86, 90, 100))
    easel.wall(1000, _FAR, (86, 90, 100))
    for n in range(-4, 14):
        easel.paint(box(n * 190, 836, 100, 14, round_by=6), (246, 236, 206))


def _sea(easel: Easel, place: Place, tone: Rgb) -> None:
    _sky(easel, place, 480)
    water = {"day": (70, 160, 196), "dusk": (92, 104, 160), "night": (34, 52, 100)}[place.light]
    easel.wall(480, 1000, lighten(water, 60), lighten(water, -30))
    easel.wall(1000, _FAR, lighten(water, -30))
    for row in range(6):
        for n in range(-3, 14):
            x, y = n * 170 + 70 * (row % 2), 520 + 26 * row * (1 + row * 0.2)
            easel.paint(bar(x, y, x + 70, y, 5), lighten(water, 90), alpha=90)
    easel.paint(oval(800, 1010, 1800, 190), (244, 222, 172), (230, 202, 148))


def _forest(easel: Easel, place: Place, tone: Rgb) -> None:
    _sky(easel, place, 520)
    ground = (112, 150, 84) if place.weather != "snow" else (220, 230, 240)
    for layer, (count, base, height) in enumerate(((26, 600, 330), (18, 660, 420))):
        green = mix((62, 116, 84), (176, 206, 206), 120 - 70 * layer)
        for n in range(-4, count):
            x = n * (2000 // count) + 40 * (n % 3) - 60
            tall = height + 60 * (n * 7 % 4)
            easel.paint(poly((x, base - tall), (x + 90, base), (x - 90, base)), lighten(green, 24), lighten(green, -20))
    easel.wall(640, 1000, lighten(ground, 20), lighten(ground, -40))
    easel.wall(1000, _FAR, lighten(ground, -40))


def _tabletop(easel: Easel, place: Place, tone: Rgb) -> None:
    felt = mix(tone, (240, 238, 230), 150)
    easel.wall(-_FAR, 0, (150, 108, 72))
    easel.wall(0, 1000, (162, 118, 80), (140, 100, 66))
    easel.wall(1000, _FAR, (140, 100, 66))
    easel.paint(box(24, 24, 1552, 852, round_by=36), (120, 84, 54))
    easel.paint(box(36, 36, 1528, 828, round_by=28), lighten(felt, 20), lighten(felt, -14))


_PAINTERS: dict[str, Callable[[Easel, Place, Rgb], None]] = {
    "studio": _studio,
    "kitchen": _kitchen,
    "workshop": _workshop,
    "laboratory": _laboratory,
    "room": _room,
    "park": _park,
    "street": _street,
    "sea": _sea,
    "forest": _forest,
    "tabletop": _tabletop,
}
