"""The guard itself: without it every other test could pass for the wrong reason."""

import asyncio
import logging
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

# Reserved for documentation: belongs to nobody, and is never routed.
ELSEWHERE = "192.0.2.1"
REFUSED = "tests run without network"


def test_a_connection_to_another_machine_is_refused(network_attempts: list[str]) -> None:
    with socket.socket() as connection, pytest.raises(ConnectionError, match=REFUSED):
        connection.connect((ELSEWHERE, 80))
    with pytest.raises(ConnectionError, match=REFUSED):
        socket.create_connection((ELSEWHERE, 80), timeout=1)
    assert network_attempts == [f"socket.connect {ELSEWHERE}"] * 2
    network_attempts.clear()


def test_an_asynchronous_connection_is_refused(network_attempts: list[str]) -> None:
    async def connect() -> None:
        await asyncio.open_connection(ELSEWHERE, 80)

    with pytest.raises(ConnectionError, match=REFUSED):
        asyncio.run(connect())
    network_attempts.clear()


def test_a_datagram_is_refused(network_attempts: list[str]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, pytest.raises(ConnectionError, match=REFUSED):
        sender.sendto(b"", (ELSEWHERE, 53))
    network_attempts.clear()


@pytest.mark.parametrize(
    "lookup", [lambda: socket.getaddrinfo("example.org", 80), lambda: socket.gethostbyname("example.org")]
)
def test_a_name_lookup_is_refused(lookup, network_attempts: list[str]) -> None:
    with pytest.raises(ConnectionError, match=REFUSED):
        lookup()
    assert network_attempts.pop().endswith(" example.org")


def test_loopback_and_unix_sockets_pass(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1])).close()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(tmp_path / "s"))


def test_a_child_has_no_network_either() -> None:
    code = f"import socket; socket.create_connection(('{ELSEWHERE}', 80), timeout=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert REFUSED in done.stderr


def test_home_is_a_temporary_folder_and_keys_are_gone() -> None:
    assert Path.home().name.startswith("cutscore-home-")
    assert Path(os.environ["XDG_CACHE_HOME"]).is_relative_to(Path.home())
    assert "cutscore-home-" in os.environ["CUTSCORE_CACHE"]  # this process's, or that of the run it works for
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["CUTSCORE_OFFLINE"] == "1"
    assert not [name for name in os.environ if name.endswith("_API_KEY")]


def test_an_error_that_is_expected_can_be_cleared(error_log: list[str]) -> None:
    logging.getLogger("cutscore.any").error("lost %d rows", 3)
    assert error_log == ["cutscore.any: lost 3 rows"]
    error_log.clear()


INNER = """
import logging, os, socket

def test_swallows_a_refusal():
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except OSError:
        pass

def test_logs_an_error():
    logging.getLogger("cutscore.deep.inside").error("lost a row")

def test_key_is_gone():
    assert "SOME_API_KEY" not in os.environ and "CUTSCORE_LOG_DIR" not in os.environ

def test_shared(shared):
    raise AssertionError("there is no such folder")
"""


def test_what_is_swallowed_or_only_logged_still_fails_the_run(tmp_path: Path, repository: Path) -> None:
    tests = tmp_path / "tests"
    shutil.copytree(repository / "tests" / "offline", tests / "offline")
    conftest = (repository / "tests" / "conftest.py").read_text()
    (tests / "conftest.py").write_text(conftest.replace("pytest_plugins =", "_others ="))  # fixtures of other tests
    (tests / "test_inner.py").write_text(INNER)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rs",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
        str(tests),
    ]
    environ = {**os.environ, "SOME_API_KEY": "sk-1", "CUTSCORE_LOG_DIR": "x", "CUTSCORE_SHARED": str(tmp_path / "none")}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert "3 passed, 1 skipped, 2 errors" in done.stdout, done.stdout
    assert f"the test tried to use the network: socket.connect {ELSEWHERE}" in done.stdout
    assert "cutscore logged errors: cutscore.deep.inside: lost a row" in done.stdout
    assert "no shared reference data: set CUTSCORE_SHARED" in done.stdout
