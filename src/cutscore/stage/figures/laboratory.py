"""Vessels and instruments of a laboratory."""

from cutscore.stage.figures.kind import (
    INK,
    IRON,
    PANE,
    SNOW,
    STEEL,
    WOOD,
    Kind,
    Look,
    Part,
    bar,
    box,
    level,
    oval,
    pieces,
    plain,
    poly,
    tapered,
)


def _beaker(look: Look) -> list[Part]:
    marks = [Part(bar(14, 30 + 24 * n, 34, 30 + 24 * n, 3), SNOW, 0, 200) for n in range(4)]
    return [
        Part(box(4, 4, 112, 136, round_by=12), PANE, 0, 110),
        *_liquid(look, (60, 10), 100, 100, 124),
        *marks,
        Part(bar(4, 6, 4, 130, 5), SNOW, 0, 210),
        Part(bar(116, 6, 116, 130, 5), SNOW, 0, 210),
        Part(bar(12, 140, 108, 140, 6), SNOW, 0, 220),
        Part(bar(0, 5, 120, 5, 6), SNOW, 0, 220),
    ]


def _flask(look: Look) -> list[Part]:
    return [
        Part(poly((44, 4), (86, 4), (84, 62), (128, 142), (122, 152), (8, 152), (2, 142), (46, 62)), PANE, 0, 120),
        *_liquid(look, (65, 66), 44, 116, 82),
        Part(bar(40, 5, 90, 5, 8), SNOW, 0, 220),
        Part(bar(46, 62, 4, 140, 4), SNOW, 0, 200),
        Part(bar(84, 62, 126, 140, 4), SNOW, 0, 200),
        Part(bar(30, 116, 46, 86, 6), SNOW, 0, 130),
    ]


def _tube(look: Look) -> list[Part]:
    return [
        Part(box(4, 2, 34, 150, round_by=16), PANE, 0, 130),
        *_liquid(look, (21, 16), 26, 22, 130),
        Part(bar(0, 4, 42, 4, 6), SNOW, 0, 220),
        Part(bar(10, 20, 10, 120, 4), SNOW, 0, 140),
    ]


def _liquid(look: Look, at: tuple[float, float], top: float, bottom: float, height: float) -> list[Part]:
    if look.fill <= 0:
        return []
    x, y = at
    surface = y + height * (1 - look.fill)
    half = (bottom + (top - bottom) * look.fill) / 2
    return [
        Part(level(x, y, top, bottom, height, fill=look.fill), "filling", 0, 230),
        Part(oval(x, surface, half, 4), "filling", 60),
    ]


def _thermometer(look: Look) -> list[Part]:
    high = 120 * look.fill
    return [
        Part(box(8, 0, 24, 170, round_by=12), (240, 244, 248)),
        Part(oval(20, 174, 20), "body"),
        Part(box(15, 160 - high, 10, high + 16, round_by=4), "body"),
        *(Part(bar(26, 30 + 26 * n, 32, 30 + 26 * n, 3), INK) for n in range(5)),
    ]


def _burner(look: Look) -> list[Part]:
    flame = (
        [Part(oval(50, 34, 20, 40), (255, 168, 60), 0, 220), Part(oval(50, 46, 11, 24), (120, 180, 255), 0, 220)]
        if look.fill > 0
        else []
    )
    return [
        *flame,
        Part(box(36, 70, 28, 70, round_by=5)),
        Part(box(8, 136, 84, 22, round_by=10), "body", -30),
        Part(bar(64, 128, 96, 128, 10), IRON),
    ]


def _balance(look: Look) -> list[Part]:
    """A pair of scales whose left side sinks as it is filled."""
    dip = 26 * (look.fill - 0.5)
    parts = [Part(box(140, 40, 20, 130, round_by=8), IRON), Part(box(90, 164, 120, 22, round_by=11), IRON)]
    parts.append(Part(bar(50, 40 + dip, 250, 40 - dip, 12)))
    for x, sink in ((50, dip), (250, -dip)):
        parts += [Part(bar(x, 40 + sink, x, 96 + sink, 4), IRON), Part(oval(x, 96 + sink, 46, 22, start=0, end=180))]
    return [*parts, Part(oval(150, 38, 13), (250, 210, 90))]


