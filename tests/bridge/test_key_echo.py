"""A server that repeats the key: whenever the run is killed, the key is in no file of the machine afterwards."""

import gzip
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer
from echo_server import ECHOES, EchoServer
from forked_cli import ForkedCli

from cutscore.bridge import logfile  # noqa: F401  teaches zipfile the compression that Inspect writes
from cutscore.redaction import Redactor

pytestmark = pytest.mark.real  # starts and kills processes

MODEL = "openai-api/loopback/m"
KEY = "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"
HALF = 12
POINTS = [
    ("call-sent", 40),
    ("call-booked", 2),
    ("reply-about-to-be-written", 3),
    ("reply-written", 5),
    ("handover-left", 4),
    ("sample-marked", 3),
    ("sample-kept", 20),
    ("log-about-to-be-flushed", 2),
    ("log-flushed", 2),
    ("subject-about-to-work", 30),
]


class Machine:
    """A folder with a home, a temporary folder and a run in it."""

    def __init__(self, folder: Path, server: ChatServer) -> None:
        self.folder, self.server = folder, server
        for name in ("home", "tmp", "work"):
            (folder / name).mkdir(parents=True)
        calling = "max_retries = 1\nbackoff_s = 0.001\nprovider_failures_max = 1\nunscored_max = 1\n"
        (folder / "work" / "cutscore.toml").write_text(f"{calling}[models.'{MODEL}']\ntakes = 'text'\n")

    def run(self, plant: tuple[str, int] | None = None) -> ForkedCli:
        home = self.folder / "home"
        env = {
            "HOME": str(home),
            "TMPDIR": str(self.folder / "tmp"),
            **{f"XDG_{name}_HOME": str(home / name) for name in ("CACHE", "CONFIG", "DATA", "STATE")},
            "LOOPBACK_BASE_URL": self.server.url,
            "LOOPBACK_API_KEY": KEY,
        }
        words = ["run", "colorbars", "--model", MODEL, "--log-dir", "logs"]
        return ForkedCli(self.folder / "work", words, env=env, plant=plant)

    def files_with(self, key: str) -> list[str]:
        """Name every file that holds a key or the half of one in some form, also inside a log or a compressed file."""
        redact = Redactor([key, key[:HALF], key[-HALF:]])
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return [str(path.relative_to(self.folder)) for path in files if any(map(redact.finds, contents(path)))]


def contents(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()
    if path.suffix == ".gz":
        yield gzip.decompress(path.read_bytes())
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with EchoServer().serve() as server:
        yield Machine(tmp_path / "machine", server)


@pytest.mark.parametrize(("event", "n"), POINTS)
def test_a_key_that_the_server_repeats_is_nowhere_after_a_kill(machine: Machine, event: str, n: int) -> None:
    died = machine.run(plant=(event, n))
    assert died.end() == -signal.SIGKILL, died.said
    assert machine.files_with(KEY) == []


def test_a_key_that_the_server_repeats_is_nowhere_after_a_whole_run(machine: Machine) -> None:
    ran = machine.run()
    assert ran.end() == 0, ran.said
    assert set(machine.server.done) == set(ECHOES), "every way to repeat it was tried"
    assert "[redacted:LOOPBACK_API_KEY]" in "".join(
        content.decode(errors="replace") for log in machine.folder.rglob("*.eval") for content in contents(log)
    )
    assert machine.files_with(KEY) == []
    assert not list(machine.folder.rglob("trace*")), "Inspect's traces are off"
