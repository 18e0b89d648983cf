"""What goes wrong in a clip: the ten kinds of AgenticVBench §2.5, and one of them planted at a place."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Span

DefectKind = Literal[
    "noise",
    "echo",
    "clipping",
    "colour_shift",
    "blur",
    "lost_sharpness",
    "swapped_shots",
    "filler_words",
    "repeated_frames",
    "wrong_sentences",
]
AUDIO: tuple[DefectKind, ...] = ("noise", "echo", "clipping")
VISUAL: tuple[DefectKind, ...] = ("colour_shift", "blur", "lost_sharpness")
TIMELINE: tuple[DefectKind, ...] = ("swapped_shots", "filler_words", "repeated_frames", "wrong_sentences")
# Stretches that are to be cut out, and are reported (H.1.3); a swap is compared whole (H.1.2).
CUT_OUT: tuple[DefectKind, ...] = ("filler_words", "repeated_frames", "wrong_sentences")
SPOKEN: tuple[DefectKind, ...] = ("filler_words", "wrong_sentences")
KINDS: tuple[DefectKind, ...] = (*AUDIO, *VISUAL, *TIMELINE)


class Defect(FrozenModel):
    """One defect as it was planted, with the parameters of its injection by name (`snr_db`, `sigma`, `gains`).

    The window is in seconds of the broken clip. Of a swap: from the earlier shot's start to the later's end. Of
    stretches to cut out: from the first one's start to the last one's end.
    """

    kind: DefectKind
    window: Span
    strength: Annotated[dict[str, JsonValue], Field(default_factory=dict)]
    seed: int = 0
