"""Media minutes that verifiers mark in a minute of processor time, against decoding alone and against FFmpeg's filters.

    python bench/verifiers.py [--tasks 3] [--rounds 3]

For each family with a verifier: the golden submissions of a few starter tasks are marked whole, files, limits and
children included, and nothing that a verifier has kept from an earlier mark. What we compare with, on the same films
in the same run:
- decoding all pictures of the delivered films with PyAV and looking at nothing;
- decoding each film twice and letting FFmpeg's `psnr` and `ssim` filters compare them, which is what somebody with a
  shell would do (the filters of PyAV's own FFmpeg; no program is started).
Starter films are small and short, so that opening files and starting measurements weighs more than in a real task.
Rounds alternate, everything is warm, and each figure is the best round. No figure is wanted: the ratios are printed.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
from metrics import child_s, decode

from cutscore import registry
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.core.bundle import Bundle
from cutscore.core.deliverable import Deliverable
from cutscore.media.probe import probe
from cutscore.store import Store


def cpu_s(work: Callable[[], object]) -> float:
    """Give the processor seconds of some work: here, in children that wait for more, and in those that have ended."""

    def so_far_s() -> float:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + child_s() + ended.ru_utime + ended.ru_stime

    began_s = so_far_s()
    work()
    return so_far_s() - began_s


def films_of(bench: LoadedBenchmark, made: Deliverable) -> list[Path]:
    return [bench.store.path(ref) for ref in made.files if ref.name.endswith((".mp4", ".webm", ".mov"))]


def decoded(films: Sequence[Path]) -> None:
    for film in films:
        for _ in decode(film):
            pass


def filtered(films: Sequence[Path]) -> None:
    """Let both filters compare each film with itself."""
    for film in films:
        for name in ("psnr", "ssim"):
            _compared(film, name)


def _compared(film: Path, name: str) -> None:
    graph = av.filter.Graph()
    first = next(decode(film))
    tick = Fraction(1, 1000)
    size = {"width": first.width, "height": first.height, "format": first.format, "time_base": tick}
    ends = [graph.add_buffer(**size), graph.add_buffer(**size)]
    measure, sink = graph.add(name), graph.add("buffersink")
    for number, end in enumerate(ends):
        end.link_to(measure, 0, number)
    measure.link_to(sink)
    graph.configure()
    for number, frames in enumerate([*zip(decode(film), decode(film), strict=True), (None, None)]):
        for end, frame in zip(ends, frames, strict=True):
            if frame is not None:
                frame.pts, frame.time_base = number, tick
            end.push(frame)
        try:
            while True:
                sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            pass


def forget(bench: LoadedBenchmark) -> None:
    """Let a verifier forget the films that it has looked at, so that it looks again."""
    for each in vars(bench.found.part("mark")).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()


def measured(bench: LoadedBenchmark, tasks: int, rounds: int) -> str | None:
    """Give a line for a family; None where golden submissions have no film, or a judge marks them."""
    items = [item for item in bench.items if isinstance(item, Bundle)][:tasks]
    made = [bench.oracle_deliverable("perfect", item) for item in items]
    films = [film for each in made for film in films_of(bench, each)]
    if not films:
        return None
    minutes = float(sum(probe(film).duration_s or 0 for film in films)) / 60
    works: dict[str, Callable[[], object]] = {
        "marked": lambda: [bench.mark(each, item) for each, item in zip(made, items, strict=True)],
        "decoded": lambda: decoded(films),
        "filtered": lambda: filtered(films),
    }
    for work in works.values():
        work()
    taken: dict[str, float] = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            forget(bench)
            taken[name] = min(taken[name], cpu_s(work))
    marked, bare, filters = (taken[name] for name in works)
    return (
        f"{bench.found.name:12}{60 * minutes / marked:9.1f} media minutes a CPU minute"
        f"{marked / bare:9.1f} × decoding{marked / filters:9.1f} × psnr and ssim"
        f"   ({len(films)} films, {60 * minutes:.0f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, found in sorted(registry.benchmarks().items()):
            bench = load_benchmark(found, Store(Path(folder) / name))
            if (line := measured(bench, given.tasks, given.rounds)) is not None:
                print(line, flush=True)


if __name__ == "__main__":
    main()
