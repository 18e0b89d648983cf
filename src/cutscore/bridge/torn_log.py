"""Logs of which a failing disk has taken a part: the samples that are whole in them are kept.

A log is a zip, and the list of its members is at its end. Each member also has a header of its own, with its length and
its checksum, so that those before a tear are found without the list.
"""

import mmap
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from cutscore.bridge.log_members import read_member, read_object
from cutscore.cells.record_file import write_record

SAMPLES = "samples/"
TORN = ".torn"  # what a log is called that a mended one has replaced; nobody can search it for secrets
_HEADER = struct.Struct("<4sHHHHHLLLHH")  # of a member, as PKWARE's APPNOTE 4.3.7 has it
_MAGIC = b"PK\x03\x04"
_LONG_LENGTHS, _LENGTHS_FOLLOW, _IN_EXTRA = 0x0001, 0x08, 0xFFFFFFFF


def mend_log(log: Path) -> int:
    """Keep a torn log as `*.torn`, put one with its whole members in its place, and return how many samples that has.

    Where no sample is whole, there is no log any more.

    Raises:
        NoRoom: The disk does not take the mended one; the torn one stays where it is.
    """
    whole = 0

    def mend(draft: Path) -> None:
        nonlocal whole
        with draft.open("w+b") as mended:
            whole = copy_whole_members(log, mended)
        log.rename(log.with_name(f"{log.name}{TORN}"))

    write_record(log, mend)
    if not whole:
        log.unlink()
    return whole


def count_whole_samples(log: Path) -> int:
    """Return how many samples of a torn log are whole."""
    with tempfile.TemporaryFile() as mended:
        return copy_whole_members(log, mended)


def read_whole_samples(log: Path) -> Iterator[dict[str, Any]]:
    """Return the samples that are whole in a log, torn or not, as they are written there."""
    with tempfile.TemporaryFile() as mended:
        copy_whole_members(log, mended)
        with zipfile.ZipFile(mended) as archive:
            for name in dict.fromkeys(name for name in archive.namelist() if name.startswith(SAMPLES)):
                yield read_object(archive, name)


def copy_whole_members(log: Path, mended: IO[bytes]) -> int:
    """Write a log of the members of another that are whole, and return how many samples it has."""
    if not log.stat().st_size:
        return 0
    found = []
    with log.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for info, end in _find_members(data):
            begin, info.header_offset = info.header_offset, mended.tell()
            mended.write(data[begin:end])
            found.append(info)
    with zipfile.ZipFile(mended, "a") as archive:  # finds no list of members, and writes one at the end
        for info in found:
            if _is_whole(archive, info):
                archive.filelist.append(info)
                archive.NameToInfo[info.filename] = info
        return len({info.filename for info in archive.filelist if info.filename.startswith(SAMPLES)})


def _find_members(data: mmap.mmap) -> Iterator[tuple[zipfile.ZipInfo, int]]:
    """Return every member whose header and bytes are there, with where it ends."""
    place = data.find(_MAGIC)
    while 0 <= place <= len(data) - _HEADER.size:
        head = _HEADER.unpack_from(data, place)
        _, version, flags, method, _, _, crc, packed, size, name_bytes, extra_bytes = head
        begin = place + _HEADER.size + name_bytes
        extra = data[begin : begin + extra_bytes]
        if _IN_EXTRA in (packed, size) and len(extra) >= 20 and struct.unpack_from("<H", extra)[0] == _LONG_LENGTHS:
            size, packed = struct.unpack_from("<QQ", extra, 4)
        end = begin + extra_bytes + packed
        if end <= len(data) and not flags & _LENGTHS_FOLLOW:
            info = zipfile.ZipInfo(data[begin - name_bytes : begin].decode("utf-8", errors="replace"))
            info.extract_version, info.flag_bits, info.compress_type = version, flags, method
            info.CRC, info.compress_size, info.file_size, info.header_offset = crc, packed, size, place
            yield info, end
            place = data.find(_MAGIC, end)
        else:
            place = data.find(_MAGIC, place + len(_MAGIC))


def _is_whole(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    try:
        read_member(archive, info)
    except Exception:  # noqa: BLE001  each way of packing has errors of its own for bytes that are wrong
        return False
    return True
