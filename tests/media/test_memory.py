"""Memory hardly grows with the clip: a guard in small of what bench/memory.py measures on an hour.

What the C libraries hold does not show in tracemalloc, so a process of its own reads and tells its peak.
"""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.media.budget import DEFAULT_BUDGET
from cutscore.media.packets import index_of
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.media.source import open_source

RATE_HZ = 48_000
# A picture of 64×48 is 9 kB of RGB, a second of sound 384 kB: kept, they would add 12 and 20 MB to the long one.
READ = """
import sys
from pathlib import Path
from cutscore.media.frames import iter_frames
from cutscore.media.audio import iter_sound
from cutscore.media.plan import FramePlan
from cutscore.media.planes import iter_pictures
from cutscore.media.probe import probe

path = Path(sys.argv[1])
probe(path)
for stream in (
    iter_frames(path, FramePlan.parse("every@0-1000")),
    iter_sound(path, rate_hz=44_100, channels="stereo"),
    (picture.rgb for picture in iter_pictures(path)),
):
    for _ in stream:
        pass
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
# Packets are held when a file is opened; what is read after that makes no difference.
OPEN = """
import sys
from fractions import Fraction
from pathlib import Path
from cutscore.core.timeline import Span
from cutscore.media.frames import iter_frames
from cutscore.media.audio import iter_sound
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe

path, second = Path(sys.argv[1]), Span(start_s=Fraction(0), end_s=Fraction(1))
{
    "probe": lambda: probe(path),
    "frames": lambda: list(iter_frames(path, FramePlan.parse("uniform=3"))),
    "sound": lambda: list(iter_sound(path, rate_hz=16_000, channels="mono", span=second)),
}[sys.argv[2]]()
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def write(path: Path, seconds: int) -> Path:
    slope = np.linspace(0, 200, 64, dtype=np.uint8)[None, :, None].repeat(48, 0).repeat(3, 2)
    pictures = (np.roll(slope, number, axis=1) for number in range(25 * seconds))
    # Whole packets of AAC, so that others may follow.
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(RATE_HZ * seconds // 1024 * 1024) / RATE_HZ)
    write_clip(path, pictures, rate=Fraction(25), sound=Sound(tone.astype(np.float32), RATE_HZ))
    return path


def repeat(part: Path, path: Path, times: int) -> Path:
    """Write the packets of ten seconds again and again."""
    with av.open(str(part)) as clip, av.open(str(path), "w") as out:
        copies = {stream.index: out.add_stream_from_template(stream) for stream in clip.streams}
        packets = [packet for packet in clip.demux() if packet.dts is not None]
        for turn in range(times):
            for packet in packets:
                shift, twin = int(10 * turn / packet.time_base), av.Packet(packet)
                twin.pts, twin.dts, twin.duration = packet.pts + shift, packet.dts + shift, packet.duration
                twin.time_base, twin.is_keyframe = packet.time_base, packet.is_keyframe
                twin.stream = copies[packet.stream.index]
                out.mux(twin)
    return path


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten seconds with 250 packets of pictures and 469 of sound."""
    return write(tmp_path_factory.mktemp("long") / "part.mp4", 10)


@pytest.fixture(scope="module")
def minute_and_hour(part: Path) -> tuple[Path, Path]:
    return repeat(part, part.with_name("minute.mp4"), 6), repeat(part, part.with_name("hour.mp4"), 360)


@pytest.mark.real  # long, and needs nothing else
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ten_times_as_long_takes_no_more(tmp_path: Path) -> None:
    def peak_kib(seconds: int) -> int:
        command = [sys.executable, "-c", READ, str(write(tmp_path / f"{seconds}.mp4", seconds))]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert peak_kib(60) < 1.2 * peak_kib(6)


def test_of_a_picture_we_hold_some_bytes(part: Path) -> None:
    with open_source(part) as source:
        index = index_of(source, budget=DEFAULT_BUDGET)
    assert sum(array.nbytes for array in (index.pts, index.order, index.shown)) <= 16 * 250


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("what", ["probe", "frames", "sound"])
def test_an_hour_takes_at_most_25_mb_more_than_a_minute(minute_and_hour: tuple[Path, Path], what: str) -> None:
    def peak_kib(path: Path) -> int:
        command = [sys.executable, "-c", OPEN, str(path), what]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    minute, hour = map(peak_kib, minute_and_hour)
    assert hour - minute < 25_000
