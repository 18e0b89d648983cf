"""What was seen and heard: observations, each with its time and how sure one can be of it.

An observation says what is there; it never says that something is not there. What could not be seen or heard is named
as such (`BlindSpot`), with the reason, so that nobody takes a missing observation for a fact about the clip.

Places are pixels of the clip as stored, x to the right and y down. Confidence goes from 0 to 1 and orders observations
of one kind by how well the pixels bear them out; it is not a calibrated probability.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.transcript import Transcript
from cutscore.perception.colours import NamedColour
from cutscore.perception.shapes import OutlineShape

Floats = npt.NDArray[np.float32]
CameraMotionKind = Literal["pan", "tilt", "zoom"]
Direction = Literal["left", "right", "up", "down", "in", "out"]
EventKind = (
    Literal["appears", "disappears", "enters", "leaves", "starts", "stops", "bounces", "collides"]
    | Literal["changes colour", "grows", "shrinks", "rises", "falls"]
)
Transition = Literal["start", "cut", "dissolve"]
SoundKind = Literal["beep", "noise", "silence"]


@dataclass(frozen=True)
class BlindSpot:
    """Something that could not be seen or heard, and why."""

    what: str
    because: str
    span: Span

    def __str__(self) -> str:
        return f"could not make out {self.what}: {self.because}"


@dataclass(frozen=True)
class DetectedShot:
    """A stretch without a cut.

    Args:
        span: From its first picture to the first of the next shot.
        begins: How it follows what was before; `dissolve` counts from the middle of the dissolve.
        confidence: That there is a boundary at its start; 1 for the first shot.
    """

    span: Span
    begins: Transition
    confidence: float


@dataclass(frozen=True)
class CameraMotion:
    """The whole picture shifts or grows: the camera pans left or right, tilts up or down, zooms in or out.

    Args:
        direction: Where the camera turns to, which is opposite to where the picture's content goes.
        amount: Pixels that the content went in all, or for a zoom the factor by which it grew.
        confidence: Share of what could be followed that moved so.
    """

    span: Span
    kind: CameraMotionKind
    direction: Direction
    amount: float
    confidence: float


@dataclass(frozen=True)
class TrackPoint:
    """One object at one moment.

    Args:
        box: Left, top, right, bottom.
        centre: Mean place of its pixels.
        area: Pixels.
        whole: Whether neither a side of the picture nor another object may cover a part of it.
    """

    at_s: Fraction
    box: tuple[float, float, float, float]
    centre: tuple[float, float]
    area: float
    colour: NamedColour
    whole: bool


@dataclass(frozen=True, eq=False)
class ObjectTrack:
    """An object: something that stands out from the background, followed through one shot.

    Args:
        id: Number in the report, in order of appearance.
        span: From the first to the end of the last picture in which it was seen.
        confidence: How clearly and how steadily it was seen.
        colour: Its usual colour; `changes colour` says when that is not the whole story.
        at_s: When it was seen; moments without it (it may have been hidden) are left out.
        boxes: Of shape (n, 4): left, top, right, bottom.
        centres: Of shape (n, 2).
        world: Of shape (n, 2): its centres with the camera's motion taken out, in pixels of the shot's first picture.
        areas: Of shape (n,): pixels, as they would be without a zoom of the camera since the shot began.
        labs: Of shape (n, 3): L*, a*, b*.
        whole: Of shape (n,): whether it was seen whole.
        part_of: Number of the object on which it lies and with which it always moves, such as an eye of a face.
    """

    id: int
    span: Span
    confidence: float
    colour: NamedColour
    shape: OutlineShape
    at_s: tuple[Fraction, ...]
    boxes: Floats
    centres: Floats
    world: Floats
    areas: Floats
    labs: Floats
    whole: npt.NDArray[np.bool_]
    part_of: int | None = None

    @property
    def name(self) -> str:
        """What a person would call it: `red circle`, or `thing` where neither could be told."""
        return f"{self.colour.name or ''} {self.shape.name or 'thing'}".strip()


@dataclass(frozen=True)
class TrackEvent:
    """Something happens to an object.

    Args:
        kind: What; `enters` and `leaves` happen at a side of the picture, `rises` and `falls` are the upper end of a
            level whose lower end rests.
        span: From when to when; an instant has equal ends.
        track: Number of the object.
        other: Number of the other object of a collision.
        before: What was before, such as the name of a colour.
    """

    kind: EventKind
    span: Span
    track: int
    confidence: float
    other: int | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class SoundEvent:
    """A sound.

    Args:
        kind: `beep` has one pitch, `noise` is any other sound, `silence` is no sound.
        level_dbfs: Mean level in dB to full scale; -120 for none at all.
        loudness: Against the median of what is not silence in this clip: 6 dB make a difference.
    """

    kind: SoundKind
    span: Span
    confidence: float
    level_dbfs: float
    pitch_hz: float | None = None
    loudness: Literal["loud", "soft", "as usual"] = "as usual"


@dataclass(frozen=True)
class TextLine:
    """A line of text on screen.

    Args:
        span: From the first reading that shows it to the first one that does not.
        text: None where something is written that could not be made out.
        box: Left, top, right, bottom.
        confidence: Of the reading, 0 to 1.
    """

    span: Span
    text: str | None
    box: tuple[int, int, int, int]
    confidence: float


@dataclass(frozen=True)
class DominantColour:
    """The colour that fills most of a picture, from when to when, with the share of the picture that has it."""

    span: Span
    colour: NamedColour
    share: float


@dataclass(frozen=True, eq=False)
class Report:
    """All that was seen and heard in one clip.

    Args:
        span: From the first picture to the end of the last.
        size: Width and height of the pictures in pixels.
        shots: One after the other, without gaps.
        tracks: Objects, in order of appearance.
        events: In order of time.
        colours: The dominant colour of each moment, without gaps.
        sounds: In order of time; empty when the clip is mute or was not listened to, and `blind_spots` says which.
        text: Text on screen; empty unless it was asked for.
        transcript: Speech, or None when nobody listened for it; `blind_spots` says why.
    """

    span: Span
    size: tuple[int, int]
    frames: int
    shots: tuple[DetectedShot, ...]
    camera: tuple[CameraMotion, ...]
    tracks: tuple[ObjectTrack, ...]
    events: tuple[TrackEvent, ...]
    colours: tuple[DominantColour, ...]
    sounds: tuple[SoundEvent, ...]
    text: tuple[TextLine, ...]
    transcript: Transcript | None
    blind_spots: tuple[BlindSpot, ...]
