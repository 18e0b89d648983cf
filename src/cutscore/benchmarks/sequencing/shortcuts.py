"""Solvers that understand nothing: what file names, sizes, lengths and the ends of clips give away."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.sequencing.continuity import shortest_chain
from cutscore.benchmarks.sequencing.keyless import discontinuities, put_order, read_clip
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.media.audio import has_sound, read_sound
from cutscore.media.probe import extent_of

PRINTED = {
    "boundary continuity": "shots and voices run on through the cuts of a film; scores are to be read against this one",
}

RATE_HZ = 16_000
# Samples: of the predictor, those that it learns from, and those that it predicts.
_ORDER, _LEARNT, _PREDICTED = 24, 800, 16


def shortcuts(ask: Ask, store: FileStore) -> Mapping[str, Deliverable]:
    """Return what each solver hands over: an order, and no film."""
    clips = ask.files
    orders: dict[str, Sequence[FileRef]] = {
        "brief only": clips[::-1],
        "file names": sorted(clips, key=lambda clip: clip.name),
        "file sizes": sorted(clips, key=lambda clip: clip.size_bytes),
        "lengths": sorted(clips, key=lambda clip: extent_of(store.path(clip)).frames),
        "boundary continuity": [
            clips[number] for number in shortest_chain(discontinuities([read_clip(clip, store).ends for clip in clips]))
        ],
        "waveform": [
            clips[number] for number in shortest_chain(_prediction_errors([_read_mono(clip, store) for clip in clips]))
        ],
    }
    return {name: Deliverable(files=(put_order(order, store),)) for name, order in orders.items()}


def _read_mono(clip: FileRef, store: FileStore) -> npt.NDArray[np.float64]:
    path = store.path(clip)
    least = np.zeros(_LEARNT)
    if not has_sound(path):
        return least
    extent = extent_of(path)
    samples = read_sound(path, rate_hz=RATE_HZ, channels="mono").mono()
    inside = samples[: round((extent.end_s - extent.start_s) * RATE_HZ)]
    return np.concatenate([inside.astype(np.float64), least])[: max(len(inside), _LEARNT)]


def _prediction_errors(sounds: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Return how far each clip's first samples (column) are from those predicted at the end of another (row)."""
    ahead = [_predict(sound[-_LEARNT:]) for sound in sounds]
    return np.array([[float(np.abs(guess - sound[:_PREDICTED]).mean()) for sound in sounds] for guess in ahead])


def _predict(samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    rows = np.lib.stride_tricks.sliding_window_view(samples, _ORDER)[:-1]
    square = rows.T @ rows + 1e-6 * len(rows) * np.eye(_ORDER)
    weights = np.linalg.solve(square, rows.T @ samples[_ORDER:])
    known = list(samples[-_ORDER:])
    for _ in range(_PREDICTED):
        known.append(float(np.clip(weights @ known[-_ORDER:], -1, 1)))
    return np.array(known[_ORDER:])
