"""What helps after a small accident, and what is in a first-aid box."""

from cutscore.stage.figures.kind import Appearance, Kind, Patch, bar, box, oval, place_pieces, poly, static, trapezoid
from cutscore.stage.palette import CREAM, INK, IRON, PANE, SKINS, SNOW, STEEL

_FLAME = ((252, 206, 84), (255, 240, 170))


def _arm(look: Appearance) -> list[Patch]:
    """Somebody's arm, stretched out from below; the colour is that of the sleeve, plasters are counted and filling."""
    skin = SKINS[look.look % len(SKINS)]
    fingers = [(34, 66, 22, 26), (50, 60, 44, 8), (68, 60, 68, 6), (86, 66, 90, 20)]
    middle = 190 - 9 * (look.count - 1)
    strips = [middle + 18 * n for n in range(look.count)]
    return [
        *(Patch(bar(*finger, 19), skin, -10) for finger in fingers),
        Patch(bar(88, 104, 112, 74, 20), skin, -16),
        Patch(box(24, 56, 72, 76, round_by=26), skin),
        Patch(trapezoid(60, 110, 58, 78, 150), skin),
        Patch(trapezoid(60, 236, 96, 124, 204)),
        Patch(box(8, 230, 104, 26, round_by=12), "body", 40),
        *(Patch(bar(30, y + 4, 90, y - 4, 15), "filling") for y in strips),
        *(Patch(box(50, y - 6, 20, 12, round_by=3), "filling", 110) for y in strips),
    ]


def _plasters(look: Appearance) -> list[Patch]:
    parts: list[Patch] = []
    for x, y, r in place_pieces(look.count, 200, 90):
        parts += [Patch(box(x - r * 0.46, y - r * 0.2, r * 0.92, r * 0.4, round_by=r * 0.18))]
        parts += [Patch(box(x - r * 0.14, y - r * 0.15, r * 0.28, r * 0.3, round_by=r * 0.04), "body", 110)]
    return parts


def _first_aid_box(look: Appearance) -> list[Patch]:
    """A first-aid box that is open as far as it is filled."""
    wide = look.fill >= 0.5
    lid = [Patch(box(10, 0, 190, 62, round_by=12), "body", -40)] if wide else []
    inside = [Patch(oval(50, 66, 22, 20), SNOW), Patch(box(88, 44, 30, 40, round_by=6), CREAM)] if wide else []
    handle = [] if wide else [Patch(oval(105, 56, 36, 24, start=180, end=360), IRON)]
    top = [] if wide else [Patch(box(0, 50, 210, 34, round_by=12), "body", -16)]
    return [
        *lid,
        *inside,
        *handle,
        Patch(box(0, 62, 210, 108, round_by=14)),
        *top,
        Patch(oval(105, 120, 36), SNOW),
        Patch(box(96, 96, 18, 48), (64, 150, 90)),
        Patch(box(81, 111, 48, 18), (64, 150, 90)),
    ]


