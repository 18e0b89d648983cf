"""Do all known work of a pack of VideoWebArena that ships on its sites, and keep what marking looks at.

    python tools/web_evidence.py own                           the tasks that a run begins with
    python tools/web_evidence.py own vwa-map-0                 some of them
    sh tools/web_software.sh && python tools/web_evidence.py software

For whoever changes a task, a script, a read, or a site; `git status` tells what moved.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.benchmarks.videowebarena.dataset import OWN, SOFTWARE
from cutscore.benchmarks.videowebarena.environment.software.start import start_sites
from cutscore.benchmarks.videowebarena.recorded import write_evidence
from cutscore.cells.known_work import play_sample
from cutscore.cells.world import SampleParts
from cutscore.registry import benchmark
from cutscore.store import Store


def main() -> None:
    """Start the sites, play, write; say what is played."""
    pack = {"own": OWN, "software": SOFTWARE}[sys.argv[1] if sys.argv[1:] else "own"]
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if pack == SOFTWARE:
            os.environ.update(stack.enter_context(start_sites(scratch / "sites")).variables)
        store = Store(scratch / "store")
        bench = load_benchmark(benchmark("videowebarena"), store, data=None if pack == OWN else pack)
        made: list[Any] = []
        for item in bench.items:
            if item.id not in (sys.argv[2:] or [item.id]):
                continue
            for name in ("perfect", "near_miss", "empty"):
                known = bench.oracle_deliverable(name, item)
                parts = SampleParts(bench.found, item, bench.prompts)
                made.append((item, known, play_sample(known, parts, bench.ask(item), store).evidence))
                print(item.id, name, flush=True)
        write_evidence(pack, made, store)


if __name__ == "__main__":
    main()
