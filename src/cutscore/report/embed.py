"""Files of the record → what a page may show of them: a player, a picture, or an excerpt as text.

The bytes decide, never a name or a stated type: a text file called `fixed.mp4` is shown as the text it is, and
formats that can act (SVG, HTML, PDF) are never embedded.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from cutscore.core.errors import BadInput, CorruptEntry
from cutscore.core.files import FileRef, FileStore
from cutscore.core.inert_text import Clean, make_inert, truncate
from cutscore.regular_file import open_regular
from cutscore.report.preview import Preview, preview
from cutscore.results.wording import size

Tag = Literal["video", "audio", "image"]
MediaPolicy = Literal["link", "copy", "leave"]
HEAD_BYTES = 4096
# An answer file is read as a person skims it; the whole is in the record.
EXCERPT_BYTES, EXCERPT_CHARS = 64_000, 8_000


@dataclass(frozen=True)
class MediaKind:
    """How a browser shows a file."""

    tag: Tag
    suffix: str


@dataclass(frozen=True)
class EmbeddedFile:
    """One file on a page: a copy at `href` from the site's root, or the inert start of a text.

    The note says what was left out, or why there is nothing to see.
    """

    name: str
    sha256: str
    size: str
    tag: Tag | None = None
    href: str = ""
    excerpt: str = ""
    note: str = ""

    @property
    def plays(self) -> bool:
        """Return whether it has a player."""
        return self.tag in ("video", "audio")


def recognize_media(head: bytes) -> MediaKind | None:
    """Recognise a film, a sound or a picture by its first bytes; None for everything else.

    >>> recognize_media(b"ffconcat version 1.0") is None, recognize_media(b"GIF89a" + bytes(10)).tag
    (True, 'image')
    """
    if head[4:8] == b"ftyp":
        return _iso_media(head[8:12])
    if head[:4] == b"\x1a\x45\xdf\xa3" and b"\x42\x82" in head[:64]:
        return MediaKind("video", ".webm" if b"webm" in head[:64] else ".mkv")
    if head[:4] == b"OggS":
        return MediaKind("video", ".ogv") if b"\x80theora" in head[:256] else MediaKind("audio", ".ogg")
    if head[:4] == b"RIFF":
        return {b"WAVE": MediaKind("audio", ".wav"), b"WEBP": MediaKind("image", ".webp")}.get(head[8:12])
    if _mpeg_layer_3(head):
        return MediaKind("audio", ".mp3")
    return next((kind for magic, kind in _PLAIN if head.startswith(magic)), None)


def _iso_media(brand: bytes) -> MediaKind | None:
    if brand in (b"avif", b"avis"):
        return MediaKind("image", ".avif")
    if brand in (b"heic", b"heix", b"heim", b"mif1", b"msf1", b"crx "):  # pictures that few browsers show
        return None
    if brand in (b"M4A ", b"M4B "):
        return MediaKind("audio", ".m4a")
    return MediaKind("video", ".mov" if brand == b"qt  " else ".mp4")


_PLAIN = (
    (b"\x89PNG\r\n\x1a\n", MediaKind("image", ".png")),
    (b"\xff\xd8\xff", MediaKind("image", ".jpg")),
    (b"GIF87a", MediaKind("image", ".gif")),
    (b"GIF89a", MediaKind("image", ".gif")),
    (b"fLaC", MediaKind("audio", ".flac")),
    (b"ID3", MediaKind("audio", ".mp3")),
)


def _mpeg_layer_3(head: bytes) -> bool:
    """Tell a bare MP3 frame from text and noise: sync, layer III, and no reserved bit rate or sample rate."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return False
    return head[2] >> 4 not in (0, 15) and head[2] >> 2 & 3 != 3


class Media:
    """The site's `media/` folder: takes in each content once, named by its hash.

    Args:
        how: `link` shares the bytes with the store by hard links where the disk allows it, `copy` never does, and
            `leave` takes no films, sounds and pictures at all.
    """

    def __init__(self, root: Path, *, clean: Clean, how: MediaPolicy = "link") -> None:
        self._root, self._clean, self._how = root, clean, how
        self._seen: dict[str, EmbeddedFile] = {}

    def show(self, ref: FileRef, store: FileStore) -> EmbeddedFile:
        """Make a file showable. One that the store lost or that rotted is said to be so, and the report goes on."""
        known = self._seen.get(ref.sha256)
        if known is None:
            blank = EmbeddedFile(name=ref.name, sha256=ref.sha256, size=size(ref.size_bytes))
            try:
                path = store.path(ref)
            except (BadInput, CorruptEntry) as error:
                # Another run may still hold the bytes, so this answer is not kept.
                return replace(blank, note=f"cannot be shown: {error.finding}")
            known = self._seen[ref.sha256] = self._take(blank, path)
        return replace(known, name=ref.name)

    def take(self, path: Path) -> str:
        """Take in a film, sound or picture that is in no store, and return where it is then; empty for all else."""
        try:
            with open_regular(path) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            return ""
        if digest not in self._seen:
            self._seen[digest] = self._take(EmbeddedFile(name=path.name, sha256=digest, size=""), path)
        return self._seen[digest].href

    def preview(self, shown: EmbeddedFile) -> Preview | None:
        """Look at a film that is on the site; None for everything else, and for what cannot be decoded."""
        return preview(self._root / shown.href, shown.sha256) if shown.tag == "video" and shown.href else None

    def strip(self, shown: EmbeddedFile, seen: Preview) -> str:
        """Put a film's strip of pictures on the site, once, and give where."""
        href = f"media/{shown.sha256}.strip.jpg"
        if not (self._root / href).exists():
            (self._root / href).write_bytes(seen.strip)
        return href

    def _take(self, blank: EmbeddedFile, path: Path) -> EmbeddedFile:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
            kind = recognize_media(head)
            if kind is None:
                # A little more than is shown, so that a secret on the edge is seen whole and taken out.
                data = head + stream.read(EXCERPT_BYTES - HEAD_BYTES)
                return self._read(blank, data)
        if self._how == "leave":
            return replace(blank, note="not in this report")
        href = f"media/{blank.sha256}{kind.suffix}"
        target = self._root / href
        target.parent.mkdir(exist_ok=True)
        if not (self._how == "link" and _hard_link(path, target)):
            shutil.copyfile(path, target)
        return replace(blank, tag=kind.tag, href=href)

    def _read(self, blank: EmbeddedFile, data: bytes) -> EmbeddedFile:
        text = data.decode("utf-8", errors="replace")
        if not data:
            return replace(blank, note="empty file")
        if b"\0" in data or text.count("\ufffd") > len(text) // 20 + 1:
            return replace(blank, note="not shown: neither picture, sound nor text")
        excerpt, left = truncate(make_inert(text, self._clean), EXCERPT_CHARS)
        more = left or len(data) == EXCERPT_BYTES
        return replace(blank, excerpt=excerpt, note=f"the first {EXCERPT_CHARS:,} characters" if more else "")


def _hard_link(source: Path, target: Path) -> bool:
    """Hard-link when others may read the source too (a web server is another user); False when it cannot be."""
    if not source.stat().st_mode & 0o004:
        return False
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
