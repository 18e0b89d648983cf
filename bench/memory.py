"""Peak memory on sources of 1, 10 and 60 minutes, each reading in a process of its own.

    python bench/memory.py [--minutes 1 10 60]

Wanted: an hour takes at most 25 MB more than a minute for each MP4 that is open, and 10% more for a Matroska. Read are
frames by plan, every frame by SSIM and PSNR in one pass (here, and with the decoding child, whose peak is added), sound
in blocks, the probe. `nothing` is what the imports take.

The source is a minute of 64×48 at 25 frames a second with AAC, whose packets are repeated: they are as many as a real
film's, but there is little else that could hide what grows. Three things do, by design: FFmpeg keeps an index of every
packet of an MP4 that it opens, but nothing of a Matroska's (that is why both are measured); we keep 13 bytes of every
picture's packet while frames are chosen; and a metric keeps the time and the value of every frame.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from cutscore.media import decoder_pool
from cutscore.media.audio import iter_sound
from cutscore.media.frames import iter_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.ssim import Ssim

RATE, RATE_HZ = 25, 48_000
WIDTH, HEIGHT = 64, 48


def count(things: Iterator[object]) -> None:
    for _ in things:
        pass


def hear(path: Path) -> None:
    count(iter_sound(path, rate_hz=16_000, channels="mono"))


READINGS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "probe": probe,
    "frames uniform=10": lambda path: count(iter_frames(path, FramePlan.parse("uniform=10"))),
    "sound of an MP4": hear,
    "sound of a Matroska": lambda path: hear(path.with_suffix(".mkv")),
    "SSIM + PSNR": lambda path: one_pass(path, reference=path, pairs=[Psnr(), Ssim()], trusted=True),
    "SSIM + PSNR, child": lambda path: one_pass(path, reference=path, pairs=[Psnr(), Ssim()]),
}


def moving() -> Iterator[np.ndarray]:
    slope = np.linspace(0, 200, WIDTH, dtype=np.uint8)[None, :, None].repeat(HEIGHT, 0).repeat(3, 2)
    for number in range(60 * RATE):
        yield np.roll(slope, number, axis=1)


def write_minutes(folder: Path, minutes: list[int]) -> dict[int, Path]:
    """Encode a minute and repeat its packets, in MP4 and in Matroska."""
    part = folder / "minute.mp4"
    # Whole packets of AAC, so that the next minute begins behind the last of them.
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(60 * RATE_HZ // 1024 * 1024) / RATE_HZ)
    write_clip(part, moving(), rate=Fraction(RATE), sound=Sound(tone.astype(np.float32), RATE_HZ))
    for number in minutes:
        for path in (folder / f"{number}.mp4", folder / f"{number}.mkv"):
            repeat(part, path, number)
    return {number: folder / f"{number}.mp4" for number in minutes}


def repeat(part: Path, path: Path, minutes: int) -> None:
    with av.open(str(part)) as source, av.open(str(path), "w") as out:
        copies = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        packets = [packet for packet in source.demux() if packet.dts is not None]
        for turn in range(minutes):
            for packet in packets:
                shift = int(60 * turn / packet.time_base)
                twin = av.Packet(packet)
                twin.pts, twin.dts, twin.duration = packet.pts + shift, packet.dts + shift, packet.duration
                twin.time_base, twin.is_keyframe = packet.time_base, packet.is_keyframe
                twin.stream = copies[packet.stream.index]
                out.mux(twin)


def read(reading: str, path: Path) -> None:
    """Read, and print the peaks in KiB of this process and of the child that decoded, 0 without one."""
    READINGS[reading](path)
    print(peak_kib(os.getpid()), *(peak_kib(each.child.pid) for each in decoder_pool.POOL._idle), sep="\n")


def peak_kib(pid: int) -> int:
    # The peak that getrusage tells is inherited from whoever started the process.
    (line,) = (line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])


def peak_mb(reading: str, path: Path) -> float:
    """Read in a fresh process; give its peak, together with its child's."""
    command = [sys.executable, __file__, "--read", reading, "--path", str(path)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(map(int, printed.split())) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=int, nargs="+", default=[1, 10, 60])
    parser.add_argument("--read", choices=READINGS)
    parser.add_argument("--path", type=Path)
    given = parser.parse_args()
    if given.read:
        read(given.read, given.path)
        return
    with tempfile.TemporaryDirectory() as name:
        began_s = time.monotonic()
        paths = write_minutes(Path(name), given.minutes)
        print(f"sources written in {time.monotonic() - began_s:.0f} s", file=sys.stderr)
        print(f"{'peak MB':21}" + "".join(f"{number:>8} min" for number in given.minutes) + "   longest ÷ shortest")
        for reading in READINGS:
            peaks = [peak_mb(reading, path) for path in paths.values()]
            ratio = peaks[-1] / peaks[0]
            print(f"{reading:21}" + "".join(f"{peak:12.1f}" for peak in peaks) + f"{ratio:12.3f}", flush=True)


if __name__ == "__main__":
    main()
