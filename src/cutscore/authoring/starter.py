"""A benchmark's starter pack: items that its recipe makes once, shipped as data in the folder `starter`.

A recipe with a starter pack has in its `build.py` the function `starter(store)`, which makes the items and puts their
files into the store, and where fields are written to files of their own, their writers as `WRITERS` (see `write_pack`).
"""

import shutil
import tempfile
from pathlib import Path

from cutscore.authoring.packs import write_pack
from cutscore.registry import Benchmark
from cutscore.store import Store

STARTER = "starter"


def write_starter(found: Benchmark, folder: Path | None = None) -> Path:
    """Make a benchmark's starter pack anew and return its folder.

    Args:
        found: The benchmark; see `registry.benchmark`.
        folder: Where to write, replacing what is there; the benchmark's own `starter` when None.
    """
    folder, recipe = folder or found.folder / STARTER, found.part("build")
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        store = Store(Path(scratch))
        items = recipe.starter(store)
        shutil.rmtree(folder, ignore_errors=True)
        write_pack(folder, items, store, sidecars=getattr(recipe, "WRITERS", {}))
    return folder
