"""How the decoding child and we talk: lengths, a head in JSON, then raw pixels.

A head has `is`: `frame` (with `at_s`, `height`, `width`, and pixels behind it), `probe`, `pulse` (it lives and reads),
`error` (with `kind`, `what`, `fact`, `next`) or `end`.
"""

import struct
from typing import NamedTuple

HEAD = struct.Struct("!IQ")
MOST_HEAD_BYTES = 1 << 20


class Head(NamedTuple):
    """Bytes of the head and of the pixels that follow."""

    head: int
    body: int
