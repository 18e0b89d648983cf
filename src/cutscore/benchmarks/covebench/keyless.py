"""The reader: an editor without a model that does four kinds of edits on any clip, and says what it left.

    recolour      `make the red ball blue`: the largest patch of that colour gets the other one; light and shade stay
    light, tint   night, dusk, sepia, black and white, faded
    speed         half or twice as fast
    reframe       a close or a medium shot, a pan to either side

It goes by words and pixels alone. Whatever else an instruction asks for stays undone.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from cutscore.benchmarks.covebench.judge_reader import judge_by_reading
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import NAMES
from cutscore.subjects.picture_edits import recolour, reframe, tone

__all__ = ["judge_by_reading", "reader"]

PictureEdit = Callable[[Pixels, float], Pixels]  # a picture and how far the film is by then, 0 to 1

COLOUR = "|".join(NAMES)
RECOLOUR = re.compile(
    rf"\b(?:make|paint|turn|change) the (?P<old>{COLOUR}) [\w ]+? (?:to |into )?(?P<new>{COLOUR})\b", re.I
)
TONES = {
    "night": re.compile(r"\bnight\b", re.I),
    "dusk": re.compile(r"\b(?:dusk|sunset|evening)\b", re.I),
    "sepia": re.compile(r"\bsepia\b", re.I),
    "grey": re.compile(r"\b(?:black[- ]and[- ]white|monochrom\w*|gr[ea]yscale)\b", re.I),
    "faded": re.compile(r"\b(?:faded|pale|washed[- ]out)\b", re.I),
}
SPEEDS = {
    Fraction(1, 2): re.compile(r"\b(?:slow(?: \w+){1,3} down|slow[- ]motion|half (?:of )?(?:its|the) speed)\b", re.I),
    Fraction(2): re.compile(r"\b(?:twice as fast|double (?:its|the) speed|speed (?:it )?up)\b", re.I),
}
FRAMINGS = {
    0.4: re.compile(r"\bclose(?:-up| shot)\b", re.I),
    0.625: re.compile(r"\b(?:medium shot|pan\b)", re.I),
}
PAN = re.compile(r"\bpan\b[\w ]*?\b(?P<side>left|right)\b", re.I)
PAN_SHARE = 0.16  # of the width that a pan crosses


@dataclass(frozen=True)
class EditPlan:
    """What it understood: edits of each picture in order, the speed, and the clauses that it leaves."""

    pictures: tuple[tuple[str, PictureEdit], ...]
    speed: Fraction
    left: tuple[str, ...]


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Do what it understands of the instruction, and hand over the video."""
    words, source = ask.part("instruction"), ask.part("source")
    file = ask.file(source.file) if source else None
    if words is None or file is None:
        raise SubjectFailed("reader", "was given no source")
    plan = read_instruction(words.text)
    footage = load_footage(context.store.path(file))
    for name, _ in plan.pictures:
        context.steps.add(did=Action(tool="edit", arguments={"what": name}))
    if plan.speed != 1:
        context.steps.add(did=Action(tool="edit", arguments={"what": "speed", "factor": str(plan.speed)}))
    if plan.left:
        context.steps.add("It leaves: " + " ".join(plan.left))
    name = ask.wanted[0].name
    write_footage(apply_plan(footage, plan), out := context.workspace / name)
    return Deliverable(files=(context.store.put(out, name=name, media_type="video/mp4"),))


def read_instruction(text: str) -> EditPlan:
    """Read an instruction clause by clause.

    >>> plan = read_instruction("Make the red ball blue. Add a cat. Slow everything down.")
    >>> [name for name, _ in plan.pictures], plan.speed, plan.left
    (['red to blue'], Fraction(1, 2), ('Add a cat.',))
    """
    pictures: list[tuple[str, PictureEdit]] = []
    speed, left = Fraction(1), []
    for clause in re.split(r"(?<=[.;!]) +", text.strip()):
        edits = _picture_edits(clause)
        factor = next((factor for factor, words in SPEEDS.items() if words.search(clause)), None)
        pictures += edits
        speed *= factor or 1
        if not edits and factor is None and not re.match(r"(?:leave|keep|maintain)\b", clause, re.I):
            left.append(clause)
    return EditPlan(tuple(pictures), speed, tuple(left))


def _picture_edits(clause: str) -> list[tuple[str, PictureEdit]]:
    found: list[tuple[str, PictureEdit]] = []
    if match := RECOLOUR.search(clause):
        old, new = match["old"].lower(), match["new"].lower()
        found.append((f"{old} to {new}", partial(_recolour_picture, old, new)))
    for name, words in TONES.items():
        if words.search(clause):
            found.append((name, partial(_tone_picture, name)))
    for share, words in FRAMINGS.items():
        if words.search(clause):
            pan = PAN.search(clause)
            way = 0.0 if pan is None else PAN_SHARE if pan["side"].lower() == "right" else -PAN_SHARE
            found.append(("frame", partial(_frame_picture, share, way)))
    return found


def _recolour_picture(old: str, new: str, pixels: Pixels, _at: float) -> Pixels:
    return recolour(pixels, old, new)


def _tone_picture(name: str, pixels: Pixels, _at: float) -> Pixels:
    return tone(pixels, name)


def _frame_picture(share: float, way: float, pixels: Pixels, at: float) -> Pixels:
    return reframe(pixels, share, way * at)


def apply_plan(footage: Footage, plan: EditPlan) -> Footage:
    """Return the footage with everything done to its pictures, at the other speed."""

    def pictures() -> Iterator[Pixels]:
        for number, picture in enumerate(footage.pictures()):
            at = number / max(1, footage.count - 1)
            yield reduce(lambda pixels, edit: edit[1](pixels, at), plan.pictures, picture)

    if plan.speed == 1:
        return replace(footage, pictures=pictures)
    # At another speed the sound would be at another pitch; nobody judges it, so it is left out.
    return replace(footage, pictures=pictures, rate=footage.rate * plan.speed, sound=None)
