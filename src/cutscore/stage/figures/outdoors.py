"""What stories are made of: trees, houses, vehicles, gifts, kites and keys."""

from cutscore.stage.figures.kind import Appearance, Kind, Patch, bar, box, ngon, oval, poly, static, trapezoid
from cutscore.stage.palette import CREAM, DARK_WOOD, INK, IRON, LEAF, PANE, STEEL, WOOD


def _door(look: Appearance) -> list[Patch]:
    """A door that is open as far as it is filled."""
    wide = 120 * (1 - 0.75 * look.fill)
    return [
        Patch(box(0, 0, 150, 260, round_by=8), DARK_WOOD),
        Patch(box(14, 14, 122, 246, round_by=4), (60, 54, 66) if look.fill > 0 else INK),
        Patch(poly((15, 14), (15 + wide, 14 + 24 * look.fill), (15 + wide, 260 - 16 * look.fill), (15, 260))),
        Patch(oval(15 + wide * 0.86, 142, 8 * (1 - 0.5 * look.fill) + 1, 9), (246, 212, 96)),
    ]


def _chest(look: Appearance) -> list[Patch]:
    lid = (
        Patch(box(0, 0, 180, 60, round_by=28), "body", 26)
        if look.fill < 0.5
        else Patch(box(4, 0, 172, 26, round_by=12), "body", 26)
    )
    gold = [Patch(oval(36 + 27 * n, 58, 18, 14), (250, 208, 80)) for n in range(5)] if look.fill >= 0.5 else []
    return [*gold, Patch(box(0, 54, 180, 80, round_by=12)), lid, Patch(box(78, 48, 24, 30, round_by=6), (246, 212, 96))]


def _gift(look: Appearance) -> list[Patch]:
    return [
        Patch(box(6, 46, 128, 94, round_by=8)),
        Patch(box(0, 30, 140, 28, round_by=8), "body", 30),
        Patch(box(58, 30, 24, 110), CREAM),
        Patch(oval(48, 18, 24, 14), CREAM, -20),
        Patch(oval(92, 18, 24, 14), CREAM, -20),
        Patch(oval(70, 24, 11), CREAM),
    ]


