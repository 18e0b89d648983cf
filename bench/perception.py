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
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from random import Random

import cv2
import numpy as np
from drawn_scenes import FRAMES, RATE, Actor, Scene, draw_scene, frames
from scipy.optimize import linear_sum_assignment

from cutscore.media.render import write_clip
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.report import ObjectTrack, Report
from cutscore.stats.intervals import wilson_interval

WITHIN_S = Fraction(2, RATE)


def seen_centres(scene: Scene, actor: Actor) -> np.ndarray:
    """Where a thing is in the picture, and nowhere (nan) when it is not there or half outside."""
    places = actor.places - scene.offsets
    gone = np.arange(FRAMES)
    away = (gone < actor.first) | (gone >= actor.end)
    outside = ((places < 0) | (places > scene.size)).any(1)
    return np.where((away | outside)[:, None], np.nan, places)


def error(scene: Scene, actor: Actor, track: ObjectTrack) -> tuple[float, float]:
    """Median distance in pixels, and the share of the time of either in which both are there."""
    truth = seen_centres(scene, actor)
    numbers = [round(at_s * RATE) for at_s in track.at_s]
    both = [(truth[number], centre) for number, centre in zip(numbers, track.centres, strict=True) if number < FRAMES]
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
    tracks = [track for track in report.tracks if track.part_of is None]
    table = np.array([[error(scene, actor, track) for track in tracks] for actor in scene.actors]).reshape(
        len(scene.actors), len(tracks), 2
    )
    cost = np.where((table[..., 1] >= 0.5), 1 - table[..., 1], 9.0)
    pairs = {row: column for row, column in zip(*linear_sum_assignment(cost), strict=True) if cost[row, column] < 9}
    visible = [
        row for row, actor in enumerate(scene.actors) if np.isfinite(seen_centres(scene, actor)[:, 0]).sum() >= 10
    ]
    pairs = {row: column for row, column in pairs.items() if row in visible}
    score["things"], score["things found"], score["things reported"] = len(visible), len(pairs), len(tracks)
    errors = [float(table[row, column, 0]) for row, column in pairs.items()]
    for row in visible:
        if row not in pairs:
            actor = scene.actors[row]
            notes.append(f"missed {actor.colour[0]} {actor.shape} r={actor.radius[0]:.0f} at {actor.places[0].round()}")
    for column, track in enumerate(tracks):
        if column not in pairs.values():
            notes.append(
                f"made up {track.name} {track.span} at {track.centres[0].round()} area {track.areas.mean():.0f}"
            )
    for row, column in pairs.items():
        actor, track = scene.actors[row], tracks[column]
        right = {actor.colour[0], actor.colour[-1]}
        told = track.colour.name
        score["colour " + ("untold" if told is None else "right" if told in right else "wrong")] += 1
        if told is not None and told not in right:
            notes.append(f"colour of {actor.colour[0]} {actor.rgb[0]} said {told}")
        told = track.shape.name
        score["shape " + ("untold" if told is None else "right" if told == actor.shape else "wrong")] += 1
        if told != actor.shape:
            notes.append(f"shape of {actor.shape} r={actor.radius[0]:.0f} said {told}")
    events(scene, report, {row: tracks[column].id for row, column in pairs.items()}, score, notes)
    counts(scene, report, draw, score)
    pans = {move.direction for move in report.camera if move.kind == "pan"}
    score["pans"] += bool(scene.pan)
    score["pans found"] += scene.pan in pans
    score["pans reported"] += len(report.camera)
    score["pans untold"] += (
        bool(scene.pan) and scene.pan not in pans and any("camera" in each.what for each in report.blind_spots)
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
    left = [each for each in report.events if each.kind in kinds and each.span.start_s < Fraction(FRAMES - 5, RATE)]
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
            if each.kind == kind and ids.get(row) in (each.track, each.other) and abs(each.span.start_s - at_s) <= slack
        ]
        if fit:
            left.remove(min(fit, key=lambda each: abs(each.span.start_s - at_s)))
            score["events found"] += 1
            score[f"{kind} found"] += 1
        else:
            near = [(each.kind, float(each.span.start_s)) for each in report.events if each.track == ids.get(row)]
            followed = "followed" if row in ids else "not found"
            notes.append(f"event missed: {kind} at {float(at_s):.2f} of {row} ({followed}), its own: {near}")
    score["events reported"] += score["events found"] + len(left)
    for each in left:
        score[f"{each.kind} made up"] += 1
        notes.append(f"event made up: {each.kind} {float(each.span.start_s):.2f} of {each.track}")


def counts(scene: Scene, report: Report, draw: Random, score: Counter) -> None:
    for number in draw.sample(range(4, FRAMES - 4), 3):
        at_s = Fraction(number, RATE)
        true = sum(bool(np.isfinite(seen_centres(scene, actor)[number, 0])) for actor in scene.actors)
        said = sum(track.part_of is None and track.span.holds(at_s) for track in report.tracks)
        score["counts"] += 1
        score["counts right"] += true == said


def try_scene(seed: str) -> tuple[str, Counter, list[float], list[str]]:
    draw = Random(seed)
    scene = draw_scene(draw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.mp4"
        write_clip(path, frames(scene, draw.getrandbits(32)), rate=Fraction(RATE), crf=scene.crf)
        return seed, *compare(scene, analyze_clip(path), draw)


def share(found: int, of: int) -> str:
    if not of:
        return "none"
    low, high = wilson_interval(found, of)
    return f"{found / of:.3f} [{low:.3f}, {high:.3f}]  n={of}"


def speed() -> str:
    draw = Random("speed")
    with tempfile.TemporaryDirectory() as folder:
        scene = draw_scene(draw)
        path = Path(folder) / "clip.mp4"
        pictures = [cv2.resize(picture, (854, 480)) for picture in frames(scene, 1)]
        write_clip(path, (pictures[-abs(number % (2 * FRAMES) - FRAMES)] for number in range(250)), rate=Fraction(RATE))
        began = time.process_time()
        analyze_clip(path)
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
