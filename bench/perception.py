"""What the reader's eye sees right and wrong on scenes whose truth is known, and how long a look takes.

    python bench/perception.py [--scenes 100] [--seed "held out"] [--jobs 2] [--list]

Scenes are drawn from the seed: one to five things of fourteen colours and seven shapes that rest, move, bounce, start,
stop, hit each other, come, go, change colour or size, before plain, graded, two-part or textured backgrounds, with
soft shadows, noise and pans, encoded at crf 18 to 30. No threshold was chosen on this seed. What is counted:
- a thing is found when one observation overlaps it for half of its time, within a third of its size; things found twice
  and things that are not there count against precision;
- an event is found when one of the same kind is reported of the same thing within two frames;
- a count is right when the number of things at a moment is the true one; moments are drawn at random.
The last line is the time of a look at a 10 s clip of 854×480 at 25 frames a second, against real time (wanted: at
most twice as long).
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from cutscore.media.render import write_clip
from cutscore.perception.look import look
from cutscore.perception.report import Report, Thing
from cutscore.stats.intervals import wilson

RATE, FRAMES = 25, 50
WITHIN_S = Fraction(2, RATE)
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


def seen_centres(scene: Scene, actor: Actor) -> np.ndarray:
    """Where a thing is in the picture, and nowhere (nan) when it is not there or half outside."""
    places = actor.places - scene.offsets
    gone = np.arange(FRAMES)
    away = (gone < actor.first) | (gone >= actor.end)
    outside = ((places < 0) | (places > scene.size)).any(1)
    return np.where((away | outside)[:, None], np.nan, places)


def error(scene: Scene, actor: Actor, thing: Thing) -> tuple[float, float]:
    """Median distance in pixels, and the share of the time of either in which both are there."""
    truth = seen_centres(scene, actor)
    numbers = [round(at_s * RATE) for at_s in thing.at_s]
    both = [(truth[number], centre) for number, centre in zip(numbers, thing.centres, strict=True) if number < FRAMES]
    gaps = np.array([np.linalg.norm(one - other) for one, other in both])
    near = gaps[np.isfinite(gaps)]
    there = int(np.isfinite(truth[:, 0]).sum())
    if not len(near) or not there:
        return np.inf, 0.0
    reach = max(4.0, 0.4 * float(np.median(actor.radius)))
    return float(np.median(near)), float((near < reach).sum()) / max(there, len(numbers))


def compare(scene: Scene, report: Report, draw: Random) -> tuple[Counter, list[float], list[str]]:
    score: Counter = Counter()
    notes: list[str] = []
    things = [thing for thing in report.things if thing.part_of is None]
    table = np.array([[error(scene, actor, thing) for thing in things] for actor in scene.actors]).reshape(
        len(scene.actors), len(things), 2
    )
    cost = np.where((table[..., 1] >= 0.5), 1 - table[..., 1], 9.0)
    pairs = {row: column for row, column in zip(*linear_sum_assignment(cost), strict=True) if cost[row, column] < 9}
    visible = [
        row for row, actor in enumerate(scene.actors) if np.isfinite(seen_centres(scene, actor)[:, 0]).sum() >= 10
    ]
    pairs = {row: column for row, column in pairs.items() if row in visible}
    score["things"], score["things found"], score["things reported"] = len(visible), len(pairs), len(things)
    errors = [float(table[row, column, 0]) for row, column in pairs.items()]
    for row in visible:
        if row not in pairs:
            actor = scene.actors[row]
            notes.append(f"missed {actor.colour[0]} {actor.shape} r={actor.radius[0]:.0f} at {actor.places[0].round()}")
    for column, thing in enumerate(things):
        if column not in pairs.values():
            notes.append(
                f"made up {thing.name} {thing.span} at {thing.centres[0].round()} area {thing.areas.mean():.0f}"
            )
    for row, column in pairs.items():
        actor, thing = scene.actors[row], things[column]
        right = {actor.colour[0], actor.colour[-1]}
        told = thing.colour.name
        score["colour " + ("untold" if told is None else "right" if told in right else "wrong")] += 1
        if told is not None and told not in right:
            notes.append(f"colour of {actor.colour[0]} {actor.rgb[0]} said {told}")
        told = thing.shape.name
        score["shape " + ("untold" if told is None else "right" if told == actor.shape else "wrong")] += 1
        if told != actor.shape:
            notes.append(f"shape of {actor.shape} r={actor.radius[0]:.0f} said {told}")
    events(scene, report, {row: things[column].id for row, column in pairs.items()}, score, notes)
    counts(scene, report, draw, score)
    pans = {move.direction for move in report.camera if move.kind == "pan"}
    score["pans"] += bool(scene.pan)
    score["pans found"] += scene.pan in pans
    score["pans reported"] += len(report.camera)
    score["pans untold"] += (
        bool(scene.pan) and scene.pan not in pans and any("camera" in each.what for each in report.unseen)
    )
    if pans != ({scene.pan} - {""}) or len(report.camera) != bool(scene.pan):
        notes.append(f"pan is '{scene.pan}', said {[(m.kind, m.direction, str(m.span)) for m in report.camera]}")
    score["cuts reported"] += len(report.shots) - 1
    return score, errors, notes


def events(scene: Scene, report: Report, ids: dict[int, int], score: Counter, notes: list[str]) -> None:
    """Match events of one kind and thing in order of nearness in time."""
    kinds = {kind for kind, _, _ in scene.events} | {
        "bounces",
        "starts",
        "stops",
        "appears",
        "disappears",
        "changes colour",
        "collides",
    }
    # At the very end one cannot tell a bounce from a stop, so nothing is asked there.
    left = [each for each in report.changes if each.kind in kinds and each.span.start_s < Fraction(FRAMES - 5, RATE)]
    for kind, at_s, row in scene.events:
        frame = round(at_s * RATE)
        around = seen_centres(scene, scene.actors[row])[max(0, frame - 3) : frame + 3, 0]
        if np.isnan(around).all():  # it happens outside of the picture
            continue
        score["events"] += 1
        score[f"{kind}"] += 1
        slack = WITHIN_S if kind not in ("grows", "shrinks") else 4 * WITHIN_S  # its rate is low at first
        fit = [
            each
            for each in left
            if each.kind == kind and ids.get(row) in (each.thing, each.other) and abs(each.span.start_s - at_s) <= slack
        ]
        if fit:
            left.remove(min(fit, key=lambda each: abs(each.span.start_s - at_s)))
            score["events found"] += 1
            score[f"{kind} found"] += 1
        else:
            near = [(each.kind, float(each.span.start_s)) for each in report.changes if each.thing == ids.get(row)]
            followed = "followed" if row in ids else "not found"
            notes.append(f"event missed: {kind} at {float(at_s):.2f} of {row} ({followed}), its own: {near}")
    score["events reported"] += score["events found"] + len(left)
    for each in left:
        score[f"{each.kind} made up"] += 1
        notes.append(f"event made up: {each.kind} {float(each.span.start_s):.2f} of {each.thing}")


def counts(scene: Scene, report: Report, draw: Random, score: Counter) -> None:
    for number in draw.sample(range(4, FRAMES - 4), 3):
        at_s = Fraction(number, RATE)
        true = sum(bool(np.isfinite(seen_centres(scene, actor)[number, 0])) for actor in scene.actors)
        said = sum(thing.part_of is None and thing.span.holds(at_s) for thing in report.things)
        score["counts"] += 1
        score["counts right"] += true == said


def try_scene(seed: str) -> tuple[str, Counter, list[float], list[str]]:
    draw = Random(seed)
    scene = draw_scene(draw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.mp4"
        write_clip(path, frames(scene, draw.getrandbits(32)), rate=Fraction(RATE), crf=scene.crf)
        return seed, *compare(scene, look(path), draw)


def share(found: int, of: int) -> str:
    if not of:
        return "none"
    low, high = wilson(found, of)
    return f"{found / of:.3f} [{low:.3f}, {high:.3f}]  n={of}"


def speed() -> str:
    draw = Random("speed")
    with tempfile.TemporaryDirectory() as folder:
        scene = draw_scene(draw)
        path = Path(folder) / "clip.mp4"
        pictures = [cv2.resize(picture, (854, 480)) for picture in frames(scene, 1)]
        write_clip(path, (pictures[-abs(number % (2 * FRAMES) - FRAMES)] for number in range(250)), rate=Fraction(RATE))
        began = time.process_time()
        look(path)
        taken = time.process_time() - began
    return f"a look at 10 s of 854×480: {taken:.1f} CPU s, {taken / 10:.2f} × real time (wanted: at most 2)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--seed", default="held out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="say for each scene what was wrong")
    given = parser.parse_args()
    total: Counter = Counter()
    errors: list[float] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for name, score, distances, notes in pool.map(try_scene, [f"{given.seed} {n}" for n in range(given.scenes)]):
            total += score
            errors += distances
            if given.list:
                print(name, *notes, sep="\n    ", file=sys.stderr)
    print(f"{given.scenes} scenes of seed {given.seed}; shares with Wilson's 95% interval")
    for label, found, of in (
        ("things: recall", total["things found"], total["things"]),
        ("things: precision", total["things found"], total["things reported"]),
        ("counts right", total["counts right"], total["counts"]),
        ("events: recall", total["events found"], total["events"]),
        ("events: precision", total["events found"], total["events reported"]),
        ("pans: recall", total["pans found"], total["pans"]),
    ):
        print(f"{label:20}{share(found, of)}")
    invented = total["pans reported"] - total["pans found"]
    missed = total["pans"] - total["pans found"]
    print(f"pans that are missed: {missed}, of which {total['pans untold']} are said to be beyond its sight")
    print(f"where there are none: {invented} camera moves, {total['cuts reported']} cuts")
    for what in ("colour", "shape"):
        print(
            f"{what + ' of found things':24}"
            + ", ".join(f"{word} {total[f'{what} {word}']}" for word in ("right", "untold", "wrong"))
        )
    print(
        f"place of found things: median error {np.median(errors):.2f} px, 95% within {np.quantile(errors, 0.95):.2f} px"
    )
    for kind in sorted(
        {key.removesuffix(" found") for key in total if key.endswith(" found")} - {"things", "events", "pans"}
    ):
        print(f"    {kind:16}{total[kind + ' found']:4} of {total[kind]:3}, made up {total[kind + ' made up']}")
    print(speed())


if __name__ == "__main__":
    main()
