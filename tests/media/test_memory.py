"""Memory does not grow with the clip: a guard in small of what bench/memory.py measures on an hour.

What the C libraries hold does not show in tracemalloc, so a process of its own reads and tells its peak.
"""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

RATE_HZ = 48_000
# A picture of 64×48 is 9 kB of RGB, a second of sound 384 kB: kept, they would add 12 and 20 MB to the long one.
READ = """
import sys
from pathlib import Path
from cutscore.media.frames import iter_frames
from cutscore.media.listen import iter_sound
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


def write(path: Path, seconds: int) -> Path:
    slope = np.linspace(0, 200, 64, dtype=np.uint8)[None, :, None].repeat(48, 0).repeat(3, 2)
    pictures = (np.roll(slope, number, axis=1) for number in range(25 * seconds))
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(RATE_HZ * seconds) / RATE_HZ)
    write_clip(path, pictures, rate=Fraction(25), sound=Sound(tone.astype(np.float32), RATE_HZ))
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ten_times_as_long_takes_no_more(tmp_path: Path) -> None:
    def peak_kib(seconds: int) -> int:
        command = [sys.executable, "-c", READ, str(write(tmp_path / f"{seconds}.mp4", seconds))]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert peak_kib(60) < 1.2 * peak_kib(6)
