"""A mended clip as an ordinary user of ffmpeg delivers it gets full marks, or meets a gate that the brief announces."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.oracle import perfect, true_spans
from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.core.ending import Ending
from cutscore.submissions import read_submission

pytestmark = pytest.mark.real

Bench = Callable[[str], LoadedBenchmark]
Ffmpeg = Callable[[Path, str], None]

GOLDEN = "-i golden.mp4"
DELIVERED = {
    "by the defaults of ffmpeg": GOLDEN,
    "coarse, and its one channel laid on two": f"{GOLDEN} -crf 28 -ac 2",
    "the pictures copied, two channels that are alike": f"{GOLDEN} -c:v copy -af pan=stereo|c0=c0|c1=c0",
    "4:4:4 of the full range, sound without loss": f"{GOLDEN} -pix_fmt yuvj444p -c:a alac",
    "another clock, its index in front": f"{GOLDEN} -video_track_timescale 1000 -movflags +faststart",
    "later by a second on its own clock": f"{GOLDEN} -c copy -output_ts_offset 1",
}
ANNOUNCED = {
    "sample rate: ": f"{GOLDEN} -c:v copy -ar 44100",
    "rate: ": f"{GOLDEN} -r 30",
    "container: ": f"{GOLDEN} -c copy -f mov",
}
TRIM = "[0:v]trim={0}:{1},setpts=PTS-STARTPTS[v{2}];[0:a]atrim={0}:{1},asetpts=PTS-STARTPTS[a{2}];"


def deliver(repair: LoadedBenchmark, number: int, folder: Path, make: Callable[[RepairItem, str], None]) -> Ending:
    """Mark the right report of a clip with a film that `make` writes to a path inside the folder."""
    item = repair.items[number]
    assert isinstance(item, RepairItem)
    shutil.copy(repair.store.path(item.golden), folder / "golden.mp4")
    shutil.copy(repair.store.path(item.broken), folder / "broken.mp4")
    handed_in = folder / "in" / item.id
    handed_in.mkdir(parents=True)
    report = next(ref for ref in perfect(item, repair.store).files if ref.name == REPORT)
    shutil.copy(repair.store.path(report), handed_in / REPORT)
    make(item, f"in/{item.id}/{FIXED}")
    return repair.mark(read_submission(folder / "in", item.id, store=repair.store), item)


@pytest.mark.parametrize("name", DELIVERED)
def test_a_mended_clip_gets_full_marks(name: str, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    ending = deliver(bench("repair"), 0, tmp_path, lambda _, out: ffmpeg(tmp_path, f"{DELIVERED[name]} {out}"))
    assert min(ending.scores[f"reward@{mode}"] for mode in ("paper", "precision", "strict", "table2")) >= 0.97


@pytest.mark.parametrize("gate", ANNOUNCED)
def test_what_the_brief_announces_stays_a_gate(gate: str, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    ending = deliver(bench("repair"), 0, tmp_path, lambda _, out: ffmpeg(tmp_path, f"{ANNOUNCED[gate]} {out}"))
    reward = next(each for each in ending.findings if each.name == "reward")
    assert (reward.value, reward.because[: len(gate)]) == (0, gate)


def test_quieter_sound_is_no_other_layout(bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    """One channel at √½ is quieter; two of them are as loud as one was."""
    quieter = f"{GOLDEN} -c:v copy -af volume=0.707"
    ending = deliver(bench("repair"), 0, tmp_path, lambda _, out: ffmpeg(tmp_path, f"{quieter} {out}"))
    assert ending.scores["reward@paper"] < 0.8


def kept_parts(item: RepairItem) -> list[tuple[float, float]]:
    ends = [0.0, *(float(end_s) for span in true_spans(item) for end_s in (span.start_s, span.end_s)), 60.0]
    return [(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if end > start]


@pytest.mark.parametrize("files", [False, True], ids=["by filters", "as files that are joined"])
def test_cuts_by_ffmpeg_get_full_marks(files: bool, bench: Bench, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    def cut(item: RepairItem, out: str) -> None:
        parts = kept_parts(item)
        if files:
            for number, (start_s, end_s) in enumerate(parts):
                ffmpeg(tmp_path, f"-ss {start_s} -t {end_s - start_s} -i broken.mp4 part-{number}.mp4")
            (tmp_path / "list.txt").write_text("".join(f"file part-{number}.mp4\n" for number in range(len(parts))))
            ffmpeg(tmp_path, f"-f concat -i list.txt -c copy {out}")
            return
        trims = "".join(TRIM.format(*part, number) for number, part in enumerate(parts))
        pads = "".join(f"[v{number}][a{number}]" for number in range(len(parts)))
        graph = f"{trims}{pads}concat=n={len(parts)}:v=1:a=1[v][a]"
        ffmpeg(tmp_path, f"-i broken.mp4 -filter_complex '{graph}' -map [v] -map [a] {out}")

    ending = deliver(bench("repair"), 7, tmp_path, cut)  # filler words
    assert ending.scores["reward@strict"] == 1
