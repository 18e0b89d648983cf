"""What stories are made of: trees, houses, vehicles, gifts, kites and keys."""

from cutscore.stage.figures.kind import (
    CREAM,
    DARK_WOOD,
    INK,
    IRON,
    LEAF,
    PANE,
    STEEL,
    WOOD,
    Kind,
    Look,
    Part,
    bar,
    box,
    oval,
    plain,
    poly,
    regular,
    tapered,
)


def _door(look: Look) -> list[Part]:
    """A door that is open as far as it is filled."""
    wide = 120 * (1 - 0.75 * look.fill)
    return [
        Part(box(0, 0, 150, 260, round_by=8), DARK_WOOD),
        Part(box(14, 14, 122, 246, round_by=4), (60, 54, 66) if look.fill > 0 else INK),
        Part(poly((15, 14), (15 + wide, 14 + 24 * look.fill), (15 + wide, 260 - 16 * look.fill), (15, 260))),
        Part(oval(15 + wide * 0.86, 142, 8 * (1 - 0.5 * look.fill) + 1, 9), (246, 212, 96)),
    ]


def _chest(look: Look) -> list[Part]:
    lid = (
        Part(box(0, 0, 180, 60, round_by=28), "body", 26)
        if look.fill < 0.5
        else Part(box(4, 0, 172, 26, round_by=12), "body", 26)
    )
    gold = [Part(oval(36 + 27 * n, 58, 18, 14), (250, 208, 80)) for n in range(5)] if look.fill >= 0.5 else []
    return [*gold, Part(box(0, 54, 180, 80, round_by=12)), lid, Part(box(78, 48, 24, 30, round_by=6), (246, 212, 96))]


def _gift(look: Look) -> list[Part]:
    return [
        Part(box(6, 46, 128, 94, round_by=8)),
        Part(box(0, 30, 140, 28, round_by=8), "body", 30),
        Part(box(58, 30, 24, 110), CREAM),
        Part(oval(48, 18, 24, 14), CREAM, -20),
        Part(oval(92, 18, 24, 14), CREAM, -20),
        Part(oval(70, 24, 11), CREAM),
    ]


