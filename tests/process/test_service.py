"""Programs that stay: waited for, bounded in what they write, and ended with everything below them."""

import os
import re
import sys
import urllib.request
from pathlib import Path

import pytest

from cutscore.core.errors import BadInput, RunBroken, Stopped
from cutscore.process import PIPE, Child, GroupLimits, LogFile, Service, guard_log

SOON_S = 60.0
SERVER = """
import http.server, sys
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print("port", server.server_port, flush=True)
server.serve_forever()
"""


def python(script: str, *words: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", script, *words]


def gone(pid: int) -> bool:
    return not os.path.exists(f"/proc/{pid}")


def test_a_server_is_started_asked_and_ended(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("hello")
    with Service([sys.executable, "-c", SERVER], logs=tmp_path, cwd=tmp_path) as server:
        server.wait_until_ready("port", timeout_s=SOON_S)
        port = (tmp_path / "stdout.txt").read_text().split()[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/page.txt") as page:
            assert page.read() == b"hello"
        assert server.poll() is None
        pid = server.pid
    assert gone(pid)
    assert b"GET /page.txt" in (tmp_path / "stderr.txt").read_bytes()
    ended = server.poll()
    assert ended is not None
    assert ended.peak_bytes > 1 << 20


def test_a_probe_says_when_it_is_ready(tmp_path: Path) -> None:
    script = "import sys, time; time.sleep(0.2); open(sys.argv[1], 'w').close(); time.sleep(1000)"
    with Service(python(script, str(tmp_path / "flag")), logs=tmp_path) as service:
        service.wait_until_ready((tmp_path / "flag").exists, timeout_s=SOON_S)
        assert service.poll() is None


def test_one_that_ends_first_is_quoted(tmp_path: Path) -> None:
    with (
        Service(["sh", "-c", "echo no port is free >&2; exit 3"], logs=tmp_path) as service,
        pytest.raises(RunBroken) as broken,
    ):
        service.wait_until_ready("ready", timeout_s=SOON_S)
    said = f"program 'sh': ended with code 3 before it was ready: no port is free; see {tmp_path / 'stderr.txt'}"
    assert str(broken.value) == said


def test_one_that_takes_too_long_is_quoted(tmp_path: Path) -> None:
    with (
        Service(["sh", "-c", "echo loading; sleep 1000"], logs=tmp_path) as service,
        pytest.raises(RunBroken, match=r"program 'sh': is not ready after 0\.3 s: loading; see .*stderr\.txt"),
    ):
        service.wait_until_ready(lambda: False, timeout_s=0.3)


def test_one_that_is_not_there(tmp_path: Path) -> None:
    with (
        Service(["no-such-program"], logs=tmp_path) as service,
        pytest.raises(Stopped, match="program 'no-such-program': was not found"),
    ):
        service.wait_until_ready("ready", timeout_s=SOON_S)


def test_one_that_takes_too_much_says_so(tmp_path: Path) -> None:
    script = "import time; x = b'x' * (300 << 20); time.sleep(1000)"
    with (
        Service(python(script), logs=tmp_path, group=GroupLimits(memory_bytes=60 << 20)) as service,
        pytest.raises(RunBroken, match="used too much of memory before it was ready"),
    ):
        service.wait_until_ready("ready", timeout_s=SOON_S)
    ended = service.poll()
    assert ended is not None
    assert ended.over == "memory"


def test_logs_stop_growing_and_say_what_was_left_out(tmp_path: Path) -> None:
    script = """
import sys, time
print("begin")
for number in range(200_000):
    print("line", number)
print("the very last word", flush=True)
sys.stderr.write("short\\n")
time.sleep(1000)
"""
    with Service(python(script), logs=tmp_path, log_bytes=10_000) as service:
        service.wait_until_ready(lambda: (tmp_path / "stderr.txt").stat().st_size > 0, timeout_s=SOON_S)
        assert (tmp_path / "stdout.txt").stat().st_size == 10_000
    ended, text = service.poll(), (tmp_path / "stdout.txt").read_text()
    whole = "begin\n" + "".join(f"line {number}\n" for number in range(200_000)) + "the very last word\n"
    assert ended is not None
    assert ended.left_out_bytes == len(whole) - 10_000 - guard_log.LAST_BYTES
    told = re.search(r"\n\[(\d+) bytes are left out here\]\n", text)
    assert told
    assert int(told[1]) == ended.left_out_bytes
    assert text.replace(told[0], "") == whole[:10_000] + whole[-guard_log.LAST_BYTES :]
    assert (tmp_path / "stderr.txt").read_text() == "short\n"
    assert (tmp_path / "stdout.txt").stat().st_mode & 0o077 == 0


def test_a_log_that_just_fits_has_no_remark(tmp_path: Path) -> None:
    child = Child(["sh", "-c", "head -c 1000 /dev/zero"], stdout=LogFile(tmp_path / "log", 990))
    ended = child.wait(SOON_S)
    child.close()
    assert ended is not None
    assert ended.left_out_bytes == 0
    assert (tmp_path / "log").read_bytes() == bytes(1000)


def test_last_words_in_the_grace_are_kept(tmp_path: Path) -> None:
    script = "trap 'head -c 300000 /dev/zero; echo tidied; exit 0' TERM; echo begun; while :; do sleep 0.01; done"
    with Service(["sh", "-c", script], logs=tmp_path) as service:
        service.wait_until_ready("begun", timeout_s=SOON_S)
    assert (tmp_path / "stdout.txt").read_bytes() == b"begun\n" + bytes(300_000) + b"tidied\n"


def test_its_stdin_and_stdout_may_be_ours(tmp_path: Path) -> None:
    """A worker that loads once and takes a line a job."""
    script = "import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)"
    with Service(python(script), logs=tmp_path, stdin=PIPE, stdout=PIPE) as worker:
        assert worker.guard.stdin is not None
        assert worker.guard.stdout is not None
        for job in (b"one\n", b"two\n"):
            worker.guard.stdin.write(job)
            assert worker.guard.stdout.readline() == job.upper()


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"log file '.*/nowhere/stdout.txt': cannot be written: No such file"):
        Service(["true"], logs=tmp_path / "nowhere")
