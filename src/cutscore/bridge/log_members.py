"""Members of a log, which is a zip and may be a stranger's: read as objects, and never without a limit."""

import json
import sys
import zipfile
from typing import Any

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  teaches zipfile the compression that Inspect writes

MOST_MEMBER_BYTES = 256 << 20  # of one sample or header, unpacked; that of a long day of an agent has some ten million
# Of packed bytes that are unpacked at once: the best packing makes a hundred million bytes of so many.
_PIECE_BYTES = 1 << 12


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member, unpacked piece by piece: what its head says of its length need not be so.

    Raises:
        ValueError: It is too long. Other errors are those of zip and its ways of packing.
    """
    if member.file_size > MOST_MEMBER_BYTES:
        raise ValueError(f"'{member.filename}' has {member.file_size:,} bytes, {MOST_MEMBER_BYTES:,} are allowed")
    data = bytearray()
    with archive.open(member) as content:
        while piece := content.read(_PIECE_BYTES):
            data += piece
    return bytes(data)


def read_object(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    """Return the JSON object that a member is."""
    plain = json.loads(read_member(archive, archive.getinfo(name)))
    if not isinstance(plain, dict):
        raise ValueError(f"'{name}' is not a JSON object")
    return plain
