"""Scripts in bench/ are run by hand and rarely; here they are at least started."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parent.parent / "bench"
# Modules that the scripts share are imported by them, and no scripts themselves.
SCRIPTS = sorted(path for path in BENCH.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))


@pytest.mark.real  # a second each
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_it_starts(script: Path) -> None:
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout[:6].lower()) == (0, "usage:"), done.stderr[-500:]
