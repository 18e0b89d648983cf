"""Long runs: peak memory of 200 and of 5,000 samples, and how soon the first of 10,000 items is done.

    python bench/long_runs.py [--samples 200 5000] [--items 10000]

Wanted: a further sample takes no more memory than its row, which somebody asked for; the first of 10,000 items is done
within 20 seconds, and as soon after a kill. Each run is in a process of its own, with the scripted model.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import samples


def write_pack(folder: Path, items: int) -> Path:
    """Write a data pack of so many questions about one clip."""
    from cutscore.registry import benchmark
    from cutscore.store import Store

    store = Store(folder / "seed")
    first = benchmark("colorbars").part("dataset").items(store)[0]
    pack = folder / "pack"
    pack.mkdir()
    (pack / "clip.mp4").write_bytes(store.path(first.clip).read_bytes())
    plain = first.model_dump(mode="json")
    lines = (json.dumps({**plain, "id": f"item-{number}", "clip": "clip.mp4"}) for number in range(items))
    (pack / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return pack


def first_done(folder: Path, pack: Path, stop_after: int) -> None:
    """Run a cell of the pack, print the seconds until the first sample was done, and die after some more."""
    from cutscore.bridge.run import prepare, run_cell
    from cutscore.cells.request import CellRequest
    from cutscore.cells.run_context import RunContext
    from cutscore.settings import Settings

    began_s, done = time.perf_counter(), 0

    def listen(_event: Any) -> None:
        nonlocal done
        done += 1
        if done == 1:
            # A run sends what its subject prints to standard error.
            figures = {"seconds": time.perf_counter() - began_s, "mb": peak_mb()}
            print(json.dumps(figures), file=sys.__stdout__, flush=True)
        if done == stop_after:
            os._exit(0)

    request = CellRequest("colorbars", "model", model=samples.MODEL, data=str(pack), frames="uniform=1")
    run_cell(prepare(request, RunContext(run=folder / "logs")), settings=Settings(), listener=listen)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(*words: object) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, *map(str, words)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, nargs=2, default=(200, 5000))
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--side", choices=list(samples.SIDES))
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--pack", type=Path)
    given = parser.parse_args()
    if given.pack:
        return first_done(given.folder, given.pack, stop_after=100)
    if given.side:
        samples.SIDES[given.side](given.epochs, given.folder)
        return print(json.dumps({"mb": peak_mb()}))
    for side in ("bare", "cutscore"):
        peaks = []
        for number in given.samples:
            with tempfile.TemporaryDirectory() as folder:
                epochs = -(-number // samples.ITEMS)
                peaks.append(measure("--side", side, "--epochs", epochs, "--folder", folder)["mb"])
        more = 1024 * (peaks[1] - peaks[0]) / (given.samples[1] - given.samples[0])
        few, many = given.samples
        print(f"{side:9} {few:,} samples {peaks[0]:.0f} MB, {many:,} samples {peaks[1]:.0f} MB: {more:.1f} kB a sample")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack = write_pack(folder, given.items)
        for what in ("new", "after a kill"):
            first = measure("--folder", folder, "--pack", pack)
            print(f"{given.items:,} items, {what}: first done after {first['seconds']:.1f} s with {first['mb']:.0f} MB")
    return None


if __name__ == "__main__":
    main()
