"""The right edit as an ordinary user of ffmpeg cuts and delivers it gets full marks in both modes."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repurpose.dataset import FILM, REPORT, Commission
from cutscore.submissions import read_submission

pytestmark = pytest.mark.real

Bench = Callable[[str], LoadedBenchmark]
Ffmpeg = Callable[[Path, str], None]

RECAP, TRAILER, SOCIAL_CUT, TEASER = range(4)
TRIM = "[0:v]trim={0}:{1},setpts=PTS-STARTPTS[v{2}];[0:a]atrim={0}:{1},asetpts=PTS-STARTPTS[a{2}];"
VERTICAL = "crop=ih*9/16:ih"
# What is cut, what is done to its pictures, and how it is encoded.
CUT = {
    "by the defaults of ffmpeg": (RECAP, "null", ""),
    "MPEG-4 and MP3": (RECAP, "null", "-c:v mpeg4 -q:v 3 -c:a libmp3lame"),
    "cropped to 9:16": (SOCIAL_CUT, VERTICAL, "-crf 28 -movflags +faststart"),
    "larger, faster, sound of another rate": (TEASER, "scale=-2:360,setsar=1", "-r 30 -ar 44100 -ac 2"),
    "pictures that stay the same left out": (TRAILER, "mpdecimate", "-vsync vfr"),
    "in a fade, another clock": (TRAILER, "fade=in:st=0:d=0.3", "-video_track_timescale 90000"),
}


def hand_in(starter: LoadedBenchmark, number: int, folder: Path, cut: Callable[[Commission, str], None]) -> list[float]:
    """Return both scores of a commission whose film is cut out of `source.mp4` in the folder."""
    item = starter.items[number]
    assert isinstance(item, Commission)
    shutil.copy(starter.store.path(item.source), folder / "source.mp4")
    handed_in = folder / "in" / item.id
    handed_in.mkdir(parents=True)
    (handed_in / REPORT).write_text("Kept what matters.")
    cut(item, f"in/{item.id}/{FILM}")
    ending = starter.mark(read_submission(folder / "in", item.id, store=starter.store), item)
    return [ending.scores["score@paper"], ending.scores["score@strict"]]


@pytest.mark.parametrize("name", CUT)
def test_edits_by_filters_get_full_marks(name: str, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    number, pictures, encoding = CUT[name]

    def cut(item: Commission, out: str) -> None:
        spans = [each.span for each in item.edit]
        trims = "".join(TRIM.format(float(each.start_s), float(each.end_s), at) for at, each in enumerate(spans))
        pads = "".join(f"[v{at}][a{at}]" for at in range(len(spans)))
        graph = f"{trims}{pads}concat=n={len(spans)}:v=1:a=1[c][a];[c]{pictures}[v]"
        ffmpeg(tmp_path, f"-i source.mp4 -filter_complex '{graph}' -map [v] -map [a] -preset veryfast {encoding} {out}")

    assert hand_in(bench("repurpose"), number, tmp_path, cut) == [1, 1]


def test_files_that_are_cut_and_joined_get_full_marks(bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    def cut(item: Commission, out: str) -> None:
        for number, each in enumerate(item.edit):
            span = f"-ss {float(each.span.start_s)} -t {float(each.span.length_s)}"
            ffmpeg(tmp_path, f"{span} -i source.mp4 part-{number}.mp4")
        (tmp_path / "list.txt").write_text("".join(f"file part-{number}.mp4\n" for number in range(len(item.edit))))
        ffmpeg(tmp_path, f"-f concat -i list.txt -c copy {out}")

    assert hand_in(bench("repurpose"), RECAP, tmp_path, cut) == [1, 1]
