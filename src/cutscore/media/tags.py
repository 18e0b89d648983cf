"""What a file says beside its pictures and sound: notes of the container, comments and camera data of a picture.

For whoever gives files away: a title, a date or a program's name can tell what pictures are meant to hide.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from cutscore.core.errors import BrokenData
from cutscore.media.container import open_media

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_PNG_NOTES = {b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME"}
_JPEG_NOTES = {0xE1: "Exif or XMP", 0xED: "IPTC", 0xFE: "comment"}
_LONGEST = 200  # characters of a note that are given


def read_tags(path: Path) -> dict[str, str]:
    """Return every note of a video, sound file, PNG or JPEG by its place and name: `container title`, `PNG tEXt`."""
    with path.open("rb") as stream:
        head = stream.read(8)
    if head == _PNG:
        return dict(_in_png(path.read_bytes()))
    if head.startswith(_JPEG):
        return dict(_in_jpeg(path.read_bytes()))
    with open_media(path) as media:
        notes = {"container": media.container.metadata}
        notes |= {f"{stream.type} {stream.index}": stream.metadata for stream in media.container.streams}
        return {f"{place} {name}": text[:_LONGEST] for place, tags in notes.items() for name, text in tags.items()}


def _in_png(data: bytes) -> Iterator[tuple[str, str]]:
    at = len(_PNG)
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind in _PNG_NOTES:
            yield f"PNG {kind.decode()}", data[at + 8 : at + 8 + min(length, _LONGEST)].decode("latin-1")
        at += length + 12


def _in_jpeg(data: bytes) -> Iterator[tuple[str, str]]:
    at = len(_JPEG)
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:  # pictures begin
        kind, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        if length < 2:
            raise BrokenData("picture", "has a broken segment")
        if kind in _JPEG_NOTES:
            yield f"JPEG {_JPEG_NOTES[kind]}", data[at + 4 : at + 2 + min(length, _LONGEST)].decode("latin-1")
        at += 2 + length