KINDS = {
    "tree": Kind(
        240,
        340,
        plain(
            Part(poly((100, 180), (140, 180), (150, 340), (90, 340)), DARK_WOOD),
            Part(oval(120, 130, 92, 86), "body", -30),
            Part(oval(74, 150, 66, 58)),
            Part(oval(166, 150, 66, 58)),
            Part(oval(120, 86, 82, 74)),
        ),
    ),
    "fir": Kind(
        200,
        320,
        plain(
            Part(box(86, 260, 28, 60), DARK_WOOD),
            *(
                Part(
                    poly((100, 70 * n), (184 - 10 * (2 - n), 130 + 70 * n), (16 + 10 * (2 - n), 130 + 70 * n)),
                    "body",
                    20 - 20 * n,
                )
                for n in (2, 1, 0)
            ),
        ),
    ),
    "bush": Kind(
        190, 100, plain(Part(oval(54, 60, 54, 40)), Part(oval(136, 60, 54, 40)), Part(oval(95, 46, 60, 46), "body", 16))
    ),
    "flower": Kind(
        70,
        140,
        plain(
            Part(bar(35, 50, 35, 138, 7), LEAF),
            Part(oval(50, 100, 18, 8), LEAF),
            *(Part(oval(*at, 15)) for at in ((35, 14), (56, 28), (49, 52), (21, 52), (14, 28))),
            Part(oval(35, 34, 13), (250, 214, 90)),
        ),
    ),
    "house": Kind(
        320,
        320,
        plain(
            Part(box(30, 130, 260, 190, round_by=6)),
            Part(poly((160, 0), (320, 140), (0, 140)), (168, 84, 70)),
            Part(box(66, 176, 70, 64, round_by=6), PANE),
            Part(box(184, 196, 70, 124, round_by=8), DARK_WOOD),
            Part(bar(101, 176, 101, 240, 5), CREAM),
            Part(bar(66, 208, 136, 208, 5), CREAM),
        ),
    ),
    "car": Kind(
        330,
        150,
        plain(
            Part(poly((70, 60), (112, 4), (220, 4), (262, 60))),
            Part(poly((90, 56), (120, 16), (160, 16), (160, 56)), PANE),
            Part(poly((172, 56), (172, 16), (212, 16), (242, 56)), PANE),
            Part(box(0, 54, 330, 66, round_by=28)),
            *(Part(oval(x, 118, 32), INK) for x in (80, 250)),
            *(Part(oval(x, 118, 15), STEEL) for x in (80, 250)),
            Part(oval(316, 80, 11, 10), (255, 236, 160)),
        ),
    ),
    "boat": Kind(
        300,
        260,
        plain(
            Part(bar(150, 6, 150, 190, 10), WOOD),
            Part(poly((160, 10), (270, 160), (160, 170)), CREAM),
            Part(poly((140, 40), (140, 170), (70, 164)), CREAM, -16),
            Part(poly((0, 186), (300, 186), (250, 250), (50, 250))),
        ),
    ),
    "kite": Kind(
        150,
        210,
        plain(
            Part(bar(75, 150, 40, 206, 5), CREAM),
            Part(poly((75, 0), (150, 66), (75, 158), (0, 66))),
            Part(poly((75, 0), (150, 66), (75, 66)), "body", 50),
            Part(poly((75, 66), (75, 158), (0, 66)), "body", -30),
        ),
        shadow=False,
    ),
    "balloon": Kind(
        90,
        190,
        plain(
            Part(bar(45, 110, 52, 188, 3), IRON),
            Part(poly((37, 116), (53, 116), (45, 104))),
            Part(oval(45, 54, 45, 54)),
        ),
        shadow=False,
    ),
    "umbrella": Kind(
        240,
        220,
        plain(
            Part(bar(120, 10, 120, 204, 8), DARK_WOOD),
            Part(oval(108, 204, 14, 12, start=0, end=180), DARK_WOOD),
            Part(oval(120, 110, 120, 106, start=180, end=360)),
            Part(oval(120, 112, 44, 104, start=180, end=360), "body", 40),
        ),
        shadow=False,
    ),
    "key": Kind(
        120,
        56,
        plain(
            Part(bar(48, 28, 114, 28, 13)),
            Part(box(86, 30, 11, 24, round_by=3)),
            Part(box(104, 30, 11, 18, round_by=3)),
            Part(oval(28, 28, 28)),
            Part(oval(28, 28, 12), INK),
        ),
    ),
    "letter": Kind(
        140,
        96,
        plain(
            Part(box(0, 0, 140, 96, round_by=8)),
            Part(poly((4, 4), (136, 4), (70, 56)), "body", -26),
            Part(oval(70, 52, 13), (206, 64, 60)),
        ),
    ),
    "book": Kind(
        120,
        150,
        plain(
            Part(box(8, 6, 112, 144, round_by=6), CREAM),
            Part(box(0, 0, 112, 144, round_by=8)),
            Part(box(0, 0, 16, 144, round_by=6), "body", -40),
        ),
        text_at=(64, 56, 26),
    ),
    "door": Kind(150, 260, _door),
    "chest": Kind(180, 134, _chest),
    "gift": Kind(140, 140, _gift),
    "basket": Kind(
        170,
        130,
        plain(
            Part(oval(85, 60, 70, 58, start=180, end=360), DARK_WOOD),
            Part(oval(85, 60, 56, 44, start=180, end=360), (222, 226, 214), 0, 110),
            Part(tapered(85, 54, 170, 130, 76)),
            *(Part(bar(12, 72 + 18 * n, 158, 72 + 18 * n, 5), "body", -40) for n in range(3)),
        ),
    ),
    "blanket": Kind(
        420,
        60,
        plain(
            Part(poly((50, 0), (370, 0), (420, 60), (0, 60))),
            *(
                Part(
                    poly((50 + 64 * n + 20, 0), (50 + 64 * n + 44, 0), (84 * n + 58, 60), (84 * n + 26, 60)), "body", 70
                )
                for n in range(5)
            ),
        ),
        shadow=False,
    ),
    "table": Kind(
        460,
        210,
        plain(
            Part(box(36, 30, 30, 180, round_by=6), "body", -30),
            Part(box(394, 30, 30, 180, round_by=6), "body", -30),
            Part(box(0, 0, 460, 40, round_by=14)),
        ),
    ),
    "bench": Kind(
        360,
        130,
        plain(
            Part(box(40, 60, 24, 70), IRON),
            Part(box(296, 60, 24, 70), IRON),
            Part(box(0, 0, 360, 24, round_by=8)),
            Part(box(0, 52, 360, 24, round_by=8)),
        ),
    ),
    "moon": Kind(
        110,
        110,
        plain(Part(oval(55, 55, 55)), Part(oval(38, 40, 11), "body", -16), Part(oval(70, 66, 15), "body", -16)),
        shadow=False,
    ),
    "sun": Kind(
        170, 170, plain(Part(regular(85, 85, 85, 14, inner=60), "body", 60, 150), Part(oval(85, 85, 54))), shadow=False
    ),
    "cloud": Kind(
        240,
        110,
        plain(Part(oval(70, 70, 64, 38)), Part(oval(170, 74, 64, 34)), Part(oval(122, 50, 62, 48))),
        shadow=False,
    ),
    "ladder": Kind(
        110,
        360,
        plain(
            *(Part(bar(18, y, 92, y, 12), "body", -20) for y in range(40, 350, 56)),
            Part(box(6, 0, 18, 360, round_by=8)),
            Part(box(86, 0, 18, 360, round_by=8)),
        ),
    ),
    "hat": Kind(
        130,
        74,
        plain(
            Part(oval(65, 60, 65, 14)), Part(box(28, 0, 74, 62, round_by=16)), Part(box(28, 42, 74, 14), "body", -60)
        ),
    ),
    "phone": Kind(60, 110, plain(Part(box(0, 0, 60, 110, round_by=12)), Part(box(6, 12, 48, 82, round_by=4), PANE))),
    "lantern": Kind(
        80,
        130,
        plain(
            Part(oval(40, 26, 26, 24, start=180, end=360), IRON),
            Part(box(12, 26, 56, 90, round_by=14), (255, 226, 140)),
            Part(box(8, 20, 64, 16, round_by=6)),
            Part(box(8, 108, 64, 20, round_by=8)),
        ),
    ),
}
