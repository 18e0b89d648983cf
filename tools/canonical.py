"""Write down what cutscore measures and builds without a key, so that two versions of it can be compared byte for byte.

    python tools/canonical.py -o before.json                 # at one commit
    python tools/canonical.py -o after.json --against before.json    # at another

Every benchmark runs with its keyless subjects; a row holds its scores in all modes. Every recipe makes a pack. Kept are
digests: of the canonical rows of each cell, and of each file of a pack. The id of a cell is left out of its rows: it
is a digest of settings and code, which may change where no score does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "src" / "cutscore" / "benchmarks"
KEYLESS = ("oracle", "reader", "transcript", "blind", "null")

# More than the plain run of every benchmark: judges without a key, and less of the input.
RUNS = {
    "colorbars truth": "colorbars --subject reader --subject null --judge truth",
    "colorbars judged by reader": "colorbars --subject oracle --subject blind --judge reader",
    "colorbars judged by constant": "colorbars --subject blind --judge constant:yes --votes 3",
    "vidwork 1 frame": "vidwork --subject reader --ablate frames=1",
    "vidwork transcript": "vidwork --subject reader --ablate input=transcript",
    "vidwork chars": "vidwork --subject reader --subject blind --set matcher=chars",
    "repair location": "repair --subject reader --limit 3 --ablate input=location",
    "sequencing narrative": "sequencing --subject reader --ablate input=narrative",
}
BUILDS = {
    "vidwork": "build vidwork stage:pancakes,length_s=28,height=180,rate=4",
    "assembly": "build assembly stage:treasure,length_s=16,height=180,rate=8",
    "repair": "build repair stage:picnic,length_s=8,height=90,rate=8 --defect all",
    "sequencing": "build sequencing stage:treasure,length_s=14,height=90,rate=8 --set clips=7",
    "repurpose": "build repurpose stage:talk,length_s=16,height=90,rate=8",
    "export pack": "export pack repair",
    "export harbor": "export harbor sequencing",
    "handout": "handout assembly",
}


def main() -> int:
    """Run everything, write digests, and say what differs from an earlier record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--against", type=Path, help="An earlier record.")
    parser.add_argument("--keep", type=Path, help="Keep runs and packs in this folder.")
    parser.add_argument("--only", default="", help="Only runs and packs whose name holds this.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (given.keep or Path(scratch)).resolve()
        record = dict(_everything(folder, given.only))
    given.out.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if not given.against:
        return 0
    before = json.loads(given.against.read_text(encoding="utf-8"))
    differing = [
        name for name in sorted({*before, *record}) if given.only in name and before.get(name) != record.get(name)
    ]
    print("\n".join(f"differs: {name}" for name in differing) or f"{len(record)} digests, all equal")
    return 1 if differing else 0


def _everything(folder: Path, only: str) -> Iterator[tuple[str, str]]:
    plain = {
        f"{name}": f"{name} {_subjects(name)}"
        for name in sorted(path.parent.name for path in BENCHMARKS.glob("*/benchmark.toml"))
    }
    for name, words in {**plain, **RUNS}.items():
        if only in f"run {name}":
            yield from _run(f"run {name}", words, folder / f"run {name}".replace(" ", "-"))
    for name, words in BUILDS.items():
        if only in f"pack {name}":
            yield from _pack(f"pack {name}", words, folder / f"pack {name}".replace(" ", "-"))


def _subjects(benchmark: str) -> str:
    card = tomllib.loads((BENCHMARKS / benchmark / "benchmark.toml").read_text(encoding="utf-8"))
    return " ".join(f"--subject {kind}" for kind in KEYLESS if kind in card["subjects"])


def _run(name: str, words: str, logs: Path) -> Iterator[tuple[str, str]]:
    _cutscore("run", *words.split(), "--log-dir", str(logs))
    from cutscore.bridge.rows import read_rows
    from cutscore.core.row import canonical_rows

    by_cell: dict[str, list[object]] = {}
    for row in read_rows(logs):
        conditions = (f"{name}={value}" for name, value in row.conditions.items())
        settings = " ".join(filter(None, (row.subject, row.frames, row.input, *conditions)))
        by_cell.setdefault(settings, []).append(row.model_copy(update={"cell": settings}))
    for settings, rows in by_cell.items():
        yield f"{name}: {settings} ({len(rows)} rows)", hashlib.sha256(canonical_rows(rows)).hexdigest()  # type: ignore[arg-type]


def _pack(name: str, words: str, out: Path) -> Iterator[tuple[str, str]]:
    _cutscore(*words.split(), "-o", str(out))
    for file in sorted(path for path in out.rglob("*") if path.is_file() and ".work" not in path.parts):
        yield f"{name}: {file.relative_to(out)}", hashlib.sha256(file.read_bytes()).hexdigest()


def _cutscore(*words: str) -> None:
    print("cutscore", *words, file=sys.stderr, flush=True)
    made = subprocess.run([sys.executable, "-m", "cutscore", *words], capture_output=True, text=True, check=False)
    if made.returncode not in (0, 1):
        sys.exit(f"cutscore {' '.join(words)} ended with {made.returncode}:\n{made.stderr[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
