"""Files that mean harm, made by code: each with what has to happen to it, and why.

A kind is a function that writes one file into a folder and gives its path. Where a file wants to lead the decoder
elsewhere, it leads to a canary: a good clip that is watched for being opened, or a web server that counts callers.

    REFUSED     `BrokenData` or `BadInput` whose text matches the reason
    EQUAL       decoded, and every frame equals the base clip's: the odd part is without effect
    SAFE        decoded or refused, whatever it may be: no crash, no hang, no other error (damaged files)
"""

import io
import os
import socket
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip

REFUSED, EQUAL, SAFE = "refused", "equal", "safe"
NOT_OURS = "is not a video that we decode; it looks like "
ALIAS = bytes.fromhex("616c6973")  # the type of an alias in QuickTime
OTHER_FILE = "keeps its pictures or sound in another file"


@dataclass(frozen=True)
class Place:
    """Where a kind is made: a folder, a good clip in it, and the port of a web server that counts callers."""

    folder: Path
    golden: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def write(self, data: bytes | str, name: str = "fixed.mp4") -> Path:
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path


@dataclass(frozen=True)
class Kind:
    name: str
    make: Callable[[Place], Path]
    outcome: str
    reason: str = ""
    budget: Budget = field(default=DEFAULT_BUDGET)


KINDS: list[Kind] = []
Maker = Callable[[Place], Path]


def kind(outcome: str, reason: str = "", budget: Budget = DEFAULT_BUDGET) -> Callable[[Maker], Maker]:
    def register(make: Maker) -> Maker:
        KINDS.append(Kind(make.__name__.replace("_", " "), make, outcome, reason, budget))
        return make

    return register


def text(name: str, reason: str, write: Callable[[Place], str]) -> None:
    """Add a kind that is a text under a video's name."""
    KINDS.append(Kind(name, lambda place: place.write(write(place)), REFUSED, NOT_OURS + reason))


def base_frames() -> Iterator[Pixels]:
    """20 frames of 64×48, no two alike: a bright bar moves over a slope."""
    slope = np.linspace(0, 200, 64, dtype=np.uint8)
    for number in range(20):
        pixels = np.repeat(np.tile(slope, (48, 1))[:, :, None], 3, axis=2)
        pixels[8:24, 3 * number : 3 * number + 6] = (250, 40, 10 * number)
        yield pixels


def write_base(path: Path) -> Path:
    """Write the base clip: 0.8 s at 25 frames a second, H.264 in MP4."""
    write_clip(path, base_frames(), rate=Fraction(25))
    return path


def remux(
    place: Place,
    name: str = "fixed.mp4",
    *,
    format: str = "mp4",
    options: dict[str, str] | None = None,
    tags: dict[str, str] | None = None,
    copies: int = 1,
    late_s: int = 0,
) -> Path:
    """Put the coded pictures of the base clip into another container, `copies` times side by side."""
    path = place.folder / name
    with (
        av.open(io.BytesIO(place.golden.read_bytes())) as source,
        av.open(str(path), "w", format=format, options=options or {}) as out,
    ):
        out.metadata.update(tags or {})
        streams = [out.add_stream_from_template(source.streams.video[0]) for _ in range(copies)]
        for packet in source.demux(video=0):
            if packet.dts is None:
                continue
            for stream in streams:
                twin = av.Packet(bytes(packet))
                twin.pts, twin.dts, twin.duration = packet.pts, packet.dts, packet.duration
                twin.time_base, twin.is_keyframe = packet.time_base, packet.is_keyframe
                late = int(late_s / packet.time_base)
                twin.pts, twin.dts = twin.pts + late, twin.dts + late
                twin.stream = stream
                out.mux(twin)
    return path


