"""`cutscore sites` for a person: websites of our own, until somebody ends them."""

import http.client
import json
import signal
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from command_fixtures import CUTSCORE


def test_all_sites_answer_until_they_are_ended(tmp_path: Path) -> None:
    process = subprocess.Popen([*CUTSCORE, "sites"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        told = json.loads(process.stderr.readline())
        assert told["event"] == "open"
        for address in told["sites"].values():
            parts = urlsplit(address)
            line = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=30)
            line.request("GET", parts.path or "/", headers={"Host": parts.netloc})
            assert line.getresponse().status in (200, 303), address
            line.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    finally:
        process.kill()
        process.communicate()
    assert not list(tmp_path.iterdir())


def test_a_task_without_a_folder_is_refused(cli: Any) -> None:
    ran = cli("sites", "--task", "wa-1")
    assert (ran.code, ran.err) == (2, "error: --task: needs a folder for what is recorded; add -o DIR\n")


def test_a_port_that_is_taken_is_one_sentence(cli: Any) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = cli("sites", "--port", str(port))
    assert ran.code == 4
    assert ran.err == f"error: sites: port {port} cannot be had: Address already in use; name another port\n"
