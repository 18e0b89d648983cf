"""Plain shapes, walls, bins and signs: what mazes, sorting and collisions are made of."""

from cutscore.stage.figures.kind import Appearance, Kind, Patch, bar, box, ngon, oval, poly, static, trapezoid
from cutscore.stage.palette import INK, SNOW


def _die(look: Appearance) -> list[Patch]:
    spots = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[max(1, min(6, look.count))]
    at = {letter: (22 + 28 * (n % 3), 22 + 28 * (n // 3)) for n, letter in enumerate("abcdefghi")}
    return [Patch(box(0, 0, 100, 100, round_by=18)), *(Patch(oval(*at[spot], 9), INK) for spot in spots)]


KINDS = {
    "circle": static((100, 100), Patch(oval(50, 50, 50))),
    "ball": static(
        (100, 100), Patch(oval(50, 50, 50)), Patch(oval(50, 50, 50, 16), "body", 70), Patch(oval(50, 50, 50, 9), "body")
    ),
    "square": static((100, 100), Patch(box(0, 0, 100, 100, round_by=12))),
    "triangle": static((110, 100), Patch(poly((55, 0), (110, 100), (0, 100)))),
    "star": static((110, 104), Patch(ngon(55, 57, 57, 5, inner=24))),
    "hexagon": static((104, 100), Patch(ngon(52, 50, 52, 6, turn=0))),
    "diamond": static((90, 120), Patch(poly((45, 0), (90, 60), (45, 120), (0, 60)))),
    "heart": static(
        (104, 96), Patch(oval(28, 28, 28)), Patch(oval(76, 28, 28)), Patch(poly((4, 42), (100, 42), (52, 96)))
    ),
    "ring": static((100, 100), Patch(oval(50, 50, 50)), Patch(oval(50, 50, 26), SNOW)),
    "bar": static((240, 40), Patch(box(0, 0, 240, 40, round_by=16))),
    "arrow": static((150, 80), Patch(poly((0, 24), (90, 24), (90, 0), (150, 40), (90, 80), (90, 56), (0, 56)))),
    "wall": static((100, 40), Patch(box(0, 0, 100, 40, round_by=8)), shadow=False),
    "crate": static(
        (130, 110),
        Patch(box(0, 0, 130, 110, round_by=8)),
        Patch(box(10, 10, 110, 90, round_by=4), "body", -34),
        *(Patch(box(10, y, 110, 22, round_by=3), "body", 10) for y in (14, 44, 74)),
        text_at=(65, 55, 34),
    ),
    "bin": static(
        (180, 150),
        Patch(trapezoid(90, 12, 172, 140, 138)),
        Patch(box(0, 0, 180, 26, round_by=12), "body", -30),
        text_at=(90, 84, 38),
    ),
    "sign": static(
        (200, 150),
        Patch(box(92, 60, 16, 90), (150, 108, 70)),
        Patch(box(0, 0, 200, 90, round_by=14)),
        text_at=(100, 45, 42),
    ),
    "card": static(
        (120, 160),
        Patch(box(0, 0, 120, 160, round_by=14)),
        Patch(box(8, 8, 104, 144, round_by=10), "body", 40),
        text_at=(60, 80, 60),
    ),
    "die": Kind(100, 100, _die),
    "flag": static(
        (110, 180),
        Patch(bar(8, 4, 8, 180, 10), (150, 108, 70)),
        Patch(poly((12, 8), (110, 40), (12, 76))),
        shadow=False,
    ),
    "belt": static(
        (800, 60),
        Patch(box(0, 0, 800, 44, round_by=22)),
        *(Patch(oval(26 + 83 * n, 24, 15), "body", 60) for n in range(10)),
    ),
}
