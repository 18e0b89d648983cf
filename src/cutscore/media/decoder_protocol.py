"""How the decoding child and we talk: two lengths, a head in JSON, then raw numbers.

A head has `is`: `frame`, `picture`, `still`, `sound` or `answer` (whichever was asked for; untrusted.py says what else
stands in it), `pulse` (it lives and reads), `error` (with `kind`, `what`, `fact`, `next`) or `end`. `arrays` names type
and shape of each array behind the head, in the order in which they lie there.

A child that has met a hostile file may be anybody's, so its words are read here as a stranger's: everything that is
not exactly this is a ValueError, and it is known before room is made for it.
"""

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.strict_json import read_json

HEAD = struct.Struct("!IQ")  # bytes of the head, and of the arrays that follow
MOST_HEAD_BYTES = 1 << 20
PATIENCE = 6  # stalls that a child is waited for while others keep it from the processor

Numbers = npt.NDArray[np.generic]

_TYPES: dict[str, type[np.generic]] = {"uint8": np.uint8, "uint16": np.uint16, "float32": np.float32}
# Thirty digits count nanoseconds for longer than there is time; "1e999999999" would be computed for hours.
_TIME = re.compile(r"-?[0-9]{1,30}(/[1-9][0-9]{0,29})?", re.ASCII)


@dataclass(frozen=True)
class ArrayShape:
    """Type and sides of an array that is to come."""

    type: str
    sides: tuple[int, ...]

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole array."""
        return prod(self.sides) * np.dtype(_TYPES[self.type]).itemsize

    def allocate(self) -> Numbers:
        """Return an array that waits to be filled."""
        return np.empty(self.sides, _TYPES[self.type])


def describe_arrays(arrays: Sequence[Numbers]) -> list[tuple[str, list[int]]]:
    """Write down types and shapes for a head."""
    return [(array.dtype.name, list(array.shape)) for array in arrays]


def parse_head(words: bytes) -> tuple[dict[str, Any], tuple[ArrayShape, ...]]:
    """Read a head and the shapes of its arrays; ValueError for anything but a well-formed one."""
    head = read_json(words.decode())
    if not isinstance(head, dict) or not isinstance(head.get("is"), str):
        raise ValueError("the head is no object")
    named = head.get("arrays", [])
    if not isinstance(named, list):
        raise ValueError("arrays are no list")
    return head, tuple(map(_shape, named))


def _shape(named: object) -> ArrayShape:
    match named:
        case [str(type_), [*sides]] if type_ in _TYPES and 1 <= len(sides) <= 3:
            whole = tuple(side for side in sides if type(side) is int and side >= 0)
            if len(whole) == len(sides):
                return ArrayShape(type_, whole)
    raise ValueError("an array has no type and shape")


def parse_time(text: object) -> Fraction:
    """Read an exact time in seconds; ValueError when it is none."""
    if not isinstance(text, str) or not _TIME.fullmatch(text):
        raise ValueError("a time is no fraction")
    return Fraction(text)
