"""CPU minutes that `cutscore check` takes for a minute of media, against an earlier version of it.

    python bench/check.py [CLIP…] [--against CHECKOUT] [--defect blur] [--family repair]

A pack of `repair` and, of clips with NAME.synopsis.md beside them or of the stage, one of `sequencing` is built from
the clips (by default from a short scene of the stage), and checked in processes of their own: with an earlier checkout
(`git worktree add`), with this one, and with this one once more, when all results are in the pack. Processor time
counts with that of all children. What an earlier checkout finds has to be found by this one, to the byte.

Wanted: a quarter of the earlier CPU time, and next to nothing the second time.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from cutscore import registry
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.core.bundle import Bundle
from cutscore.media.probe import probe
from cutscore.store import Store

HERE = Path(__file__).resolve().parents[1]
# Belongs to the code that checked, and not to what it found.
ABOUT_CODE = ("scoring", "cutscore", "version")


def call(checkout: Path, *words: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run cutscore of a checkout; return its processor seconds, and what it said."""
    start = "import sys; from cutscore.cli import main; sys.exit(main())"
    env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([sys.executable, "-c", start, *words], env=env, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ran


def media_s(family: str, pack: Path, store: Path) -> float:
    """Return the seconds of all videos that subjects of a pack are given."""
    bench = load_benchmark(registry.benchmark(family), Store(store), data=pack)
    refs = [ref for item in bench.items if isinstance(item, Bundle) for ref in item.materials]
    return float(sum(probe(bench.store.path(ref)).duration_s or 0 for ref in refs if ref.media_type[:5] == "video"))


def check(checkout: Path, family: str, pack: Path) -> tuple[float, Any]:
    """Check a pack; return the processor seconds and what was found."""
    cpu_s, ran = call(checkout, "check", str(pack), "--bench", family, "--engine", "inline", "--json")
    if not ran.stdout:
        sys.exit(ran.stderr)
    gates = json.loads(ran.stdout)["gates"]
    return cpu_s, {name: value for name, value in gates.items() if name not in ABOUT_CODE}


def tried(gates: Any) -> int:
    """Return how many submissions were marked: attacks are added as they are found."""
    return sum(len(item["trials"]) for item in gates["items"])


def measured(family: str, words: list[str], against: Path | None, folder: Path) -> str:
    """Build a pack, check it with each version, and give a line about it."""
    pack = folder / family
    _, built = call(HERE, "build", family, *words, "-o", str(pack), "--licence", "CC-BY-4.0")
    if not (pack / "items.jsonl").is_file():
        return f"{family}: not built: {built.stderr.strip().splitlines()[-1]}"
    minutes = media_s(family, pack, folder / f"{family}-store") / 60
    figures = []
    if against:
        earlier = shutil.copytree(pack, folder / f"{family}-earlier")
        before_s, known = check(against, family, earlier)
        figures.append(f"before {before_s / 60 / minutes:.1f} ({tried(known)} submissions)")
    now_s, found = check(HERE, family, pack)
    figures.append(f"now {now_s / 60 / minutes:.1f} ({tried(found)} submissions)")
    again_s, repeated = check(HERE, family, pack)
    figures.append(f"once more {again_s / 60 / minutes:.1f} CPU minutes a media minute")
    if against:
        same = "the same results" if known == found == repeated else "OTHER RESULTS"
        figures.append(f"{now_s / before_s:.2f} of before, {same}")
    return f"{family:12}{60 * minutes:6.1f} s of media: {', '.join(figures)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="*", default=["stage:lost-kite,seed=1,length_s=6,height=90,rate=10"])
    parser.add_argument("--against", type=Path)
    parser.add_argument("--defect", default="blur")
    families = ("repair", "sequencing")
    parser.add_argument("--family", action="append", choices=families, help="this one alone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for family in given.family or families:
            more = ["--defect", given.defect] if family == "repair" else []
            print(measured(family, [*given.clips, *more], given.against, Path(scratch)), flush=True)


if __name__ == "__main__":
    main()
