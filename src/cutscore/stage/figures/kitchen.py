"""Vessels, cutlery and food."""

from cutscore.stage.figures.kind import (
    CREAM,
    DARK_WOOD,
    INK,
    IRON,
    LEAF,
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


def _glass(look: Look) -> list[Part]:
    parts = [Part(tapered(45, 0, 90, 66, 124), PANE, 0, 110)]
    if look.fill > 0:
        parts.append(Part(level(45, 8, 80, 58, 110, fill=look.fill), "filling", 0, 226))
        y, half = 8 + 110 * (1 - look.fill), (58 + 22 * look.fill) / 2
        parts.append(Part(oval(45, y, half, 5), "filling", 60))
    rim = [Part(bar(2, 2, 13, 122, 5), SNOW, 0, 200), Part(bar(88, 2, 77, 122, 5), SNOW, 0, 200)]
    return [*parts, *rim, Part(bar(14, 122, 76, 122, 7), SNOW, 0, 220), Part(bar(18, 18, 24, 92, 6), SNOW, 0, 120)]


def _jug(look: Look) -> list[Part]:
    return [
        Part(oval(104, 78, 28, 38)),
        Part(oval(104, 78, 16, 25), (238, 236, 230)),
        Part(poly((0, 6), (14, 20), (6, 148), (98, 148), (92, 20), (98, 6))),
        Part(poly((0, 6), (98, 6), (92, 20), (14, 20)), "body", 50),
        *(
            [Part(box(22, 36 + 96 * (1 - look.fill), 14, 96 * look.fill, round_by=6), "filling")]
            if look.fill > 0
            else []
        ),
    ]


def _bowl(look: Look) -> list[Part]:
    inside = [Part(oval(100, 20, 86, 15), "body", -70)]
    if look.fill > 0:
        inside.append(Part(oval(100, 20 + 6 * (1 - look.fill), 60 + 24 * look.fill, 8 + 6 * look.fill), "filling"))
    return [Part(oval(100, 20, 100, 84, start=0, end=180)), Part(oval(100, 20, 100, 20), "body", 30), *inside]


def _pan(look: Look) -> list[Part]:
    food = [Part(oval(96, 26, 74 * max(0.35, look.fill), 13), "filling")] if look.fill > 0 else []
    return [
        Part(bar(180, 34, 300, 18, 20), INK),
        Part(poly((0, 26), (192, 26), (172, 66), (20, 66)), "body"),
        Part(oval(96, 26, 96, 22), "body", 30),
        Part(oval(96, 27, 84, 17), "body", -40),
        *food,
    ]


def _pot(look: Look) -> list[Part]:
    return [
        Part(bar(8, 46, 226, 46, 18), IRON),
        Part(box(18, 20, 198, 118, round_by=24)),
        Part(oval(117, 24, 99, 20), "body", 40),
        Part(oval(117, 26, 88, 15), "body", -60),
        *([Part(oval(117, 28, 84, 12), "filling")] if look.fill > 0 else []),
    ]


def _cup(look: Look) -> list[Part]:
    return [
        Part(oval(100, 48, 22, 26)),
        Part(oval(100, 48, 11, 15), (236, 234, 228)),
        Part(poly((4, 10), (96, 10), (86, 96), (70, 104), (30, 104), (14, 96))),
        Part(oval(50, 10, 46, 10), "body", 50),
        Part(oval(50, 11, 38, 7), "body", -60),
        *([Part(oval(50, 12, 36 * max(0.5, look.fill), 6), "filling")] if look.fill > 0 else []),
    ]


def _bottle(look: Look) -> list[Part]:
    liquid = (
        [Part(box(8, 64 + 106 * (1 - look.fill), 50, 106 * look.fill, round_by=8), "filling")] if look.fill > 0 else []
    )
    return [
        Part(
            poly((24, 12), (42, 12), (43, 42), (66, 66), (66, 168), (58, 176), (8, 176), (0, 168), (0, 66), (23, 42)),
            PANE,
            0,
            170,
        ),
        *liquid,
        Part(box(4, 90, 58, 50, round_by=4)),
        Part(box(20, 0, 26, 18, round_by=5), "body", -30),
        Part(bar(10, 70, 10, 160, 5), SNOW, 0, 130),
    ]


def _eggs(look: Look) -> list[Part]:
    return [Part(oval(x, y, r * 0.36, r * 0.46)) for x, y, r in pieces(look.count, 300, 120)]


def _slices(look: Look) -> list[Part]:
    parts: list[Part] = []
    for x, y, r in pieces(look.count, 300, 120):
        parts += [Part(oval(x, y, r * 0.44)), Part(oval(x, y, r * 0.36), "body", 70), Part(oval(x, y, r * 0.1), CREAM)]
    return parts


def _apples(look: Look) -> list[Part]:
    parts: list[Part] = []
    for x, y, r in pieces(look.count, 300, 120):
        parts += [Part(bar(x, y - r * 0.3, x + r * 0.06, y - r * 0.46, r * 0.06), DARK_WOOD)]
        parts += [Part(oval(x - r * 0.13, y, r * 0.27, r * 0.33)), Part(oval(x + r * 0.13, y, r * 0.27, r * 0.33))]
        parts += [Part(oval(x + r * 0.16, y - r * 0.4, r * 0.13, r * 0.06), LEAF)]
    return parts


def _cookies(look: Look) -> list[Part]:
    parts: list[Part] = []
    for x, y, r in pieces(look.count, 300, 120):
        parts.append(Part(oval(x, y, r * 0.44, r * 0.4)))
        parts += [
            Part(oval(x + dx * r, y + dy * r, r * 0.06), INK) for dx, dy in ((-0.2, -0.1), (0.15, -0.16), (0.05, 0.18))
        ]
    return parts


def _cake(look: Look) -> list[Part]:
    candles: list[Part] = []
    for n in range(look.count):
        x = 120 + (n - (look.count - 1) / 2) * min(34, 190 / look.count)
        candles += [Part(box(x - 5, 26, 10, 34, round_by=3), (252, 250, 244)), Part(oval(x, 16, 6, 11), (255, 190, 60))]
    return [
        Part(oval(120, 154, 118, 14), CREAM),
        *candles,
        Part(box(14, 56, 212, 94, round_by=18)),
        Part(box(14, 100, 212, 12), "body", 60),
        Part(box(10, 50, 220, 26, round_by=13), CREAM),
        *(Part(oval(34 + 43 * n, 76, 14, 12), CREAM) for n in range(5)),
    ]


def _stove(look: Look) -> list[Part]:
    glow = (244, 110, 50) if look.fill > 0 else (70, 70, 78)
    knobs = [Part(oval(60 + 60 * n, 66, 14), STEEL) for n in range(4)]
    return [Part(box(0, 14, 300, 90, round_by=12)), *knobs, Part(box(30, 2, 240, 16, round_by=8), glow)]


KINDS = {
    "glass": Kind(90, 126, _glass),
    "jug": Kind(134, 150, _jug),
    "bowl": Kind(200, 104, _bowl),
    "pan": Kind(310, 68, _pan),
    "pot": Kind(236, 138, _pot),
    "cup": Kind(124, 104, _cup),
    "bottle": Kind(66, 176, _bottle, text_at=(33, 115, 26)),
    "plate": Kind(
        220,
        44,
        plain(
            Part(oval(110, 24, 110, 20)),
            Part(oval(110, 21, 92, 14), "body", 50),
            Part(oval(110, 22, 70, 9), "body", -10),
        ),
    ),
    "board": Kind(300, 46, plain(Part(box(0, 0, 300, 46, round_by=14)), Part(oval(276, 23, 9, 8), DARK_WOOD))),
    "knife": Kind(
        170,
        40,
        plain(
            Part(poly((0, 6), (104, 2), (104, 32), (26, 32), (6, 20)), STEEL), Part(box(100, 2, 70, 24, round_by=10))
        ),
    ),
    "spoon": Kind(
        180,
        40,
        plain(Part(bar(46, 20, 172, 20, 14)), Part(oval(30, 20, 30, 19)), Part(oval(30, 19, 20, 11), "body", -36)),
    ),
    "whisk": Kind(
        50,
        180,
        plain(
            Part(box(15, 0, 20, 80, round_by=10)),
            *(
                Part(oval(25, 126, rx, 52), STEEL, shade, alpha)
                for rx, shade, alpha in ((25, 0, 150), (15, -30, 150), (6, 0, 190))
            ),
        ),
    ),
    "ladle": Kind(
        70,
        190,
        plain(
            Part(bar(52, 8, 46, 150, 13)),
            Part(oval(34, 152, 34, 34, start=0, end=180)),
            Part(oval(34, 152, 34, 8), "body", -50),
        ),
    ),
    "eggs": Kind(300, 120, _eggs),
    "slices": Kind(300, 120, _slices),
    "apples": Kind(300, 120, _apples),
    "cookies": Kind(300, 120, _cookies),
    "cake": Kind(240, 170, _cake),
    "stove": Kind(300, 104, _stove),
    "tomato": Kind(
        90,
        84,
        plain(Part(oval(45, 46, 45, 38)), Part(poly((28, 14), (45, 0), (62, 14), (50, 16), (45, 26), (40, 16)), LEAF)),
    ),
    "carrot": Kind(
        180,
        56,
        plain(
            Part(poly((140, 16), (178, 0), (160, 24), (178, 34), (140, 40)), LEAF),
            Part(poly((0, 34), (130, 6), (148, 28), (134, 50))),
        ),
    ),
    "bread": Kind(
        190,
        110,
        plain(
            Part(box(0, 24, 190, 86, round_by=30)),
            Part(oval(95, 40, 92, 38)),
            *(Part(bar(50 + 44 * n, 22, 38 + 44 * n, 46, 8), "body", 60) for n in range(3)),
        ),
    ),
    "toast": Kind(
        120, 44, plain(Part(box(0, 6, 120, 32, round_by=12)), Part(box(8, 6, 104, 18, round_by=9), "body", 60))
    ),
    "cheese": Kind(
        130,
        80,
        plain(
            Part(poly((0, 40), (120, 0), (130, 40))),
            Part(box(0, 40, 130, 40)),
            Part(oval(40, 60, 9), "body", -40),
            Part(oval(88, 56, 12, 10), "body", -40),
        ),
    ),
    "lemon": Kind(110, 80, plain(Part(oval(55, 40, 46, 38)), Part(oval(8, 40, 9, 9)), Part(oval(102, 40, 9, 9)))),
    "pancake": Kind(160, 34, plain(Part(oval(80, 20, 80, 14), "body", -40), Part(oval(80, 14, 78, 13)))),
    "drops": Kind(40, 140, plain(*(Part(oval(20, 14 + 40 * n, 8, 13), "body") for n in range(4))), shadow=False),
    "stream": Kind(18, 200, plain(Part(box(0, 0, 18, 200, round_by=8), "body", 20, 230)), shadow=False),
    "steam": Kind(
        90,
        120,
        plain(
            *(
                Part(oval(45 + dx, 100 - 30 * n, 24 - 3 * n, 20 - 2 * n), SNOW, 0, 70)
                for n, dx in enumerate((0, 12, -8, 6))
            )
        ),
        shadow=False,
    ),
    "counter": Kind(
        1600,
        260,
        plain(
            Part(box(-200, 40, 2000, 260)),
            Part(box(-200, 0, 2000, 46, round_by=10), WOOD),
            Part(box(-200, 40, 2000, 12), DARK_WOOD, 0, 130),
        ),
        shadow=False,
    ),
}
