"""Plain shapes, walls, bins and signs: what mazes, sorting and collisions are made of."""

from cutscore.stage.figures.kind import INK, SNOW, Kind, Look, Part, bar, box, oval, plain, poly, regular, tapered


def _die(look: Look) -> list[Part]:
    spots = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[max(1, min(6, look.count))]
    at = {letter: (22 + 28 * (n % 3), 22 + 28 * (n // 3)) for n, letter in enumerate("abcdefghi")}
    return [Part(box(0, 0, 100, 100, round_by=18)), *(Part(oval(*at[spot], 9), INK) for spot in spots)]


KINDS = {
    "circle": Kind(100, 100, plain(Part(oval(50, 50, 50)))),
    "ball": Kind(
        100,
        100,
        plain(Part(oval(50, 50, 50)), Part(oval(50, 50, 50, 16), "body", 70), Part(oval(50, 50, 50, 9), "body")),
    ),
    "square": Kind(100, 100, plain(Part(box(0, 0, 100, 100, round_by=12)))),
    "triangle": Kind(110, 100, plain(Part(poly((55, 0), (110, 100), (0, 100))))),
    "star": Kind(110, 104, plain(Part(regular(55, 57, 57, 5, inner=24)))),
    "hexagon": Kind(104, 100, plain(Part(regular(52, 50, 52, 6, turn=0)))),
    "diamond": Kind(90, 120, plain(Part(poly((45, 0), (90, 60), (45, 120), (0, 60))))),
    "heart": Kind(
        104,
        96,
        plain(Part(oval(28, 28, 28)), Part(oval(76, 28, 28)), Part(poly((4, 42), (100, 42), (52, 96)))),
    ),
    "ring": Kind(100, 100, plain(Part(oval(50, 50, 50)), Part(oval(50, 50, 26), SNOW))),
    "bar": Kind(240, 40, plain(Part(box(0, 0, 240, 40, round_by=16)))),
    "arrow": Kind(150, 80, plain(Part(poly((0, 24), (90, 24), (90, 0), (150, 40), (90, 80), (90, 56), (0, 56))))),
    "wall": Kind(100, 40, plain(Part(box(0, 0, 100, 40, round_by=8))), shadow=False),
    "crate": Kind(
        130,
        110,
        plain(
            Part(box(0, 0, 130, 110, round_by=8)),
            Part(box(10, 10, 110, 90, round_by=4), "body", -34),
            *(Part(box(10, y, 110, 22, round_by=3), "body", 10) for y in (14, 44, 74)),
        ),
        text_at=(65, 55, 34),
    ),
    "bin": Kind(
        180,
        150,
        plain(Part(tapered(90, 12, 172, 140, 138)), Part(box(0, 0, 180, 26, round_by=12), "body", -30)),
        text_at=(90, 84, 38),
    ),
    "sign": Kind(
        200,
        150,
        plain(Part(box(92, 60, 16, 90), (150, 108, 70)), Part(box(0, 0, 200, 90, round_by=14))),
        text_at=(100, 45, 42),
    ),
    "card": Kind(
        120,
        160,
        plain(Part(box(0, 0, 120, 160, round_by=14)), Part(box(8, 8, 104, 144, round_by=10), "body", 40)),
        text_at=(60, 80, 60),
    ),
    "die": Kind(100, 100, _die),
    "flag": Kind(
        110,
        180,
        plain(Part(bar(8, 4, 8, 180, 10), (150, 108, 70)), Part(poly((12, 8), (110, 40), (12, 76)))),
        shadow=False,
    ),
    "belt": Kind(
        800,
        60,
        plain(Part(box(0, 0, 800, 44, round_by=22)), *(Part(oval(26 + 83 * n, 24, 15), "body", 60) for n in range(10))),
    ),
}
