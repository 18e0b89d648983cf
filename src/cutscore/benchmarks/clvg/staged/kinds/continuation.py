"""A ball rolls on where a clip ends, comes from where a clip begins, or gets from one clip to another."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.films import film_scene, make_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import (
    ColourTrack,
    WatchedFilm,
    find_standstill,
    fit_line,
    follow_colours,
    share_changed,
    watch,
)
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage, hold_picture
from cutscore.stage.palette import Colour
from cutscore.stage.render import frame
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Ease, Move, Thing

Leg = tuple[Fraction, int, Ease, int]  # how long it takes, where it leads, how, and how high the ball hops

SPEED, ASKED_S = 260, Fraction(3)
FLOOR_Y, BALL = 760, 120
HIGH = FLOOR_Y - BALL // 2
CRATE_X, STONE_X, STONE_TOP = 1230, 850, 650
SHIFTED = 280  # units by which the ball jumps in a film whose join is broken
NEAR = 75  # units from where the clip leaves the ball; a film may begin with its last picture or with the next
ALIKE_SPEED = 0.45  # share of its speed by which the ball may seem faster or slower at a join
PICTURES = 4  # at a join, from which the speed is told
OTHER = 0.04  # share of the pixels that may differ between the pictures on both sides of a join


class RollingBall(FrozenModel):
    """Which part of a ball's way is given, and which is asked for."""

    asked: Literal["forward", "backward", "between"]
    ball: Colour
    mark: Colour


def _time(way: int) -> Fraction:
    return Fraction(way, SPEED)


def _given(roll: RollingBall) -> list[tuple[int, int]]:
    """Return from where to where the ball rolls in each given clip."""
    return {"forward": [(200, 590)], "backward": [(1010, 1400)], "between": [(200, 460), (1240, 1500)]}[roll.asked]


def _legs(roll: RollingBall, variant: int) -> tuple[int, list[Leg]]:
    """Return where the asked film begins, and how the ball goes on; both variants fit to the clips around them."""
    near, far = CRATE_X - 160, 530
    if roll.asked == "forward":  # to the crate at an even pace, or slower towards the end
        steady: list[Leg] = [(_time(480), near, "steady", 0)]
        slower: list[Leg] = [(_time(240), 830, "steady", 0), (2 * _time(240), near, "slowing", 0)]
        return 590, slower if variant else steady
    if roll.asked == "backward":
        even: list[Leg] = [(ASKED_S - _time(480), far, "steady", 0), (_time(480), 1010, "steady", 0)]
        waits = ASKED_S - 3 * _time(240)
        faster: list[Leg] = [
            (waits, far, "steady", 0),
            (2 * _time(240), 770, "speeding", 0),
            (_time(240), 1010, "steady", 0),
        ]
        return far, faster if variant else even
    start, end, arc = ((640, 1060, 260), (600, 1100, 320))[variant]
    return 460, [
        (_time(start - 460), start, "steady", 0),
        (_time(end - start), end, "steady", arc),
        (_time(1240 - end), 1240, "steady", 0),
    ]


def _scene(roll: RollingBall, x: int, legs: Sequence[Leg], length_s: Fraction) -> Scene:
    stands = {
        "forward": Thing(id="mark", kind="crate", colour=roll.mark, x=CRATE_X, y=FLOOR_Y - 100, width=200, height=200),
        "backward": Thing(id="mark", kind="crate", colour=roll.mark, x=370, y=FLOOR_Y - 100, width=200, height=200),
        "between": Thing(
            id="mark", kind="square", colour=roll.mark, x=STONE_X, y=(FLOOR_Y + STONE_TOP) // 2, width=100, height=110
        ),
    }
    ball = Thing(id="ball", kind="ball", colour=roll.ball, x=x, y=HIGH, width=BALL, layer=1)
    changes: list[Change] = []
    at_s = Fraction(0)
    for takes_s, to, ease, arc in legs:
        if takes_s:
            changes.append(Move(thing="ball", at_s=at_s, for_s=takes_s, x=to, y=HIGH, ease=ease, arc=arc))
        at_s += takes_s
    room = Place(backdrop="studio", colour="grey")
    return make_scene("rolling", length_s, places=(room,), things=(stands[roll.asked], ball), changes=tuple(changes))


def _clip(roll: RollingBall, way: tuple[int, int]) -> Scene:
    start, end = way
    takes_s = _time(end - start)
    return _scene(roll, start, [(takes_s, end, "steady", 0)], takes_s)


def _asked(roll: RollingBall, variant: int) -> Scene:
    x, legs = _legs(roll, variant)
    return _scene(roll, x, legs, ASKED_S)


def _context(settings: Settings, store: FileStore) -> StagedContext:
    roll = RollingBall.model_validate(settings)
    says = {"forward": ["what comes before"], "backward": ["what comes after"]}
    words = says.get(roll.asked, ["what comes before", "what comes after"])
    names = [text.rpartition(" ")[2] + ".mp4" for text in words]
    clips = [film_scene(_clip(roll, way)) for way in _given(roll)]
    files = tuple(put_film(store, name, clip) for name, clip in zip(names, clips, strict=True))
    parts = tuple(ContextPart(role="source", file=name, text=text) for name, text in zip(names, words, strict=True))
    return StagedContext(files=files, parts=parts)


def _film(settings: Settings, variant: int) -> Footage:
    return film_scene(_asked(RollingBall.model_validate(settings), variant))