def encode(
    place: Place, codec: str, pix_fmt: str, *, format: str, size: int = 64, name: str = "fixed.mp4", **options: str
) -> Path:
    """Encode two grey pictures, `size` by `size`."""
    path = place.folder / name
    with av.open(str(path), "w", format=format) as out:
        stream = out.add_stream(codec, rate=25, options=options)
        stream.width = stream.height = size
        stream.pix_fmt = pix_fmt
        for number in range(2):
            picture = av.VideoFrame(size, size, "gray")
            picture.planes[0].update(bytes([40 * number]) * picture.planes[0].buffer_size)
            picture = picture.reformat(format=pix_fmt)
            picture.pts, picture.time_base = number, Fraction(1, 25)
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return path


def lossless(place: Place, codec: str, *, format: str, **options: str) -> Path:
    """Encode the decoded pictures of the base clip once more, without loss."""
    path = place.folder / "fixed.mp4"
    with av.open(io.BytesIO(place.golden.read_bytes())) as source, av.open(str(path), "w", format=format) as out:
        stream = out.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.colorspace = stream.codec_context.color_primaries = stream.codec_context.color_trc = 1
        stream.codec_context.color_range = 1
        for number, picture in enumerate(source.decode(video=0)):
            picture.pts, picture.time_base, picture.pict_type = number, Fraction(1, 25), 0
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return path


# --- boxes -----------------------------------------------------------------------------------------------------------


def box(kind: bytes, *contents: bytes) -> bytes:
    content = b"".join(contents)
    return struct.pack(">I4s", len(content) + 8, kind) + content


