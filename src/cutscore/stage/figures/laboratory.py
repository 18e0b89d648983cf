"""Vessels and instruments of a laboratory."""

from cutscore.stage.figures.kind import (
    Appearance,
    Kind,
    Patch,
    bar,
    box,
    level,
    oval,
    place_pieces,
    poly,
    static,
    trapezoid,
)
from cutscore.stage.palette import INK, IRON, PANE, SNOW, STEEL, WOOD


def _beaker(look: Appearance) -> list[Patch]:
    marks = [Patch(bar(14, 30 + 24 * n, 34, 30 + 24 * n, 3), SNOW, 0, 200) for n in range(4)]
    return [
        Patch(box(4, 4, 112, 136, round_by=12), PANE, 0, 110),
        *_liquid(look, (60, 10), 100, 100, 124),
        *marks,
        Patch(bar(4, 6, 4, 130, 5), SNOW, 0, 210),
        Patch(bar(116, 6, 116, 130, 5), SNOW, 0, 210),
        Patch(bar(12, 140, 108, 140, 6), SNOW, 0, 220),
        Patch(bar(0, 5, 120, 5, 6), SNOW, 0, 220),
    ]


def _flask(look: Appearance) -> list[Patch]:
    return [
        Patch(poly((44, 4), (86, 4), (84, 62), (128, 142), (122, 152), (8, 152), (2, 142), (46, 62)), PANE, 0, 120),
        *_liquid(look, (65, 66), 44, 116, 82),
        Patch(bar(40, 5, 90, 5, 8), SNOW, 0, 220),
        Patch(bar(46, 62, 4, 140, 4), SNOW, 0, 200),
        Patch(bar(84, 62, 126, 140, 4), SNOW, 0, 200),
        Patch(bar(30, 116, 46, 86, 6), SNOW, 0, 130),
    ]


def _tube(look: Appearance) -> list[Patch]:
    return [
        Patch(box(4, 2, 34, 150, round_by=16), PANE, 0, 130),
        *_liquid(look, (21, 16), 26, 22, 130),
        Patch(bar(0, 4, 42, 4, 6), SNOW, 0, 220),
        Patch(bar(10, 20, 10, 120, 4), SNOW, 0, 140),
    ]


def _liquid(look: Appearance, at: tuple[float, float], top: float, bottom: float, height: float) -> list[Patch]:
    if look.fill <= 0:
        return []
    x, y = at
    surface = y + height * (1 - look.fill)
    half = (bottom + (top - bottom) * look.fill) / 2
    return [
        Patch(level(x, y, top, bottom, height, fill=look.fill), "filling", 0, 230),
        Patch(oval(x, surface, half, 4), "filling", 60),
    ]


def _thermometer(look: Appearance) -> list[Patch]:
    high = 120 * look.fill
    return [
        Patch(box(8, 0, 24, 170, round_by=12), (240, 244, 248)),
        Patch(oval(20, 174, 20), "body"),
        Patch(box(15, 160 - high, 10, high + 16, round_by=4), "body"),
        *(Patch(bar(26, 30 + 26 * n, 32, 30 + 26 * n, 3), INK) for n in range(5)),
    ]


def _burner(look: Appearance) -> list[Patch]:
    flame = (
        [Patch(oval(50, 34, 20, 40), (255, 168, 60), 0, 220), Patch(oval(50, 46, 11, 24), (120, 180, 255), 0, 220)]
        if look.fill > 0
        else []
    )
    return [
        *flame,
        Patch(box(36, 70, 28, 70, round_by=5)),
        Patch(box(8, 136, 84, 22, round_by=10), "body", -30),
        Patch(bar(64, 128, 96, 128, 10), IRON),
    ]


def _balance(look: Appearance) -> list[Patch]:
    """A pair of scales whose left side sinks as it is filled."""
    dip = 26 * (look.fill - 0.5)
    parts = [Patch(box(140, 40, 20, 130, round_by=8), IRON), Patch(box(90, 164, 120, 22, round_by=11), IRON)]
    parts.append(Patch(bar(50, 40 + dip, 250, 40 - dip, 12)))
    for x, sink in ((50, dip), (250, -dip)):
        parts += [Patch(bar(x, 40 + sink, x, 96 + sink, 4), IRON), Patch(oval(x, 96 + sink, 46, 22, start=0, end=180))]
    return [*parts, Patch(oval(150, 38, 13), (250, 210, 90))]


