"""Measure the keyless subjects on the starter packs, and write their scores into the benchmarks' READMEs.

    python tools/figures.py                     # all benchmarks whose README has the marked block
    python tools/figures.py vidwork             # some
    python tools/figures.py --check vidwork     # change nothing; exit 1 where a README shows something else

A README says `<!-- figures -->` where the table begins and `<!-- end of figures -->` where it ends; what stands between
is made from `cutscore run NAME --json`. `<!-- figures by GROUP -->` adds the headline in each group of items. `make
test-real` checks every block.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cutscore.registry import benchmark, benchmarks

SUBJECTS = ("oracle", "reader", "blind", "null")
BLOCK = re.compile(r"(?P<start><!-- figures(?: by (?P<group>\w+))? -->\n).*?(?P<end><!-- end of figures -->)", re.S)
MISSING = "–"


def marked_benchmarks() -> list[str]:
    """Name the benchmarks whose README has a block."""
    return [name for name, found in benchmarks().items() if BLOCK.search(_readme(found.folder))]


def measure(name: str) -> dict[str, Any]:
    """Return what `cutscore run NAME --json` prints for the keyless subjects."""
    asked = [word for subject in SUBJECTS for word in ("--subject", subject)]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "cutscore", "run", name, *asked, "--json", "--log-dir", folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"'cutscore run {name}' failed: {done.stdout}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write_figures(readme: str, run: Mapping[str, Any]) -> str:
    """Return a README with the scores of a run in its block."""
    return BLOCK.sub(lambda found: found["start"] + figures_table(run, found["group"]) + found["end"], readme)


def figures_table(run: Mapping[str, Any], group: str | None = None) -> str:
    """Return a table of each subject: the headline in all modes, other scores in its own mode, the headline by group.

    An interval stands beside the headline alone.
    """
    whole = [each for each in run["estimates"] if not each["group"]]
    headline = whole[0]["name"], whole[0]["mode"]
    cells: dict[str, dict[str, str]] = {subject: {} for subject in SUBJECTS}
    for each in run["estimates"]:
        name, mode, of = each["name"], each["mode"], each["group"].get(group)
        if each["group"] and (of is None or (name, mode) != headline):
            continue
        if each["group"]:
            cells[each["subject"]][f"{group}: {of}"] = _cell(each)
        elif (name, mode) == headline:
            cells[each["subject"]][f"`{name}`"] = _cell(each, interval=True)
        elif name == headline[0] or mode == headline[1]:
            cells[each["subject"]][f"`{name}@{mode}`" if name == headline[0] else f"`{name}`"] = _cell(each)
    columns = list(dict.fromkeys(column for row in cells.values() for column in row))
    lines = [["subject", *columns], ["---"] * (1 + len(columns))]
    lines += [[f"`{subject}`", *(row.get(column, MISSING) for column in columns)] for subject, row in cells.items()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(estimate: Mapping[str, Any], *, interval: bool = False) -> str:
    if estimate["value"] is None:
        return MISSING
    ends = (estimate["low"], estimate["high"])
    told = interval and None not in ends and not estimate["method"].startswith("Wilson")
    return _number(estimate["value"]) + (f" [{_number(ends[0])}, {_number(ends[1])}]" if told else "")


def _number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _readme(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def main() -> int:
    """Measure, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help="A benchmark; all with a block when none is named.")
    parser.add_argument("--check", action="store_true", help="Change nothing, and say which README differs.")
    given = parser.parse_args()
    stale = []
    for name in given.name or marked_benchmarks():
        folder = benchmark(name).folder
        before = _readme(folder)
        after = write_figures(before, measure(name))
        if after != before:
            stale.append(name)
            print(f"{name}: README.md {'shows other figures' if given.check else 'has new figures'}")
        if not given.check:
            (folder / "README.md").write_text(after, encoding="utf-8")
    return int(given.check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
