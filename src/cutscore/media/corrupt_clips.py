"""Good clips made bad in ways that decoders trip over: the material of hostile submissions.

Each function writes one file out of a good clip of ours, or out of nothing. They are attacks to be refused, so nothing
here may be used to make what a subject gets.
"""

import struct
import zlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import av
from av.bitstream import BitStreamFilterContext
from av.packet import Packet
from av.stream import Disposition, Stream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

_SMALL = (64, 48)
_RATE = 25
_SELF_CONTAINED, _ELSEWHERE = b"url \0\0\0\1", b"url \0\0\0\0"


def remux(
    source: Path, path: Path, *, pictures: int = 1, sound: bool = True, tags: Mapping[str, str] | None = None
) -> None:
    """Put the coded pictures and sound of a clip into a new MP4.

    `pictures` is how many copies of its pictures lie side by side; 0 leaves the sound alone.
    """
    with av.open(str(source)) as given, av.open(str(path), "w", format="mp4", options={"fflags": "+bitexact"}) as out:
        out.metadata.update(tags or {})
        films = [out.add_stream_from_template(given.streams.video[0]) for _ in range(pictures)]
        sounds = [out.add_stream_from_template(each) for each in given.streams.audio[:1] if sound]
        for packet in given.demux():
            if packet.dts is None:
                continue
            for stream in films if packet.stream.type == "video" else sounds:
                out.mux(_twin(packet, stream))


def mux_two_tracks(first: Path, second: Path, path: Path) -> None:
    """Put the pictures of one clip into the first track of an MP4 and those of another into its second."""
    with av.open(str(first)) as one, av.open(str(second)) as two, av.open(str(path), "w", format="mp4") as out:
        given = [each.streams.video[0] for each in (one, two)]
        streams = [out.add_stream_from_template(each) for each in given]
        for container, stream in zip((one, two), streams, strict=True):
            for packet in container.demux(video=0):
                if packet.dts is not None:
                    out.mux(_twin(packet, stream))


def relabel(source: Path, path: Path, label: str) -> None:
    """Write an H.264 clip whose pictures are as they were, under another label: `sample_aspect_ratio=4/1`."""
    with av.open(str(source)) as given, av.open(str(path), "w", format="mp4", options={"fflags": "+bitexact"}) as out:
        film = out.add_stream_from_template(given.streams.video[0])
        sounds = [out.add_stream_from_template(each) for each in given.streams.audio[:1]]
        labelled = BitStreamFilterContext(f"h264_metadata={label}", given.streams.video[0], film)
        for packet in given.demux():
            if packet.stream.type == "video":
                for each in labelled.filter(packet if packet.dts is not None else None):
                    out.mux(_twin(each, film))
            elif packet.dts is not None:
                out.mux(_twin(packet, sounds[0]))


def mux_two_sounds(first: Path, second: Path, path: Path) -> None:
    """Write a clip with the sound of another one beside its own: the second one is what players play by default."""
    with av.open(str(first)) as one, av.open(str(second)) as two, av.open(str(path), "w", format="mp4") as out:
        film = out.add_stream_from_template(one.streams.video[0])
        sounds = [out.add_stream_from_template(each.streams.audio[0]) for each in (one, two)]
        sounds[0].disposition, sounds[1].disposition = Disposition(0), Disposition.default
        for container, sound in zip((one, two), sounds, strict=True):
            for packet in container.demux():
                if packet.dts is None or (packet.stream.type == "video" and container is two):
                    continue
                out.mux(_twin(packet, film if packet.stream.type == "video" else sound))


def keep_first_picture(source: Path, path: Path) -> None:
    """Write a clip's first picture alone, as an MP4 without sound."""
    with av.open(str(source)) as given, av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream_from_template(given.streams.video[0])
        out.mux(_twin(next(given.demux(video=0)), stream))


def stop_clock(source: Path, path: Path) -> None:
    """Write all pictures of a clip for the time 0, as Matroska without sound: other containers cannot say it."""
    with av.open(str(source)) as given, av.open(str(path), "w", format="matroska") as out:
        stream = out.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(video=0):
            if packet.dts is not None:
                twin = _twin(packet, stream)
                twin.pts = twin.dts = twin.duration = 0
                out.mux(twin)


def _twin(packet: "Packet[Any]", stream: Stream) -> "Packet[Any]":
    twin: Packet[Any] = Packet(bytes(packet))
    twin.pts, twin.dts, twin.duration = packet.pts, packet.dts, packet.duration
    twin.time_base, twin.is_keyframe, twin.stream = packet.time_base, packet.is_keyframe, stream
    return twin


def write_black(
    path: Path, *, gap_s: int = 0, codec: str = "mjpeg", pix_fmt: str = "yuvj420p", format: str = "mp4"
) -> None:
    """Write a film of two black pictures.

    They are `gap_s` seconds apart, a thirtieth by default. The container is `format`, whatever the name of the file
    says.
    """
    with av.open(str(path), "w", format=format) as out:
        stream = out.add_stream(codec, rate=_RATE)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = _SMALL
        stream.pix_fmt = pix_fmt
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        for at_ms in (0, 1000 * gap_s or 33):
            picture = VideoFrame(*_SMALL, pix_fmt)
            for plane in picture.planes:
                plane.update(bytes(plane.buffer_size))
            picture.pts, picture.time_base = at_ms, Fraction(1, 1000)
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))


def truncate_index(source: Path, path: Path) -> None:
    """Write the first half of a clip's index and nothing behind it."""
    data = source.read_bytes()
    at = data.index(b"moov")
    length = struct.unpack_from(">I", data, at - 4)[0]
    path.write_bytes(data[: at + length // 2])


def truncate_pictures(source: Path, path: Path) -> None:
    """Write a clip's whole index, and of what it speaks of nothing."""
    data = source.read_bytes()
    path.write_bytes(data[: data.index(b"mdat") + 4])


def point_to_other_file(source: Path, path: Path) -> None:
    """Write a clip whose index says that its pictures lie in another file."""
    path.write_bytes(source.read_bytes().replace(_SELF_CONTAINED, _ELSEWHERE))


def misname_codec(source: Path, path: Path) -> None:
    """Write a clip of ours whose index calls H.264 something that nobody decodes."""
    path.write_bytes(source.read_bytes().replace(b"avc1", b"zzz1"))


def write_huge_png(path: Path, *, side: int = 16_000) -> None:
    """Write a black PNG of so many pixels each way: 32 kB that are 256 million pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(bytes((side // 8 + 1) * side), 1)
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)  # one bit a pixel, so that it is made in no time
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def write_noise(path: Path) -> None:
    """Write bytes that are nothing."""
    path.write_bytes(Random(3).randbytes(100_000))
