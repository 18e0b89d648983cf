"""What a picture of ours says of itself: a description in the PNG file, behind its head."""

import zlib

_SIGNATURE, _KEY = b"\x89PNG\r\n\x1a\n", b"Description\0"
_IHDR_BYTES = 4 + 4 + 13 + 4


def read_words(png: bytes) -> str:
    """Return what one of our pictures was drawn to show; nothing of any other file."""
    at = len(_SIGNATURE) + _IHDR_BYTES
    found = png[at + 4 : at + 8 + len(_KEY)] == b"tEXt" + _KEY
    size = int.from_bytes(png[at : at + 4]) - len(_KEY)
    return png[at + 8 + len(_KEY) :][:size].decode("latin-1") if found and png.startswith(_SIGNATURE) else ""


def with_words(png: bytes, words: str) -> bytes:
    """Return a PNG with a description, as a text chunk behind its head."""
    body = b"tEXt" + _KEY + words.encode("latin-1")
    chunk = (len(body) - 4).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)
    at = len(_SIGNATURE) + _IHDR_BYTES
    return png[:at] + chunk + png[at:]
