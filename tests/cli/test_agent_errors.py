"""What keeps an agent from work is one sentence, said before anything is spent or written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cutscore.api.plans import RunScope, check_models
from cutscore.cells.request import CellRequest
from cutscore.core.errors import Stopped
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.models.endpoint import translated
from cutscore.settings import load_settings

AGENT = ("--subject", "codex_cli")
SCRIPTED = ("--model", "scripted/any")


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let codex_cli count as installed; nothing here comes so far as to start it."""
    package = tmp_path / "agents/codex_cli/0.128.0/node_modules/@openai/codex"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"version": "0.128.0"}))
    monkeypatch.setenv("CUTSCORE_AGENTS", str(tmp_path / "agents"))
    find_isolation.cache_clear()
    yield
    find_isolation.cache_clear()


def _refused(cli, *words: str) -> tuple[int, str]:
    """Return the exit code and the one sentence of a run that does not begin."""
    ran = cli("run", "sequencing", *words, "--log-dir", "new-logs")
    assert ran.out == ""
    assert not Path("new-logs").exists(), "nothing is written"
    (said,) = ran.err.splitlines()
    return ran.code, said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ["--subject", "opencode", *SCRIPTED],
            3,
            "agent 'opencode': version 1.14.41 is not installed; run 'cutscore agents install opencode'",
        ),
        (
            ["--subject", "codex_cli@9.9.9", *SCRIPTED],
            3,
            "agent 'codex_cli@9.9.9': version 9.9.9 is not installed; run 'cutscore agents install codex_cli@9.9.9'",
        ),
        ([*AGENT], 2, "--subject 'codex_cli': needs a model; add --model PROVIDER/NAME"),
        (["--subject", "codex", *SCRIPTED], 2, "no subject 'codex'; did you mean 'codex_cli'?"),
        (
            [*AGENT, *SCRIPTED, "--cost-limit", "1"],
            2,
            "model 'scripted/any': has no known price, so --cost-limit cannot be kept; set input_usd_per_mtok and "
            'output_usd_per_mtok under [prices."scripted/any"] in cutscore.toml',
        ),
        (
            [*AGENT, *SCRIPTED, "--set", "networks=open"],
            2,
            "no setting 'networks': neither an option nor a condition of 'sequencing'; did you mean 'network'?",
        ),
        (
            [*AGENT, *SCRIPTED, "--set", "isolation=docker"],
            2,
            "--set: condition 'isolation' cannot be 'docker'; it can be box, none; see 'cutscore list --json' for "
            "those of 'sequencing'",
        ),
    ],
    ids=["missing", "version", "no-model", "unknown", "price", "condition", "value"],
)
def test_what_is_wrong_is_one_sentence(cli, words: list[str], code: int, said: str) -> None:
    assert _refused(cli, *words) == (code, f"error: {said}")


def test_a_machine_without_bubblewrap(cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = _refused(cli, *AGENT, *SCRIPTED)
    assert code == 3
    assert said.startswith("error: bubblewrap: is not installed, and agents work in boxes of it; install the system")


def test_a_machine_that_makes_no_namespaces(cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "bwrap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    code, said = _refused(cli, *AGENT, *SCRIPTED)
    assert code == 3
    assert said == (
        "error: this machine: lets nobody make namespaces: bwrap: No permissions to create new namespace; let this "
        "user make them, or take '--set isolation=none' where nothing has to be kept apart"
    )


def test_an_install_without_the_extra(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translated, "find_spec", lambda _name: None)
    said = "error: agent 'codex_cli' needs an extra: pip install 'cutscore[agents]'"
    assert _refused(cli, *AGENT, *SCRIPTED) == (3, said)


def test_a_plan_needs_no_box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    request = CellRequest("sequencing", subject="codex_cli", model="scripted/any")
    check_models([request], RunScope(tmp_path), load_settings(), dry=True)
    with pytest.raises(Stopped, match="bubblewrap: is not installed"):
        check_models([request], RunScope(tmp_path), load_settings(), dry=False)
