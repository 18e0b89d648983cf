"""Installing agents: wholly or not at all, from locks that pin everything and name no address."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_fixtures import find_processes

from cutscore.core.errors import BadInput, RunBroken, Stopped
from cutscore.subjects.harness.catalogue import HARNESSES
from cutscore.subjects.harness.install import LOCKS, install_agent, remove_agent
from cutscore.subjects.harness.installed import find_agent, installed_versions

CODEX = HARNESSES["codex_cli"]
# Installs what package.json names, as far as anybody looks at it.
NPM = """\
echo "$@" > told.txt; [ -f package-lock.json ] && echo locked >> told.txt
made=node_modules/@openai/codex
mkdir -p $made
sed -n 's/.*"@openai.codex": "\\(.*\\)".*/{"version": "\\1"}/p' package.json > $made/package.json"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `npm` whose words a test writes; agents go to `tmp_path/agents`."""
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{NPM}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path / "agents"))
    return program


def test_the_pin_is_installed_from_its_lock_and_once(npm: Path) -> None:
    found = install_agent(CODEX)
    assert found == find_agent(CODEX)
    assert found.version == CODEX.version
    assert (found.folder / "told.txt").read_text().splitlines() == [
        "install --no-audit --no-fund --no-progress",
        "locked",
    ]
    npm.write_text("#!/bin/sh\nexit 1\n")
    assert install_agent(CODEX) == found


def test_another_version_is_resolved_on_the_day(npm: Path) -> None:
    found = install_agent(CODEX, "0.166.0")
    assert found.version == "0.166.0"
    assert (found.folder / "told.txt").read_text().startswith("install ")
    assert "locked" not in (found.folder / "told.txt").read_text()
    assert found == find_agent(CODEX, "0.166.0")
    assert installed_versions("codex_cli") == ["0.166.0"]
    with pytest.raises(Stopped, match=r"version 0\.128\.0 is not installed; run 'cutscore agents install codex_cli'"):
        find_agent(CODEX)


def test_what_npm_cannot_do_is_said_and_leaves_nothing(npm: Path, tmp_path: Path) -> None:
    said = "npm warn x\nnpm error code ENOROUTE\nnpm error syscall connect\nnpm error FetchError: no way\nnpm error y"
    npm.write_text(f"#!/bin/sh\nmkdir node_modules; echo '{said}' >&2; exit 1\n")
    with pytest.raises(RunBroken, match=r"^npm: installed nothing: ENOROUTE: FetchError: no way; check the registry"):
        install_agent(CODEX)
    npm.write_text("#!/bin/sh\nmkdir node_modules; echo 'no such package' >&2; exit 1\n")
    with pytest.raises(RunBroken, match="npm: installed nothing: no such package"):
        install_agent(CODEX)
    assert list((tmp_path / "agents" / "codex_cli").iterdir()) == []


def test_without_npm_it_stops(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Stopped, match="program 'npm': was not found"):
        install_agent(CODEX)


@pytest.mark.usefixtures("npm")
def test_it_is_removed_once() -> None:
    folder = install_agent(CODEX).folder
    assert remove_agent(CODEX) == folder
    with pytest.raises(BadInput, match=r"version 0\.128\.0 is not installed"):
        remove_agent(CODEX)


@pytest.mark.usefixtures("npm")
def test_an_older_lock_is_installed_anew() -> None:
    folder = install_agent(CODEX).folder
    packages = json.loads((folder / "package.json").read_text())
    packages["dependencies"]["b"] = "1"
    (folder / "package.json").write_text(json.dumps(packages))
    (folder / "old").touch()
    assert install_agent(CODEX).folder == folder
    assert not (folder / "old").exists()


@pytest.mark.usefixtures("npm")
def test_a_linked_install_is_removed_without_what_it_leads_to(tmp_path: Path) -> None:
    folder = install_agent(CODEX).folder
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert find_agent(CODEX).version == CODEX.version
    remove_agent(CODEX)
    assert not folder.exists()
    assert (tmp_path / "elsewhere" / "package.json").is_file()


@pytest.mark.usefixtures("npm")
@pytest.mark.parametrize("version", ["../other", "..", "/etc", "1/2", ".part"])
def test_a_version_leads_nowhere(version: str) -> None:
    said = r"agent 'codex_cli': '.*' is no version; write it as in 'codex_cli@1\.2\.3'"
    for do in (install_agent, remove_agent, find_agent):
        with pytest.raises(BadInput, match=said):
            do(CODEX, version)


def _wait_until(reached: Callable[[], bool], within_s: float = 60.0) -> None:
    until = time.monotonic() + within_s
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.real
def test_an_install_that_was_killed_is_done_by_the_same_command(npm: Path, tmp_path: Path) -> None:
    npm.write_text(f"#!/bin/sh\n{NPM}\necho $$ > '{tmp_path}/pid'\nsleep 314.15\n")
    command = [sys.executable, "-m", "cutscore", "agents", "install", "codex_cli"]
    install = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_until((tmp_path / "pid").is_file)
    install.kill()
    install.wait()
    _wait_until(lambda: not find_processes("sleep 314.15"))
    assert installed_versions("codex_cli") == []
    npm.write_text(f"#!/bin/sh\n{NPM}\n")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("codex_cli 0.128.0 is installed in ")
    assert [each.name for each in (tmp_path / "agents" / "codex_cli").iterdir()] == ["0.128.0"]


@pytest.mark.parametrize("name", HARNESSES)
def test_locks_pin_every_package_by_its_hash_and_name_no_address(name: str) -> None:
    adapter = HARNESSES[name]
    text = (LOCKS / name / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert packages[f"node_modules/{adapter.package}"]["version"] == adapter.version
    assert all(
        each.get("integrity") or each.get("bundled") or each.get("inBundle") for path, each in packages.items() if path
    )
    assert not any("resolved" in each for each in packages.values())
    wanted = json.loads((LOCKS / name / "package.json").read_text())["dependencies"]
    assert wanted[adapter.package] == adapter.version