def _spoil(settings: Settings, code: str) -> Footage:
    roll = RollingBall.model_validate(settings)
    right = _asked(roll, 0)
    if code == "no_change":  # the clip once more
        return film_scene(_clip(roll, _given(roll)[0]))
    if code == "frozen":
        number = right.frames - 1 if roll.asked == "backward" else 0
        return hold_picture(frame(right, number), count=right.frames, rate=right.rate)
    x, legs = _legs(roll, 0)
    if roll.asked == "backward":  # it ends before it is where the clip begins
        takes_s, to, ease, arc = legs[-1]
        return film_scene(_scene(roll, x, [*legs[:-1], (takes_s, to - SHIFTED, ease, arc)], ASKED_S))
    return film_scene(_scene(roll, x - SHIFTED, legs, ASKED_S))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    roll, film = RollingBall.model_validate(settings), watch(path)
    if still := find_standstill(film):
        return still
    track = follow_colours(film, [roll.ball, roll.mark])[roll.ball]
    return (
        _find_repeat(film, roll, track) or _find_broken_join(film, roll, track) or _find_missed_goal(film, roll, track)
    )


def _find_repeat(film: WatchedFilm, roll: RollingBall, track: ColourTrack) -> list[Weakness]:
    """Return that the film is one of the clips once more."""
    for start, end in _given(roll):
        first, last = (
            frame(_clip(roll, (start, end)), number) for number in (0, -1 + _clip(roll, (start, end)).frames)
        )
        same = max(share_changed(film.pictures[0], first), share_changed(film.pictures[-1], last)) <= OTHER / 4
        if same and abs(track.x[0] - start) <= NEAR / 2 and abs(track.x[-1] - end) <= NEAR:
            return [film.weakness("no_change", "The film is the given clip once more.")]
    return []


def _find_broken_join(film: WatchedFilm, roll: RollingBall, track: ColourTrack) -> list[Weakness]:
    """Return where ball, picture or speed do not fit to the clip before, or to the one after."""
    before = {"forward": 0, "between": 0}.get(roll.asked)
    after = {"backward": 0, "between": 1}.get(roll.asked)
    if before is not None:
        clip = _clip(roll, _given(roll)[before])
        beside = frame(clip, clip.frames - 1)
        if text := _misfit(film, track, 0, _given(roll)[before][1], beside):
            return [film.weakness("broken_join", text, 0)]
    if after is not None:
        beside, last = frame(_clip(roll, _given(roll)[after]), 0), len(film.pictures) - 1
        if text := _misfit(film, track, last, _given(roll)[after][0], beside):
            return [film.weakness("broken_join", text, last)]
    return []


def _misfit(film: WatchedFilm, track: ColourTrack, number: int, x: int, beside: np.typing.NDArray[np.uint8]) -> str:
    """Return what does not fit at a join; nothing where all does."""
    if not abs(track.x[number] - x) <= NEAR:
        return f"The ball is at {track.x[number]:.0f}, the clip has it at {x}."
    if share_changed(film.pictures[number], beside) > OTHER:
        return "The picture is another one than in the clip."
    part = slice(0, PICTURES) if number == 0 else slice(-PICTURES, None)
    speed, _ = fit_line(film.times[part], track.x[part])
    if not abs(speed / SPEED - 1) <= ALIKE_SPEED:
        return f"The ball rolls {speed:.0f} units a second, in the clip {SPEED}."
    return ""


def _find_missed_goal(film: WatchedFilm, roll: RollingBall, track: ColourTrack) -> list[Weakness]:
    if not track.seen.all():
        return [film.weakness("lost_matter", "The ball is gone.", int(np.argmin(track.seen)))]
    if roll.asked == "forward" and abs(track.x[-1] - (CRATE_X - 160)) > NEAR:
        return [film.weakness("goal_missed", "The ball does not come to rest beside the crate.")]
    if roll.asked == "backward" and abs(track.x[0] - 530) > NEAR:
        return [film.weakness("goal_missed", "The ball does not begin beside the crate.", 0)]
    over = np.abs(track.x - STONE_X) < BALL / 2
    if roll.asked == "between" and not (over.any() and (track.y[over] + BALL / 2 < STONE_TOP + BALL / 4).all()):
        return [film.weakness("passed_through", "The ball does not get over the block.", int(np.argmax(over)))]
    return []


KIND = StagedKind(
    cases=(
        StagedCase(
            name="roll-on",
            kind="continuation",
            subcategory="forward_continuation",
            instruction="Go on where the clip ends: the ball rolls on at the pace that it has, until it is right "
            "beside the crate, and stays there. The camera stands still.",
            settings={"asked": "forward", "ball": "red", "mark": "green"},
        ),
        StagedCase(
            name="roll-before",
            kind="continuation",
            subcategory="backward_continuation",
            instruction="Show what came before the clip, up to its first picture: the ball lay right beside the crate, "
            "began to roll and had its pace when the clip begins. The camera stands still.",
            settings={"asked": "backward", "ball": "blue", "mark": "orange"},
        ),
        StagedCase(
            name="hop-between",
            kind="continuation",
            subcategory="transition_completion",
            instruction="Show what happens between the two clips: the ball rolls on, hops over the block and rolls to "
            "where the second clip begins. The camera stands still.",
            settings={"asked": "between", "ball": "purple", "mark": "orange"},
        ),
    ),
    context=_context,
    film=_film,
    plants=("broken_join", "no_change", "frozen"),
    spoil=_spoil,
    verify=_verify,
)
