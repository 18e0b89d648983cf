"""Footage as the user gave it → one defect in it: which kinds fit, who speaks, and where the user wants it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

from cutscore.authoring.footage import Clip
from cutscore.authoring.recipe_options import Choice
from cutscore.authoring.shots import film_shots
from cutscore.benchmarks.repair.defect import AUDIO, KINDS, DefectKind
from cutscore.benchmarks.repair.planting.injection import Injected, inject
from cutscore.benchmarks.repair.planting.voices import contradiction, fillers, recorded, said
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.timeline import Span, seconds
from cutscore.media.edit import with_sound
from cutscore.media.footage import Footage, pictures_changed, take
from cutscore.media.listen import Channels
from cutscore.media.probe import probe
from cutscore.media.sound import Sound
from cutscore.stage.setting import Voice
from cutscore.stage.sound import sound
from cutscore.stage.speech import voice_here

ALL = "all"
SPOKEN: tuple[DefectKind, ...] = ("filler_words", "wrong_sentences")
# The paper has a tolerance per task and tells none: a quarter of a second is what an editor who listens can hit.
TOLERANCE_S = Fraction(1, 4)

WISHES = {
    "defect": Choice(f"one of {', '.join(KINDS)}; {ALL} for each of them; drawn by default", ("",), free=True),
    "at": Choice("where, in seconds of the clip: 12-17; drawn by default", ("",), free=True),
    "insert": Choice("file with what is said, for filler_words and wrong_sentences", ("",), free=True),
    "sentence": Choice("a sentence that is wrong, to be spoken by eSpeak NG", ("",), free=True),
    "speech": Choice("whether somebody speaks, so that intelligibility counts", ("auto", "yes", "no")),
    "tolerance": Choice("seconds by which an end of a reported range may lie off", ("0.25",), free=True),
}


@dataclass(frozen=True)
class Wishes:
    """What the user wants, read from a recipe's options.

    Args:
        kinds: One item of each; empty when a fitting one is to be drawn.
        at: Where; None when it is to be drawn.
        insert: What is said.
        sentence: Words of a wrong sentence.
        speech: `yes`, `no`, or `auto`: by what lies beside the clip.
        tolerance_s: Of reported ranges.
    """

    kinds: tuple[DefectKind, ...] = ()
    at: Span | None = None
    insert: Sound | None = None
    sentence: str = ""
    speech: str = "auto"
    tolerance_s: Fraction = TOLERANCE_S


def wishes_of(own: Mapping[str, str]) -> Wishes:
    """Read the options, or say what is wrong with one of them."""
    kinds = tuple(kind for kind in KINDS if own["defect"] in (kind, ALL))
    if own["defect"] and not kinds:
        raise UnknownName.among("defect", own["defect"], [*KINDS, ALL])
    return Wishes(
        kinds=kinds,
        at=span_of(own["at"]) if own["at"] else None,
        insert=recorded(_file(own["insert"])) if own["insert"] else None,
        sentence=own["sentence"],
        speech=own["speech"],
        tolerance_s=_tolerance(own["tolerance"]),
    )


def span_of(text: str) -> Span:
    """Read a place as people write it.

    >>> str(span_of("12-17")), str(span_of("1:02.5-1:04"))
    ('00:12.000–00:17.000', '01:02.500–01:04.000')
    """
    start, _, end = text.partition("-")
    try:
        span = Span(start_s=seconds(start), end_s=seconds(end))
        if not span.length_s:
            raise ValueError
    except ValueError:
        raise BadInput(f"--at {text}", "is no stretch of time", "write START-END in seconds: 12-17") from None
    return span


def _file(name: str) -> Path:
    if not Path(name).is_file():
        raise BadInput(f"--set insert={name}", "there is no such file", "name a sound or a video")
    return Path(name)


def _tolerance(text: str) -> Fraction:
    try:
        tolerance_s = seconds(text)
    except ValueError:
        tolerance_s = Fraction(0)
    if tolerance_s <= 0:
        raise BadInput(f"--set tolerance={text}", "is no number of seconds above 0", "for example tolerance=0.25")
    return tolerance_s


@dataclass(frozen=True, eq=False)
class Taken:
    """A clip that was opened: its footage with even sides, and its shots as pictures."""

    clip: Clip
    whole: Footage
    shots: Sequence[tuple[int, int]]

    @property
    def speaks(self) -> bool:
        """Whether words are heard; tones of the stage are none."""
        scene = self.clip.scene
        return self.clip.transcript is not None or bool(scene and scene.lines and scene.voice != "tones")


def taken(clip: Clip) -> Taken:
    """Open a clip; one of the stage gets the sound of its scene."""
    rate, shots = film_shots(clip)
    staged = clip.scene is not None
    facts = probe(clip.path, trusted=staged)
    channels: Channels = "mono" if facts.sound is not None and facts.sound.channels == 1 else "stereo"
    whole = take(clip.path, rate=rate, channels=channels, trusted=staged)
    if clip.scene is not None:
        whole = with_sound(whole, sound(clip.scene))
    height, width = facts.height // 2 * 2, facts.width // 2 * 2  # colour is stored at half of the resolution
    return Taken(clip, pictures_changed(whole, lambda old: (each[:height, :width] for each in old)), shots)


def fitting(there: Taken, wishes: Wishes) -> list[DefectKind]:
    """Return the kinds that may be drawn for a clip; words only where somebody is known to speak."""
    clip, heard = there.clip, there.whole.sound is not None
    speaks = heard and (wishes.speech == "yes" or there.speaks or bool(clip.scene and clip.scene.lines))
    can_say = bool(wishes.insert or clip.scene or voice_here() != "tones")
    fit: dict[DefectKind, bool] = {
        **dict.fromkeys(AUDIO, heard),
        "swapped_shots": len(there.shots) > 1,
        "filler_words": speaks and can_say,
        "wrong_sentences": speaks and can_say and bool(wishes.insert or wishes.sentence or clip.scene),
    }
    return [kind for kind in KINDS if fit.get(kind, True)]


def broken(there: Taken, kind: DefectKind, wishes: Wishes, draw: Random) -> Injected:
    """Plant a defect in a clip, where the user wants it or where it is drawn."""
    return inject(
        there.whole,
        kind,
        at=wishes.at,
        seed=draw.getrandbits(32),
        shots=there.shots,
        fillers=_fillers(there.clip, wishes) if kind == "filler_words" else (),
        sentence=_sentence(there.clip, wishes, draw) if kind == "wrong_sentences" else None,
    )


def _fillers(clip: Clip, wishes: Wishes) -> Sequence[Sound]:
    return fillers(_voice(clip)) if wishes.insert is None else [wishes.insert]


def _sentence(clip: Clip, wishes: Wishes, draw: Random) -> Sound:
    if wishes.insert is not None:
        return wishes.insert
    if wishes.sentence:
        return said(wishes.sentence, _voice(clip))
    if clip.scene is None:
        fact, do = "nobody says what is wrong about it", "add --set sentence=TEXT or --set insert=FILE"
        raise BadInput(f"clip '{clip.name}'", fact, do)
    return said(contradiction(clip.scene, draw), _voice(clip))


def _voice(clip: Clip) -> Voice:
    """Describe who speaks: in footage nobody hums in place of words."""
    voice = clip.scene.voice if clip.scene is not None else voice_here()
    if clip.scene is None and voice == "tones":
        raise BadInput(f"clip '{clip.name}'", "nobody here can speak", "install espeak-ng, or add --set insert=FILE")
    return voice
