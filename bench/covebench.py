"""Pixel metrics and judge calls of covebench against the plain loop: one decode a metric, one call a question.

    python bench/covebench.py [--pairs 50] [--editors 8] [--small]

needs scikit-image, which nothing else does: pip install scikit-image

Sources and edited videos are 5 s of 854 × 480 at 25 pictures a second: a camera that pans over texture with grain, and
the same with other colours. A few are rendered, and the others differ from them in their hash alone. The plain loop
opens a file with OpenCV for each metric, reads it to its end, keeps the frames that are wanted, and takes SSIM and PSNR
from scikit-image; flow, tracks and both formulas of smoothness are the same as ours. It shares nothing, so for several
editors it is measured for one and multiplied. Ours is what marking calls: hostile files in a child, features of sources
kept on disk (in an empty cache). Wanted:
- one editor: at least 3 × less processor time, whole processes with their children;
- eight editors on the same sources, two workers: at least 8 × less wall time (on a quiet machine);
- peak memory, decoder included, the same after 10 and after 200 pairs;
- judge: calls and tokens a task, as the price before a run counts them; no wanted ratio.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import cv2
import metrics
import numpy as np
from memory import peak_kib

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.benchmarks.covebench.mark import ask_checklist
from cutscore.benchmarks.covebench.metrics.mark_metrics import measure_pixels
from cutscore.benchmarks.covebench.metrics.pixel_metrics import (
    SIDE,
    STILLS,
    TRACK_SIDE,
    TRACKED,
    follow_grid,
    match_tracks,
    msm,
)
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, JudgeSpec, Question
from cutscore.engines import Job, run_jobs
from cutscore.media import decoder_pool
from cutscore.media.plan import Released
from cutscore.media.render import write_clip
from cutscore.models.token_rules import token_rule
from cutscore.registry import benchmark
from cutscore.scoring.judges.choose import open_judge
from cutscore.scoring.judges.request_counter import RequestCounter
from cutscore.scoring.metrics.flow import flow
from cutscore.store import Store

WIDTH, HEIGHT, RATE, SECONDS = 854, 480, 25, 5
RENDERED = 4  # different clips; all others are these with another hash
EARLY, LATE = 10, 200  # pairs at which memory is looked at
MODEL = "openai/gpt-4o"  # whose rule counts the tokens of frames
WORKERS = 2
QUESTION = {"id": "Q1", "format": "Single-TF", "text": "?", "expected": "Yes"}
CHECKLIST = Checklist.model_validate({"points": [{"target": "it", "questions": [QUESTION]}]})


def render(folder: Path, pairs: int) -> None:
    """Write `source-N.mp4` and `edited-N.mp4`; a box that every player skips gives each source a hash of its own."""
    metrics.WIDTH, metrics.HEIGHT, metrics.RATE = WIDTH, HEIGHT, RATE
    pictures = list(metrics.pan(SECONDS + RENDERED))
    for number in range(min(pairs, RENDERED)):
        own = pictures[number * RATE :][: SECONDS * RATE]
        write_clip(folder / f"source-{number}.mp4", own, rate=Fraction(RATE), preset="veryfast")
        edited = (np.ascontiguousarray(each[..., ::-1]) for each in own)
        write_clip(folder / f"edited-{number}.mp4", edited, rate=Fraction(RATE), preset="veryfast")
    for number in range(RENDERED, pairs):
        for name in ("source", "edited"):
            data = (folder / f"{name}-{number % RENDERED}.mp4").read_bytes()
            box = (16).to_bytes(4) + b"free" + number.to_bytes(8)
            (folder / f"{name}-{number}.mp4").write_bytes(data + box)


def measure_ours(folder: str, number: int) -> dict[str, float]:
    """Mark one pair as a run does."""
    store, home = Store(Path(folder) / "store"), Path(folder)
    source = store.put(home / f"source-{number}.mp4", name="source.mp4", media_type="video/mp4")
    edited = store.put(home / f"edited-{number}.mp4", name=EDITED, media_type="video/mp4")
    item = EditTask(id=str(number), cluster=str(number), instruction="Edit it.", source=source, checklist=CHECKLIST)
    found = measure_pixels(Evidence(files=(edited,)).bind(store), item)
    return {f"{each.name}@{each.mode}": each.value for each in found if isinstance(each, Finding)}


def measure_plainly(folder: Path, number: int) -> dict[str, float]:
    """Compute the same, one metric after the other, each from the files."""
    from skimage.metrics import peak_signal_noise_ratio, structural_similarity

    source, edited = (folder / f"{name}-{number}.mp4" for name in ("source", "edited"))

    def compare(measure) -> float:
        pairs = zip(sample(source, STILLS, SIDE), sample(edited, STILLS, SIDE), strict=True)
        return float(np.mean([measure(one, other, data_range=255) for one, other in pairs]))

    def smoothness(*, paper: bool) -> float:
        pictures = sample(edited, STILLS, SIDE)
        return msm([flow(*pair, method="farneback") for pair in pairwise(pictures)], paper=paper)

    tracks = [follow_grid(sample(path, TRACKED, TRACK_SIDE)) for path in (source, edited)]
    return {
        "ssim@reference": compare(structural_similarity),
        "psnr@reference": compare(peak_signal_noise_ratio),
        "msm@reference": smoothness(paper=False),
        "msm@paper": smoothness(paper=True),
        "mf_lk@reference": match_tracks(*tracks),
    }


def sample(path: Path, count: int, side: int) -> list[np.ndarray]:
    """Read a file to its end and keep the frames that are wanted, grey and scaled."""
    capture = cv2.VideoCapture(str(path))
    total = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    wanted, kept = set(Released(count).numbers(total)), []
    for number in range(total):
        _, picture = capture.read()
        if number in wanted:
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            kept.append(cv2.resize(grey, (side, side), interpolation=cv2.INTER_AREA))
    return kept


def work(name: str, folder: Path, pairs: int, editors: int) -> None:
    """Do one side's work in this process, and print what came out."""
    if name == "plain":
        print(json.dumps([measure_plainly(folder, number) for number in range(pairs)]))
    elif name == "ours":
        print(json.dumps([measure_ours(str(folder), number) for number in range(pairs)]))
    elif name == "editors":
        from covebench import measure_ours as measure  # a worker finds it under this name, not in __main__

        jobs = (Job(f"{who}/{n}", measure, (str(folder), n)) for who in range(editors) for n in range(pairs))
        done = list(run_jobs(jobs, engine="processes", workers=WORKERS))
        assert not any(each.error for each in done), done[0].error
        print(json.dumps(len(done)))
    else:  # memory
        peaks = []
        for number in range(LATE if pairs > EARLY else 2 * pairs):
            measure_ours(str(folder), number % pairs)
            peaks.append(peak_kib(os.getpid()) + sum(peak_kib(each.child.pid) for each in decoder_pool.POOL._idle))
        early = min(EARLY, pairs)
        print(json.dumps([peaks[early - 1] / 1024, peaks[-1] / 1024, early, len(peaks)]))


