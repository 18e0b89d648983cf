"""Inspect's way in: every folder of ours is registered by its card, and nobody else's code runs for it."""

import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

from cutscore.registry import benchmarks


def python(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)


def test_every_folder_is_registered_and_so_is_the_scripted_model(tmp_path: Path) -> None:
    done = python(
        "import cutscore.benchmarks.inspect_tasks\n"
        "from inspect_ai._util.registry import registry_find, registry_info\n"
        "names = {registry_info(each).name for each in registry_find(lambda info: True)}\n"
        "from cutscore.registry import benchmarks\n"
        "print([name for name in benchmarks() if f'cutscore/{name}' not in names])\n"
        "print('cutscore/scripted' in names)\n",
        tmp_path,
    )
    assert done.stdout.split() == ["[]", "True"], done.stderr


def test_every_task_hands_on_what_of_its_input_a_subject_is_shown() -> None:
    for name, found in benchmarks().items():
        task = getattr(found.part("task"), name.replace("-", "_"))
        assert signature(task).bind_partial(input="question"), name


@pytest.mark.real  # long, and needs nothing else
def test_a_broken_package_of_somebody_else_does_not_keep_ours_from_loading(tmp_path: Path) -> None:
    """Its name sorts first, and its task cannot be imported."""
    import cutscore.benchmarks

    card = (Path(cutscore.benchmarks.__file__).parent / "colorbars/benchmark.toml").read_text()
    for file, text in {
        "aaa_pkg/__init__.py": "",
        "aaa_pkg/benchmark.toml": card.replace('"colorbars"', '"aaa"'),
        "aaa_pkg/task.py": "raise RuntimeError('broken')",
        "aaa_pkg-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: aaa-pkg\nVersion: 1\n",
        "aaa_pkg-1.dist-info/entry_points.txt": "[cutscore.benchmarks]\naaa = aaa_pkg\n",
    }.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    done = python(
        "from cutscore.registry import benchmarks\n"
        "assert 'aaa' in benchmarks()\n"
        "import cutscore.benchmarks.inspect_tasks, sys\n"
        "print('cutscore.benchmarks.colorbars.task' in sys.modules, 'aaa_pkg.task' in sys.modules)\n",
        tmp_path,
    )
    assert done.stdout.split() == ["True", "False"], done.stderr


@pytest.mark.real  # long, and needs nothing else
def test_inspect_eval_runs_it_by_name(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "inspect_ai", "eval", "cutscore/colorbars", "-T", "subject=oracle"]
    options = ["--model", "none/none", "--limit", "3", "--display", "plain"]
    done = subprocess.run([*argv, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mean    1.000" in done.stdout
    assert len(list((tmp_path / "logs").glob("*_colorbars_*.eval"))) == 1
    assert (tmp_path / "logs/store").is_dir()
