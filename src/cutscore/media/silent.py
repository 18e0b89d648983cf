"""A clip without its sound: a clean copy made of its decoded pictures, kept for whoever asks again."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media import colour
from cutscore.media.audio import has_sound
from cutscore.media.footage import load_footage
from cutscore.media.frame_cache import CacheEntry, CacheKey, FrameCache
from cutscore.media.frames import decoder_version
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip

_CRF = 12  # hardly to be told from the original; what a judge compares must not be the copy's own blur


def read_silent_clip(path: Path, *, sha256: str, trusted: bool = True, cache: FrameCache | None = None) -> bytes | None:
    """Return an MP4 with the pictures of a clip and no sound; None when the clip has no sound that could be left out.

    The pictures are encoded anew, at a constant rate, in the time that they are shown; a side of odd length gets one
    more line. The caller has checked that `sha256` is the file's hash.
    """
    if not has_sound(path, trusted=trusted):
        return None
    key = CacheKey(sha256, "all", f"{decoder_version()}; colour {colour.VERSION}; crf {_CRF}", "mp4 without sound")
    made = (cache or FrameCache.in_user_cache()).get_or_make(key, lambda: _make(path, trusted=trusted))
    return made.arrays["mp4"].tobytes()


def _make(path: Path, *, trusted: bool) -> CacheEntry:
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        file = Path(folder) / "silent.mp4"
        write_silent_copy(path, file, crf=_CRF, trusted=trusted)
        return CacheEntry({"mp4": np.frombuffer(file.read_bytes(), np.uint8)})


def write_silent_copy(path: Path, copy: Path, *, crf: int, trusted: bool = True) -> None:
    """Write an MP4 of the decoded pictures of a clip, at a constant rate."""
    try:
        footage = load_footage(path, sound=False, trusted=trusted)
        write_clip(copy, _even(footage.pictures()), rate=footage.rate, crf=crf)
    except BadInput as error:  # a rate that is not told, pictures of two sizes: the clip's own fault
        raise BrokenData(f"clip '{path.name}'", f"cannot be copied without its sound: {error.fact}") from error


def _even(pictures: Iterator[Pixels]) -> Iterator[Pixels]:
    """Repeat the last line and column where a side is odd: the encoder takes even ones."""
    for pixels in pictures:
        odd = [side % 2 for side in pixels.shape[:2]]
        yield np.pad(pixels, ((0, odd[0]), (0, odd[1]), (0, 0)), mode="edge") if any(odd) else pixels
