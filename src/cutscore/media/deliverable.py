"""What a subject handed in, decoded: the one way in for whoever marks.

The same as `frames`, `planes`, `audio` and `probe`, but nothing here can be trusted: there is no switch for it, so
none that could be forgotten. Every file is decoded in a limited child. Verifiers, judges and markers of benchmarks
come through here (a test reads their imports); `scoring.metrics.one_pass` takes a clip for a stranger's by itself.
"""

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

from cutscore.core.errors import BrokenData
from cutscore.core.timeline import Span
from cutscore.media import audio as _audio
from cutscore.media import frames as _frames
from cutscore.media import planes as _planes
from cutscore.media import probe as _probe
from cutscore.media import silent as _silent
from cutscore.media.audio import Channels
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.frames import Frame
from cutscore.media.packets import Extent
from cutscore.media.plan import FramePlan
from cutscore.media.planes import Picture
from cutscore.media.probe import Probe
from cutscore.media.sound import Samples, Sound
from cutscore.media.stills import read_still
from cutscore.media.untrusted import Form, SentPicture

_CLEAN_CRF = 4  # a measure of quality should see the video's faults, not those of the copy

__all__ = ["Probe", "read_still"]  # what a look at a video gives is named here, too; a still is never trusted


def probe(path: Path, *, scan: bool = True, budget: Budget = DEFAULT_BUDGET) -> Probe:
    """Look at a video; once, as long as the file stays what it is."""
    found = path.stat() if path.is_file() else None
    if found is None:
        return _probe.probe(path, scan=scan, trusted=False, budget=budget)
    # Nobody can set the time of the last change: a file that was written again is looked at again.
    same = (found.st_dev, found.st_ino, found.st_size, found.st_ctime_ns)
    return _probe_once(path, same, scan=scan, budget=budget)


@functools.lru_cache(maxsize=256)
def _probe_once(path: Path, same: tuple[int, ...], *, scan: bool, budget: Budget) -> Probe:
    return _probe.probe(path, scan=scan, trusted=False, budget=budget)


def probe_film(path: Path) -> Probe:
    """Look at a film that was handed in, and refuse one with several sound tracks.

    Players disagree on what to play of it: the first, the one that is marked as default, that of the viewer's language,
    or all at once. So nobody can say what is heard.
    """
    facts = probe(path)
    tracks = sum(stream.kind == "audio" for stream in facts.streams)
    if tracks > 1:
        raise BrokenData(
            f"film '{path.name}'", f"has {tracks} sound tracks, and which one is heard is open", "deliver one"
        )
    return facts


def extent_of(path: Path, *, budget: Budget = DEFAULT_BUDGET) -> Extent:
    """Return how far a video reaches, by its packets."""
    return _probe.extent_of(path, trusted=False, budget=budget)


def read_frames(path: Path, plan: FramePlan, *, budget: Budget = DEFAULT_BUDGET) -> list[Frame]:
    """Return the frames of a plan."""
    return _frames.read_frames(path, plan, trusted=False, budget=budget)


def iter_frames(path: Path, plan: FramePlan, *, budget: Budget = DEFAULT_BUDGET) -> Iterator[Frame]:
    """Return the frames of a plan one by one."""
    return _frames.iter_frames(path, plan, trusted=False, budget=budget)


def iter_pictures(
    path: Path,
    *,
    forms: Sequence[Form] = ("luma", "rgb"),
    numbers: Sequence[int] | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[Picture | SentPicture]:
    """Return every picture, or those with some numbers, in the forms that are wanted."""
    return _planes.iter_pictures(path, forms=forms, numbers=numbers, trusted=False, budget=budget)


def write_clean_copy(path: Path, copy: Path) -> None:
    """Write the pictures of a video anew as an MP4, hardly to be told from them, for programs that want a file."""
    _silent.write_silent_copy(path, copy, crf=_CLEAN_CRF, trusted=False)


def has_sound(path: Path, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return whether a file has an audio stream."""
    return _audio.has_sound(path, trusted=False, budget=budget)


def read_sound(
    path: Path, *, rate_hz: int, channels: Channels, span: Span | None = None, budget: Budget = DEFAULT_BUDGET
) -> Sound:
    """Return the sound of a video or of a sound file, or of one span of it, as one array."""
    return _audio.read_sound(path, rate_hz=rate_hz, channels=channels, span=span, trusted=False, budget=budget)


def iter_sound(
    path: Path, *, rate_hz: int, channels: Channels, span: Span | None = None, budget: Budget = DEFAULT_BUDGET
) -> Iterator[Samples]:
    """Return the same in blocks, however long it is."""
    return _audio.iter_sound(path, rate_hz=rate_hz, channels=channels, span=span, trusted=False, budget=budget)
