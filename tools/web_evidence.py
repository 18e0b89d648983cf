"""Do all known work of VideoWebArena's starter pack on its sites, and keep what marking looks at.

    sh tools/web_software.sh && python tools/web_evidence.py

For whoever changes a task, a script, a read, or the programs; `git status` tells what moved.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.benchmarks.videowebarena.environment.software.start import start_sites
from cutscore.benchmarks.videowebarena.recorded import write_starter
from cutscore.cells.known_work import play_sample
from cutscore.cells.world import SampleParts
from cutscore.registry import benchmark
from cutscore.store import Store


def main() -> None:
    """Start the sites, play, write; say what each piece of work got."""
    with tempfile.TemporaryDirectory() as scratch, start_sites(Path(scratch) / "sites") as sites:
        os.environ.update(sites.variables)
        store = Store(Path(scratch) / "store")
        bench = load_benchmark(benchmark("videowebarena"), store)
        made: list[Any] = []
        for item in bench.items:
            for name in ("perfect", "near_miss", "empty"):
                known = bench.oracle_deliverable(name, item)
                parts = SampleParts(bench.found, item, bench.prompts)
                made.append((item, known, play_sample(known, parts, bench.ask(item), store).evidence))
                print(item.id, name, flush=True)
        write_starter(made, store)


if __name__ == "__main__":
    main()
