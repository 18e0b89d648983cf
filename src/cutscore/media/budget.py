"""What one clip may cost before it is refused: a small file can ask for a day of frames or a gigabyte of pixels."""

from dataclasses import dataclass, fields
from fractions import Fraction

from cutscore.core.errors import BadInput, BrokenData


@dataclass(frozen=True)
class Budget:
    """Limits on what a file is and on what comes out of it; each has a sentence of its own when it is passed.

    The defaults let three hours of 1080p at 60 frames a second and anything up to 8K through.

    Args:
        file_bytes: Length of the file, holes counted in full.
        streams: Streams of any kind.
        pictures: Video streams that are not cover pictures. With two it is open which one a viewer sees, and whoever
            marks must see the same; above 1 the first is taken.
        metadata_bytes: Tags, cover pictures and other notes.
        pixels: Pixels of one picture.
        duration_s: Length, by the container's word and by the frames' own times.
        frames: Pictures that are read or decoded.
        decoded_pixels: Pixels of all decoded pictures together.
        sound_hz: Samples a second of the sound as it is stored: resampling from absurd rates takes absurd filters.
        channels: Channels of the sound.
    """

    file_bytes: int = 32 << 30
    streams: int = 32
    pictures: int = 1
    metadata_bytes: int = 8 << 20
    pixels: int = 8192 * 4352
    duration_s: int = 4 * 3600
    frames: int = 2_000_000
    decoded_pixels: int = 2_000_000_000_000
    sound_hz: int = 768_000
    channels: int = 64

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise BadInput("budget", f"{field.name} is {getattr(self, field.name)}", "give at least 1")

    def check_file(self, clip: str, length: int) -> None:
        """Refuse a file that is too long."""
        if length > self.file_bytes:
            raise BrokenData(clip, f"has {length} bytes, {self.file_bytes} are allowed")

    def check_streams(self, clip: str, streams: int, pictures: int = 0) -> None:
        """Refuse too many streams, and a choice of pictures that would be open."""
        if streams > self.streams:
            raise BrokenData(clip, f"has {streams} streams, {self.streams} are allowed")
        if pictures > self.pictures:
            raise BrokenData(clip, f"has {pictures} video streams, and which one is meant is open", "deliver one")

    def check_metadata(self, clip: str, length: int) -> None:
        """Refuse too many tags and covers."""
        if length > self.metadata_bytes:
            raise BrokenData(clip, f"has {length} bytes of metadata, {self.metadata_bytes} are allowed")

    def check_picture(self, clip: str, width: int, height: int) -> None:
        """Refuse a picture that is too large."""
        if width * height > self.pixels:
            raise BrokenData(clip, f"has pictures of {width}×{height}, {self.pixels} pixels are allowed")

    def check_duration(self, clip: str, duration_s: Fraction) -> None:
        """Refuse a clip that lasts too long."""
        if duration_s > self.duration_s:
            raise BrokenData(clip, f"lasts {float(duration_s):.0f} s, {self.duration_s} s are allowed")

    def check_frames(self, clip: str, frames: int) -> None:
        """Refuse too many frames."""
        if frames > self.frames:
            raise BrokenData(clip, f"has more than {self.frames} frames, which are allowed")

    def check_sound(self, clip: str, rate_hz: int, channels: int) -> None:
        """Refuse a rate or a number of channels that no recorder has."""
        if not 1 <= rate_hz <= self.sound_hz:
            raise BrokenData(clip, f"has {rate_hz} samples a second, 1 to {self.sound_hz} are allowed")
        if not 1 <= channels <= self.channels:
            raise BrokenData(clip, f"has sound of {channels} channels, 1 to {self.channels} are allowed")

    def check_decoded(self, clip: str, pixels: int) -> None:
        """Refuse too many decoded pixels."""
        if pixels > self.decoded_pixels:
            raise BrokenData(clip, f"decodes to more than {self.decoded_pixels} pixels, which are allowed")


DEFAULT_BUDGET = Budget()
