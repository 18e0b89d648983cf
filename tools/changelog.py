"""Gather the fragments of changes/ into a release of CHANGELOG.md.

    python tools/changelog.py 0.2.0

A fragment is a file `changes/SLUG.SECTION.md`; changes/README.md says what goes into it. Sections come in a fixed
order, Scores first, because whoever upgrades wants to know which numbers may move. Gathered fragments are removed.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECTIONS = ("scores", "added", "changed", "fixed", "removed")
VERSION = re.compile(r"\d+\.\d+\.\d+([a-z]+\d+)?")
FRAGMENT = re.compile(rf"[a-z0-9][a-z0-9-]*\.({'|'.join(SECTIONS)})\.md")
# New releases are written below the line that starts with this.
MARK = "<!-- releases below, newest first -->"


def read_fragments(folder: Path) -> dict[Path, str]:
    """Give the text of each fragment, sorted by file name; refuse a file whose name says no section."""
    paths = sorted(path for path in folder.iterdir() if path.name != "README.md")
    for path in paths:
        if not FRAGMENT.fullmatch(path.name):
            raise SystemExit(f"changes/{path.name}: is not SLUG.SECTION.md with SECTION one of {', '.join(SECTIONS)}")
        if not path.read_text(encoding="utf-8").strip():
            raise SystemExit(f"changes/{path.name}: is empty; say what changed in a sentence")
    return {path: path.read_text(encoding="utf-8").strip() for path in paths}


def release(version: str, date: str, fragments: Mapping[Path, str]) -> str:
    """Write one release as Markdown, one list item for each fragment."""
    lines = [f"## {version} ({date})", ""]
    for section in SECTIONS:
        texts = [text for path, text in fragments.items() if path.name.split(".")[1] == section]
        if texts:
            items = ["- " + text.replace("\n", "\n  ") for text in texts]
            lines += [f"### {section.capitalize()}", "", *items, ""]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None, *, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Gather changes/ into CHANGELOG.md.")
    parser.add_argument("version", help="the release to write, as 0.2.0")
    version: str = parser.parse_args(argv).version
    if not VERSION.fullmatch(version):
        raise SystemExit(f"'{version}' is not a version; say make changelog VERSION=0.2.0")
    fragments = read_fragments(root / "changes")
    if not fragments:
        raise SystemExit("changes/: holds no fragment; there is nothing to release")
    changelog = root / "CHANGELOG.md"
    before, mark, after = changelog.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        raise SystemExit(f"CHANGELOG.md: has no line '{MARK}'")
    written = release(version, f"{datetime.now(UTC):%Y-%m-%d}", fragments)
    changelog.write_text(f"{before}{mark}\n\n{written}{after}", encoding="utf-8")
    for path in fragments:
        path.unlink()
    print(f"CHANGELOG.md: {version} with {len(fragments)} changes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
