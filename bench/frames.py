"""CPU seconds of ten uniform frames, against always seeking and always scanning with PyAV, in one run.

    python bench/frames.py [--rounds 3]

Three clips, rendered here with grain, as real footage has: a minute of 720p with 7 key frames, 10 s of 480p with 2, and
ten minutes of 720p with 70. Both rivals take the length from the container's header and believe it, while we read all
packets first; a seek goes to the key frame before a time and decodes until the time is passed, a scan decodes from the
start until the last time is passed. All three convert the wanted frames to RGB in the same way, and must give the same
pixels. Asked for: at most 1.05 × the better of the two. Rounds alternate, and each figure is the best round: other
work on the machine only adds.
"""

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np

from cutscore.media.colour import rgb_of
from cutscore.media.frames import read_frames
from cutscore.media.plan import Uniform

RATE = 25
GRAIN = 4  # levels
FRAMES = Uniform(10)
CLIPS = {
    "60 s 720p, 7 key frames": ((1280, 720), 215, 7),
    "10 s 480p, 2 key frames": ((854, 480), 125, 2),
    "10 min 720p, 70 key frames": ((1280, 720), 215, 70),
}


def pan(size: tuple[int, int], count: int) -> Iterator[np.ndarray]:
    """A camera that crosses a textured scene at 3 pixels a frame."""
    width, height = size
    rng = np.random.default_rng(42)
    grain = rng.normal(0, GRAIN, (height + 99, width + 99, 1)).astype(np.int16)
    scene = rng.integers(0, 256, (height // 24 + 1, (width + 3 * count) // 24 + 1, 3)).repeat(24, 0).repeat(24, 1)
    for number in range(count):
        i, j = rng.integers(0, 99, 2)
        seen = scene[:height, 3 * number : 3 * number + width] + grain[i : i + height, j : j + width]
        yield seen.clip(0, 255).astype(np.uint8)


def render(path: Path, size: tuple[int, int], count: int, times: int) -> None:
    """Encode one group of pictures and repeat its packets: encoding grain is slow, decoding is the point."""
    part = path.with_suffix(f".{size[1]}.part.mp4")
    if not part.exists():
        with av.open(str(part), "w") as out:
            stream = out.add_stream("libx264", rate=RATE, options={"crf": "23", "preset": "faster", "g": "999"})
            stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
            for pixels in pan(size, count):
                out.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
            out.mux(stream.encode(None))
    with av.open(str(path), "w") as out:
        for turn in range(times):
            with av.open(str(part)) as source:
                stream = source.streams.video[0]
                copy = out.streams.video[0] if turn else out.add_stream_from_template(stream)
                shift = int(turn * count / RATE / stream.time_base)
                for packet in source.demux(stream):
                    if packet.dts is not None:
                        packet.pts, packet.dts, packet.stream = packet.pts + shift, packet.dts + shift, copy
                        out.mux(packet)


def digest(pixels: np.ndarray) -> str:
    return hashlib.sha256(pixels.tobytes()).hexdigest()


def ours(path: Path) -> list[str]:
    return [digest(frame.pixels) for frame in read_frames(path, FRAMES)]


def rival(path: Path, *, seek: bool) -> list[str]:
    """Take what is on screen at each time: the last frame before the first that begins after it."""
    with av.open(str(path)) as clip:
        stream = clip.streams.video[0]
        stream.thread_type = "AUTO"
        wanted = [int(at / stream.time_base) for at in FRAMES.times(stream.duration * stream.time_base)]
        found, pictures, shown, following = [], clip.decode(stream), None, None
        for at in wanted:
            if seek:
                clip.seek(at, stream=stream)
                pictures, shown, following = clip.decode(stream), None, None
            while following is None or following.pts <= at:
                shown, following = following, next(pictures)
            found.append(digest(rgb_of(shown)))
        return found


def cpu_s(work: Callable[[Path], list[str]], path: Path) -> tuple[float, list[str]]:
    began_s = time.process_time()
    got = work(path)
    return time.process_time() - began_s, got


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    works: dict[str, Callable[[Path], list[str]]] = {
        "ours": ours,
        "always seek": lambda path: rival(path, seek=True),
        "always scan": lambda path: rival(path, seek=False),
    }
    print(f"{'ten uniform frames, CPU s':30}" + "".join(f"{name:>14}" for name in works) + "   ours / better")
    with tempfile.TemporaryDirectory() as folder:
        for name, (size, count, times) in CLIPS.items():
            path = Path(folder) / "clip.mp4"
            render(path, size, count, times)
            taken: dict[str, list[float]] = {label: [] for label in works}
            wanted = ours(path)
            for number in range(given.rounds):
                for label, work in works.items():
                    if number and label == "always scan" and times > 10:
                        continue  # once is enough to know that it is not the better one
                    spent_s, got = cpu_s(work, path)
                    taken[label].append(spent_s)
                    if got != wanted:
                        raise SystemExit(f"{name}: '{label}' gives other frames")
            best = {label: min(each) for label, each in taken.items()}
            ratio = best["ours"] / min(best["always seek"], best["always scan"])
            figures = "".join(f"{each:14.2f}" for each in best.values())
            print(f"{name:30}{figures}{ratio:12.2f} × (wanted: at most 1.05)", flush=True)


if __name__ == "__main__":
    main()
