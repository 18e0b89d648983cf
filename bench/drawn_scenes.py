"""Scenes that are drawn from a seed, with their truth: what `perception.py` looks at. Running it draws nothing.

One to five things of fourteen colours and seven shapes rest, move, bounce, start, stop, hit each other, come, go,
change colour or size. This is a second painter, not the stage: a reader that was tuned on the stage must not be
measured there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from random import Random

import cv2
import numpy as np

RATE, FRAMES = 25, 50
SIZES = ((320, 180), (480, 270))
SHAPES = ("circle", "square", "triangle", "star", "bar", "ellipse", "rectangle")
# Hue in degrees, saturation, value: ranges that hold no doubtful colour.
COLOURS = {
    "red": ((-6, 6), (0.85, 1), (0.75, 1)),
    "orange": ((26, 36), (0.85, 1), (0.9, 1)),
    "yellow": ((54, 60), (0.75, 1), (0.9, 1)),
    "green": ((100, 140), (0.6, 1), (0.5, 0.95)),
    "cyan": ((177, 184), (0.75, 1), (0.7, 1)),
    "blue": ((210, 238), (0.7, 1), (0.6, 1)),
    "purple": ((270, 282), (0.6, 0.95), (0.5, 0.8)),
    "magenta": ((298, 308), (0.85, 1), (0.85, 1)),
    "pink": ((325, 332), (0.45, 0.6), (0.95, 1)),
    "brown": ((22, 28), (0.65, 0.85), (0.42, 0.55)),
    "beige": ((38, 45), (0.16, 0.25), (0.9, 0.97)),
    "black": ((0, 360), (0, 0.1), (0, 0.1)),
    "grey": ((0, 360), (0, 0.04), (0.45, 0.62)),
    "white": ((0, 360), (0, 0.02), (0.96, 1)),
}
LEAST_CONTRAST = 25  # ΔE between a thing and the background behind it: less than that is a matter of opinion


@dataclass
class Actor:
    """A thing of a scene: where it is, how large and of which colour, frame by frame."""

    shape: str
    colour: list[str]
    rgb: list[np.ndarray]
    radius: np.ndarray
    places: np.ndarray
    turn: float
    first: int = 0
    end: int = FRAMES
    shadow: bool = False


@dataclass
class Scene:
    size: tuple[int, int]
    background: np.ndarray  # larger than the picture when the camera pans
    offsets: np.ndarray  # of the picture in the background, frame by frame
    actors: list[Actor]
    events: list[tuple[str, Fraction, int]] = field(default_factory=list)
    noise: float = 0.0
    crf: int = 20
    pan: str = ""


def rgb(draw: Random, name: str) -> np.ndarray:
    hue, saturation, value = (draw.uniform(*ends) for ends in COLOURS[name])
    hsv = np.array([[[hue % 360, saturation, value]]], np.float32)
    return np.rint(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] * 255)


def lab(colour: np.ndarray) -> np.ndarray:
    return cv2.cvtColor((np.asarray(colour, np.float32) / 255).reshape(1, 1, 3), cv2.COLOR_RGB2Lab)[0, 0]


def backdrop(draw: Random, width: int, height: int) -> np.ndarray:
    """A plain, graded, two-part or textured background in muted colours."""
    rng = np.random.default_rng(draw.getrandbits(32))
    base = np.array([draw.uniform(60, 235)] * 3) + [draw.uniform(-25, 25) for _ in range(3)]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    picture = np.broadcast_to(base, (height, width, 3)).astype(np.float32).copy()
    kind = draw.choice(["plain", "graded", "graded", "two parts", "texture", "texture"])
    if kind in ("graded", "two parts"):
        angle = draw.uniform(0, 6.28)
        picture += ((x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle))[..., None] * draw.uniform(
            20, 90
        )
    if kind == "two parts":
        floor = int(height * draw.uniform(0.6, 0.8))
        picture[floor:] = picture[floor:] * draw.uniform(0.5, 0.8) + 20
    if kind == "texture":
        for cell, strength in ((4, draw.uniform(2, 6)), (24, draw.uniform(4, 14))):
            coarse = rng.normal(0, strength, (height // cell + 2, width // cell + 2)).astype(np.float32)
            picture += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    return picture.clip(0, 255)


def outline(shape: str, radius: float, turn: float) -> np.ndarray:
    if shape == "star":
        step = np.arange(10)
        radii, angles = np.where(step % 2, 0.45 * radius, radius), step * np.pi / 5 + turn
        return np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    sides = {"triangle": 3, "circle": 64, "ellipse": 64}.get(shape, 4)
    angles = np.arange(sides) * 2 * np.pi / sides + (np.pi / 4 if sides == 4 else -np.pi / 2 if sides == 3 else 0)
    points = np.stack([radius * np.cos(angles), radius * np.sin(angles)], 1)
    if shape in ("ellipse", "rectangle", "bar"):
        points *= {"ellipse": (1.25, 0.75), "rectangle": (1.25, 0.75), "bar": (1.5, 0.35)}[shape]
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return points @ rotation


def paint(scene: Scene, number: int, rng: np.random.Generator) -> np.ndarray:
    width, height = scene.size
    left, top = scene.offsets[number]
    shift = np.float32([[1, 0, -left], [0, 1, -top]])
    picture = cv2.warpAffine(
        scene.background, shift, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    for actor in scene.actors:
        if not actor.first <= number < actor.end:
            continue
        points = outline(actor.shape, actor.radius[number], actor.turn) + actor.places[number] - (left, top)
        for soft, colour in ((True, None), (False, actor.rgb[number])):
            if soft and not actor.shadow:
                continue
            mask = np.zeros((height, width), np.uint8)
            moved = points + np.array([0.15, 0.25]) * actor.radius[number] if soft else points
            cv2.fillPoly(mask, [np.rint(moved * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            share = mask[..., None].astype(np.float32) / 255
            if soft:
                share = cv2.GaussianBlur(share, (0, 0), float(actor.radius[number]) * 0.3)[..., None] * 0.3
            picture = picture * (1 - share) + share * (0 if colour is None else colour)
    return (
        (picture + rng.normal(0, scene.noise, picture.shape) if scene.noise else picture).clip(0, 255).astype(np.uint8)
    )


def frames(scene: Scene, seed: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    for number in range(FRAMES):
        yield paint(scene, number, rng)


def draw_scene(draw: Random) -> Scene:
    width, height = draw.choice(SIZES)
    pan = draw.choice(["left", "right"]) if draw.random() < 0.2 else ""
    speed = draw.uniform(0.1, 0.3) * width / RATE if pan else 0.0
    background = backdrop(draw, width * 2 if pan else width, height)
    start = width * 0.9 if pan == "left" else width * 0.1 if pan else 0.0
    across = start + np.arange(FRAMES) * (speed if pan == "right" else -speed)
    offsets = np.stack([across, np.zeros(FRAMES)], 1)
    scene = Scene(
        (width, height), background, offsets, [], noise=draw.choice([0, 0, 2, 5]), crf=draw.randint(18, 30), pan=pan
    )
    if not pan and draw.random() < 0.2:
        add_collision(scene, draw)
    shadow = draw.random() < 0.5
    for _ in range(draw.randint(3 if pan else 1, 5)):
        add_actor(scene, draw, shadow)
    return scene


def add_actor(scene: Scene, draw: Random, shadow: bool) -> None:
    """Put one more thing into a scene, where at the beginning there is room for it."""
    width, height = scene.size
    for _ in range(40):
        radius = height * draw.uniform(0.07, 0.13)
        place = np.array(
            [draw.uniform(1.7 * radius, width - 1.7 * radius), draw.uniform(1.7 * radius, height - 1.7 * radius)]
        )
        behind = scene.background[int(place[1]), int(place[0] + scene.offsets[0][0])]
        name = draw.choice(list(COLOURS))
        colour = rgb(draw, name)
        nearest = [np.linalg.norm(place + scene.offsets[0] - other.places, axis=1).min() for other in scene.actors]
        room = all(gap > 2 * (radius + other.radius[0]) for gap, other in zip(nearest, scene.actors, strict=True))
        if room and np.linalg.norm(lab(colour) - lab(behind)) >= LEAST_CONTRAST:
            break
    else:
        return
    actor = Actor(
        draw.choice(SHAPES),
        [name] * FRAMES,
        [colour] * FRAMES,
        np.full(FRAMES, radius),
        np.repeat((place + scene.offsets[0])[None], FRAMES, 0),
        draw.uniform(0, 6.28),
        shadow=shadow,
    )
    scene.actors.append(actor)
    number = len(scene.actors) - 1
    kind = draw.choice(["rest", "move", "move", "start", "stop", "appear", "disappear", "recolour", "grow", "shrink"])
    at = draw.randint(15, 35)
    if kind in ("move", "start", "stop"):
        walk(scene, actor, number, draw, at if kind == "start" else 0, at if kind == "stop" else FRAMES)
    elif kind == "appear":
        actor.first = at
        scene.events.append(("appears", Fraction(at, RATE), number))
    elif kind == "disappear":
        actor.end = at
        scene.events.append(("disappears", Fraction(at, RATE), number))
    elif kind == "recolour":
        other = draw.choice([each for each in COLOURS if each != name])
        new = rgb(draw, other)
        if min(np.linalg.norm(lab(new) - lab(colour)), np.linalg.norm(lab(new) - lab(behind))) >= LEAST_CONTRAST:
            actor.colour, actor.rgb = [name] * at + [other] * (FRAMES - at), [colour] * at + [new] * (FRAMES - at)
            scene.events.append(("changes colour", Fraction(at, RATE), number))
    elif kind in ("grow", "shrink"):
        factor = draw.uniform(1.4, 1.8) if kind == "grow" else draw.uniform(0.5, 0.65)
        actor.radius = radius * np.interp(np.arange(FRAMES), [12, 40], [1, factor])
        scene.events.append((f"{kind}s", Fraction(12, RATE), number))


def walk(scene: Scene, actor: Actor, number: int, draw: Random, first: int, last: int) -> None:
    """Move on a straight line and bounce off the sides of the picture."""
    width, height = scene.size
    angle, speed = draw.uniform(0, 6.28), draw.uniform(0.12, 0.5) * width / RATE
    velocity = speed * np.array([np.cos(angle), np.sin(angle)])
    reach = 1.5 * actor.radius[0]
    place = actor.places[0] - scene.offsets[0]
    bounced: list[int] = []
    for frame in range(1, FRAMES):
        if first < frame <= last:
            place = place + velocity
            for axis, side in enumerate((width, height)):
                # A camera that pans takes the sides of the picture with it: there things just go on.
                if not scene.pan and not reach <= place[axis] <= side - reach:
                    place[axis] = 2 * (reach if place[axis] < reach else side - reach) - place[axis]
                    velocity = velocity * np.where(np.arange(2) == axis, -1, 1)
                    bounced.append(frame)
        actor.places[frame] = place + scene.offsets[0]
    # Off two sides at almost the same moment is one bounce, and one at the very end shows no way afterwards.
    apart = [frame for before, frame in pairwise([-9, *bounced]) if frame - before > 4 and frame < FRAMES - 5]
    scene.events += [("bounces", Fraction(frame, RATE), number) for frame in apart]
    if first:
        scene.events.append(("starts", Fraction(first, RATE), number))
    if last < FRAMES:
        scene.events.append(("stops", Fraction(last, RATE), number))


def add_collision(scene: Scene, draw: Random) -> None:
    """Let a disc run into another one that rests, and rest in its place while the other goes on."""
    width, height = scene.size
    radius = height * 0.09
    row = draw.choice([0.2, 0.5, 0.8]) * height
    behind = scene.background[int(row), int(width / 2)]
    names = [name for name in COLOURS if np.linalg.norm(lab(rgb(draw, name)) - lab(behind)) >= 2 * LEAST_CONTRAST]
    if len(names) < 2:
        return
    names = draw.sample(names, 2)
    hit, speed = draw.randint(18, 30), draw.uniform(0.2, 0.35) * width / RATE
    touch = 0.55 * width
    xs = touch - 2 * radius + speed * (np.arange(FRAMES) - hit)
    first = np.stack([np.minimum(xs, touch - 2 * radius), np.full(FRAMES, row)], 1)
    second = np.stack([np.maximum(xs + 2 * radius, touch), np.full(FRAMES, row)], 1)
    number = len(scene.actors)
    for name, places in zip(names, (first, second), strict=True):
        colour = rgb(draw, name)
        scene.actors.append(Actor("circle", [name] * FRAMES, [colour] * FRAMES, np.full(FRAMES, radius), places, 0.0))
    at = Fraction(hit, RATE)
    scene.events += [("collides", at, number), ("stops", at, number), ("starts", at, number + 1)]
