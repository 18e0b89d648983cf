"""Which frames were looked at: enough to show them again and to explain why two runs differ."""

from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel, Sha256
from cutscore.core.timeline import Seconds


class SeenFrame(FrozenModel):
    """One frame as it was handed on."""

    at_s: Seconds
    sha256: Sha256
    width: int
    height: int


class FrameManifest(FrozenModel):
    """All frames of one clip that went into one call.

    Args:
        decoder: Library and version that decoded (`PyAV 18.1.0, FFmpeg 8.0`).
        frames: In the order shown, which is that of time unless the plan says otherwise; empty when the provider took
            the clip as a whole.
        sent_as: What the provider got: `frames`, `video` or `nothing`.
    """

    clip: FileRef
    plan: str
    decoder: str
    frames: tuple[SeenFrame, ...] = ()
    sent_as: str = "frames"
