"""Solvers that neither look nor listen: the input again, everything reported and cut out, and combs of cuts.

A comb cuts the same stretch out of every so many seconds, two fifths of the clip in all, as the length in the brief
allows. H.1.3 is a recall, so a tooth that happens to meet a defect is paid, whatever else was cut. What the best comb
of the grid gets on average is chance: `check` prints it for a pack, and the card for the starter pack.
"""

import re
from collections.abc import Iterator, Sequence
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
# From a filler to a sentence, and where the first tooth begins, as a share of the way to the next one.
TEETH_S = tuple(Fraction(parts, 20) for parts in (8, 10, 12, 16, 25))
EVERY = Fraction(5, 2)  # lengths of a tooth from one to the next
STARTS = (Fraction(0), Fraction(1, 3), Fraction(2, 3))


def _comb_name(tooth_s: Fraction, start: Fraction) -> str:
    every_s = EVERY * tooth_s
    return f"comb: {float(tooth_s):g} s of every {float(every_s):g} s from {float(start * every_s):.2f} s are cut out"


GUESSES = {_comb_name(tooth_s, start): (tooth_s, start) for tooth_s in TEETH_S for start in STARTS}
_LENGTH = re.compile(r" s ± ([\d.]+) s\b")  # as the brief words it


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
        **dict(_guess(ask, clip, store)),
    }


def _guess(ask: Ask, clip: Footage, store: FileStore) -> Iterator[tuple[str, Deliverable]]:
    """Return a submission for each comb; without files where the brief asks for the whole length of the clip."""
    within = _LENGTH.search(ask.brief)
    for name, (tooth_s, start) in GUESSES.items():
        teeth = list(comb(clip, tooth_s, start))
        lost_s = sum((tooth.length_s for tooth in teeth), Fraction(0))
        keeps = not teeth or (within and lost_s > 2 * Fraction(within[1]))
        yield name, Deliverable() if keeps else _deliver(cut_out(clip, teeth), teeth, store)


def comb(clip: Footage, tooth_s: Fraction, start: Fraction) -> Iterator[Span]:
    """Return the teeth of a comb, as far as they lie inside the clip."""
    at_s = start * EVERY * tooth_s
    while at_s + tooth_s < clip.length_s:
        yield Span(start_s=at_s, end_s=at_s + tooth_s)
        at_s += EVERY * tooth_s


def _deliver(clip: Footage, reported: Sequence[Span], store: FileStore) -> Deliverable:
    return Deliverable(files=(put_clip(store, FIXED, partial(write_footage, clip)), _report(reported, store)))


def tile(clip: Footage, each_s: Fraction) -> list[Span]:
    """Tile the clip with spans of one length, all but its last picture, without which there would be no film."""
    ends = [each_s * number for number in range(int((clip.length_s - 1 / clip.rate) / each_s) + 1)]
    return [Span(start_s=start, end_s=end) for start, end in pairwise(ends)]


def _report(spans: Sequence[Span], store: FileStore) -> FileRef:
    return put_report(store, [ReportedRange(span) for span in spans])
