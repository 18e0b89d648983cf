"""What a subject handed in, seen and heard: the one door for whoever marks.

The same as `frames`, `planes`, `listen` and `probe`, but nothing here can be trusted: there is no switch for it, so
none that could be forgotten. Every file is decoded in a limited child. Verifiers, judges and markers of benchmarks
come through here (a test reads their imports); `scoring.metrics.one_pass` takes a clip for a stranger's by itself.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cutscore.core.timeline import Span
from cutscore.media import frames as _frames
from cutscore.media import listen as _listen
from cutscore.media import planes as _planes
from cutscore.media import probe as _probe
from cutscore.media.budget import PLAIN, Budget
from cutscore.media.child import Form
from cutscore.media.frames import Frame
from cutscore.media.listen import Channels
from cutscore.media.packets import Extent
from cutscore.media.plan import FramePlan
from cutscore.media.planes import Picture, SentPicture
from cutscore.media.probe import Probe
from cutscore.media.sound import Samples, Sound


def probe(path: Path, *, scan: bool = True, budget: Budget = PLAIN) -> Probe:
    """Look at a video."""
    return _probe.probe(path, scan=scan, trusted=False, budget=budget)


def extent_of(path: Path, *, budget: Budget = PLAIN) -> Extent:
    """Tell how far a video reaches, by its packets."""
    return _probe.extent_of(path, trusted=False, budget=budget)


def read_frames(path: Path, plan: FramePlan, *, budget: Budget = PLAIN) -> list[Frame]:
    """Return the frames of a plan."""
    return _frames.read_frames(path, plan, trusted=False, budget=budget)


def iter_frames(path: Path, plan: FramePlan, *, budget: Budget = PLAIN) -> Iterator[Frame]:
    """Return the frames of a plan one by one."""
    return _frames.iter_frames(path, plan, trusted=False, budget=budget)


def iter_pictures(
    path: Path, *, forms: Sequence[Form] = ("luma", "rgb"), budget: Budget = PLAIN
) -> Iterator[Picture | SentPicture]:
    """Return every picture in the forms that are wanted."""
    return _planes.iter_pictures(path, forms=forms, trusted=False, budget=budget)


def has_sound(path: Path, *, budget: Budget = PLAIN) -> bool:
    """Return whether a file has an audio stream."""
    return _listen.has_sound(path, trusted=False, budget=budget)


def read_sound(
    path: Path, *, rate_hz: int, channels: Channels, span: Span | None = None, budget: Budget = PLAIN
) -> Sound:
    """Return the sound of a video or of a sound file, or of one span of it, as one array."""
    return _listen.read_sound(path, rate_hz=rate_hz, channels=channels, span=span, trusted=False, budget=budget)


def iter_sound(
    path: Path, *, rate_hz: int, channels: Channels, span: Span | None = None, budget: Budget = PLAIN
) -> Iterator[Samples]:
    """Return the same in blocks, however long it is."""
    return _listen.iter_sound(path, rate_hz=rate_hz, channels=channels, span=span, trusted=False, budget=budget)