def run_apart(name: str, folder: Path, pairs: int, editors: int = 1) -> tuple[float, float, object]:
    """Do one side's work in a fresh process with an empty cache; give CPU seconds, wall seconds and what it printed."""
    command = [sys.executable, __file__, "--work", name, "--folder", str(folder), "--pairs", str(pairs)]
    # Workers import this file by its name.
    env = {**os.environ, "CUTSCORE_CACHE": str(folder / f"cache-{name}"), "PYTHONPATH": python_path()}
    before, began_s = children_s(), time.monotonic()
    done = subprocess.run([*command, "--editors", str(editors)], check=True, stdout=subprocess.PIPE, text=True, env=env)
    return children_s() - before, time.monotonic() - began_s, json.loads(done.stdout)


def python_path() -> str:
    return os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])


def children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class OneAtATime:
    """Asks a judge every question in a call of its own."""

    name = "one at a time"

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        return [said for each in questions for said in self.judge.ask([each], evidence, view=view)]


def count_requests(folder: Path) -> Iterator[tuple[str, float, float]]:
    """Give calls and tokens a task of the starter pack, both ways; nothing is sent."""
    store, found = Store(folder / "starter"), benchmark("covebench")
    tasks = items(store)
    for label, wrap in (("a call for each format", lambda judge: judge), ("a call for each question", OneAtATime)):
        counter = RequestCounter(open_judge(JudgeSpec(MODEL), found))
        for task in tasks:
            film = task.source.model_copy(update={"name": EDITED})
            ask_checklist(wrap(counter.for_sample(None)), Evidence(files=(film,)).bind(store), task, everywhere=True)
        tokens = sum(call.input_tokens(token_rule(MODEL)) for call, _ in counter.heard)
        yield label, len(counter.heard) / len(tasks), tokens / len(tasks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--editors", type=int, default=8)
    parser.add_argument("--small", action="store_true", help="4 pairs and 3 editors: a quick try")
    parser.add_argument("--work", choices=("plain", "ours", "editors", "memory"))
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.folder, given.pairs, given.editors)
        return
    pairs, editors = (4, 3) if given.small else (given.pairs, given.editors)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print_judge(folder)
        if find_spec("skimage") is None:
            print("metrics: not measured, since scikit-image is not installed (pip install scikit-image)")
            return
        render(folder, pairs)
        print_metrics(folder, pairs, editors)


