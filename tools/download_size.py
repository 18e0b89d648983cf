"""Say how large the plain install is to download, and fail when it is too large.

Every file of requirements/plain.txt for this Python and this machine is downloaded to a temporary folder, with
hashes checked, and the sizes are added up. Files that pip has cached are counted like all others.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A plain install stays small enough for a laptop on a train. One MB is 1,000,000 bytes.
LIMIT_MB = 280
SHOWN = 8


def sizes(folder: Path) -> dict[str, int]:
    """Give the bytes of each downloaded file by its name."""
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}


def summary(files: Mapping[str, int], *, limit_mb: float) -> tuple[str, bool]:
    """Put the figure into words, and say whether it fits.

    >>> summary({"a.whl": 3_000_000, "b.whl": 1_500_000}, limit_mb=4)[0].splitlines()[-1]
    'plain install: 4.5 MB in 2 files, allowed are 4 MB'
    """
    total_mb = sum(files.values()) / 1e6
    largest = sorted(files.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    lines = [f"{size / 1e6:8.1f} MB  {name}" for name, size in largest]
    lines.append(f"plain install: {total_mb:.1f} MB in {len(files)} files, allowed are {limit_mb:g} MB")
    return "\n".join(lines), total_mb <= limit_mb


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Add up the download size of a lock.")
    parser.add_argument("lock", nargs="?", type=Path, default=ROOT / "requirements" / "plain.txt")
    parser.add_argument("--limit-mb", type=float, default=LIMIT_MB)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-qq", "--no-input"]
        wanted = ["--require-hashes", "--no-deps", "--dest", scratch, "-r", str(options.lock)]
        subprocess.run([*pip, *wanted], check=True)
        text, fits = summary(sizes(Path(scratch)), limit_mb=options.limit_mb)
    print(text)
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
