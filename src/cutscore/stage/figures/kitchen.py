"""Vessels, cutlery and food."""

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
from cutscore.stage.palette import CREAM, DARK_WOOD, INK, IRON, LEAF, PANE, SNOW, STEEL, WOOD


def _glass(look: Appearance) -> list[Patch]:
    parts = [Patch(trapezoid(45, 0, 90, 66, 124), PANE, 0, 110)]
    if look.fill > 0:
        parts.append(Patch(level(45, 8, 80, 58, 110, fill=look.fill), "filling", 0, 226))
        y, half = 8 + 110 * (1 - look.fill), (58 + 22 * look.fill) / 2
        parts.append(Patch(oval(45, y, half, 5), "filling", 60))
    rim = [Patch(bar(2, 2, 13, 122, 5), SNOW, 0, 200), Patch(bar(88, 2, 77, 122, 5), SNOW, 0, 200)]
    return [*parts, *rim, Patch(bar(14, 122, 76, 122, 7), SNOW, 0, 220), Patch(bar(18, 18, 24, 92, 6), SNOW, 0, 120)]


def _jug(look: Appearance) -> list[Patch]:
    return [
        Patch(oval(104, 78, 28, 38)),
        Patch(oval(104, 78, 16, 25), (238, 236, 230)),
        Patch(poly((0, 6), (14, 20), (6, 148), (98, 148), (92, 20), (98, 6))),
        Patch(poly((0, 6), (98, 6), (92, 20), (14, 20)), "body", 50),
        *(
            [Patch(box(22, 36 + 96 * (1 - look.fill), 14, 96 * look.fill, round_by=6), "filling")]
            if look.fill > 0
            else []
        ),
    ]


def _bowl(look: Appearance) -> list[Patch]:
    inside = [Patch(oval(100, 20, 86, 15), "body", -70)]
    if look.fill > 0:
        inside.append(Patch(oval(100, 20 + 6 * (1 - look.fill), 60 + 24 * look.fill, 8 + 6 * look.fill), "filling"))
    return [Patch(oval(100, 20, 100, 84, start=0, end=180)), Patch(oval(100, 20, 100, 20), "body", 30), *inside]


def _pan(look: Appearance) -> list[Patch]:
    food = [Patch(oval(96, 26, 74 * max(0.35, look.fill), 13), "filling")] if look.fill > 0 else []
    return [
        Patch(bar(180, 34, 300, 18, 20), INK),
        Patch(poly((0, 26), (192, 26), (172, 66), (20, 66)), "body"),
        Patch(oval(96, 26, 96, 22), "body", 30),
        Patch(oval(96, 27, 84, 17), "body", -40),
        *food,
    ]


def _pot(look: Appearance) -> list[Patch]:
    return [
        Patch(bar(8, 46, 226, 46, 18), IRON),
        Patch(box(18, 20, 198, 118, round_by=24)),
        Patch(oval(117, 24, 99, 20), "body", 40),
        Patch(oval(117, 26, 88, 15), "body", -60),
        *([Patch(oval(117, 28, 84, 12), "filling")] if look.fill > 0 else []),
    ]


def _cup(look: Appearance) -> list[Patch]:
    return [
        Patch(oval(100, 48, 22, 26)),
        Patch(oval(100, 48, 11, 15), (236, 234, 228)),
        Patch(poly((4, 10), (96, 10), (86, 96), (70, 104), (30, 104), (14, 96))),
        Patch(oval(50, 10, 46, 10), "body", 50),
        Patch(oval(50, 11, 38, 7), "body", -60),
        *([Patch(oval(50, 12, 36 * max(0.5, look.fill), 6), "filling")] if look.fill > 0 else []),
    ]


