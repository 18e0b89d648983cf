"""What a file is by its first bytes: a container that we decode, of video or of sound, or something with a name."""

_EBML = b"\x1a\x45\xdf\xa3"
_EBML_DOCTYPE = b"\x42\x82"
# Old QuickTime files have no `ftyp` and begin with one of these boxes.
_QUICKTIME_BOXES = {b"moov", b"mdat", b"wide", b"free", b"skip"}
# ISO files that hold pictures and no film; FFmpeg would show them as one.
_PICTURE_BRANDS = {b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"crx "}

# Kilobits a second of layer III: of MPEG-2 and 2.5, and of MPEG-1.
_MP3_KBITS = (
    (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
)

# First bytes, leading blanks and byte order marks left out → what people call it. Texts are told in lower case.
_TEXTS = (
    (b"ffconcat", "a concat script"),
    (b"file ", "a concat script"),
    (b"#extm3u", "an HLS playlist"),
    (b"v=0", "an SDP session"),
    (b"[script info]", "subtitles (ASS)"),
    (b"webvtt", "subtitles (WebVTT)"),
    (b"1\n00:", "subtitles (SRT)"),
    (b"1\r\n00:", "subtitles (SRT)"),
    (b"[playlist]", "a playlist (PLS)"),
    (b";ffmetadata", "an FFmpeg metadata script"),
    (b"rtsp", "a stream address"),
    (b"http", "a web address"),
    (b"{", "JSON"),
)
_MARKUP = (
    (b"<mpd", "a DASH playlist"),
    (b"<smoothstreamingmedia", "a Smooth Streaming playlist"),
    (b"<svg", "an SVG drawing"),
    (b"<asx", "a playlist (ASX)"),
    (b"<playlist", "a playlist (XSPF)"),
    (b"<html", "a web page"),
    (b"<smil", "a playlist (SMIL)"),
)
_BYTES = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"OggS", "an Ogg file"),
    (b"RIFF", "a RIFF file (AVI, WAV or WebP)"),
    (b"FLV\x01", "a Flash video"),
    (b"\x30\x26\xb2\x75", "an ASF file (WMV)"),
    (b"\x06\x0e\x2b\x34", "an MXF file"),
    (b"\x00\x00\x01\xba", "an MPEG programme stream"),
    (b"\x00\x00\x01\xb3", "bare MPEG video without a container"),
    (b"\x00\x00\x00\x01", "bare video without a container"),
    (b"DKIF", "an IVF file"),
    (b"YUV4MPEG2", "raw video (Y4M)"),
    (b"ID3", "an MP3 file"),
    (b"fLaC", "a FLAC file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"#!", "a program"),
)


def detect_container(head: bytes) -> str | None:
    """Return the container by the first bytes of a file; None when it is none that we decode.

    >>> detect_container(b"ffconcat version 1.0") is None
    True
    """
    if head[4:8] == b"ftyp":
        if head[8:12] in _PICTURE_BRANDS:
            return None
        return "mov" if head[8:12] == b"qt  " else "mp4"
    if head[4:8] in _QUICKTIME_BOXES:
        return "mov"
    if head.startswith(_EBML):
        rest = head.partition(_EBML_DOCTYPE)[2]
        width = vint_length(rest[0]) if rest else 0
        length = int.from_bytes(rest[:width]) & ((1 << 7 * width) - 1)
        doctype = rest[width : width + length].rstrip(b"\0").decode("ascii", errors="replace")
        return doctype if doctype in ("matroska", "webm") else None
    return None


def detect_sound_container(head: bytes) -> str | None:
    """Return a container of sound alone by its first bytes: `wav`, `flac`, `mp3`, `ogg`, or None.

    An MP3 has no mark of its own: it begins with an ID3 tag, or with a frame that another one follows.

    >>> detect_sound_container(b"fLaC"), detect_sound_container(b"RIFF....AVI ")
    ('flac', None)
    """
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return "wav"
    if head.startswith(b"fLaC"):
        return "flac"
    if head.startswith(b"OggS"):
        return "ogg"
    if head.startswith(b"ID3") or _mp3_frame_bytes(head[_mp3_frame_bytes(head) or len(head) :]):
        return "mp3"
    return None


def _mp3_frame_bytes(head: bytes) -> int:
    """Return the length of the MPEG audio frame of layer III that begins here; 0 when none does."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return 0
    version, rate, speed = head[1] >> 3 & 3, head[2] >> 2 & 3, head[2] >> 4
    if version == 1 or rate == 3 or speed in (0, 15):
        return 0
    kbits = _MP3_KBITS[version == 3][speed - 1]
    hertz = (44_100, 48_000, 32_000)[rate] // {3: 1, 2: 2, 0: 4}[version]
    return (144_000 if version == 3 else 72_000) * kbits // hertz + (head[2] >> 1 & 1)


def describe_file_type(head: bytes) -> str:
    """Return what a file that we do not decode seems to be, for the sentence that refuses it.

    >>> describe_file_type(b"ffconcat version 1.0"), describe_file_type(b"")
    ('it looks like a concat script', 'it is empty')
    """
    if not head:
        return "it is empty"
    if head[4:8] == b"ftyp":
        return "it looks like a HEIF or AVIF picture"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(b"<"):
        named = (name for mark, name in _MARKUP if mark in text)
        return f"it looks like {next(named, 'markup (XML or HTML)')}"
    for known, content in ((_BYTES, head), (_TEXTS, text)):
        for mark, name in known:
            if content.startswith(mark):
                return f"it looks like {name}"
    if head[0] == 0x47 and head[188:189] in (b"\x47", b""):
        return "it looks like an MPEG transport stream"
    return "by its content it is nothing that we know"


def vint_length(first: int) -> int:
    """Return the number of bytes of an EBML number by its first byte; 0 when there is none so long."""
    return 9 - first.bit_length() if first else 0
