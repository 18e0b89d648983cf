"""The options of `cutscore build repair`: which defect, where, and who says what."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutscore.authoring.recipe_options import RecipeOption
from cutscore.benchmarks.repair.defect import KINDS, DefectKind
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.timeline import Span, seconds
from cutscore.media.audio import read_sound
from cutscore.media.footage import SOUND_RATE_HZ
from cutscore.media.sound import Sound

ALL = "all"
# The paper has a tolerance per task and tells none: a quarter of a second is what an editor who listens can hit.
TOLERANCE_S = Fraction(1, 4)

DEFECT_OPTIONS = {
    "defect": RecipeOption(f"one of {', '.join(KINDS)}; {ALL} for each of them; drawn by default", ("",), free=True),
    "at": RecipeOption("where, in seconds of the clip: 12-17; drawn by default", ("",), free=True),
    "insert": RecipeOption(
        "file with what is said, for filler_words and wrong_sentences; several with commas between", ("",), free=True
    ),
    "sentence": RecipeOption("a sentence that is wrong, to be spoken by eSpeak NG", ("",), free=True),
    "speech": RecipeOption("whether somebody speaks, so that intelligibility counts", ("auto", "yes", "no")),
    "tolerance": RecipeOption("seconds by which an end of a reported range may lie off", ("0.25",), free=True),
}


@dataclass(frozen=True)
class DefectOptions:
    """What the user wants to be planted: one item of each kind; a kind or place that is not given is drawn.

    `insert` has recordings of what is said: fillers are drawn from them, each once; a wrong sentence is one of them.
    `sentence` has the words of a wrong one. With `speech` auto, what lies beside the clip tells.
    """

    kinds: tuple[DefectKind, ...] = ()
    at: Span | None = None
    insert: tuple[Sound, ...] = ()
    sentence: str = ""
    speech: str = "auto"
    tolerance_s: Fraction = TOLERANCE_S


def read_options(own: Mapping[str, str]) -> DefectOptions:
    """Read the options; one that is not what it should be is a BadInput."""
    kinds = tuple(kind for kind in KINDS if own["defect"] in (kind, ALL))
    if own["defect"] and not kinds:
        raise UnknownName.among("defect", own["defect"], [*KINDS, ALL])
    return DefectOptions(
        kinds=kinds,
        at=parse_span(own["at"]) if own["at"] else None,
        insert=tuple(map(_read_recording, _file_names(own["insert"]))),
        sentence=own["sentence"],
        speech=own["speech"],
        tolerance_s=_parse_tolerance(own["tolerance"]),
    )


def parse_span(text: str) -> Span:
    """Return the span of a place as people write it.

    >>> str(parse_span("12-17")), str(parse_span("1:02.5-1:04"))
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


def _file_names(text: str) -> list[str]:
    """Return the files of a list with commas between; a file whose name has a comma is that one file."""
    return [text] if Path(text).is_file() else [name for each in text.split(",") if (name := each.strip())]


def _read_recording(name: str) -> Sound:
    if not Path(name).is_file():
        raise BadInput(f"--set insert={name}", "there is no such file", "name a sound or a video")
    return read_sound(Path(name), rate_hz=SOUND_RATE_HZ, channels="mono", trusted=False)


def _parse_tolerance(text: str) -> Fraction:
    try:
        tolerance_s = seconds(text)
    except ValueError:
        tolerance_s = Fraction(0)
    if tolerance_s <= 0:
        raise BadInput(f"--set tolerance={text}", "is no number of seconds above 0", "for example tolerance=0.25")
    return tolerance_s
