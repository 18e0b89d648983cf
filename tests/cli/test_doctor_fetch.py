"""`doctor` says what is there; `fetch` gets what a card pins."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.core.card import Asset
from cutscore.environments.sandbox.isolation import find_isolation


@pytest.fixture(autouse=True)
def _no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)


def lines(cli) -> dict[str, dict[str, str]]:
    ran = cli("doctor", "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "items"]
    return {each["name"]: each for each in ran.json["items"]}


def test_doctor_looks_at_everything(cli) -> None:
    found = lines(cli)
    wanted = {
        "python", "cutscore", "inspect-ai", "av", "numpy", "ffmpeg", "settings", "log folder", "cache folder",
        "chromium", "bubblewrap", "espeak", "npm", "ffmpeg in the box", "agent box", "agents", "extra agents", "gpu",
        "secrets",
    }  # fmt: skip
    assert wanted <= {name.replace("_", "-") if name == "inspect_ai" else name for name in found}
    assert "FFmpeg" in found["ffmpeg"]["fact"]
    assert found["secrets"]["state"] == "absent"
    for each in found.values():
        assert each["state"] in ("ok", "absent", "bad")
        assert each["state"] == "ok" or each["next"] or each["name"] == "gpu"
    text = cli("doctor").out
    assert text.splitlines()[0].startswith("ok   python ")


def test_doctor_says_what_brings_an_agent_to_work(cli, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    find_isolation.cache_clear()
    found = lines(cli)
    wanted = {
        "npm": "install the system package npm",
        "bubblewrap": "install the system package bubblewrap",
        "ffmpeg in the box": "install the system package ffmpeg",
        "agents": "cutscore agents install claude_code",
    }
    assert {name: (found[name]["state"], found[name]["next"]) for name in wanted} == {
        name: ("absent", step) for name, step in wanted.items()
    }
    assert found["agent box"]["fact"] == "bubblewrap is not installed, and agents work in boxes of it"
    assert found["chromium"]["fact"] == "is not installed; only for the web benchmark"


def test_doctor_finds_the_browser_that_web_tasks_find(cli, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUTSCORE_CHROMIUM", str(tmp_path / "chromium"))
    found = lines(cli)["chromium"]
    assert found["state"] == "absent"
    assert f"'{tmp_path}/chromium' of CUTSCORE_CHROMIUM is no program" in found["fact"]


def test_secrets_are_named_and_never_shown(cli, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.setenv("COPY_OF_IT", "sk-0123456789")
    ran = cli("doctor")
    assert "sk-0123456789" not in ran.out
    assert lines(cli)["secrets"]["fact"] == "OPENAI_API_KEY (values are never shown)"


def test_a_broken_settings_file_is_a_line_not_a_failure(cli) -> None:
    Path("cutscore.toml").write_text("log_dirr = 'x'", encoding="utf-8")
    found = lines(cli)["settings"]
    assert found["state"] == "bad"
    assert "did you mean 'log_dir'?" in found["next"]


def test_a_settings_file_in_use_is_named(cli) -> None:
    Path("cutscore.toml").write_text("log_dir = 'runs'", encoding="utf-8")
    found = lines(cli)
    assert found["settings"]["fact"] == str(Path("cutscore.toml").resolve())
    assert "runs" in found["log folder"]["fact"]


def test_another_version_than_the_pinned_one_is_bad(cli, monkeypatch) -> None:
    monkeypatch.setattr(
        "cutscore.cli.doctor.requires", lambda _: ["click==0.1", "nosuchpackage>=1", "x; extra == 'web'"]
    )
    monkeypatch.setattr("cutscore.cli.doctor.metadata", lambda _: _Extras())
    found = lines(cli)
    assert found["click"]["state"] == "bad"
    assert found["click"]["next"] == "pip install click==0.1"
    assert found["nosuchpackage"]["fact"] == "is not installed"
    assert (found["extra web"]["state"], found["extra web"]["next"]) == ("absent", "pip install 'cutscore[web]'")


class _Extras:
    def get_all(self, _: str) -> list[str]:
        return ["web"]


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A benchmark that pins one file, which the user already has in its folder."""
    found = registry.benchmark("colorbars")
    data = b"frames"
    asset = Asset(
        name="clip.bin",
        sha256=hashlib.sha256(data).hexdigest(),
        size_bytes=len(data),
        licence="CC0-1.0",
        recipe="record it",
    )
    made = replace(found, card=found.card.model_copy(update={"assets": (asset,)}))
    monkeypatch.setattr("cutscore.cli.fetch.benchmark", lambda name: made)
    monkeypatch.setenv("CUTSCORE_DATA", str(tmp_path / "data"))
    file = tmp_path / "data" / "colorbars" / "clip.bin"
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    return file


def test_fetch_checks_what_is_there(cli, pinned: Path) -> None:
    ran = cli("fetch", "colorbars", "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "benchmark", "folder", "files"]
    assert ran.json["files"][0]["path"] == str(pinned)
    assert "1 file of colorbars, all with the pinned hash" in cli("fetch", "colorbars").out


def test_fetch_says_what_is_wrong_and_what_is_missing(cli, pinned: Path) -> None:
    pinned.write_bytes(b"others")
    ran = cli("fetch", "colorbars")
    assert ran.code == 2
    assert "clip.bin has sha256 " in ran.err
    assert "run 'cutscore fetch colorbars --again'" in ran.err
    assert "has no address to download from" in cli("fetch", "colorbars", "--again").err
    pinned.unlink()
    ran = cli("fetch", "colorbars")
    assert ran.code == 3
    assert "asset 'clip.bin': has no address to download from; record it; then put it at " in ran.err


def test_nothing_to_fetch(cli) -> None:
    ran = cli("fetch", "colorbars")
    assert (ran.code, ran.out) == (0, "colorbars pins no outside files: everything that it needs is in the package\n")
