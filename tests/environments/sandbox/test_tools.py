"""What an agent finds in its box, tried from inside; and what of ours it does not find, wherever it looks."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cutscore
from cutscore.core.errors import Stopped
from cutscore.environments.sandbox import tools
from cutscore.environments.sandbox.box import Box
from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.environments.sandbox.layout import PYTHON, SOCKETS, SPEECH
from cutscore.environments.sandbox.tools import box_env, media_mounts, own_folders, tool_versions

real = pytest.mark.real
Ask = Callable[..., str]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Runs a shell command in a box as agents have it; gives what it printed, errors included."""
    try:
        isolation = find_isolation()
    except Stopped as lacks:
        pytest.skip(str(lacks))
    (tmp_path / "sockets").mkdir()
    mounts = (*media_mounts(), Mount(tmp_path / "sockets", SOCKETS))

    def run(command: str, **more: object) -> str:
        box = Box(tmp_path / "box", isolation, mounts=mounts, **{"hidden": own_folders(), **more})  # type: ignore[arg-type]
        ended = box.run(["/bin/bash", "-c", command], name="try", env=box_env(), wall_s=120)
        return ended.logs[0].read_text() + ended.logs[1].read_text()

    return run


@real
def test_plain_python_has_the_media_packages(ask: Ask) -> None:
    said = ask(
        """python3 -c 'import av, cv2, json, sys; print(json.dumps([sys.executable, cv2.__file__, sys.version]))'"""
    )
    program, package, version = json.loads(said)
    assert program == f"{PYTHON}/bin/python3"
    assert package.startswith(f"{PYTHON}/lib/")
    assert version == sys.version  # and not the one that the machine happens to have


@real
@pytest.mark.parametrize("package", ["rapidocr", "faster_whisper", "scipy", "PIL"])
def test_packages_come_with_all_that_they_need(ask: Ask, package: str) -> None:
    pytest.importorskip(package)
    assert ask(f"python3 -c 'import {package}; print(1)'").split() == ["1"]


@real
def test_programs_and_weights_are_as_the_row_tells(ask: Ask) -> None:
    told = tool_versions()
    for program, word in tools.PROGRAMS.items():
        assert (told.get(program, "not found") in ask(f"{program} {word} 2>&1 | head -n 1")) == (program in told)
    assert ("model.bin" in ask(f"ls {SPEECH}")) == ("speech weights" in told)
    assert told["python"] in ask("python3 --version")


@real
def test_nothing_of_ours_can_be_imported_or_found(ask: Ask) -> None:
    assert "No module named 'cutscore'" in ask("python3 -c 'import cutscore'")
    named = ask("{ find / -xdev -name '*cutscore*'; find /opt /usr -name '*cutscore*'; } 2>/dev/null")
    assert named.split() == [SOCKETS]


@real
def test_an_install_among_the_machine_s_programs_is_hidden(ask: Ask) -> None:
    there = next(each for each in Path("/usr/share").iterdir() if each.is_dir() and any(each.iterdir()))
    assert ask(f"ls {there}").strip()
    assert ask(f"ls -A {there}; touch {there}/x", hidden=(there,)).count("\n") == 1  # it cannot be written either


@real
def test_the_files_of_every_process_lead_nowhere(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_API_KEY", "sk-of-the-caller-0123456789")
    home, package = os.path.expanduser("~"), Path(cutscore.__file__).parent
    said = ask(
        f"for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; ls $p/root{package} $p/root{home} $p/cwd/..; "
        "readlink $p/fd/*; done"
    )
    assert "sk-of-the-caller" not in said
    assert "benchmarks" not in said
    assert str(package.parent) not in said.replace(f"root{package}", "")


@real
def test_nothing_is_written_but_workspace_home_and_scratch(ask: Ask) -> None:
    said = ask(
        f"for p in / /opt /run {SOCKETS} /dev /usr /etc {PYTHON}/lib /home; do touch $p/x && echo wrote $p; done"
    )
    assert "wrote" not in said
    assert ask("for p in . outputs ~ /tmp /dev/shm; do touch $p/x && echo wrote; done").split() == ["wrote"] * 5


@real
def test_no_private_key_of_the_machine_is_seen(ask: Ask) -> None:
    assert ask("ls -d /etc/ssl/private /etc/pki/tls/private /etc/ssh 2>/dev/null") == ""


def test_the_packages_of_the_interpreter_itself_are_not_mounted() -> None:
    mounts = media_mounts()
    site = next(mount for mount in mounts if mount.source is None)
    inside = [mount for mount in mounts if mount.source and Path(mount.target).parent == Path(site.target)]
    assert mounts.index(site) < min(mounts.index(mount) for mount in inside)
    assert "cutscore" not in {Path(mount.target).name for mount in inside}
    assert {"cv2", "av", "numpy"} <= {Path(mount.target).name for mount in inside}


def test_our_folders_are_hidden_where_programs_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_LOG_DIR", "/usr/share")
    assert Path("/usr/share") in own_folders()
