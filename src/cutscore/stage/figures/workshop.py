"""Tools, timber and what is made of them."""

from cutscore.stage.figures.kind import Appearance, Kind, Patch, bar, box, ngon, oval, poly, static, trapezoid
from cutscore.stage.palette import DARK_WOOD, INK, IRON, SNOW, STEEL, WOOD


def _nails(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for n in range(look.count):
        x = 14 + 36 * n
        parts += [Patch(bar(x, 8, x, 60, 7), STEEL), Patch(box(x - 11, 2, 22, 8, round_by=4), "body")]
    return parts


def _plank(look: Appearance) -> list[Patch]:
    """A plank; in two pieces with a gap between them when it is counted as two, and so on."""
    width = 420 / look.count if look.count else 420
    return [
        Patch(box(n * width + (3 if n else 0), 0, width - (6 if look.count > 1 else 0), 44, round_by=5))
        for n in range(look.count)
    ]


def _bucket(look: Appearance) -> list[Patch]:
    paint = [Patch(oval(70, 26, 54, 10), "filling")] if look.fill > 0 else []
    return [
        Patch(oval(70, 26, 66, 26, start=180, end=360), STEEL, 0, 150),
        Patch(trapezoid(70, 24, 132, 100, 106)),
        Patch(oval(70, 26, 66, 15), "body", 40),
        Patch(oval(70, 27, 57, 11), "body", -60),
        *paint,
    ]


def _car(look: Appearance) -> list[Patch]:
    wheels = [Patch(oval(x, 94, 30), INK) for x in (62, 198)] if look.count else []
    hubs = [Patch(oval(x, 94, 13), STEEL) for x in (62, 198)] if look.count else []
    return [
        Patch(poly((66, 44), (92, 4), (170, 4), (204, 44)), "body", -16),
        Patch(poly((80, 42), (98, 14), (126, 14), (126, 42)), (198, 226, 238)),
        Patch(poly((136, 42), (136, 14), (164, 14), (188, 42)), (198, 226, 238)),
        Patch(box(4, 40, 252, 54, round_by=24)),
        Patch(oval(246, 60, 9, 8), (255, 232, 150)),
        *wheels,
        *hubs,
    ]


def _birdhouse(look: Appearance) -> list[Patch]:
    """A birdhouse; how much of it stands is counted: 1 walls, 2 with a roof, 3 with a hole and a perch."""
    parts = [Patch(box(24, 70, 132, 130, round_by=6))]
    if look.count >= 2:
        parts.append(Patch(poly((90, 0), (180, 78), (162, 92), (90, 30), (18, 92), (0, 78)), DARK_WOOD))
        parts.append(Patch(poly((90, 30), (146, 78), (34, 78))))
    if look.count >= 3:
        parts += [Patch(oval(90, 116, 24), INK), Patch(bar(90, 154, 90, 164, 12), WOOD)]
    return parts


KINDS = {
    "hammer": static(
        (90, 170),
        Patch(bar(48, 40, 48, 164, 16)),
        Patch(box(8, 8, 70, 40, round_by=9), IRON),
        Patch(poly((74, 10), (90, 20), (90, 30), (74, 44)), IRON, -20),
    ),
    "saw": static(
        (230, 70),
        Patch(poly((0, 30), (170, 10), (170, 56), (0, 44)), STEEL),
        *(
            Patch(
                poly((8 + 16 * n, 44 + 0.8 * n), (24 + 16 * n, 45 + 0.8 * n), (16 + 16 * n, 53 + 0.8 * n)), STEEL, -20
            )
            for n in range(10)
        ),
        Patch(box(162, 2, 68, 64, round_by=20)),
        Patch(box(182, 20, 28, 26, round_by=10), (238, 232, 222)),
    ),
    "screwdriver": static(
        (34, 190),
        Patch(bar(17, 80, 17, 184, 9), STEEL),
        Patch(box(3, 0, 28, 84, round_by=13)),
        Patch(box(3, 60, 28, 10), "body", -50),
    ),
    "drill": static(
        (190, 150),
        Patch(bar(2, 40, 60, 40, 8), STEEL),
        Patch(box(52, 14, 126, 54, round_by=18)),
        Patch(poly((116, 60), (164, 60), (174, 140), (130, 140))),
        Patch(box(120, 128, 66, 22, round_by=8), INK),
    ),
    "brush": static(
        (44, 180),
        Patch(box(13, 0, 18, 90, round_by=9), WOOD),
        Patch(box(4, 84, 36, 28, round_by=4), STEEL),
        Patch(poly((5, 112), (39, 112), (35, 172), (22, 180), (9, 172))),
    ),
    "sandpaper": static(
        (110, 40),
        Patch(box(0, 0, 110, 40, round_by=6)),
        *(Patch(oval(12 + 22 * n, 10 + 18 * (n % 2), 3), "body", -50) for n in range(5)),
    ),
    "ruler": static(
        (260, 34),
        Patch(box(0, 0, 260, 34, round_by=4)),
        *(Patch(bar(16 + 19 * n, 3, 16 + 19 * n, 15 if n % 5 else 22, 3), INK) for n in range(13)),
    ),
    "pencil": static(
        (130, 22),
        Patch(box(24, 2, 96, 18)),
        Patch(poly((0, 11), (26, 2), (26, 20)), (240, 214, 170)),
        Patch(poly((0, 11), (9, 8), (9, 14)), INK),
        Patch(box(116, 2, 14, 18, round_by=5), (232, 140, 150)),
    ),
    "nails": Kind(200, 64, _nails),
    "plank": Kind(420, 44, _plank),
    "bucket": Kind(140, 132, _bucket),
    "clamp": static(
        (160, 120),
        Patch(box(20, 70, 120, 50, round_by=8)),
        Patch(box(0, 20, 44, 62, round_by=8)),
        Patch(box(92, 20, 44, 62, round_by=8)),
        Patch(bar(130, 50, 158, 50, 10), STEEL),
    ),
    "birdhouse": Kind(180, 200, _birdhouse),
    "shelf": static(
        (420, 70),
        Patch(box(0, 0, 420, 26, round_by=5)),
        *(Patch(poly((x, 26), (x + 30, 26), (x, 70)), IRON) for x in (50, 340)),
    ),
    "chair": static(
        (150, 230),
        Patch(box(10, 120, 20, 110, round_by=6), "body", -30),
        Patch(box(120, 120, 20, 110, round_by=6), "body", -30),
        Patch(box(10, 0, 20, 130, round_by=8)),
        Patch(box(10, 14, 70, 26, round_by=8), "body", 20),
        Patch(box(10, 60, 70, 22, round_by=8), "body", 20),
        Patch(box(0, 112, 150, 30, round_by=12)),
    ),
    "toy-car": Kind(260, 126, _car),
    "wheel": static((90, 90), Patch(oval(45, 45, 45), INK), Patch(oval(45, 45, 30)), Patch(oval(45, 45, 10), STEEL)),
    "gear": static(
        (110, 110), Patch(ngon(55, 55, 55, 12, inner=44)), Patch(oval(55, 55, 40)), Patch(oval(55, 55, 16), INK)
    ),
    "lamp": static(
        (120, 240),
        Patch(box(30, 222, 60, 18, round_by=9), IRON),
        Patch(bar(60, 80, 60, 226, 10), IRON),
        Patch(trapezoid(60, 0, 60, 120, 90)),
        Patch(oval(60, 92, 26, 10), (255, 236, 170)),
    ),
    "dust": static(
        (120, 40),
        *(Patch(oval(12 + 20 * n, 22 + 10 * (n % 2), 12, 9), "body", 40, 130) for n in range(6)),
        shadow=False,
    ),
    "spark": static(
        (90, 90),
        Patch(ngon(45, 45, 45, 8, inner=18), "body", 40),
        Patch(ngon(45, 45, 24, 8, inner=10), SNOW),
        shadow=False,
    ),
}