def _crystals(look: Look) -> list[Part]:
    parts: list[Part] = []
    for x, y, r in pieces(look.count, 200, 80):
        parts += [Part(poly((x, y - r * 0.46), (x + r * 0.34, y), (x, y + r * 0.46), (x - r * 0.34, y)))]
        parts += [Part(poly((x, y - r * 0.46), (x + r * 0.12, y), (x, y + r * 0.46)), "body", 80)]
    return parts


def _tray(look: Look) -> list[Part]:
    liquid = [Part(oval(120, 8, 104 * look.fill, 7), "filling")] if look.fill > 0 else []
    return [Part(tapered(120, 0, 240, 210, 36)), Part(box(0, 0, 240, 10, round_by=5), "body", 40), *liquid]


KINDS = {
    "beaker": Kind(120, 144, _beaker, text_at=(60, 90, 26)),
    "flask": Kind(130, 154, _flask, text_at=(65, 118, 24)),
    "tube": Kind(42, 154, _tube),
    "thermometer": Kind(40, 194, _thermometer),
    "burner": Kind(100, 160, _burner),
    "balance": Kind(300, 188, _balance),
    "crystals": Kind(200, 80, _crystals),
    "pipette": Kind(
        34,
        190,
        plain(
            Part(oval(17, 24, 17, 24)),
            Part(box(10, 44, 14, 96, round_by=4), PANE),
            Part(poly((10, 138), (24, 138), (19, 190), (15, 190)), PANE),
        ),
    ),
    "rod": Kind(14, 200, plain(Part(box(0, 0, 14, 200, round_by=7)))),
    "rack": Kind(
        320,
        110,
        plain(
            Part(box(0, 20, 320, 18, round_by=6)),
            Part(box(0, 90, 320, 20, round_by=6)),
            Part(box(6, 20, 16, 84)),
            Part(box(298, 20, 16, 84)),
        ),
    ),
    "funnel": Kind(
        110,
        130,
        plain(
            Part(poly((0, 0), (110, 0), (64, 66), (64, 130), (46, 130), (46, 66))), Part(oval(55, 3, 55, 8), "body", 50)
        ),
    ),
    "magnet": Kind(
        120,
        130,
        plain(
            Part(box(0, 0, 120, 130, round_by=58)),
            Part(box(38, 40, 44, 92, round_by=20), (238, 240, 244)),
            Part(box(0, 100, 38, 30), STEEL),
            Part(box(82, 100, 38, 30), STEEL),
        ),
    ),
    "battery": Kind(
        90,
        150,
        plain(
            Part(box(30, 0, 30, 16, round_by=5), STEEL),
            Part(box(0, 12, 90, 138, round_by=12)),
            Part(box(0, 12, 90, 44, round_by=12), INK),
        ),
        text_at=(45, 100, 40),
    ),
    "bulb": Kind(
        90,
        130,
        plain(
            Part(oval(45, 45, 45)), Part(box(24, 82, 42, 44, round_by=8), STEEL), Part(bar(24, 100, 66, 100, 4), IRON)
        ),
    ),
    "microscope": Kind(
        160,
        220,
        plain(
            Part(box(10, 196, 140, 24, round_by=12), IRON),
            Part(box(104, 70, 26, 132, round_by=12)),
            Part(bar(60, 30, 116, 92, 40)),
            Part(bar(52, 22, 66, 38, 26), INK),
            Part(box(30, 150, 90, 14, round_by=5), IRON),
            Part(box(66, 96, 24, 46, round_by=6), STEEL),
        ),
    ),
    "stone": Kind(
        120,
        84,
        plain(
            Part(poly((10, 60), (24, 18), (70, 0), (108, 24), (120, 64), (94, 84), (26, 84))),
            Part(poly((24, 18), (70, 0), (64, 30), (34, 40)), "body", 40),
        ),
    ),
    "coil": Kind(
        180,
        60,
        plain(Part(box(0, 20, 180, 22, round_by=8), STEEL), *(Part(oval(26 + 16 * n, 31, 9, 30)) for n in range(9))),
    ),
    "tray": Kind(240, 36, _tray),
    "stand": Kind(
        150,
        260,
        plain(
            Part(box(0, 240, 150, 20, round_by=8), IRON),
            Part(box(18, 0, 12, 246, round_by=5), STEEL),
            Part(bar(24, 60, 120, 60, 10)),
        ),
    ),
    "peg": Kind(50, 70, plain(Part(box(0, 0, 50, 70, round_by=10), WOOD))),
}
