"""Notes in files: those of a container, a PNG and a JPEG are found, and a file of ours has none that tells."""

import struct
import zlib
from pathlib import Path

import pytest

from cutscore.core.errors import BrokenData
from cutscore.media.corrupt_clips import remux
from cutscore.media.tags import read_tags


def test_notes_of_a_container_are_found(red_blue: Path, tmp_path: Path) -> None:
    plain = {place.rpartition(" ")[2] for place in read_tags(red_blue)}
    assert plain <= {"major_brand", "minor_version", "compatible_brands", "encoder", "handler_name", "vendor_id"} | {
        "language"
    }
    remux(red_blue, tmp_path / "told.mp4", tags={"title": "The Secret", "creation_time": "2026-01-02T03:04:05Z"})
    found = read_tags(tmp_path / "told.mp4")
    assert found["container title"] == "The Secret"
    assert "container creation_time" in found


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def test_notes_of_pictures_are_found(tmp_path: Path) -> None:
    head = (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    (tmp_path / "a.png").write_bytes(png(head, (b"tEXt", b"Comment\0it is the cat"), (b"IEND", b"")))
    assert read_tags(tmp_path / "a.png") == {"PNG tEXt": "Comment\0it is the cat"}
    (tmp_path / "b.png").write_bytes(png(head, (b"IEND", b"")))
    assert read_tags(tmp_path / "b.png") == {}
    note = b"\xff\xfe" + struct.pack(">H", 12) + b"it is so.."
    camera = b"\xff\xe1" + struct.pack(">H", 8) + b"Exif\0\0"
    (tmp_path / "c.jpg").write_bytes(b"\xff\xd8" + camera + note + b"\xff\xda\0\2 pictures \xff\xfe\0\2")
    assert read_tags(tmp_path / "c.jpg") == {"JPEG Exif or XMP": "Exif\0\0", "JPEG comment": "it is so.."}


@pytest.mark.parametrize("data", [b"", b"words", b"\xff\xd8\xff\xe1\0\0\0\0"], ids=["empty", "text", "torn JPEG"])
def test_what_is_neither_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(BrokenData):
        read_tags(tmp_path / "x")
