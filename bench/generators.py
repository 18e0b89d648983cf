"""What measuring a generator costs beside its own work.

1. Media minutes that the verifiers of clvg mark in a CPU minute, against decoding alone.
2. Jobs of a loopback service that answers at once, run and marked by cutscore, against a bare loop over the same
   server, in jobs a second and in CPU time, which other work on the machine changes less. Wanted: at least 0.9, which
   a job without work cannot give: the loop keeps bytes and does not look at them.
3. Peak memory of a run of 50 and of 1,000 jobs with videos of 20 MB. Wanted: flat.

    python bench/generators.py [--jobs 500] [--part verifiers|jobs|memory] [--large 1000]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import httpx
import numpy as np

from cutscore.benchmarks.clvg.staged.registry import find_kind, list_cases
from cutscore.media.deliverable import iter_pictures
from cutscore.media.footage import write_footage
from cutscore.media.render import write_clip

PADDED = 20 << 20  # bytes of a large video


def cpu_s() -> float:
    mine, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + others.ru_utime + others.ru_stime


def measure_verifiers(folder: Path) -> None:
    lengths, verifying, decoding = defaultdict(float), defaultdict(float), defaultdict(float)
    for case in list_cases():
        kind, path = find_kind(case.kind), folder / f"{case.name}.mp4"
        footage = kind.film(case.settings, 0)
        write_footage(footage, path)
        began = cpu_s()
        for _ in iter_pictures(path):
            pass
        between = cpu_s()
        weak = kind.verify(path, case.settings)
        verifying[case.kind] += cpu_s() - between
        decoding[case.kind] += between - began
        lengths[case.kind] += float(footage.length_s)
        if weak:
            print(f"  {case.name}: {weak[0].text}")
    print(f"{'kind':18} {'media s':>8} {'verify':>8} {'decode':>8}   media minutes a CPU minute")
    for name, length in lengths.items():
        print(f"{name:18} {length:8.1f} {verifying[name]:8.2f} {decoding[name]:8.2f}   {length / verifying[name]:.1f}")
    whole = sum(lengths.values())
    print(
        f"all: {whole / sum(verifying.values()):.2f} verified, {whole / sum(decoding.values()):.1f} decoded, "
        f"ratio {sum(verifying.values()) / sum(decoding.values()):.1f}"
    )


class Answers(BaseHTTPRequestHandler):
    """Answers every job at once, with the video and a number behind it, so that no two are the same file."""

    video = b""
    numbers = count()
    disable_nagle_algorithm = True  # else every answer on a kept connection waits 40 ms for an acknowledgement

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        number = free_box(next(self.numbers).to_bytes(8, "big"))
        self.send_response(200)
        self.send_header("content-type", "video/mp4")
        self.send_header("content-length", str(len(self.video) + len(number)))
        self.end_headers()
        self.wfile.write(self.video)
        self.wfile.write(number)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def free_box(data: bytes) -> bytes:
    """Return a part of an MP4 file that no decoder looks at."""
    return (len(data) + 8).to_bytes(4, "big") + b"free" + data


def serve(video: bytes) -> str:
    handler = type("Handler", (Answers,), {"video": video, "protocol_version": "HTTP/1.1"})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/jobs"


def small_video(folder: Path) -> bytes:
    pictures = [np.full((90, 160, 3), 10 * number, np.uint8) for number in range(10)]
    write_clip(folder / "small.mp4", pictures, rate=Fraction(10))
    return (folder / "small.mp4").read_bytes()


def write_cases(folder: Path, count: int) -> Path:
    folder.mkdir()
    case = {"subcategory": "mechanics", "instruction": "Let it fall."}
    (folder / "items.jsonl").write_text("\n".join(json.dumps({"id": f"case-{n}", **case}) for n in range(count)))
    return folder


@dataclass(frozen=True)
class Used:
    wall_s: float
    cpu_s: float
    peak_bytes: int


def run(folder: Path, url: str, jobs: int) -> Used:
    """Run the jobs, and return what that took, the work of the server included in the CPU time."""
    cases = write_cases(folder / f"cases-{jobs}", jobs)
    words = [
        "run",
        "clvg",
        "--data",
        str(cases),
        "--subject",
        f"it=http:{url}",
        "--judge",
        "constant:no",
        "--log-dir",
        str(folder / f"logs-{jobs}"),
    ]
    began, served = time.perf_counter(), time.process_time()
    child = subprocess.Popen(
        [sys.executable, "-m", "cutscore", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"the run ended with {status}")
    serving_s = time.process_time() - served
    return Used(time.perf_counter() - began, used.ru_utime + used.ru_stime + serving_s, used.ru_maxrss * 1024)


def measure_jobs(folder: Path, jobs: int) -> None:
    video = small_video(folder)
    url = serve(video)
    began, busy = time.perf_counter(), time.process_time()
    with httpx.Client() as client:
        for number in range(jobs):
            reply = client.post(url, data={"instruction": "Let it fall.", "seed": "1"})
            (folder / f"{number}.mp4").write_bytes(reply.content)
    bare, bare_ms = jobs / (time.perf_counter() - began), 1000 * (time.process_time() - busy) / jobs
    start, whole = run(folder, url, 1), run(folder, url, jobs)
    ours_ms = 1000 * (whole.cpu_s - start.cpu_s) / (jobs - 1)
    print(
        f"{jobs} jobs: bare loop {bare:.0f}/s, cutscore {jobs / whole.wall_s:.1f}/s with its start; "
        f"CPU time of a job {bare_ms:.1f} and {ours_ms:.1f} ms without the start, ratio {bare_ms / ours_ms:.2f}"
    )


def measure_memory(folder: Path, most: int) -> None:
    video = small_video(folder)
    url = serve(video + free_box(bytes(PADDED - len(video))))
    peaks = {jobs: run(folder, url, jobs).peak_bytes for jobs in (50, most)}
    print("peak memory: " + ", ".join(f"{jobs} jobs {peak / 1e6:.0f} MB" for jobs, peak in peaks.items()))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--jobs", type=int, default=500)
    words.add_argument("--large", type=int, default=1000, help="jobs with large videos, against 50")
    words.add_argument("--part", choices=("verifiers", "jobs", "memory"))
    given = words.parse_args()
    parts = {
        "verifiers": measure_verifiers,
        "jobs": lambda folder: measure_jobs(folder, given.jobs),
        "memory": lambda folder: measure_memory(folder, given.large),
    }
    for name, measure in parts.items():
        if given.part in (None, name):
            with tempfile.TemporaryDirectory() as scratch:
                measure(Path(scratch))


if __name__ == "__main__":
    main()