def _telephone(look: Appearance) -> list[Patch]:
    """A telephone that calls when it is filled."""
    waves = [Patch(oval(130, 30, r, r * 0.8, start=300, end=350), SNOW, 0, 230) for r in (34, 54)] if look.fill else []
    keys = [Patch(box(58 + 22 * (n % 3), 62 + 16 * (n // 3), 14, 10, round_by=3), SNOW) for n in range(9)]
    rise = 18 if look.fill else 0
    return [
        Patch(poly((34, 40), (142, 40), (164, 116), (12, 116))),
        *keys,
        Patch(box(16, 14 - rise + 18, 144, 22, round_by=10), "body", -50),
        Patch(box(10, 20 - rise + 18, 36, 30, round_by=12), "body", -50),
        Patch(box(130, 20 - rise + 18, 36, 30, round_by=12), "body", -50),
        *waves,
    ]


def _alarm(look: Appearance) -> list[Patch]:
    """An alarm button on a post; it flashes when it is filled."""
    rays = ((60, 4, 60, 24), (8, 30, 26, 42), (112, 30, 94, 42), (4, 84, 22, 80), (116, 84, 98, 80))
    return [
        Patch(box(48, 110, 24, 90), IRON),
        Patch(box(18, 190, 84, 20, round_by=8), IRON),
        *(Patch(bar(*ray, 9), (255, 214, 70)) for ray in (rays if look.fill > 0 else ())),
        Patch(box(24, 34, 72, 86, round_by=12)),
        Patch(oval(60, 76, 26), SNOW),
        Patch(oval(60, 76, 17), (255, 190, 60) if look.fill > 0 else IRON),
    ]


def _foam(look: Appearance) -> list[Patch]:
    return [Patch(oval(x, y, r * 0.52, r * 0.44), "body", 0, 240) for x, y, r in place_pieces(look.count, 200, 90)]


KINDS = {
    "arm": Kind(120, 440, _arm, shadow=False),
    "plasters": Kind(200, 90, _plasters),
    "first-aid-box": Kind(210, 170, _first_aid_box),
    "telephone": Kind(176, 118, _telephone),
    "alarm": Kind(120, 210, _alarm),
    "foam": Kind(200, 90, _foam, shadow=False),
    "wound": static((46, 20), Patch(oval(23, 10, 23, 10), "body", -30), Patch(oval(23, 10, 14, 5)), shadow=False),
    "sink": static(
        (300, 330),
        Patch(box(138, 60, 24, 190, round_by=10), STEEL),
        Patch(bar(150, 66, 150, 30, 24), STEEL),
        Patch(bar(150, 24, 226, 24, 24), STEEL),
        Patch(box(214, 20, 26, 46, round_by=8), STEEL),
        Patch(bar(118, 96, 182, 96, 16), IRON),
        Patch(box(0, 240, 300, 22, round_by=11), "body", 50),
        Patch(poly((12, 258), (288, 258), (250, 330), (50, 330))),
    ),
    "cloth": static(
        (130, 70),
        Patch(poly((0, 20), (40, 4), (84, 14), (126, 0), (130, 56), (92, 70), (44, 58), (6, 66))),
        Patch(bar(14, 46, 116, 38, 6), "body", 70),
        Patch(bar(12, 30, 114, 20, 4), "body", 70),
    ),
    "wrapper": static(
        (80, 50),
        Patch(poly((0, 24), (18, 2), (40, 14), (66, 0), (80, 30), (58, 48), (24, 50))),
        Patch(bar(20, 14, 34, 40, 4), "body", -50),
        Patch(bar(52, 10, 46, 42, 4), "body", -50),
    ),
    "extinguisher": static(
        (130, 220),
        Patch(bar(84, 34, 34, 40, 12), INK),
        Patch(bar(34, 40, 20, 96, 12), INK),
        Patch(poly((10, 92), (30, 92), (38, 128), (2, 128)), INK),
        Patch(box(56, 52, 68, 168, round_by=26)),
        Patch(box(76, 26, 30, 32, round_by=6), STEEL),
        Patch(bar(70, 18, 122, 8, 12), INK),
        Patch(bar(72, 30, 118, 30, 8), IRON),
        Patch(box(64, 110, 52, 54, round_by=6), CREAM),
    ),
    "pin": static((70, 40), Patch(oval(18, 20, 18)), Patch(oval(18, 20, 9), PANE), Patch(bar(34, 20, 66, 20, 8))),
    "flames": static(
        (140, 150),
        Patch(poly((10, 110), (4, 60), (34, 78), (48, 0), (86, 56), (104, 26), (136, 84), (128, 130), (70, 150))),
        Patch(poly((34, 118), (40, 78), (64, 44), (84, 86), (104, 76), (108, 120), (70, 146)), _FLAME[0]),
        Patch(oval(70, 122, 22, 24), _FLAME[1]),
        shadow=False,
    ),
}