KINDS = {
    "tree": static(
        (240, 340),
        Patch(poly((100, 180), (140, 180), (150, 340), (90, 340)), DARK_WOOD),
        Patch(oval(120, 130, 92, 86), "body", -30),
        Patch(oval(74, 150, 66, 58)),
        Patch(oval(166, 150, 66, 58)),
        Patch(oval(120, 86, 82, 74)),
    ),
    "fir": static(
        (200, 320),
        Patch(box(86, 260, 28, 60), DARK_WOOD),
        *(
            Patch(
                poly((100, 70 * n), (184 - 10 * (2 - n), 130 + 70 * n), (16 + 10 * (2 - n), 130 + 70 * n)),
                "body",
                20 - 20 * n,
            )
            for n in (2, 1, 0)
        ),
    ),
    "bush": static(
        (190, 100), Patch(oval(54, 60, 54, 40)), Patch(oval(136, 60, 54, 40)), Patch(oval(95, 46, 60, 46), "body", 16)
    ),
    "flower": static(
        (70, 140),
        Patch(bar(35, 50, 35, 138, 7), LEAF),
        Patch(oval(50, 100, 18, 8), LEAF),
        *(Patch(oval(*at, 15)) for at in ((35, 14), (56, 28), (49, 52), (21, 52), (14, 28))),
        Patch(oval(35, 34, 13), (250, 214, 90)),
    ),
    "house": static(
        (320, 320),
        Patch(box(30, 130, 260, 190, round_by=6)),
        Patch(poly((160, 0), (320, 140), (0, 140)), (168, 84, 70)),
        Patch(box(66, 176, 70, 64, round_by=6), PANE),
        Patch(box(184, 196, 70, 124, round_by=8), DARK_WOOD),
        Patch(bar(101, 176, 101, 240, 5), CREAM),
        Patch(bar(66, 208, 136, 208, 5), CREAM),
    ),
    "car": static(
        (330, 150),
        Patch(poly((70, 60), (112, 4), (220, 4), (262, 60))),
        Patch(poly((90, 56), (120, 16), (160, 16), (160, 56)), PANE),
        Patch(poly((172, 56), (172, 16), (212, 16), (242, 56)), PANE),
        Patch(box(0, 54, 330, 66, round_by=28)),
        *(Patch(oval(x, 118, 32), INK) for x in (80, 250)),
        *(Patch(oval(x, 118, 15), STEEL) for x in (80, 250)),
        Patch(oval(316, 80, 11, 10), (255, 236, 160)),
    ),
    "boat": static(
        (300, 260),
        Patch(bar(150, 6, 150, 190, 10), WOOD),
        Patch(poly((160, 10), (270, 160), (160, 170)), CREAM),
        Patch(poly((140, 40), (140, 170), (70, 164)), CREAM, -16),
        Patch(poly((0, 186), (300, 186), (250, 250), (50, 250))),
    ),
    "kite": static(
        (150, 210),
        Patch(bar(75, 150, 40, 206, 5), CREAM),
        Patch(poly((75, 0), (150, 66), (75, 158), (0, 66))),
        Patch(poly((75, 0), (150, 66), (75, 66)), "body", 50),
        Patch(poly((75, 66), (75, 158), (0, 66)), "body", -30),
        shadow=False,
    ),
    "balloon": static(
        (90, 190),
        Patch(bar(45, 110, 52, 188, 3), IRON),
        Patch(poly((37, 116), (53, 116), (45, 104))),
        Patch(oval(45, 54, 45, 54)),
        shadow=False,
    ),
    "umbrella": static(
        (240, 220),
        Patch(bar(120, 10, 120, 204, 8), DARK_WOOD),
        Patch(oval(108, 204, 14, 12, start=0, end=180), DARK_WOOD),
        Patch(oval(120, 110, 120, 106, start=180, end=360)),
        Patch(oval(120, 112, 44, 104, start=180, end=360), "body", 40),
        shadow=False,
    ),
    "key": static(
        (120, 56),
        Patch(bar(48, 28, 114, 28, 13)),
        Patch(box(86, 30, 11, 24, round_by=3)),
        Patch(box(104, 30, 11, 18, round_by=3)),
        Patch(oval(28, 28, 28)),
        Patch(oval(28, 28, 12), INK),
    ),
    "letter": static(
        (140, 96),
        Patch(box(0, 0, 140, 96, round_by=8)),
        Patch(poly((4, 4), (136, 4), (70, 56)), "body", -26),
        Patch(oval(70, 52, 13), (206, 64, 60)),
    ),
    "book": static(
        (120, 150),
        Patch(box(8, 6, 112, 144, round_by=6), CREAM),
        Patch(box(0, 0, 112, 144, round_by=8)),
        Patch(box(0, 0, 16, 144, round_by=6), "body", -40),
        text_at=(64, 56, 26),
    ),
    "door": Kind(150, 260, _door),
    "chest": Kind(180, 134, _chest),
    "gift": Kind(140, 140, _gift),
    "basket": static(
        (170, 130),
        Patch(oval(85, 60, 70, 58, start=180, end=360), DARK_WOOD),
        Patch(oval(85, 60, 56, 44, start=180, end=360), (222, 226, 214), 0, 110),
        Patch(trapezoid(85, 54, 170, 130, 76)),
        *(Patch(bar(12, 72 + 18 * n, 158, 72 + 18 * n, 5), "body", -40) for n in range(3)),
    ),
    "blanket": static(
        (420, 60),
        Patch(poly((50, 0), (370, 0), (420, 60), (0, 60))),
        *(
            Patch(poly((50 + 64 * n + 20, 0), (50 + 64 * n + 44, 0), (84 * n + 58, 60), (84 * n + 26, 60)), "body", 70)
            for n in range(5)
        ),
        shadow=False,
    ),
    "table": static(
        (460, 210),
        Patch(box(36, 30, 30, 180, round_by=6), "body", -30),
        Patch(box(394, 30, 30, 180, round_by=6), "body", -30),
        Patch(box(0, 0, 460, 40, round_by=14)),
    ),
    "bench": static(
        (360, 130),
        Patch(box(40, 60, 24, 70), IRON),
        Patch(box(296, 60, 24, 70), IRON),
        Patch(box(0, 0, 360, 24, round_by=8)),
        Patch(box(0, 52, 360, 24, round_by=8)),
    ),
    "moon": static(
        (110, 110),
        Patch(oval(55, 55, 55)),
        Patch(oval(38, 40, 11), "body", -16),
        Patch(oval(70, 66, 15), "body", -16),
        shadow=False,
    ),
    "sun": static(
        (170, 170), Patch(ngon(85, 85, 85, 14, inner=60), "body", 60, 150), Patch(oval(85, 85, 54)), shadow=False
    ),
    "cloud": static(
        (240, 110),
        Patch(oval(70, 70, 64, 38)),
        Patch(oval(170, 74, 64, 34)),
        Patch(oval(122, 50, 62, 48)),
        shadow=False,
    ),
    "ladder": static(
        (110, 360),
        *(Patch(bar(18, y, 92, y, 12), "body", -20) for y in range(40, 350, 56)),
        Patch(box(6, 0, 18, 360, round_by=8)),
        Patch(box(86, 0, 18, 360, round_by=8)),
    ),
    "hat": static(
        (130, 74),
        Patch(oval(65, 60, 65, 14)),
        Patch(box(28, 0, 74, 62, round_by=16)),
        Patch(box(28, 42, 74, 14), "body", -60),
    ),
    "phone": static((60, 110), Patch(box(0, 0, 60, 110, round_by=12)), Patch(box(6, 12, 48, 82, round_by=4), PANE)),
    "lantern": static(
        (80, 130),
        Patch(oval(40, 26, 26, 24, start=180, end=360), IRON),
        Patch(box(12, 26, 56, 90, round_by=14), (255, 226, 140)),
        Patch(box(8, 20, 64, 16, round_by=6)),
        Patch(box(8, 108, 64, 20, round_by=8)),
    ),
}