def _bottle(look: Appearance) -> list[Patch]:
    liquid = (
        [Patch(box(8, 64 + 106 * (1 - look.fill), 50, 106 * look.fill, round_by=8), "filling")] if look.fill > 0 else []
    )
    return [
        Patch(
            poly((24, 12), (42, 12), (43, 42), (66, 66), (66, 168), (58, 176), (8, 176), (0, 168), (0, 66), (23, 42)),
            PANE,
            0,
            170,
        ),
        *liquid,
        Patch(box(4, 90, 58, 50, round_by=4)),
        Patch(box(20, 0, 26, 18, round_by=5), "body", -30),
        Patch(bar(10, 70, 10, 160, 5), SNOW, 0, 130),
    ]


def _eggs(look: Appearance) -> list[Patch]:
    return [Patch(oval(x, y, r * 0.36, r * 0.46)) for x, y, r in place_pieces(look.count, 300, 120)]


def _slices(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for x, y, r in place_pieces(look.count, 300, 120):
        parts += [
            Patch(oval(x, y, r * 0.44)),
            Patch(oval(x, y, r * 0.36), "body", 70),
            Patch(oval(x, y, r * 0.1), CREAM),
        ]
    return parts


def _apples(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for x, y, r in place_pieces(look.count, 300, 120):
        parts += [Patch(bar(x, y - r * 0.3, x + r * 0.06, y - r * 0.46, r * 0.06), DARK_WOOD)]
        parts += [Patch(oval(x - r * 0.13, y, r * 0.27, r * 0.33)), Patch(oval(x + r * 0.13, y, r * 0.27, r * 0.33))]
        parts += [Patch(oval(x + r * 0.16, y - r * 0.4, r * 0.13, r * 0.06), LEAF)]
    return parts


def _cookies(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for x, y, r in place_pieces(look.count, 300, 120):
        parts.append(Patch(oval(x, y, r * 0.44, r * 0.4)))
        parts += [
            Patch(oval(x + dx * r, y + dy * r, r * 0.06), INK) for dx, dy in ((-0.2, -0.1), (0.15, -0.16), (0.05, 0.18))
        ]
    return parts


def _cake(look: Appearance) -> list[Patch]:
    candles: list[Patch] = []
    for n in range(look.count):
        x = 120 + (n - (look.count - 1) / 2) * min(34, 190 / look.count)
        candles += [
            Patch(box(x - 5, 26, 10, 34, round_by=3), (252, 250, 244)),
            Patch(oval(x, 16, 6, 11), (255, 190, 60)),
        ]
    return [
        Patch(oval(120, 154, 118, 14), CREAM),
        *candles,
        Patch(box(14, 56, 212, 94, round_by=18)),
        Patch(box(14, 100, 212, 12), "body", 60),
        Patch(box(10, 50, 220, 26, round_by=13), CREAM),
        *(Patch(oval(34 + 43 * n, 76, 14, 12), CREAM) for n in range(5)),
    ]


def _stove(look: Appearance) -> list[Patch]:
    glow = (244, 110, 50) if look.fill > 0 else (70, 70, 78)
    knobs = [Patch(oval(60 + 60 * n, 66, 14), STEEL) for n in range(4)]
    return [Patch(box(0, 14, 300, 90, round_by=12)), *knobs, Patch(box(30, 2, 240, 16, round_by=8), glow)]


KINDS = {
    "glass": Kind(90, 126, _glass),
    "jug": Kind(134, 150, _jug),
    "bowl": Kind(200, 104, _bowl),
    "pan": Kind(310, 68, _pan),
    "pot": Kind(236, 138, _pot),
    "cup": Kind(124, 104, _cup),
    "bottle": Kind(66, 176, _bottle, text_at=(33, 115, 26)),
    "plate": static(
        (220, 44),
        Patch(oval(110, 24, 110, 20)),
        Patch(oval(110, 21, 92, 14), "body", 50),
        Patch(oval(110, 22, 70, 9), "body", -10),
    ),
    "board": static((300, 46), Patch(box(0, 0, 300, 46, round_by=14)), Patch(oval(276, 23, 9, 8), DARK_WOOD)),
    "knife": static(
        (170, 40),
        Patch(poly((0, 6), (104, 2), (104, 32), (26, 32), (6, 20)), STEEL),
        Patch(box(100, 2, 70, 24, round_by=10)),
    ),
    "spoon": static(
        (180, 40),
        Patch(bar(46, 20, 172, 20, 14)),
        Patch(oval(30, 20, 30, 19)),
        Patch(oval(30, 19, 20, 11), "body", -36),
    ),
    "whisk": static(
        (50, 180),
        Patch(box(15, 0, 20, 80, round_by=10)),
        *(
            Patch(oval(25, 126, rx, 52), STEEL, shade, alpha)
            for rx, shade, alpha in ((25, 0, 150), (15, -30, 150), (6, 0, 190))
        ),
    ),
    "ladle": static(
        (70, 190),
        Patch(bar(52, 8, 46, 150, 13)),
        Patch(oval(34, 152, 34, 34, start=0, end=180)),
        Patch(oval(34, 152, 34, 8), "body", -50),
    ),
    "eggs": Kind(300, 120, _eggs),
    "slices": Kind(300, 120, _slices),
    "apples": Kind(300, 120, _apples),
    "cookies": Kind(300, 120, _cookies),
    "cake": Kind(240, 170, _cake),
    "stove": Kind(300, 104, _stove),
    "tomato": static(
        (90, 84),
        Patch(oval(45, 46, 45, 38)),
        Patch(poly((28, 14), (45, 0), (62, 14), (50, 16), (45, 26), (40, 16)), LEAF),
    ),
    "carrot": static(
        (180, 56),
        Patch(poly((140, 16), (178, 0), (160, 24), (178, 34), (140, 40)), LEAF),
        Patch(poly((0, 34), (130, 6), (148, 28), (134, 50))),
    ),
    "bread": static(
        (190, 110),
        Patch(box(0, 24, 190, 86, round_by=30)),
        Patch(oval(95, 40, 92, 38)),
        *(Patch(bar(50 + 44 * n, 22, 38 + 44 * n, 46, 8), "body", 60) for n in range(3)),
    ),
    "toast": static(
        (120, 44), Patch(box(0, 6, 120, 32, round_by=12)), Patch(box(8, 6, 104, 18, round_by=9), "body", 60)
    ),
    "cheese": static(
        (130, 80),
        Patch(poly((0, 40), (120, 0), (130, 40))),
        Patch(box(0, 40, 130, 40)),
        Patch(oval(40, 60, 9), "body", -40),
        Patch(oval(88, 56, 12, 10), "body", -40),
    ),
    "lemon": static((110, 80), Patch(oval(55, 40, 46, 38)), Patch(oval(8, 40, 9, 9)), Patch(oval(102, 40, 9, 9))),
    "pancake": static((160, 34), Patch(oval(80, 20, 80, 14), "body", -40), Patch(oval(80, 14, 78, 13))),
    "drops": static((40, 140), *(Patch(oval(20, 14 + 40 * n, 8, 13), "body") for n in range(4)), shadow=False),
    "stream": static((18, 200), Patch(box(0, 0, 18, 200, round_by=8), "body", 20, 230), shadow=False),
    "steam": static(
        (90, 120),
        *(
            Patch(oval(45 + dx, 100 - 30 * n, 24 - 3 * n, 20 - 2 * n), SNOW, 0, 70)
            for n, dx in enumerate((0, 12, -8, 6))
        ),
        shadow=False,
    ),
    "counter": static(
        (1600, 260),
        Patch(box(-200, 40, 2000, 260)),
        Patch(box(-200, 0, 2000, 46, round_by=10), WOOD),
        Patch(box(-200, 40, 2000, 12), DARK_WOOD, 0, 130),
        shadow=False,
    ),
}
