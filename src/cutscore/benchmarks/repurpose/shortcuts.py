"""Solvers that neither watch nor listen: grey in the right format, and stretches of the source taken by the clock."""

from collections.abc import Sequence
from fractions import Fraction

from cutscore.benchmarks.repurpose.excerpts import put_excerpts
from cutscore.benchmarks.repurpose.keyless import FILM, blind, hand_over, read_format
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.core.timeline import Span
from cutscore.media.probe import probe

START, END, SPREAD = "the beginning of the source", "the end of the source", "the source in even steps"
PIECE_S = Fraction(2)
_WHY = "a rubric pays for the format and for whatever is in a stretch by luck; scores are to be read against this one"
PRINTED = dict.fromkeys((START, END, SPREAD), _WHY)


def shortcuts(ask: Ask, store: FileStore) -> dict[str, Deliverable]:
    """Return what each solver hands over."""
    source, wanted = ask.files[0], read_format(ask.brief)
    there_s = probe(store.path(source)).duration_s or Fraction(0)
    length_s = min(there_s, wanted.length_s)

    def cut(spans: Sequence[Span]) -> Deliverable:
        film = put_excerpts(store, FILM, source, [(span, 0.5) for span in spans], wanted.aspect)
        return hand_over(store, film, "Cut by the clock.\n")

    return {
        "brief only": blind(ask, 0, store),
        START: cut([Span(start_s=0, end_s=length_s)]),
        END: cut([Span(start_s=there_s - length_s, end_s=there_s)]),
        SPREAD: cut(spread_evenly(there_s, length_s)),
    }


def spread_evenly(there_s: Fraction, length_s: Fraction) -> list[Span]:
    """Return stretches of about two seconds at even distances, together as long as asked.

    >>> [str(span) for span in spread_evenly(Fraction(12), Fraction(4))]
    ['00:02.000–00:04.000', '00:08.000–00:10.000']
    """
    count = max(1, round(length_s / PIECE_S))
    gap_s = (there_s - length_s) / count
    starts = [gap_s / 2 + number * (gap_s + length_s / count) for number in range(count)]
    return [Span(start_s=start_s, end_s=start_s + length_s / count) for start_s in starts]