def boxes(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 0
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        found.append((name, data[at + 8 : at + size]))
        at += size
    return found


def edited(data: bytes, path: tuple[bytes, ...], change: Callable[[bytes], bytes | None]) -> bytes:
    """Change the content of the boxes at a path; None takes the box out."""
    out = []
    for name, content in boxes(data):
        new: bytes | None = content
        if name == path[0]:
            new = change(content) if len(path) == 1 else edited(content, path[1:], change)
        if new is not None:
            out.append(box(name, new))
    return b"".join(out)


DREF = (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref")


def with_reference(place: Place, kind: bytes, flags: int, content: bytes) -> Path:
    entry = box(kind, struct.pack(">I", flags), content)
    plain = remux(place, format="mov").read_bytes()  # its index is at the end, so that no offset moves
    return place.write(edited(plain, DREF, lambda _: struct.pack(">II", 0, 1) + entry))


def element(number: int, content: bytes) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8) + (len(content) | 1 << 56).to_bytes(8) + content


def matroska(*parts: bytes) -> bytes:
    header = element(0x1A45DFA3, element(0x4282, b"matroska") + element(0x4287, b"\4") + element(0x4285, b"\2"))
    return header + element(0x18538067, b"".join(parts))


def after_info(place: Place, extra: bytes) -> Path:
    """Put an element into the segment of a good Matroska file, which is written without a length."""
    data = remux(place, format="matroska", options={"live": "1"}).read_bytes()
    at = data.index(b"\x18\x53\x80\x67") + 12
    return place.write(data[:at] + extra + data[at:])


# --- texts and pictures under a video's name -------------------------------------------------------------------------

text("ffconcat of 37 bytes", "a concat script", lambda _: "ffconcat version 1.0\nfile golden.mp4\n")
text("concat list", "a concat script", lambda place: f"file '{place.golden}'\n")
text("HLS to a file", "an HLS playlist", lambda place: f"#EXTM3U\n#EXTINF:1,\n{place.golden}\n#EXT-X-ENDLIST\n")
text("HLS to loopback", "an HLS playlist", lambda place: f"#EXTM3U\n#EXTINF:1,\n{place.url}/a.ts\n#EXT-X-ENDLIST\n")
text("HLS behind a byte order mark", "an HLS playlist", lambda place: f"\ufeff\n#EXTM3U\n{place.url}/b.ts\n")
text(
    "DASH to loopback",
    "a DASH playlist",
    lambda place: f"<?xml version='1.0'?><MPD type='static'><BaseURL>{place.url}/c.mp4</BaseURL></MPD>",
)
text("SDP session", "an SDP session", lambda place: f"v=0\nc=IN IP4 127.0.0.1\nm=video {place.port} RTP/AVP 96\n")
text("SVG with a link", "an SVG drawing", lambda place: f"<svg><image href='{place.url}/d.png'/></svg>")
text("ASS subtitles", r"subtitles \(ASS\)", lambda place: f"[Script Info]\n!: {place.golden}\n")
text(
    "SRT subtitles", r"subtitles \(SRT\)", lambda place: f"1\n00:00:00,000 --> 00:00:01,000\n<img src={place.url}/e>\n"
)
text(
    "WebVTT subtitles",
    r"subtitles \(WebVTT\)",
    lambda place: f"WEBVTT\n\nSTYLE\n::cue {{ background: url({place.url}/f) }}\n",
)
text("web page", "a web page", lambda place: f"<!doctype html><html><video src='{place.url}/g.mp4'></html>")
text("PLS playlist", r"a playlist \(PLS\)", lambda place: f"[playlist]\nFile1={place.url}/h.mp4\n")
text("FFmpeg metadata script", "an FFmpeg metadata script", lambda _: ";FFMETADATA1\ntitle=x\n")
text("address", "a web address", lambda place: f"{place.url}/i.mp4")
text("shell script", "a program", lambda place: f"#!/bin/sh\ncp {place.golden} fixed.mp4\n")


def png(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(bytes((width + 1) * height), 1)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@kind(REFUSED, NOT_OURS + "a PNG picture")
def picture_of_16000_by_16000(place: Place) -> Path:
    return place.write(png(16000, 16000))


@kind(REFUSED, NOT_OURS + "a PNG picture")
def name_that_is_an_image_sequence(place: Place) -> Path:
    for number in range(3):
        place.write(png(64, 48), f"frame{number:03d}.png")
    return place.write(png(64, 48), "frame%03d.png")


@kind(REFUSED, NOT_OURS + "a HEIF or AVIF picture")
def heif_picture(place: Place) -> Path:
    return place.write(box(b"ftyp", b"heic\0\0\0\0mif1heic") + bytes(64))


@kind(REFUSED, NOT_OURS + "a RIFF file")
def avi_container(place: Place) -> Path:
    return encode(place, "mpeg4", "yuv420p", format="avi")


@kind(REFUSED, NOT_OURS + "an MPEG transport stream")
def transport_stream(place: Place) -> Path:
    return encode(place, "mpeg2video", "yuv420p", format="mpegts")


@kind(REFUSED, NOT_OURS + "a zip archive")
def zip_archive(place: Place) -> Path:
    return place.write(b"PK\x03\x04" + bytes(100))


@kind(REFUSED, "is not a video that we decode; it is empty")
def empty_file(place: Place) -> Path:
    return place.write(b"")


@kind(REFUSED, "is not a video that we decode; by its content it is nothing that we know")
def noise(place: Place) -> Path:
    return place.write(np.random.default_rng(3).bytes(100_000))


# --- names, links, devices -------------------------------------------------------------------------------------------


def _odd_name(name: str, label: str) -> None:
    KINDS.append(Kind(label, lambda place: place.write(place.golden.read_bytes(), name), EQUAL))


_odd_name("concat:a|golden.mp4", "name that is the concat protocol")
_odd_name("http:127.0.0.1", "name that is a web address")
_odd_name("subfile,,start,0,end,9,,:x", "name that is a part of a file")
_odd_name("-i", "name that is an option")
_odd_name("x%03d.mp4", "name that is a pattern")
_odd_name("ｆｉｘｅｄ.mp4", "name of look-alike letters")
_odd_name("pipe:0", "name that is standard input")


@kind(REFUSED, "clip 'a�b�\\[31m�txt.mp4': is not a video")
def name_with_control_and_direction_codes(place: Place) -> Path:
    return place.write("ffconcat version 1.0\n", "a\nb\x1b[31m\u202etxt.mp4")


@kind(REFUSED, "is a symbolic link; deliver the file itself")
def link_to_the_golden_clip(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    path.symlink_to(place.golden)
    return path


@kind(REFUSED, "is a symbolic link")
def link_to_nowhere(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    path.symlink_to("nowhere")
    return path


@kind(REFUSED, "is a symbolic link")
def link_to_itself(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    path.symlink_to(path)
    return path


@kind(REFUSED, "is not a regular file")
def pipe_without_a_writer(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    os.mkfifo(path)
    return path


@kind(REFUSED, "is not a regular file")
def folder(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    path.mkdir()
    return path


@kind(REFUSED, "is not a regular file")
def endless_device(place: Place) -> Path:
    return Path("/dev/zero")


@kind(REFUSED, "cannot be read")
def unix_socket(place: Place) -> Path:
    path = place.folder / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    return path


@kind(REFUSED, "has 107374182400 bytes, 34359738368 are allowed")
def sparse_giant(place: Place) -> Path:
    path = remux(place)
    os.truncate(path, 100 << 30)
    return path


@kind(SAFE)
def sparse_file_of_8_gigabytes(place: Place) -> Path:
    path = place.write(box(b"ftyp", b"isom\0\0\0\0"))
    os.truncate(path, 8 << 30)
    return path


# --- indexes that point elsewhere ------------------------------------------------------------------------------------


@kind(REFUSED, OTHER_FILE)
def mov_with_url_reference_to_a_file(place: Place) -> Path:
    return with_reference(place, b"url ", 0, f"file://{place.golden}".encode() + b"\0")


@kind(REFUSED, OTHER_FILE)
def mov_with_url_reference_to_loopback(place: Place) -> Path:
    return with_reference(place, b"url ", 0, f"{place.url}/j.mp4".encode() + b"\0")


@kind(REFUSED, OTHER_FILE)
def mov_with_alias_to_a_file(place: Place) -> Path:
    """An alias record as QuickTime writes it: 150 bytes of head with the file's name, then the path as type 2."""
    name, path = place.golden.name.encode(), str(place.golden).encode()
    head = bytearray(150)
    head[4:6], head[6:8] = struct.pack(">H", 150 + 8 + len(path)), struct.pack(">H", 2)
    head[50], head[51 : 51 + len(name)] = len(name), name
    record = (
        bytes(head) + struct.pack(">HH", 2, len(path)) + path + bytes(len(path) % 2) + struct.pack(">HH", 0xFFFF, 0)
    )
    return with_reference(place, ALIAS, 0, record)


@kind(REFUSED, OTHER_FILE)
def reference_movie(place: Place) -> Path:
    address = f"{place.url}/k.mov".encode() + b"\0"
    rdrf = box(b"rdrf", struct.pack(">I4sI", 0, b"url ", len(address)), address)
    return place.write(box(b"ftyp", b"qt  \0\0\0\0") + box(b"moov", box(b"rmra", box(b"rmda", rdrf))))


@kind(REFUSED, "has a compressed index")
def compressed_index(place: Place) -> Path:
    plain = remux(place, format="mov").read_bytes()
    moov = dict(boxes(plain))[b"moov"]
    packed = box(b"dcom", b"zlib") + box(b"cmvd", struct.pack(">I", len(moov) + 8), zlib.compress(box(b"moov", moov)))
    return place.write(edited(plain, (b"moov",), lambda _: box(b"cmov", packed)))


@kind(REFUSED, "hides an index in free space")
def index_in_free_space(place: Place) -> Path:
    plain = remux(place, format="mov").read_bytes()
    moov = dict(boxes(plain))[b"moov"]
    return place.write(edited(plain, (b"moov",), lambda _: None) + box(b"free", box(b"moov", moov)))


@kind(REFUSED, "names another file as its continuation")
def matroska_that_goes_on_in_another_file(place: Place) -> Path:
    return after_info(place, element(0x1549A966, element(0x3E83BB, b"golden.mp4")))


@kind(REFUSED, "carries attached files")
def matroska_with_an_attachment(place: Place) -> Path:
    attached = element(0x466E, b"font.ttf") + element(0x4660, b"font/ttf") + element(0x465C, bytes(64))
    return after_info(place, element(0x1941A469, element(0x61A7, attached + element(0x46AE, b"\1"))))


@kind(REFUSED, "carries attached files")
def matroska_with_an_attached_cover(place: Place) -> Path:
    """FFmpeg shows attached pictures as video streams."""
    attached = element(0x466E, b"cover.png") + element(0x4660, b"image/png") + element(0x465C, png(64, 48))
    return after_info(place, element(0x1941A469, element(0x61A7, attached + element(0x46AE, b"\1"))))


# --- more than there should be ---------------------------------------------------------------------------------------


@kind(REFUSED, "has boxes in boxes, more than 10 deep")
def boxes_a_thousand_deep(place: Place) -> Path:
    nest = b""
    for _ in range(1000):
        nest = box(b"trak" if len(nest) > 8000 else b"udta", nest)
    return place.write(box(b"ftyp", b"isom\0\0\0\0") + box(b"moov", nest))


@kind(REFUSED, "has an index of more than 500000 parts")
def half_a_million_empty_boxes(place: Place) -> Path:
    return place.write(box(b"ftyp", b"isom\0\0\0\0") + box(b"free") * 600_000)


@kind(REFUSED, "has an index of more than 500000 parts")
def half_a_million_empty_elements(place: Place) -> Path:
    return place.write(matroska(b"\xec\x80" * 600_000))


@kind(REFUSED, "has 33 streams, 32 are allowed")
def two_hundred_streams(place: Place) -> Path:
    return remux(place, copies=200)


@kind(REFUSED, "has 200 streams, 32 are allowed")
def two_hundred_streams_in_matroska(place: Place) -> Path:
    return after_info(place, element(0x1654AE6B, element(0xAE, element(0xD7, b"\1")) * 200))


@kind(REFUSED, "has 2 video streams, and which one is meant is open")
def junk_first_and_golden_second(place: Place) -> Path:
    return remux(place, copies=2)


@kind(REFUSED, "bytes of metadata, 8388608 are allowed")
def ten_megabytes_of_title(place: Place) -> Path:
    return remux(place, tags={"title": "x" * 10_000_000})


@kind(REFUSED, "bytes of metadata, 8388608 are allowed")
def ten_megabytes_of_title_in_matroska(place: Place) -> Path:
    return remux(place, format="matroska", tags={"title": "x" * 10_000_000})


@kind(REFUSED, "has pictures of 6400×6400, 35651584 pixels are allowed")
def picture_too_large(place: Place) -> Path:
    return encode(place, "mjpeg", "yuvj420p", format="mov", size=6400)


@kind(REFUSED, "has pictures of 6400×6400, 35651584 pixels are allowed")
def picture_that_grows_on_the_way(place: Place) -> Path:
    """Says 64×64 in its head; the second JPEG is 6400×6400."""
    small, large = (encode(place, "mjpeg", "yuvj420p", format="mov", size=size, name=f"{size}") for size in (64, 6400))
    path = place.folder / "fixed.mp4"
    with (
        av.open(str(small)) as source,
        av.open(str(large)) as other,
        av.open(str(path), "w", format="matroska") as out,
    ):
        stream = out.add_stream_from_template(source.streams.video[0])
        for number, packet in enumerate([next(source.demux(video=0)), next(other.demux(video=0))]):
            twin = av.Packet(bytes(packet))
            twin.pts = twin.dts = number
            twin.time_base, twin.stream, twin.is_keyframe = Fraction(1, 25), stream, True
            out.mux(twin)
    return path


def _far_apart(place: Place, format: str, gap_s: int, **options: str) -> Path:
    path = place.folder / "fixed.mp4"
    with av.open(str(path), "w", format=format, options=options) as out:
        stream = out.add_stream("mjpeg", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuvj420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        for at_ms in (0, 1000 * gap_s):
            picture = av.VideoFrame(64, 48, "yuvj420p")
            picture.pts, picture.time_base = at_ms, Fraction(1, 1000)
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return path


@kind(REFUSED, "lasts 86400 s, 14400 s are allowed")
def two_frames_a_day_apart(place: Place) -> Path:
    return _far_apart(place, "mp4", 86_400)


@kind(REFUSED, "lasts 2000000 s, 14400 s are allowed")
def two_frames_23_days_apart_in_matroska(place: Place) -> Path:
    return _far_apart(place, "matroska", 2_000_000)


@kind(REFUSED, "lasts 2000000 s, 14400 s are allowed")
def two_frames_23_days_apart_and_no_length_told(place: Place) -> Path:
    return _far_apart(place, "matroska", 2_000_000, live="1")


@kind(REFUSED, "has an edit list of 100000 entries, 64 are allowed")
def edit_list_that_loops(place: Place) -> Path:
    """Shows the same 0.8 s a hundred thousand times: FFmpeg alone is busy with it for minutes."""
    plain = remux(place, format="mov").read_bytes()
    mvhd = dict(boxes(dict(boxes(plain))[b"moov"]))[b"mvhd"]
    unit = struct.unpack_from(">I", mvhd, 12)[0]
    edits = struct.pack(">II", 0, 100_000) + struct.pack(">IiHH", unit * 4 // 5, 0, 1, 0) * 100_000
    longer = mvhd[:16] + struct.pack(">I", unit * 80_000) + mvhd[20:]
    data = edited(plain, (b"moov", b"mvhd"), lambda _: longer)
    return place.write(edited(data, (b"moov", b"trak", b"edts"), lambda _: box(b"elst", edits)))


@kind(REFUSED, "has more than 10 frames, which are allowed", budget=Budget(frames=10))
def more_frames_than_allowed(place: Place) -> Path:
    return remux(place)


@kind(REFUSED, "decodes to more than 9000 pixels, which are allowed", budget=Budget(decoded_pixels=9000))
def more_pixels_than_allowed_in_all(place: Place) -> Path:
    return remux(place)


@kind(SAFE)
def million_frames_a_second(place: Place) -> Path:
    plain = remux(place, format="mov").read_bytes()

    def fast(content: bytes) -> bytes:
        return content[:12] + struct.pack(">I", 4_000_000_000) + content[16:]

    return place.write(edited(plain, (b"moov", b"trak", b"mdia", b"mdhd"), fast))


# --- broken inside ---------------------------------------------------------------------------------------------------


@kind(REFUSED, "has no video stream|cannot be decoded: ")
def index_cut_off(place: Place) -> Path:
    data = place.golden.read_bytes()
    return place.write(data[: data.index(b"moov") + 300])


@kind(REFUSED, "has no frame that can be shown|cannot be decoded")
def pictures_cut_off(place: Place) -> Path:
    data = place.golden.read_bytes()
    return place.write(data[: data.index(b"mdat") + 4])


@kind(REFUSED, "has no frame that can be shown|cannot be decoded|has no video stream")
def index_alone(place: Place) -> Path:
    return place.write(edited(remux(place, format="mov").read_bytes(), (b"mdat",), lambda _: None))


@kind(REFUSED, "has no video stream")
def sound_alone(place: Place) -> Path:
    path = place.folder / "fixed.mp4"
    with av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream("aac", rate=48_000, layout="mono")
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        silence.sample_rate = 48_000
        out.mux(stream.encode(silence))
        out.mux(stream.encode(None))
    return path


@kind(REFUSED, "cannot be decoded|has no frame that can be shown|has no video stream")
def matroska_without_anything(place: Place) -> Path:
    return place.write(matroska(element(0x1549A966, b"")))


@kind(REFUSED, "has a video codec that we do not decode, cinepak")
def codec_that_nobody_delivers(place: Place) -> Path:
    return encode(place, "cinepak", "rgb24", format="mov")


@kind(EQUAL)
def sound_codec_that_nobody_delivers(place: Place) -> Path:
    """Beside good pictures: the sound is not decoded, not even to look at it."""
    path = place.folder / "fixed.mp4"
    with (
        av.open(io.BytesIO(place.golden.read_bytes())) as source,
        av.open(str(path), "w", format="mov") as out,
    ):
        pictures = out.add_stream_from_template(source.streams.video[0])
        sound = out.add_stream("pcm_alaw", rate=48_000, layout="mono")
        silence = av.AudioFrame(format="s16", layout="mono", samples=1024)
        silence.sample_rate, silence.pts, silence.time_base = 48_000, 0, Fraction(1, 48_000)
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = pictures
                out.mux(packet)
        out.mux(sound.encode(silence))
        out.mux(sound.encode(None))
    return path


@kind(REFUSED, "has a video codec that we do not decode, png")
def pictures_in_a_film(place: Place) -> Path:
    return encode(place, "png", "rgb24", format="mov")


@kind(REFUSED, "has a video codec that we do not decode")
def codec_that_does_not_exist(place: Place) -> Path:
    return place.write(remux(place, format="mov").read_bytes().replace(b"avc1", b"zzzz"))


@kind(REFUSED, "cannot be decoded|has no frame that can be shown")
def container_says_hevc_and_is_not(place: Place) -> Path:
    return place.write(remux(place, format="mov").read_bytes().replace(b"avc1", b"hvc1"))


@kind(EQUAL)
def tags_with_codes_and_broken_text(place: Place) -> Path:
    tags = {"title": "\x1b[2J\x07<script>alert(1)</script>\u202e", "comment": "QQQQ", "artist": "=cmd|'/c calc'!A1"}
    data = remux(place, tags=tags).read_bytes()
    return place.write(data.replace(b"QQQQ", b"\xff\xfe\xfd\xfc"))


def _damaged(number: int, format: str) -> None:
    def make(place: Place) -> Path:
        data = bytearray(remux(place, format=format).read_bytes())
        dice = np.random.default_rng(number)
        for at in dice.integers(0, len(data), 12):
            data[at] = dice.integers(0, 256)
        return place.write(bytes(data))

    KINDS.append(Kind(f"{format} with 12 bytes changed, {number}", make, SAFE))


for _number in range(12):
    _damaged(_number, "mp4" if _number % 2 else "matroska")


# --- odd but honest --------------------------------------------------------------------------------------------------

HONEST: dict[str, Maker] = {
    "index at the end": remux,
    "fragmented": lambda place: remux(place, options={"movflags": "+frag_keyframe+empty_moov+default_base_moof"}),
    "quicktime": lambda place: remux(place, format="mov"),
    "matroska": lambda place: remux(place, format="matroska"),
    "live matroska of unknown length": lambda place: remux(place, format="matroska", options={"live": "1"}),
    "starts at 10 s": lambda place: remux(place, format="matroska", late_s=10),
    "no edit list": lambda place: remux(place, format="mov", options={"use_editlist": "0"}),
    "H.264 without loss": lambda place: lossless(place, "libx264", format="mp4", qp="0"),
    "HEVC without loss": lambda place: lossless(
        place, "libx265", format="mp4", **{"x265-params": "lossless=1:log-level=none"}
    ),
    "alias to itself": lambda place: with_reference(place, ALIAS, 1, b""),
    "a megabyte of notes": lambda place: remux(place, tags={"comment": "y" * 1_000_000}),
}

# The same stored pictures, but these do not say where their colour samples sit, so that FFmpeg turns them to RGB with
# another offset: edges differ, by less than one step on the mean.
NEARLY: dict[str, Maker] = {
    "FFV1": lambda place: lossless(place, "ffv1", format="matroska"),
    "VP9 without loss in WebM": lambda place: lossless(place, "libvpx-vp9", format="webm", lossless="1"),
}
