"""The scripts of the report keep the types that their comments state."""

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

STATIC = Path("src/cutscore/report/static")
STRICT = ("--noEmit", "--allowJs", "--checkJs", "--strict", "--noUncheckedIndexedAccess", "--skipLibCheck")


@pytest.fixture
def tsc(repository: Path) -> list[str]:
    node, checker = shutil.which("node"), repository / ".venv/share/cutscore/typescript/lib/tsc.js"
    if node is None or not checker.is_file():
        pytest.skip("TypeScript is missing: 'sh tools/page_types.sh' fetches it where npm is installed")
    return [node, str(checker), *STRICT, "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]


EVERYWHERE = ("theme.js", "report.js", "search.js")


# Each page has these and at most one other; they share their names as the page's scripts do.
@pytest.mark.parametrize("name", ["review.js", "explorer.js"])
def test_types_hold(tsc: list[str], repository: Path, name: str) -> None:
    words = [*tsc, *(str(repository / STATIC / each) for each in (*EVERYWHERE, name))]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


def test_every_script_is_checked(repository: Path) -> None:
    scripts = sorted(path.name for path in (repository / STATIC).glob("*.js"))
    assert scripts == sorted([*EVERYWHERE, "explorer.js", "review.js"])
    assert all((repository / STATIC / name).read_text(encoding="utf-8").startswith("// @ts-check") for name in scripts)
