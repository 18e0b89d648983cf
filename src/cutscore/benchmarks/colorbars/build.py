"""The clips, staged from a seed: a panel that changes colour, a card that changes words, balls that come and go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.colorbars.dataset import KINDS, ColorbarsItem, Kind, ValueSpan
from cutscore.core.files import FileStore
from cutscore.stage.palette import VIVID, Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Appear, Change, Recolour, Thing, Vanish, Write

CLIPS, SEED = 20, 1
WORDS = ("apple", "cloud", "glove", "honey", "lemon", "piano", "river", "stone", "tiger", "train")

RATE, FRAMES, WIDTH, HEIGHT = Fraction(25), 60, 320, 180  # 2.4 seconds
SHORTEST = 8  # frames (0.32 s) that anything stays at least
MARGIN = 3  # frames (0.12 s) between a question and the nearest change: being one frame off is no mistake
BALLS = 4


@dataclass(frozen=True)
class StagedClip:
    """A scene, and what it shows from when to when: its colour, its word, the number of its balls."""

    scene: Scene
    shows: Mapping[Kind, tuple[ValueSpan, ...]]


def draw_clip(
    name: str, draw: Random, *, colours: Sequence[Colour] = VIVID, words: Sequence[str] = WORDS
) -> StagedClip:
    """Draw up a clip: four colours, four words and one to four balls, each changing at times of its own."""
    balls = [str(number + 1) for number in range(BALLS)]
    values: dict[Kind, Sequence[str]] = {"colour": colours, "word": words, "count": balls}
    shows = {kind: _segments(draw, draw.sample(list(values[kind]), 4)) for kind in KINDS}
    first = {kind: segments[0].value for kind, segments in shows.items()}
    panel = Thing(id="panel", kind="square", colour=first["colour"], x=800, y=450, width=1560, height=860, layer=-1)
    card = Thing(id="card", kind="card", colour="white", x=800, y=260, width=640, height=240, text=first["word"])
    shade: Colour = draw.choice(["black", "white"])
    things = [
        Thing(id=f"ball-{n}", kind="ball", colour=shade, x=x, y=y, width=150, height=150, seen=n <= int(first["count"]))
        for n, (x, y) in enumerate(_places(draw), start=1)
    ]
    changes = [
        *(Recolour(thing="panel", at_s=each.start_s, to=each.value) for each in shows["colour"][1:]),
        *(Write(thing="card", at_s=each.start_s, to=each.value) for each in shows["word"][1:]),
        *(change for before, after in pairwise(shows["count"]) for change in _come_and_go(before, after)),
    ]
    scene = Scene(
        name=name,
        title="Panel, card and balls",
        width=WIDTH,
        height=HEIGHT,
        rate=RATE,
        length_s=FRAMES / RATE,
        places=(Place(colour="grey"),),
        things=(panel, card, *things),
        changes=tuple(changes),
    )
    return StagedClip(scene, shows)


def _segments(draw: Random, values: Sequence[str]) -> tuple[ValueSpan, ...]:
    """Fill the clip with values one after the other, changing on frame boundaries."""
    spare = sorted(draw.choices(range(FRAMES - len(values) * SHORTEST + 1), k=len(values) - 1))
    cuts = [0, *(number * SHORTEST + extra for number, extra in enumerate(spare, start=1)), FRAMES]
    return tuple(
        ValueSpan(value=value, start_s=start / RATE, end_s=end / RATE)
        for value, (start, end) in zip(values, pairwise(cuts), strict=True)
    )


def _places(draw: Random) -> list[tuple[int, int]]:
    """Return each ball a place of its own in the lower half of the panel."""
    columns = draw.sample(range(6), BALLS)
    return [(260 + 216 * column + draw.randint(-25, 25), 640 + draw.randint(-70, 70)) for column in columns]


def _come_and_go(before: ValueSpan, after: ValueSpan) -> list[Change]:
    """Let the balls with the highest numbers leave, or the next ones come."""
    had, has = int(before.value), int(after.value)
    change = Appear if has > had else Vanish
    return [change(thing=f"ball-{n}", at_s=after.start_s) for n in range(min(had, has) + 1, max(had, has) + 1)]


def draw_moments(draw: Random, shows: Mapping[Kind, tuple[ValueSpan, ...]]) -> dict[str, tuple[Kind, Fraction]]:
    """Pick a question and a moment for each third of the clip, away from every change of what is asked about."""
    asked = {}
    for third, (name, kind) in enumerate(zip(("early", "middle", "late"), draw.sample(KINDS, 3), strict=True)):
        cuts = [0, *(int(segment.end_s * RATE) for segment in shows[kind])]
        clear = [frame for frame in range(FRAMES) if all(abs(frame - cut) >= MARGIN for cut in cuts)]
        asked[name] = kind, draw.choice([frame for frame in clear if frame * 3 // FRAMES == third]) / RATE
    return asked


def starter(
    store: FileStore, *, seed: int = SEED, colours: Sequence[Colour] = VIVID, words: Sequence[str] = WORDS
) -> list[ColorbarsItem]:
    """Draw the starter pack; another seed, other colours or words give other clips of the same difficulty."""
    return [
        item
        for number in range(1, CLIPS + 1)
        for item in _questions(f"bars-{number:02d}", Random(f"colorbars {seed} {number}"), store, colours, words)
    ]


def _questions(
    name: str, draw: Random, store: FileStore, colours: Sequence[Colour], words: Sequence[str]
) -> list[ColorbarsItem]:
    made = draw_clip(name, draw, colours=colours, words=words)
    file = put_scene(store, f"{name}.mp4", made.scene)
    return [
        ColorbarsItem(
            id=f"{name}-{letter}",
            cluster=name,
            groups={"kind": kind, "moment": moment},
            clip=file,
            kind=kind,
            at_s=at_s,
            # What the clip itself shows: whoever looked at the wrong moment finds a wrong answer among them.
            choices=tuple(draw.sample([each.value for each in made.shows[kind]], len(made.shows[kind]))),
            answer=next(each.value for each in made.shows[kind] if each.holds(at_s)),
            segments=made.shows[kind],
        )
        for letter, (moment, (kind, at_s)) in zip("abc", draw_moments(draw, made.shows).items(), strict=True)
    ]
