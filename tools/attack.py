"""Attack cutscore with its own hostile library, and count what became of every input.

    python tools/attack.py                      # everything: some minutes
    python tools/attack.py --small              # what `make test-real` tries
    python tools/attack.py --kind packs --json  # one kind, every input with its ending
    python tools/attack.py --write              # everything, and the figures into docs/attacks.md and SECURITY.md

Exit code 1 when an input crashed or hung a command, reached something outside, or earned more than it may.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from attacks import archives, films, folders, packs, provider, runs, texts
from attacks.arena import FAILURES, Arena, Outcome

Try = Callable[..., Iterator[Outcome]]
KINDS: dict[str, Try] = {
    "films": films.try_films,
    "folders": folders.try_folders,
    "texts": texts.try_texts,
    "packs": packs.try_packs,
    "archives": archives.try_archives,
    "runs": runs.try_runs,
    "provider": provider.try_provider,
}
# A column of the table, and which endings it counts.
COLUMNS = {
    "refused": "refused",
    "marked 0": "zero",
    "unscored": "unscored",
    "allowed": "allowed",
    "above the limit": "above",
    "crashed": "crashed",
    "hung": "hung",
    "outside": "outside",
}

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "docs" / "attacks.md", ROOT / "SECURITY.md")
BLOCK = re.compile(r"(?P<start><!-- attacks -->\n).*?(?P<end><!-- end of attacks -->)", re.S)


def attack(kinds: Sequence[str], *, small: bool) -> list[Outcome]:
    """Try every input of these kinds in an arena that is gone afterwards."""
    root = Path(tempfile.mkdtemp(prefix="cutscore-attack-"))
    try:
        arena = Arena(root / "arena")
        outcomes: list[Outcome] = []
        for kind in kinds:
            before_s = arena.cpu_s
            outcomes += KINDS[kind](arena, small=small)
            print(f"{kind}: {arena.cpu_s - before_s:.0f} s of processor time", file=sys.stderr)
        return outcomes
    finally:
        subprocess.run(["rm", "-rf", str(root)], check=True)  # folders may be deeper than Python's stack


def count(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    """Return the table: a row for each kind, and its header."""
    rows = [("kind of input", "tried", *COLUMNS)]
    for kind in dict.fromkeys(each.kind for each in outcomes):
        found = Counter(each.ending for each in outcomes if each.kind == kind)
        rows.append((kind, f"{found.total():,}", *(f"{found[ending]:,}" for ending in COLUMNS.values())))  # type: ignore[index]
    return rows


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return the table for a page."""
    lines = [rows[0], ["---", *["---:"] * (len(rows[0]) - 1)], *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write_figures(page: str, rows: Sequence[Sequence[str]]) -> str:
    """Return a page with the table in its block."""
    return BLOCK.sub(lambda found: found["start"] + markdown(rows) + found["end"], page)


def main() -> int:
    """Attack, print the table and what failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="A part of every kind, in under a minute.")
    parser.add_argument("--kind", action="append", choices=[*KINDS], help="Only this kind; may come often.")
    parser.add_argument("--json", action="store_true", help="Print every input with its ending.")
    parser.add_argument("--write", action="store_true", help="Write the table into the pages that show it.")
    given = parser.parse_args()
    if given.write and (given.small or given.kind):
        parser.error("the pages show the whole library: --write goes with neither --small nor --kind")
    outcomes = attack(given.kind or [*KINDS], small=given.small)
    failed, rows = [each for each in outcomes if each.ending in FAILURES], count(outcomes)
    for page in PAGES if given.write else ():
        page.write_text(write_figures(page.read_text(encoding="utf-8"), rows), encoding="utf-8")
    if given.json:
        print(json.dumps([asdict(each) for each in outcomes], indent=1))
    else:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        for each in failed:
            print(f"{each.ending}: {each.kind}: {each.name}: {each.because}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
