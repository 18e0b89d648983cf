"""Solvers that neither look nor listen: the input again, and everything reported and cut out."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise

from cutscore.authoring.clip_cache import put_clip
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED, ReportedRange, put_report
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, load_whole_clip, write_footage

PIECE_S = Fraction(1, 2)
THINNED = 3  # who cuts out a third stays within the length that the brief allows


def shortcuts(ask: Ask, store: FileStore) -> dict[str, Deliverable]:
    """Return what each solver hands over."""
    given = ask.files[0]
    clip = load_whole_clip(store.path(given))
    pieces = tile(clip, PIECE_S)
    thinned = pieces[1::THINNED]
    again = store.put(store.path(given), name=FIXED, media_type=given.media_type)
    everything = Span(start_s=0, end_s=clip.length_s)
    return {
        "the input": Deliverable(files=(again, _report([], store))),
        "the input, encoded once more": _deliver(clip, [], store),
        "the whole clip is reported": Deliverable(files=(again, _report([everything], store))),
        "every half second is reported": Deliverable(files=(again, _report(pieces, store))),
        "every half second is reported and cut out": _deliver(cut_out(clip, pieces), pieces, store),
        "every third half second is reported and cut out": _deliver(cut_out(clip, thinned), thinned, store),
    }


def _deliver(clip: Footage, reported: Sequence[Span], store: FileStore) -> Deliverable:
    return Deliverable(files=(put_clip(store, FIXED, partial(write_footage, clip)), _report(reported, store)))


def tile(clip: Footage, each_s: Fraction) -> list[Span]:
    """Tile the clip with spans of one length, all but its last picture, without which there would be no film."""
    ends = [each_s * number for number in range(int((clip.length_s - 1 / clip.rate) / each_s) + 1)]
    return [Span(start_s=start, end_s=end) for start, end in pairwise(ends)]


def _report(spans: Sequence[Span], store: FileStore) -> FileRef:
    return put_report(store, [ReportedRange(span) for span in spans])
