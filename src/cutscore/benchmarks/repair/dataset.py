"""Items: a clip with one defect planted in it; the starter pack, or a data pack of the same shape."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from cutscore.authoring.packs import read_pack
from cutscore.benchmarks.repair.defect import AUDIO, CUT_OUT, TIMELINE, VISUAL, Defect, DefectKind
from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.benchmarks.repair.verify.placement import Measure
from cutscore.benchmarks.repair.verify.range_match import TrueRange
from cutscore.core.bundle import Bundle, Delivery
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import Finite
from cutscore.core.item import TRUTH
from cutscore.core.timeline import Seconds

STARTER = Path(__file__).parent / "starter"
GROUPS = {"audio": AUDIO, "visual": VISUAL, "timeline": TIMELINE}

# Of a clip whose length nobody should touch: a few pictures, and the padding of sound encoders.
LENGTH_WITHIN_S = Fraction(1, 4)
# Of a clip whose timeline is wrong, as shares of its length: so wide that it tells nothing of how much there is to cut,
# and too narrow for who cuts out most of a clip to be sure of the right part.
TIMELINE_LENGTH, TIMELINE_WITHIN = Fraction(9, 10), Fraction(7, 20)
# What may be planted to be cut out; the rest of what the length allows is for those who cut a little more.
MOST_PLANTED = Fraction(7, 20)


class RepairItem(Bundle):
    """A clip with a defect in one window; everything else in it is clean.

    Args:
        brief: What a client says about it: neither when nor what (`find_giveaway`).
        measures: With anchors of the broken and the golden clip; of defects inside a window, and of swapped shots.
        encode_noise: The s_in that a good encode of the broken clip, or a filter over all of it, reaches; no more than
            that is 0 in `strict`.
        ranges: What should go, of the kinds that are cut out; of a swap the two shots, which are findings only.
        tolerance_s: How far each end of a reported range may lie off, itself included.
        most_clean_s: Seconds of clean footage that may be cut out in `strict`.
    """

    defect: Annotated[Defect, TRUTH]
    measures: Annotated[tuple[Measure, ...], TRUTH] = ()
    encode_noise: Annotated[Finite, Field(ge=0), TRUTH] = 0.0
    ranges: Annotated[tuple[TrueRange, ...], TRUTH] = ()
    tolerance_s: Annotated[Seconds, Field(gt=0), TRUTH]
    most_clean_s: Annotated[Seconds, Field(ge=0), TRUTH]

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        kind = self.defect.kind
        if len(self.materials) != 1 or len(self.hidden) != 1:
            raise ValueError("materials are the one broken clip, hidden is the one golden clip")
        if [each.name for each in self.deliveries] != [FIXED, REPORT]:
            raise ValueError(f"deliveries are {FIXED} and {REPORT}")
        if self.groups.get("kind", kind) != kind or self.groups.get("group", group_of(kind)) != group_of(kind):
            raise ValueError(f"groups say otherwise than the defect, which is {kind}")
        if kind in CUT_OUT:
            if not self.ranges or self.measures:
                raise ValueError(f"{kind} needs ranges that should go, and no measures")
        elif not any(measure.where == "in" for measure in self.measures):
            raise ValueError(f"{kind} needs a measure inside the window")
        elif self.ranges and kind != "swapped_shots":
            raise ValueError(f"{kind} has a window and no ranges")
        inside = (self.defect.window.overlap(true.spans[0]) == true.spans[0].length_s for true in self.ranges)
        if not self.defect.window.length_s or not all(inside):
            raise ValueError("the window has a length, and every range lies inside as it was planted")
        return self

    @property
    def broken(self) -> FileRef:
        """The clip with the defect."""
        return self.materials[0]

    @property
    def golden(self) -> FileRef:
        """The clip as it should be."""
        return self.hidden[0]


def group_of(kind: DefectKind) -> str:
    """Name the group of a kind: audio, visual or timeline."""
    return next(name for name, kinds in GROUPS.items() if kind in kinds)


def deliveries(
    kind: DefectKind, *, size: tuple[int, int], rate: Fraction, length_s: Fraction, sound_hz: int | None
) -> tuple[Delivery, ...]:
    """Describe what is to be handed over for a broken clip.

    All kinds of a group are told the same. The length of a clip whose timeline is wrong is told roughly: golden's own
    would say how much there is to cut. Without sound there is no `sound_hz`.
    """
    rough = kind in TIMELINE
    return (
        Delivery(
            name=FIXED,
            about="the whole clip, repaired",
            container="mp4",
            codecs=("h264",),
            size=size,
            rate=rate,
            length_s=TIMELINE_LENGTH * length_s if rough else length_s,
            within_s=TIMELINE_WITHIN * length_s if rough else LENGTH_WITHIN_S,
            sound=sound_hz is not None,
            sound_hz=sound_hz,
        ),
        Delivery(name=REPORT, about="what was wrong, where, and what was done about it"),
    )


_CLOCK = re.compile(
    r"\d+\s*:\s*\d|\d[\d.,]*\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?|ms|frames?)\b|\d\s*%", re.I
)
_PLACE = re.compile(
    r"\b(?:at|near|towards?|around|in|from|after|before|by|just)\s+(?:about\s+)?(?:the\s+)?(?:very\s+)?"
    r"(?:beginning|opening|start|middle|end|ending)\b|\bhalf-?way\b|\bmid-?way\b"
    r"|\b(?:first|last|final|second|third|opening|closing|early|late)\s+(?:few\s+)?"
    r"(?:seconds?|minutes?|half|third|quarter|part|shot|scene|moments?|frames?)\b",
    re.I,
)
# Words by which one knows what was planted. Each stands for its forms, too: `blur` for blurry and blurred.
_GIVEAWAYS: dict[DefectKind, str] = {
    "noise": "nois|hiss|hum|buzz|static|babbl|crackl",
    "echo": "echo|reverb|boom|hall|cave|bathroom|room",
    "clipping": "clip(?:s|ped|ping)\\b|distort|overdriv|overload|crunch|satur|too loud",
    "colour_shift": "colou?r|tint|hue|white balance|cast|warm|cold|green|magenta|grade|grading",
    "blur": "blur|focus|smear",
    "lost_sharpness": "sharp|soft(?!ware)|detail|resolution|pixelat|crisp|dull",
    "swapped_shots": "swap|(?<!in )order|exchang|shots|sequence|revers",
    "filler_words": "filler|um\\b|umm|uh\\b|er\\b|hesitat|words?\\b",
    "repeated_frames": "repeat|duplicate|twice|frozen|freeze|stutter|loop|stuck|again",
    "wrong_sentences": "sentence|wrong|incorrect|false|untrue|(?<!in )fact|mistake|statement",
}


def find_giveaway(brief: str, defect: Defect) -> str:
    """Describe what a client's request gives away; empty when it names neither the time nor the defect.

    By words, so it is careful rather than clever: clock times, lengths, percentages and words for a part of the clip,
    and the words by which one knows the kind that was planted.

    >>> from cutscore.core.timeline import Span
    >>> echo = Defect(kind="echo", window=Span(start_s=1, end_s=2), strength={})
    >>> find_giveaway("Something about the sound puts me off.", echo)
    ''
    >>> find_giveaway("There is an echo.", echo)
    "it names the defect: 'echo' gives echo away"
    """
    if found := _CLOCK.search(brief) or _PLACE.search(brief):
        return f"it names the time: '{found[0]}'"
    if found := re.search(rf"\b(?:{_GIVEAWAYS[defect.kind]})", brief, re.I):
        return f"it names the defect: '{found[0]}' gives {defect.kind} away"
    return ""


def authoring_faults(item: RepairItem) -> list[str]:
    """Describe what is wrong with a client's request, for the gate."""
    told = find_giveaway(item.brief, item.defect)
    return [f"the brief tells too much: {told}"] if told else []


def items(store: FileStore, data: Path | None = None) -> Sequence[RepairItem]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, RepairItem, store, folders=("materials", "hidden"))
