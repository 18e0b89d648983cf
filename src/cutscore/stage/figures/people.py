"""Actors: people with a face, a cat, a bird, a dog, a robot. Their colour is that of their clothes, fur or feathers."""

from cutscore.stage.figures.kind import Appearance, Kind, Patch, bar, box, oval, poly, trapezoid
from cutscore.stage.palette import HAIRS, INK, IRON, SKINS, SNOW, STEEL, lighten

SHOULDERS = {"person": ((38.0, 158.0), (122.0, 158.0)), "robot": ((30.0, 150.0), (130.0, 150.0))}


def _eyes(x: float, y: float, apart: float, size: float, mood: str) -> list[Patch]:
    both = (x - apart / 2, x + apart / 2)
    if mood == "asleep":
        return [Patch(bar(at - size, y, at + size, y, size * 0.7), INK) for at in both]
    if mood == "happy":
        return [Patch(oval(at, y + size * 0.4, size * 1.1, size * 1.3, start=180, end=360), INK) for at in both]
    tall = size * (1.6 if mood == "surprised" else 1.25)
    return [Patch(oval(at, y, size, tall), INK) for at in both] + [
        Patch(oval(at + size * 0.35, y - size * 0.45, size * 0.35), SNOW) for at in both
    ]


def _mouth(x: float, y: float, size: float, mood: str) -> list[Patch]:
    dark = (150, 62, 62)
    if mood == "happy":
        return [Patch(oval(x, y - size * 0.2, size, size * 0.9, start=0, end=180), dark)]
    if mood == "sad":
        return [Patch(oval(x, y + size * 0.5, size * 0.8, size * 0.5, start=180, end=360), dark)]
    if mood == "surprised":
        return [Patch(oval(x, y + size * 0.2, size * 0.5, size * 0.65), dark)]
    return [Patch(bar(x - size * 0.6, y, x + size * 0.6, y, size * 0.32), dark)]


def _person(look: Appearance) -> list[Patch]:
    skin, hair = SKINS[look.look % len(SKINS)], HAIRS[look.look // len(SKINS) % len(HAIRS)]
    long_hair = look.look // 20 % 2 == 1
    parts = [Patch(box(32, 28, 96, 118, round_by=44), hair, -18)] if long_hair else []
    parts += [
        Patch(box(52, 250, 22, 84, round_by=10), (70, 74, 96)),
        Patch(box(86, 250, 22, 84, round_by=10), (70, 74, 96)),
    ]
    parts += [Patch(oval(60, 336, 20, 10), INK), Patch(oval(100, 336, 20, 10), INK)]
    for side, ((sx, sy), out) in zip((-1, 1), zip(SHOULDERS["person"], (20, 140), strict=True), strict=True):
        if side not in look.busy:
            parts += [Patch(bar(sx, sy, out, 226, 25), "body", -26), Patch(oval(out, 234, 13), skin)]
    parts.append(Patch(box(30, 138, 100, 134, round_by=36)))
    parts.append(Patch(box(68, 118, 24, 32, round_by=10), skin, -24))
    parts.append(Patch(oval(80, 76, 46, 50), skin))
    parts += [Patch(oval(34, 82, 8, 11), skin, -14), Patch(oval(126, 82, 8, 11), skin, -14)]
    parts.append(Patch(oval(80, 64, 50, 44, start=180, end=360), hair))
    parts.append(Patch(poly((31, 64), (50, 46), (84, 60), (126, 44), (129, 64), (112, 56), (78, 68), (48, 58)), hair))
    parts += [Patch(oval(54, 96, 9, 6), (236, 130, 120), 0, 90), Patch(oval(106, 96, 9, 6), (236, 130, 120), 0, 90)]
    return parts + _eyes(80, 82, 38, 5.6, look.mood) + _mouth(80, 104, 14, look.mood)


def _cat(look: Appearance) -> list[Patch]:
    return [
        Patch(bar(128, 86, 150, 40, 15), "body", -20),
        Patch(oval(84, 88, 58, 36)),
        *(Patch(box(x, 96, 17, 34, round_by=8), "body", -14) for x in (44, 66, 98, 116)),
        Patch(poly((14, 40), (18, 4), (42, 22)), "body", -10),
        Patch(poly((52, 22), (76, 4), (80, 40)), "body", -10),
        Patch(oval(46, 48, 37, 32)),
        *_eyes(46, 44, 30, 4.8, look.mood),
        Patch(poly((42, 54), (50, 54), (46, 59)), (226, 120, 130)),
        *_mouth(46, 64, 8, look.mood),
    ]


def _dog(look: Appearance) -> list[Patch]:
    return [
        Patch(bar(140, 66, 166, 36, 13), "body", -20),
        Patch(box(56, 56, 96, 50, round_by=24)),
        *(Patch(box(x, 88, 18, 44, round_by=8), "body", -14) for x in (62, 82, 114, 134)),
        Patch(oval(46, 46, 38, 34)),
        Patch(oval(20, 66, 20, 15), "body", 40),
        Patch(oval(8, 60, 7, 6), INK),
        Patch(box(62, 22, 22, 48, round_by=11), "body", -50),
        *_eyes(34, 42, 22, 4.6, look.mood),
        *_mouth(22, 73, 8, look.mood),
    ]


def _bird(look: Appearance) -> list[Patch]:
    return [
        Patch(poly((66, 46), (100, 30), (96, 58)), "body", -36),
        Patch(oval(48, 46, 32, 27)),
        Patch(oval(56, 50, 20, 13), "body", -34),
        Patch(oval(26, 30, 21, 20)),
        Patch(poly((8, 26), (8, 38), (0, 32)), (240, 160, 50)),
        *_eyes(22, 27, 0, 4, look.mood)[:2],
        Patch(bar(44, 70, 42, 82, 4), (220, 140, 50)),
        Patch(bar(54, 70, 56, 82, 4), (220, 140, 50)),
    ]


def _robot(look: Appearance) -> list[Patch]:
    parts = [Patch(box(44, 246, 30, 84, round_by=8), IRON), Patch(box(86, 246, 30, 84, round_by=8), IRON)]
    parts += [Patch(box(34, 318, 44, 20, round_by=8), INK), Patch(box(82, 318, 44, 20, round_by=8), INK)]
    for side, ((sx, sy), out) in zip((-1, 1), zip(SHOULDERS["robot"], (14, 146), strict=True), strict=True):
        if side not in look.busy:
            parts += [Patch(bar(sx, sy, out, 226, 20), IRON), Patch(oval(out, 232, 14), STEEL)]
    return [
        *parts,
        Patch(box(28, 134, 104, 124, round_by=16)),
        Patch(box(48, 156, 64, 44, round_by=8), "body", 60),
        Patch(bar(80, 20, 80, 40, 6), IRON),
        Patch(oval(80, 14, 9), (236, 90, 80)),
        Patch(box(32, 36, 96, 88, round_by=20), STEEL),
        Patch(box(42, 54, 76, 50, round_by=14), lighten(INK, 20)),
        *(Patch(oval(x, 74, 9, 5 if look.mood == "asleep" else 10), (130, 236, 226)) for x in (64, 96)),
        Patch(
            bar(66, 94, 94, 94, 5) if look.mood != "happy" else oval(80, 90, 14, 8, start=0, end=180), (130, 236, 226)
        ),
        Patch(trapezoid(80, 124, 40, 50, 12), IRON),
    ]


KINDS = {
    "person": Kind(160, 346, _person),
    "robot": Kind(160, 340, _robot),
    "cat": Kind(160, 132, _cat),
    "dog": Kind(174, 134, _dog),
    "bird": Kind(104, 84, _bird),
}
