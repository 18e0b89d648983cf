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
    """All frames of one clip that went into one call, in the order shown; none when the provider took it whole.

    The provider got `frames`, `video` or `nothing`.
    """

    clip: FileRef
    plan: str
    decoder: str
    frames: tuple[SeenFrame, ...] = ()
    sent_as: str = "frames"
