"""Commands that write to a disk which takes nothing, or not all: one sentence, code 3, and nothing half done."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.cli.app import to_error

COMMANDS = {
    "pack": ("pack", "RUN", "-o", "OUT"),
    "report": ("report", "RUN", "-o", "OUT"),
    "tables": ("tables", "RUN", "-o", "OUT"),
    "handout": ("handout", "colorbars", "--item", "bars-01-a", "-o", "OUT"),
    "export": ("export", "pack", "colorbars", "--item", "bars-01-a", "-o", "OUT"),
    "harbor": ("export", "harbor", "colorbars", "--item", "bars-01-a", "-o", "OUT"),
    "build": ("build", "repair", "stage:kitchen", "-o", "OUT"),
    "run": ("run", "colorbars", "--subject", "oracle", "--limit", "1", "--log-dir", "OUT"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.real] if name == "build" else []) for name in COMMANDS]
)
def test_a_read_only_disk_is_named(name: str, cli, finished_run: Path, read_only_disk: Path) -> None:
    words = [{"RUN": finished_run, "OUT": read_only_disk / "out"}.get(word, word) for word in COMMANDS[name]]
    ran = cli(*words)
    assert ran.code == 3, ran.err
    assert "cannot be written: the disk is read-only; " in ran.said[-1]
    assert f"'{read_only_disk / 'out'}" in ran.said[-1]
    assert "choose another" in ran.said[-1]
    assert "unexpected" not in ran.err


@pytest.mark.parametrize("name", ["pack", "report", "handout", "export", "harbor"])
def test_a_disk_that_fills_meanwhile_is_left_as_it_was(
    name: str, cli, finished_run: Path, mount_disk: Callable[..., Path], tmp_path: Path
) -> None:
    disk = mount_disk(tmp_path / "tiny", size="12k")
    words = [{"RUN": finished_run, "OUT": disk / "out"}.get(word, word) for word in COMMANDS[name]]
    ran = cli(*words)
    assert ran.code == 3, ran.err
    assert f"'{disk / 'out'}': cannot be written: the disk is full; " in ran.said[-1]
    assert list(disk.iterdir()) == []


def test_a_disk_that_nobody_thought_of_is_named_too() -> None:
    error = to_error(OSError(28, "No space left on device", "a.json"), ["judge-card"], "judge-card")
    assert str(error) == "file 'a.json': cannot be written: the disk is full; make room there, or choose another folder"
    assert error.exit_code == 3
    assert to_error(PermissionError(13, "Permission denied", "a"), ["list"], "list").exit_code == 4