def print_judge(folder: Path) -> None:
    print(f"{'judge, a task of the starter pack':36}{'calls':>8}{'tokens':>10}")
    rows = list(count_requests(folder))
    for label, calls, tokens in rows:
        print(f"{label:36}{calls:8.1f}{tokens:10,.0f}")
    print(f"{'':36}{rows[1][1] / rows[0][1]:7.1f}×{rows[1][2] / rows[0][2]:9.1f}×\n", flush=True)


def print_metrics(folder: Path, pairs: int, editors: int) -> None:
    plain_s, plain_wall_s, theirs = run_apart("plain", folder, pairs)
    ours_s, ours_wall_s, ours = run_apart("ours", folder, pairs)
    apart = max(abs(one[key] - other[key]) for one, other in zip(theirs, ours, strict=True) for key in one)
    print(f"{f'{pairs} pairs, one editor':36}{'CPU s':>8}{'wall s':>8}")
    print(f"{'one decode a metric':36}{plain_s:8.1f}{plain_wall_s:8.1f}")
    print(f"{'ours':36}{ours_s:8.1f}{ours_wall_s:8.1f}   {plain_s / ours_s:.1f} × less CPU (wanted: 3)")
    print(f"{'':36}values differ by at most {apart:.3f}, since colours are converted otherwise\n", flush=True)
    many_s, many_wall_s, _ = run_apart("editors", folder, pairs, editors)
    print(f"{f'{pairs} pairs, {editors} editors':36}{'CPU s':>8}{'wall s':>8}")
    print(f"{f'one decode a metric, × {editors}':36}{editors * plain_s:8.1f}{editors * plain_wall_s:8.1f}")
    ratio = editors * plain_wall_s / many_wall_s
    print(f"{f'ours, {WORKERS} workers':36}{many_s:8.1f}{many_wall_s:8.1f}   {ratio:.1f} × less wall (wanted: 8)")
    less = editors * plain_s / many_s
    print(f"{'':36}{less:.1f} × less CPU\n", flush=True)
    _, _, (first, last, early, late) = run_apart("memory", folder, pairs)
    print(f"peak memory after {early} pairs {first:.0f} MB, after {late} {last:.0f} MB")


if __name__ == "__main__":
    main()
