"""The clips in the right order, joined as an ordinary user of ffmpeg joins them, get full marks in `strict`."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem
from cutscore.core.ending import Ending
from cutscore.core.frozen import canonical_json
from cutscore.submissions import read_submission

pytestmark = pytest.mark.real

Bench = Callable[[str], LoadedBenchmark]
Ffmpeg = Callable[[Path, str], None]

COPY = "-f concat -i list.txt -c copy"
FILTER = "{inputs} -filter_complex {concat} -map [v] -map [a] -preset ultrafast"
# What is done to each clip first, if anything, and how they are joined.
JOINED = {
    "copied": ("", COPY),
    "copied, its index in front": ("", f"{COPY} -movflags +faststart"),
    "the pictures copied, the sound encoded": ("", "-f concat -i list.txt -c:v copy -c:a aac"),
    "encoded by the defaults of ffmpeg": ("", FILTER),
    "MPEG-4 and MP3": ("", f"{FILTER} -c:v mpeg4 -q:v 3 -c:a libmp3lame"),
    "a rate that varies, another clock": ("", "-f concat -i list.txt -vsync vfr -video_track_timescale 90000"),
    "4:4:4, full range, mono at 22 kHz": ("", f"{FILTER} -pix_fmt yuvj444p -ar 22050 -ac 1"),
    "by way of a transport stream": ("-c copy -f mpegts", "-i concat:{parts} -c copy"),
    "made alike, then copied": ("-vf fps=30,scale=640:360 -preset ultrafast -ar 44100 -ac 2 -f mp4", COPY),
}
# Sound that a viewer would send back is found in a joined film as in any other.
SPOILT = {
    "doubled": "-f concat -i list.txt -c:v copy -af aecho=1:1:120:0.8",
    "out of step": "-f concat -i list.txt -c:v copy -af adelay=300",
    "silent": f"{COPY} -an",
}


def join(starter: LoadedBenchmark, ffmpeg: Ffmpeg, folder: Path, each: str, how: str) -> Ending:
    """Mark the first film, with its clips in the right order joined by a command line."""
    item = starter.items[0]
    assert isinstance(item, SequencingItem)
    parts = [f"part-{number}" for number in range(len(item.order))]
    for part, clip in zip(parts, item.clips_in_order, strict=True):
        shutil.copy(starter.store.path(clip), folder / part)
        if each:
            ffmpeg(folder, f"-i {part} {each} new-{part}")
            (folder / f"new-{part}").rename(folder / part)
    (folder / "list.txt").write_text("".join(f"file {part}\n" for part in parts))
    pads = "".join(f"[{number}:v][{number}:a]" for number in range(len(parts)))
    inputs = " ".join(f"-i {part}" for part in parts)
    concat = f"{pads}concat=n={len(parts)}:v=1:a=1[v][a]"
    handed_in = folder / "in" / item.id
    handed_in.mkdir(parents=True)
    ffmpeg(folder, how.format(inputs=inputs, concat=concat, parts=f"'{'|'.join(parts)}'") + f" in/{item.id}/{FILM}")
    (handed_in / ORDER).write_bytes(canonical_json(list(item.order)))
    return starter.mark(read_submission(folder / "in", item.id, store=starter.store), item)


@pytest.mark.parametrize("name", JOINED)
def test_joined_films_get_full_marks(name: str, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    ending = join(bench("sequencing"), ffmpeg, tmp_path, *JOINED[name])
    assert [each.because for each in ending.findings if each.name.startswith("fault/")] == []
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, 1)


@pytest.mark.parametrize("name", SPOILT)
def test_spoilt_sound_of_a_joined_film_costs(name: str, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    """Who leaves the sound out loses for it, too: the brief asks for the clips with their sound."""
    ending = join(bench("sequencing"), ffmpeg, tmp_path, "", SPOILT[name])
    assert {each.name for each in ending.findings if each.name.startswith("fault/")} == {f"fault/{name}"}
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, pytest.approx(0, abs=1e-3))
