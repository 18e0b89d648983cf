"""Deliverables whose marks we know beforehand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from cutscore.authoring.clip_cache import put_footage
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import CUT_OUT
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED, ReportedRange, put_report
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, load_whole_clip
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound


def perfect(item: RepairItem, store: FileStore) -> Deliverable:
    """Return golden, delivered, and a report with the true ranges."""
    golden = put_footage(store, FIXED, lambda: _footage(store, item.golden), key=f"delivered {item.golden.sha256}")
    return Deliverable(files=(golden, report(store, item.defect.kind, true_spans(item))))


def empty(item: RepairItem, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: RepairItem, store: FileStore) -> Deliverable:
    """Return half of a repair: the mean of broken and golden, or all ranges but the last one.

    Instead of that, one of its length is cut out and reported where nothing is wrong.
    """
    if item.defect.kind not in CUT_OUT:
        what = f"half of {item.broken.sha256} {item.golden.sha256}"
        half = put_footage(store, FIXED, lambda: _half_repaired(store, item), key=what)
        return Deliverable(files=(half, report(store, item.defect.kind, true_spans(item))))
    *right, last = true_spans(item)
    spans = sorted([*right, _wrong_span(item, last.length_s, store)], key=lambda span: span.start_s)
    places = " ".join(f"{span.start_s}-{span.end_s}" for span in spans)
    key = f"{item.broken.sha256} without {places}"
    cut = put_footage(store, FIXED, lambda: cut_out(_footage(store, item.broken), spans), key=key)
    return Deliverable(files=(cut, report(store, item.defect.kind, spans)))


def true_spans(item: RepairItem) -> list[Span]:
    """Return the ranges of a right report, in order of time."""
    spans = [true.spans[0] for true in item.ranges] or [item.defect.window]
    return sorted(spans, key=lambda span: span.start_s)


def report(store: FileStore, kind: str, spans: Sequence[Span]) -> FileRef:
    """Write a report as the brief asks for it."""
    return put_report(store, [ReportedRange(span, kind) for span in spans], found=f"Found and mended: {kind}.")


def _footage(store: FileStore, ref: FileRef) -> Footage:
    return load_whole_clip(store.path(ref))


def _half_repaired(store: FileStore, item: RepairItem) -> Footage:
    broken, golden = _footage(store, item.broken), _footage(store, item.golden)

    def pictures() -> Iterator[Pixels]:
        for one, other in zip(broken.pictures(), golden.pictures(), strict=True):
            yield ((one.astype(np.uint16) + other) // 2).astype(np.uint8)

    if broken.sound is None or golden.sound is None:
        return replace(golden, pictures=pictures)
    samples = (broken.sound.samples + golden.sound.samples) / np.float32(2)
    return replace(golden, pictures=pictures, sound=Sound(samples, golden.sound.rate_hz))


def _wrong_span(item: RepairItem, length_s: Fraction, store: FileStore) -> Span:
    """Return a range of some length at the start of the clip, or at its end where that is further off."""
    clip_s = _footage(store, item.broken).length_s
    starts = [span.start_s for true in item.ranges for span in true.spans]
    start_s = max(Fraction(0), clip_s - length_s, key=lambda at_s: min(abs(at_s - start) for start in starts))
    return Span(start_s=start_s, end_s=start_s + length_s)
