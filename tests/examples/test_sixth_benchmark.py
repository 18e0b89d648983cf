"""A benchmark in a package of its own: built, installed and run, and nothing in cutscore names it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Python = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "sixth-benchmark"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has built and installed the example, offline and without touching the environment."""
    folder = tmp_path_factory.mktemp("sixth")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check"]
    where = ["--target", str(folder / "site-packages"), str(folder / "source")]
    argv = [sys.executable, "-m", "pip", "install", *options, *where]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site-packages"  # Inspect prefixes tasks with their package only where that is installed


@pytest.fixture
def python(target: Path, tmp_path: Path) -> Python:
    """Run Python in an empty folder, with the installed example on its path."""

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(target), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(
            [sys.executable, *argv], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run


def test_the_wheel_ships_card_prompts_and_starter_pack(target: Path) -> None:
    for name in ("benchmark.toml", "README.md", "prompts/ask.md", "task.py", "starter/items.jsonl"):
        assert (target / "cutscore_flashes" / name).is_file()


def test_it_is_listed_without_being_imported(python: Python) -> None:
    program = (
        "import sys; from cutscore.registry import benchmarks, broken_cards;"
        "found = benchmarks()['flashes']; print(found.card.title, found.package, broken_cards());"
        "print('cutscore_flashes' in sys.modules, 'numpy' in sys.modules)"
    )
    done = python("-c", program)
    assert done.stdout.splitlines() == ["Flashes cutscore_flashes []", "False False"], done.stderr


def test_it_keeps_every_promise(python: Python) -> None:
    program = (
        "from pathlib import Path; from cutscore.registry import benchmark; from cutscore.store import Store;"
        "from cutscore.authoring.contract import problems;"
        "from cutscore.authoring.loaded_benchmark import load_benchmark;"
        "bench = load_benchmark(benchmark('flashes'), Store(Path('store')));"
        "print(len(bench.items), problems(bench))"
    )
    done = python("-c", program)
    assert done.stdout.strip() == "12 []", done.stderr


def test_its_starter_pack_is_what_its_recipe_makes(python: Python, target: Path, tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from cutscore.authoring.starter import write_starter;"
        "from cutscore.registry import benchmark; write_starter(benchmark('flashes'), Path('made'))"
    )
    done = python("-c", program)
    assert done.returncode == 0, done.stderr
    shipped, made = target / "cutscore_flashes/starter", tmp_path / "made"
    assert sorted(path.name for path in made.iterdir()) == sorted(path.name for path in shipped.iterdir())
    clips = [path.stem for path in made.glob("*.mp4")]
    assert len(clips) == 12
    lines = [[json.loads(line) for line in (folder / "items.jsonl").open()] for folder in (made, shipped)]
    assert [each["flashes"] for each in lines[0]] == [each["flashes"] for each in lines[1]]


@pytest.mark.real
def test_it_runs_like_one_of_ours(python: Python) -> None:
    done = python(
        *("-c", "from cutscore.cli import main; main()", "run", "flashes", "--json", "--log-dir", "logs"),
        *("--subject", "oracle", "--subject", "null"),
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["benchmark"] == "flashes"
    assert shown["unscored"] == 0
    assert [cell["subject"] for cell in shown["cells"]] == ["oracle", "null"]


@pytest.mark.real
def test_inspect_finds_it_by_the_name_of_its_package(python: Python, tmp_path: Path) -> None:
    done = python(
        *("-m", "inspect_ai", "eval", "cutscore_flashes/flashes", "-T", "subject=oracle"),
        *("--model", "none/none", "--limit", "2", "--display", "plain"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mean    1.000" in done.stdout
    assert len(list((tmp_path / "logs").glob("*_flashes_*.eval"))) == 1


def test_the_readme_shows_commands_that_exist() -> None:
    text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert "pip install examples/sixth-benchmark" in text
    assert "cutscore check flashes" in text


def test_nothing_in_cutscore_names_it() -> None:
    name = re.compile(r"""["'/_.]flashes\b""")  # as code names it; the word itself is free
    named = [file for file in (ROOT / "src").rglob("*.py") if name.search(file.read_text(encoding="utf-8"))]
    assert named == []
