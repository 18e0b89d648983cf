"""Partial reference: a sound of a file, to be heard whenever something happens in the clip.

The delivered sound is searched for the reference by correlation, which loudness and encoders do not change; it has to
be there at each of the true moments, and nowhere else. The pictures have to be those of the clip.
"""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.staged.comparing import (
    Moment,
    TruePictures,
    lacks_length,
    moments_of,
    name_often,
    shows_other,
)
from cutscore.benchmarks.clvg.staged.films import film_scene, put_film
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.sets import LENGTH_S, build_set
from cutscore.core.files import FileStore
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.media.footage import Footage
from cutscore.media.sound import Sound
from cutscore.perception.sound_match import find_sound
from cutscore.stage.edits import Paint, apply
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Cue, Place
from cutscore.stage.sound import sound
from cutscore.stage.things import Move, Thing

HEARD_HZ = 16_000
LATE_S = 0.15
FLOOR, TOP = 700, 250


def _hits(settings: Settings) -> list[Fraction]:
    return [Fraction(str(each)) for each in cast(list[Any], settings["hits"])]


def _scene(settings: Settings) -> Scene:
    """Return a ball that falls onto the floor at each moment, and rises in between."""
    hits = _hits(settings)
    moves, before_s = [], Fraction(0)
    for number, at_s in enumerate(hits):
        if number:
            middle_s = (before_s + at_s) / 2
            moves.append(_move(before_s, middle_s, TOP + 120 * number, number, "slowing"))
            before_s = middle_s
        moves.append(_move(before_s, at_s, FLOOR, number, "speeding"))
        before_s = at_s
    ball = Thing.model_validate({"id": "ball", "kind": "ball", "colour": "red", "x": 500, "y": TOP, "width": 170})
    table = Thing.model_validate(
        {"id": "table", "kind": "bar", "colour": "brown", "x": 800, "y": 800, "width": 1300, "height": 40}
    )
    return build_set("drop", Place.model_validate({"backdrop": "studio", "colour": "grey"}), [table, ball], moves)


def _move(start_s: Fraction, end_s: Fraction, y: int, number: int, ease: str) -> Move:
    times = {"at_s": start_s, "for_s": end_s - start_s, "ease": ease}
    return Move.model_validate({"thing": "ball", **times, "x": 620 + 220 * number, "y": y})


def _with_cues(settings: Settings, effect: str, moments: Sequence[Fraction]) -> Sound:
    cues = tuple(
        Cue.model_validate({"at_s": at_s, "sound": effect, "for_s": "1/4", "pitch_hz": 880}) for at_s in moments
    )
    return sound(_scene(settings).model_copy(update={"cues": cues}))


def _reference(settings: Settings) -> Sound:
    return _with_cues(settings, str(settings["effect"]), [Fraction(0)]).part(Span(start_s=0, end_s=Fraction(1, 4)))


def context(settings: Settings, store: FileStore) -> StagedContext:
    """Film the ball without sound, and write the sound to a file of its own."""
    source = put_film(store, "source.mp4", film_scene(_scene(settings)))
    reference = _reference(settings)
    mono = Sound(reference.mono(), reference.rate_hz)
    effect = store.put_bytes(mono.as_wav(), name="sound.wav", media_type="audio/wav")
    parts = (ContextPart(role="source", file=source.name), ContextPart(role="sound", file=effect.name))
    return StagedContext(files=(source, effect), parts=parts)


def film(settings: Settings, variant: int) -> Footage:
    """Return the clip with the sound at each hit, or with the same at half the loudness."""
    heard = _with_cues(settings, str(settings["effect"]), _hits(settings))
    quiet = Sound(heard.samples * np.float32(0.5), heard.rate_hz)
    return _with_sound(_scene(settings), quiet if variant else heard)


def _with_sound(scene: Scene, heard: Sound) -> Footage:
    made = film_scene(scene)
    return Footage(made.pictures, made.count, made.rate, heard, made.name)


def spoil(settings: Settings, code: str) -> Footage:
    """Return another sound at each hit, or the right one in a clip whose ball has another colour."""
    if code == "wrong_sound":
        return _with_sound(_scene(settings), _with_cues(settings, str(settings["wrong"]), _hits(settings)))
    other = apply(_scene(settings), Paint(thing="ball", colour="blue"))
    return _with_sound(other, _with_cues(settings, str(settings["effect"]), _hits(settings)))


def verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    """Listen for the sound at each hit, and compare the pictures with the clip."""
    truth = TruePictures(_scene(settings))
    if not (moments := moments_of(path)):
        return lacks_length("collateral_change")

    def shows_else(moment: Moment) -> str:
        return "the pictures are not those of the clip" if shows_other(moment.pixels, truth[moment.number]) else ""

    return [*_check_sound(path, settings), *name_often("collateral_change", moments, shows_else)]


def _check_sound(path: Path, settings: Settings) -> list[Weakness]:
    if not door.has_sound(path):
        return [Weakness(code="wrong_sound", text="it is silent")]
    heard = door.read_sound(path, rate_hz=HEARD_HZ, channels="mono").mono()
    step = _reference(settings).rate_hz // HEARD_HZ
    found = find_sound(heard, _reference(settings).mono()[::step], HEARD_HZ)
    wanted = [float(each) for each in _hits(settings)]
    lacking = [at for at in wanted if not any(abs(at - each) <= LATE_S for each in found)]
    extra = [at for at in found if not any(abs(at - each) <= LATE_S for each in wanted)]
    if not lacking and not extra:
        return []
    at_s = Fraction(min([*lacking, *extra])).limit_denominator(100)
    text = f"the sound is missing at {len(lacking)} of {len(wanted)} hits, and heard {len(extra)} times without one"
    return [Weakness(code="wrong_sound", text=text, at=Span(start_s=at_s, end_s=min(LENGTH_S, at_s + Fraction(1, 4))))]


KIND = StagedKind(
    cases=(
        StagedCase(
            name="ding-on-hit",
            kind="sound_effects",
            subcategory="sound_effects",
            instruction="Let the given sound be heard each time the ball hits the bar. Leave the pictures as they are.",
            settings={"hits": ["3/5", "7/5", "2"], "effect": "ding", "wrong": "knock"},
            subjects=2,
        ),
    ),
    context=context,
    film=film,
    plants=("wrong_sound", "collateral_change"),
    spoil=spoil,
    verify=verify,
)
