"""What a page knows of a film before anybody plays it: its frames, its shots, its sound as a line.

A film may be a stranger's, so it is decoded in a limited child. What was found is kept by the file's hash, so that the
next report of the same run decodes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, Unscored
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.frame_cache import CacheEntry, CacheKey, FrameCache
from cutscore.media.frames import decoder_version, encode_jpeg
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan, Times
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.shots import Shots

VERSION = "preview 4"
# As many as a wide screen has room for.
BINS = 400
LOUDEST = 100
PICTURES, STRIP_HEIGHT = 12, 90
_SOUND_HZ = 8_000  # Nobody sees more of a wave that is 400 lines wide.
# Shots need every picture of a film: of longer or larger ones a report shows none, and is there in time.
_MOST_PIXELS = 60 * 25 * 1280 * 720


@dataclass(frozen=True)
class Preview:
    """Facts about one film.

    Args:
        rate: Pictures a second, on average.
        length_s: From the first picture to the end of the last.
        shots: Where they lie; empty when nobody looked.
        peaks: The loudest sample of each of `BINS` equal stretches, 0 to 100; empty without sound.
        strip: Pictures from the middle of each of `PICTURES` equal stretches, side by side, as a JPEG.
    """

    rate: Fraction
    frames: int
    length_s: Fraction
    shots: tuple[Span, ...] = ()
    peaks: tuple[int, ...] = ()
    strip: bytes = b""


def preview(path: Path, sha256: str) -> Preview | None:
    """Look at a film; None when it cannot be decoded, so that the page shows what it can."""
    key = CacheKey(media=sha256, plan="", made_by=f"{decoder_version()} {VERSION}", kind="preview")
    try:
        kept = FrameCache.in_user_cache().get_or_make(key, lambda: _entry(_looked(path)))
    except (BadInput, Unscored):  # the file's fault, or a decoder's that somebody killed
        return None
    return _preview(kept)


def _looked(path: Path) -> Preview:
    facts = deliverable.probe(path)
    if not (facts.rate and facts.frames and facts.duration_s):
        raise BadInput(f"clip '{path.name}'", "has no pictures that could be counted")
    peaks = _peaks(path, facts.duration_s) if facts.sound is not None else ()
    plan = FramePlan.parse(f"uniform={PICTURES}")
    if facts.frames * facts.width * facts.height > _MOST_PIXELS:
        strip = _strip([frame.pixels for frame in deliverable.read_frames(path, plan)])
        return Preview(facts.rate, facts.frames, facts.duration_s, (), peaks, strip)
    pictures = _Pictures(needs=Needs(kind="thumbnail", plan=Times(plan.times(facts.duration_s))))
    shots = one_pass(path, [_ShotsInSmall(), pictures]).alone[0].spans
    return Preview(facts.rate, facts.frames, facts.duration_s, shots, peaks, _strip(pictures.seen))


@dataclass(eq=False)
class _ShotsInSmall(Shots):
    """Shots by small pictures: where they lie is drawn, and nothing is measured by them."""

    needs: Needs = field(default=Needs(kind="thumbnail"), init=False)


@dataclass(eq=False)
class _Pictures(FrameSeries):
    """Keeps the pictures of a plan."""

    needs: Needs
    seen: list[Pixels] = field(default_factory=list)

    def see(self, frame: MetricFrame) -> None:
        self.seen.append(frame.pixels)

    def result(self) -> Measurement:
        return self._measure_mean("pictures", "pictures.1")


def _strip(pictures: Sequence[Pixels]) -> bytes:
    height, width = pictures[0].shape[:2]
    size = (max(1, round(width * STRIP_HEIGHT / height)), STRIP_HEIGHT)
    small = [opencv().resize(each, size, interpolation=opencv().INTER_AREA) for each in pictures]
    return encode_jpeg(np.concatenate(small, axis=1), quality=70)


def _peaks(path: Path, length_s: Fraction) -> tuple[int, ...]:
    try:
        heard = list(deliverable.iter_sound(path, rate_hz=_SOUND_HZ, channels="mono"))
    except BadInput:  # also what is said to have sound and has none
        return ()
    return loudest(np.concatenate(heard), round(length_s * _SOUND_HZ)) if heard else ()


def loudest(samples: npt.NDArray[np.float32], length: int) -> tuple[int, ...]:
    """Return the peak of each of `BINS` stretches of so many samples; what is missing at the end is silent.

    >>> peaks = loudest(np.array([0.5] + [0.0] * 399, np.float32), 400)
    >>> peaks[:2], len(peaks)
    ((50, 0), 400)
    """
    whole = np.zeros(max(length, BINS), np.float32)
    whole[: len(samples)] = np.abs(samples[: len(whole)])
    starts = np.arange(BINS) * len(whole) // BINS
    tops = np.maximum.reduceat(whole, starts) * LOUDEST
    return tuple(int(top) for top in np.clip(np.rint(tops), 0, LOUDEST))


def _entry(seen: Preview) -> CacheEntry:
    notes = {
        "rate": str(seen.rate),
        "frames": seen.frames,
        "length_s": str(seen.length_s),
        "shots": [[str(shot.start_s), str(shot.end_s)] for shot in seen.shots],
    }
    peaks, strip = np.array(seen.peaks, np.uint8), np.frombuffer(seen.strip, np.uint8)
    return CacheEntry({"peaks": peaks, "strip": strip}, notes)


def _preview(entry: CacheEntry) -> Preview:
    notes = entry.notes
    return Preview(
        rate=Fraction(notes["rate"]),
        frames=notes["frames"],
        length_s=Fraction(notes["length_s"]),
        shots=tuple(Span(start_s=start_s, end_s=end_s) for start_s, end_s in notes["shots"]),
        peaks=tuple(entry.arrays["peaks"].tolist()),
        strip=entry.arrays["strip"].tobytes(),
    )
