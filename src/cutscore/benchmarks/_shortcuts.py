"""Orders of clips by what no viewer looks at, for the shortcut solvers of any family (see `_gates.shortcuts`)."""

from collections.abc import Sequence
from fractions import Fraction

from cutscore.core.files import FileRef, Shelf
from cutscore.media.probe import extent_of


def blind_orders(clips: Sequence[FileRef], shelf: Shelf) -> dict[str, list[FileRef]]:
    """Give the clips in the order of their names, sizes, lengths and bit rates, and each of these backwards.

    The bit rate tells of the encoder's noise: a clip that went through one more encoder needs fewer bits. Of equals,
    names go first.

    Args:
        clips: Videos that a subject got.
        shelf: Has them.
    """
    lengths_s = {ref.name: _length_s(ref, shelf) for ref in clips}
    named = sorted(clips, key=lambda ref: ref.name)
    orders = {
        "file names": named,
        "file sizes": sorted(named, key=lambda ref: ref.size_bytes),
        "lengths": sorted(named, key=lambda ref: lengths_s[ref.name]),
        "bit rates": sorted(named, key=lambda ref: ref.size_bytes / max(lengths_s[ref.name], Fraction(1, 1000))),
    }
    return {**orders, **{f"{name}, backwards": order[::-1] for name, order in orders.items()}}


def _length_s(ref: FileRef, shelf: Shelf) -> Fraction:
    extent = extent_of(shelf.path(ref), trusted=False)
    return extent.end_s - extent.start_s
