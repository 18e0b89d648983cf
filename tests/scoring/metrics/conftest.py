"""Clips with known truth and FFmpeg's own filters as the second opinion."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from cutscore.media.render import write_clip


def textured(number: int, *, width: int = 160, height: int = 96) -> npt.NDArray[np.uint8]:
    """Soft waves that move 2 pixels to the right and 1 down with every frame."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    x, y = x - 2 * number, y - number
    waves = [np.sin(x / 9) * np.cos(y / 7), np.sin((x + 2 * y) / 13), np.cos((2 * x - y) / 11)]
    return np.stack([128 + 90 * wave for wave in waves], -1).astype(np.uint8)


@pytest.fixture(scope="session")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 frames of waves at 24 fps, almost lossless."""
    path = tmp_path_factory.mktemp("clips") / "moving.mp4"
    write_clip(path, (textured(number) for number in range(24)), rate=Fraction(24), crf=4)
    return path


@pytest.fixture(scope="session")
def coarse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same frames at crf 40."""
    path = tmp_path_factory.mktemp("clips") / "coarse.mp4"
    write_clip(path, (textured(number) for number in range(24)), rate=Fraction(24), crf=40)
    return path


@pytest.fixture
def clip(tmp_path: Path) -> Callable[..., Path]:
    """Write frames as a clip: `clip(frames, rate=25, crf=4, name="clip.mp4")`."""

    def write(frames: Iterable[npt.NDArray[np.uint8]], *, rate: int = 25, crf: int = 4, name: str = "clip.mp4") -> Path:
        write_clip(tmp_path / name, frames, rate=Fraction(rate), crf=crf)
        return tmp_path / name

    return write


def filter_values(
    name: str, pairs: Iterable[tuple[av.VideoFrame, av.VideoFrame]], key: str, stats: Path, pix_fmt: str
) -> list[float]:
    """Run pairs (test, reference) through FFmpeg's psnr or ssim filter and give one number a pair."""
    graph = None
    count = 0
    for count, (test, reference) in enumerate(pairs, 1):
        if graph is None:
            graph = av.filter.Graph()
            size = {"width": test.width, "height": test.height, "format": av.VideoFormat(pix_fmt)}
            inputs = [graph.add_buffer(**size, time_base=Fraction(1, 25)) for _ in range(2)]
            measure = graph.add(name, f"stats_file={stats}")
            sink = graph.add("buffersink")
            inputs[0].link_to(measure, 0, 0)
            inputs[1].link_to(measure, 0, 1)
            measure.link_to(sink)
            graph.configure()
        for frame, source in zip((test, reference), inputs, strict=True):
            frame.pts, frame.time_base = count - 1, Fraction(1, 25)
            source.push(frame)
        try:
            while True:
                sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            pass
    assert graph is not None
    for source in inputs:
        source.push(None)
    try:
        while True:
            sink.pull()
    except (av.error.BlockingIOError, av.error.EOFError):
        pass
    del sink, measure, inputs, graph  # closes the file
    found = [float(re.search(rf"{key}:(\S+)", line)[1]) for line in stats.read_text().splitlines()]
    assert len(found) == count
    return found


def metadata(path: Path, description: str, printed: Path) -> list[tuple[str, float]]:
    """Run a clip through a detector of FFmpeg and give what it notes, as (key, seconds), in order."""
    name, _, options = description.partition("=")
    with av.open(str(path)) as clip:
        graph = av.filter.Graph()
        source = graph.add_buffer(template=clip.streams.video[0], time_base=clip.streams.video[0].time_base)
        graph.link_nodes(
            source,
            graph.add(name, options),
            graph.add("metadata", f"mode=print:file={printed}"),
            graph.add("buffersink"),
        ).configure()
        for frame in [*clip.decode(video=0), None]:
            graph.push(frame)
            try:
                while True:
                    graph.pull()
            except (av.error.BlockingIOError, av.error.EOFError):
                pass
        del graph, source
    return [(key, float(value)) for key, value in re.findall(r"lavfi\.(\S+?)=(\S+)", printed.read_text())]


@pytest.fixture
def ffmpeg_notes(tmp_path: Path) -> Callable[..., list[tuple[str, float]]]:
    return lambda path, description: metadata(path, description, tmp_path / "notes.txt")


@pytest.fixture
def ffmpeg_values(tmp_path: Path) -> Callable[..., list[float]]:
    def values(name, pairs, key, pix_fmt="yuv420p"):
        return filter_values(name, pairs, key, tmp_path / f"{name}.log", pix_fmt)

    return values