def _crystals(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for x, y, r in place_pieces(look.count, 200, 80):
        parts += [Patch(poly((x, y - r * 0.46), (x + r * 0.34, y), (x, y + r * 0.46), (x - r * 0.34, y)))]
        parts += [Patch(poly((x, y - r * 0.46), (x + r * 0.12, y), (x, y + r * 0.46)), "body", 80)]
    return parts


def _tray(look: Appearance) -> list[Patch]:
    liquid = [Patch(oval(120, 8, 104 * look.fill, 7), "filling")] if look.fill > 0 else []
    return [Patch(trapezoid(120, 0, 240, 210, 36)), Patch(box(0, 0, 240, 10, round_by=5), "body", 40), *liquid]


KINDS = {
    "beaker": Kind(120, 144, _beaker, text_at=(60, 90, 26)),
    "flask": Kind(130, 154, _flask, text_at=(65, 118, 24)),
    "tube": Kind(42, 154, _tube),
    "thermometer": Kind(40, 194, _thermometer),
    "burner": Kind(100, 160, _burner),
    "balance": Kind(300, 188, _balance),
    "crystals": Kind(200, 80, _crystals),
    "pipette": static(
        (34, 190),
        Patch(oval(17, 24, 17, 24)),
        Patch(box(10, 44, 14, 96, round_by=4), PANE),
        Patch(poly((10, 138), (24, 138), (19, 190), (15, 190)), PANE),
    ),
    "rod": static((14, 200), Patch(box(0, 0, 14, 200, round_by=7))),
    "rack": static(
        (320, 110),
        Patch(box(0, 20, 320, 18, round_by=6)),
        Patch(box(0, 90, 320, 20, round_by=6)),
        Patch(box(6, 20, 16, 84)),
        Patch(box(298, 20, 16, 84)),
    ),
    "funnel": static(
        (110, 130),
        Patch(poly((0, 0), (110, 0), (64, 66), (64, 130), (46, 130), (46, 66))),
        Patch(oval(55, 3, 55, 8), "body", 50),
    ),
    "magnet": static(
        (120, 130),
        Patch(box(0, 0, 120, 130, round_by=58)),
        Patch(box(38, 40, 44, 92, round_by=20), (238, 240, 244)),
        Patch(box(0, 100, 38, 30), STEEL),
        Patch(box(82, 100, 38, 30), STEEL),
    ),
    "battery": static(
        (90, 150),
        Patch(box(30, 0, 30, 16, round_by=5), STEEL),
        Patch(box(0, 12, 90, 138, round_by=12)),
        Patch(box(0, 12, 90, 44, round_by=12), INK),
        text_at=(45, 100, 40),
    ),
    "bulb": static(
        (90, 130),
        Patch(oval(45, 45, 45)),
        Patch(box(24, 82, 42, 44, round_by=8), STEEL),
        Patch(bar(24, 100, 66, 100, 4), IRON),
    ),
    "microscope": static(
        (160, 220),
        Patch(box(10, 196, 140, 24, round_by=12), IRON),
        Patch(box(104, 70, 26, 132, round_by=12)),
        Patch(bar(60, 30, 116, 92, 40)),
        Patch(bar(52, 22, 66, 38, 26), INK),
        Patch(box(30, 150, 90, 14, round_by=5), IRON),
        Patch(box(66, 96, 24, 46, round_by=6), STEEL),
    ),
    "stone": static(
        (120, 84),
        Patch(poly((10, 60), (24, 18), (70, 0), (108, 24), (120, 64), (94, 84), (26, 84))),
        Patch(poly((24, 18), (70, 0), (64, 30), (34, 40)), "body", 40),
    ),
    "coil": static(
        (180, 60),
        Patch(box(0, 20, 180, 22, round_by=8), STEEL),
        *(Patch(oval(26 + 16 * n, 31, 9, 30)) for n in range(9)),
    ),
    "tray": Kind(240, 36, _tray),
    "stand": static(
        (150, 260),
        Patch(box(0, 240, 150, 20, round_by=8), IRON),
        Patch(box(18, 0, 12, 246, round_by=5), STEEL),
        Patch(bar(24, 60, 120, 60, 10)),
    ),
    "peg": static((50, 70), Patch(box(0, 0, 50, 70, round_by=10), WOOD)),
}
