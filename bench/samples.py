"""Samples per second and memory: cutscore against bare Inspect, 2,000 scripted samples each, in one run.

    python bench/samples.py [--samples 2000] [--rounds 3]

All sides run the same 60 questions over and over with the same scripted model, the same log settings and one
process. Bare Inspect is its plain `generate` with a scorer of one line, as it comes, and once more without the database
by which it survives a kill (`unsafe`). cutscore is the whole way: ask, boundary, every reply and every ended sample
written down before it is used, handover, marking, ledger, and rows that are read back. The model is told to take text,
so that nobody decodes video: this measures the road, not the load. Rounds alternate, and the figure is the ratio of
medians.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITEMS = 60
MODEL = "scripted/hello"
QUIET = {"display": "none", "log_images": False, "log_model_api": False, "log_header_only": True}


def bare(epochs: int, folder: Path, **options: bool) -> int:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    from cutscore.models import scripted  # noqa: F401  registers the provider

    samples = [Sample(id=f"q{n}", input=f"Which colour at {n} seconds?", target="hello") for n in range(ITEMS)]
    task = Task(dataset=samples, solver=generate(), scorer=includes())
    (log,) = eval(task, model=MODEL, epochs=epochs, log_dir=str(folder), **QUIET, **options)
    return log.results.completed_samples if log.results else 0


def ours(epochs: int, folder: Path) -> int:
    from cutscore.bridge.run import prepare, run_cell
    from cutscore.cells.request import CellRequest
    from cutscore.cells.run_context import RunContext
    from cutscore.settings import load_settings

    os.chdir(folder)
    Path("cutscore.toml").write_text(f'[models."{MODEL}"]\ntakes = "text"\n', encoding="utf-8")
    prepared = prepare(CellRequest("colorbars", "model", model=MODEL), RunContext(run=folder / "logs"))
    return len(run_cell(prepared, settings=load_settings(), epochs=epochs).rows)


def unsafe(epochs: int, folder: Path) -> int:
    """Run bare Inspect without the database by which it survives a kill."""
    return bare(epochs, folder, log_realtime=False)


SIDES = {"bare": bare, "unsafe": unsafe, "cutscore": ours}


def measure(side: str, epochs: int) -> dict[str, float]:
    """Run one side in a process of its own: it starts cold and its memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--side", side, "--epochs", str(epochs), "--folder", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def child(side: str, epochs: int, folder: Path) -> None:
    SIDES[side](1, folder / "warm")  # imports, first render and first connection are not the road
    began_s, cpu_s = time.perf_counter(), time.process_time()
    n = SIDES[side](epochs, folder / "run")
    wall_s, cpu_s = time.perf_counter() - began_s, time.process_time() - cpu_s
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"n": n, "wall_s": wall_s, "cpu_ms": 1000 * cpu_s / n, "per_s": n / wall_s, "rss_mb": rss_mb}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--side", choices=list(SIDES))
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.side:
        for name in ("warm", "run"):
            (given.folder / name).mkdir()
        child(given.side, given.epochs, given.folder)
        return
    epochs = -(-given.samples // ITEMS)
    taken: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for number in range(given.rounds):
        for side, rounds in taken.items():
            rounds.append(last := measure(side, epochs))
            print(
                f"round {number + 1} {side:9} {last['per_s']:7.1f} samples/s {last['cpu_ms']:6.2f} CPU ms/sample "
                f"{last['rss_mb']:6.0f} MB",
                file=sys.stderr,
            )
    middle = {
        side: {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
        for side, rounds in taken.items()
    }
    print(f"{'':10}{'samples/s':>11}{'CPU ms/sample':>15}{'peak MB':>9}")
    for side, each in middle.items():
        print(f"{side:10}{each['per_s']:11.1f}{each['cpu_ms']:15.2f}{each['rss_mb']:9.0f}")
    ratio = middle["cutscore"]["per_s"] / middle["bare"]["per_s"]
    cpu = middle["bare"]["cpu_ms"] / middle["cutscore"]["cpu_ms"]
    print(f"cutscore / bare Inspect: {ratio:.2f} of its samples/s, {cpu:.2f} by CPU time, n={int(middle['bare']['n'])}")


if __name__ == "__main__":
    main()
