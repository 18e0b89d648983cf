"""Sets: small scenes on which one thing moves and some rest, and films that are made of their pictures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import cv2

from cutscore.benchmarks.clvg.staged.films import RATE, make_scene
from cutscore.core.errors import UnknownName
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound
from cutscore.stage.blend import as_bytes
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Move, Thing

LENGTH_S = Fraction(12, 5)


def film_pictures(pictures: Sequence[Pixels], sound: Sound | None = None) -> Footage:
    """Return ready pictures as footage."""
    return Footage(lambda: iter(pictures), len(pictures), RATE, sound, "pictures")


def map_pictures(footage: Footage, change: Callable[[Pixels, int], Pixels]) -> Footage:
    """Return footage with every picture changed; the change is told the picture's number."""
    return replace(
        footage, pictures=lambda: (change(pixels, number) for number, pixels in enumerate(footage.pictures()))
    )


def soften(pixels: Pixels) -> Pixels:
    """Return a picture as another lens would show it."""
    return as_bytes(cv2.GaussianBlur(pixels, (0, 0), 0.6))


def build_set(name: str, place: Place, things: Sequence[Thing], moves: Sequence[Move] = (), **fields: Any) -> Scene:
    """Return a scene of our length."""
    return make_scene(name, LENGTH_S, places=(place,), things=tuple(things), changes=tuple(moves), **fields)


def move_evenly(thing: str, x: int, y: int) -> Move:
    """Return a move over the whole length at one speed."""
    return Move(thing=thing, at_s=Fraction(0), for_s=LENGTH_S, ease="steady", x=x, y=y)


def find_set(name: str) -> Scene:
    """Return a scene by its name."""
    if name not in SETS:
        raise UnknownName.among("set", name, SETS)
    return SETS[name]


SETS = {
    scene.name: scene
    for scene in (
        build_set(
            "garden",
            Place(backdrop="park", colour="green"),
            [
                Thing(id="tree", kind="tree", colour="green", x=1330, y=420, width=360),
                Thing(id="sign", kind="sign", colour="white", x=820, y=560, text="POND"),
                Thing(id="heart", kind="heart", colour="red", x=1090, y=780, width=190),
                Thing(id="dog", kind="dog", colour="brown", x=260, y=740, width=280),
            ],
            [move_evenly("dog", 700, 740)],
        ),
        build_set(
            "road",
            Place(backdrop="street", colour="grey"),
            [
                Thing(id="house", kind="house", colour="orange", x=1240, y=400, width=420),
                Thing(id="fir", kind="fir", colour="green", x=230, y=420, width=220),
                Thing(id="crate", kind="crate", colour="purple", x=720, y=560, width=180),
                Thing(id="car", kind="car", colour="blue", x=330, y=780, width=360),
            ],
            [move_evenly("car", 930, 780)],
        ),
        build_set(
            "den",
            Place(backdrop="room", colour="purple"),
            [
                Thing(id="table", kind="table", colour="brown", x=1120, y=700, width=520),
                Thing(id="lamp", kind="lamp", colour="yellow", x=1270, y=480, layer=1),
                Thing(id="book", kind="book", colour="green", x=1000, y=530, layer=1),
                Thing(id="robot", kind="robot", colour="cyan", x=260, y=620, width=260),
            ],
            [move_evenly("robot", 580, 620)],
        ),
        build_set(
            "desk",
            Place(backdrop="studio", colour="grey"),
            [
                Thing(id="ball", kind="circle", colour="red", x=280, y=330, width=170),
                Thing(id="block", kind="square", colour="blue", x=1250, y=330, width=180),
                Thing(id="star", kind="star", colour="yellow", x=800, y=250, width=250),
            ],
            [move_evenly("ball", 640, 610), move_evenly("block", 1080, 640)],
        ),
    )
}
