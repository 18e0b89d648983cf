"""Real children: what they may use, how they end, and that nothing of them is left."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, Stopped
from cutscore.process import Child, ProgramLimits, ProgramResult, child, guard, program, run

SOON = ProgramLimits(wall_s=30)
NEVER_S = 100  # a test that hangs waits this long, and no test waits for it to pass


def shell(script: str, *words: str | Path, limits: ProgramLimits = SOON) -> ProgramResult:
    return run(["sh", "-c", script, "sh", *words], limits=limits)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_until_gone(pid: int) -> bool:
    """Wait for the end of a process that is not our child."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], NEVER_S)[0])
    finally:
        os.close(handle)


@pytest.fixture
def hear(tmp_path: Path) -> Iterator[Callable[[], list[int]]]:
    """A named pipe `tmp_path/pids`, and a function that waits for a line of numbers in it."""
    os.mkfifo(tmp_path / "pids")
    handle = os.open(tmp_path / "pids", os.O_RDWR)

    def listen() -> list[int]:
        line = b""
        while not line.endswith(b"\n"):
            assert select.select([handle], [], [], NEVER_S)[0], "the child said nothing"
            line += os.read(handle, 1000)
        return [int(word) for word in line.split()]

    yield listen
    os.close(handle)


# --- passing things in and out ------------------------------------------------------------------------------------


def test_output_and_exit_code_come_back() -> None:
    done = shell("echo out; echo err >&2; exit 7")
    assert (done.out, done.err, done.code, done.ended) == (b"out\n", b"err\n", 7, "exited")
    assert not done.ok
    assert shell("true").ok
    assert str(done) == "program 'sh' exited with code 7"


@pytest.mark.parametrize("word", ["a b", "line\nbreak", "-rf", "--", "", "$HOME `id` * ; &", "é\udcff", "'\""])
def test_a_word_arrives_as_it_is(word: str) -> None:
    assert shell('printf "%s\\0" "$@"', word).out == os.fsencode(word) + b"\0"


@settings(max_examples=10)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=5))
def test_any_words_arrive_in_order(words: list[str]) -> None:
    assert shell('printf "%s\\0" x "$@"', *words).out.split(b"\0")[1:-1] == [word.encode() for word in words]


def test_stdin_is_empty_unless_given() -> None:
    assert run(["cat"], limits=SOON).out == b""
    assert run(["cat"], limits=SOON, stdin=b"\x00\xff").out == b"\x00\xff"


def test_much_input_and_much_output_do_not_lock_each_other() -> None:
    data = os.urandom(3_000_000)
    done = run(["cat"], limits=ProgramLimits(wall_s=30, output_bytes=len(data)), stdin=data)
    assert done.ok
    assert done.out == data


def test_what_is_in_the_pipe_at_the_end_is_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    take = program._Watch._take

    def late(watch: program._Watch, pipe: IO[bytes], kept: bytearray) -> bool:
        return take(watch, pipe, kept) if watch._child.has_ended else True

    monkeypatch.setattr(program._Watch, "_take", late)
    monkeypatch.setattr(program, "_CHUNK_BYTES", 1000)
    assert shell("head -c 30000 /dev/zero; head -c 20000 /dev/zero >&2").out == bytes(30_000)


def test_input_that_nobody_reads_is_no_error() -> None:
    assert run(["true"], limits=SOON, stdin=bytes(3_000_000)).ok


def test_the_environment_is_what_was_given() -> None:
    variables = {"A": "one\ntwo", "B": ""}
    done = run(["/usr/bin/env", "-0"], limits=SOON, env=variables)
    assert dict(line.split("=", 1) for line in done.out.decode().split("\0") if line) == variables


def test_the_default_environment_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-12345678")
    monkeypatch.setenv("TMPDIR", "/tmp/elsewhere")
    seen = dict(line.split("=", 1) for line in run(["env"], limits=SOON).out.decode().splitlines())
    assert seen.keys() <= {"PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH"}
    assert seen["TMPDIR"] == "/tmp/elsewhere"


def test_the_program_is_looked_up_in_the_given_path(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho mine\n")
    (tmp_path / "tool").chmod(0o755)
    assert run(["tool"], limits=SOON, env={"PATH": str(tmp_path)}).out == b"mine\n"


def test_it_starts_in_the_given_folder(tmp_path: Path) -> None:
    assert run(["pwd"], limits=SOON, cwd=tmp_path).out.decode().strip() == str(tmp_path.resolve())


def test_it_has_a_session_of_its_own_and_no_descriptor_but_three() -> None:
    done = shell("ls /proc/$$/fd; cut -d' ' -f6 /proc/$$/stat")
    *descriptors, session = done.out.split()
    assert descriptors[:3] == [b"0", b"1", b"2"]
    assert len(descriptors) == 3
    assert int(session) != os.getsid(0)


def test_signals_that_python_ignores_are_normal_again() -> None:
    # Shells ignore others for what they start in the background: the keys for interrupt and quit, and 32 and 33, which
    # belong to the C library.
    ignored = int(shell("grep SigIgn /proc/self/status").out.split()[1], 16)
    made_so = {each for each in (signal.SIGPIPE, signal.SIGXFSZ) if ignored & 1 << each - 1}
    blocked = int(shell("grep SigBlk /proc/self/status").out.split()[1], 16)
    assert (made_so, blocked) == (set(), 0)


# --- what cannot be started ---------------------------------------------------------------------------------------


def test_a_missing_program_is_one_sentence() -> None:
    with pytest.raises(Stopped) as stopped:
        run(["no-such-program", "-x"], limits=SOON)
    assert str(stopped.value) == "program 'no-such-program': was not found; install it or add its folder to PATH"


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(Stopped, match=r"notes.txt': cannot be started: Permission denied; check the file"):
        run([tmp_path / "notes.txt"], limits=SOON)


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"folder '.*/nowhere': cannot be worked in: No such file or directory; give an"):
        run(["true"], limits=SOON, cwd=tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], "command: is empty; name a program"),
        (["echo", "a\0b"], "program 'echo': cannot be given an argument or variable with a NUL character"),
        (["echo", "x" * 3_000_000], "program 'echo': gets more or longer arguments than the system can pass"),
    ],
)
def test_arguments_that_cannot_be_passed(argv: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(argv, limits=SOON)


def test_time_must_be_some() -> None:
    with pytest.raises(ValueError, match="needs some time"):
        ProgramLimits(wall_s=0)


# --- children that stay ---------------------------------------------------------------------------------------------


def test_a_child_is_spoken_to_and_ended(tmp_path: Path) -> None:
    script = "trap 'echo tidied; exit 0' TERM; echo begun; while :; do sleep 0.01; done"
    with (tmp_path / "out").open("wb") as out:
        child = Child(["sh", "-c", script], stdout=out)
    try:
        assert not gone(child.pid)
        assert child.poll() is None
        while not (tmp_path / "out").read_text():
            pass
    finally:
        child.close()
    assert gone(child.pid)
    assert (tmp_path / "out").read_text() == "begun\ntidied\n"


def test_a_child_without_grace_is_gone_at_once() -> None:
    child = Child(["sh", "-c", "trap '' TERM; sleep 1000 & wait"])
    pid, began_s = child.pid, time.monotonic()
    child.close(grace=False)
    assert gone(pid)
    assert time.monotonic() - began_s < guard.GRACE_S


def test_a_child_says_how_it_ended_and_what_it_took() -> None:
    taken = bytes(64 << 20)
    child = Child([sys.executable, "-I", "-S", "-c", f"import os; x = bytearray({len(taken)}); os._exit(3)"])
    try:
        ended = child.wait(NEVER_S)
    finally:
        child.close()
    assert ended is not None
    assert ended.code == 3
    assert ended.peak_bytes > len(taken)


def test_a_child_inherits_what_is_passed_and_its_end_is_seen() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            script = f"import os; os.write({theirs.fileno()}, b'hello')"
            child = Child([sys.executable, "-I", "-S", "-c", script], pass_fds=[theirs.fileno()])
        try:
            assert ours.recv(100) == b"hello"
            assert ours.recv(100) == b""  # the guard holds no copy
        finally:
            child.close()


def test_a_child_that_did_not_start_has_no_number() -> None:
    child = Child(["no-such-program"])
    try:
        assert child.wait(NEVER_S) is not None
        with pytest.raises(Stopped, match="was not found"):
            child.check_started()
    finally:
        child.close()


# --- limits -------------------------------------------------------------------------------------------------------


def test_time_is_limited_and_last_words_are_kept() -> None:
    done = shell("echo begun; trap 'echo tidied; exit 0' TERM; sleep 1000 & wait", limits=ProgramLimits(wall_s=0.5))
    assert (done.ended, done.code, done.ok) == ("timeout", None, False)
    assert done.out == b"begun\ntidied\n"
    assert str(done) == "program 'sh' ran past its time limit"


def test_a_gigabyte_of_output_is_cut_and_does_not_grow_us() -> None:
    tracemalloc.start()
    # Deaf to SIGTERM, it goes on writing for the whole grace, and nobody keeps it.
    done = shell(
        "trap '' TERM; exec head -c 1000000000000 /dev/zero", limits=ProgramLimits(wall_s=60, output_bytes=1_000_000)
    )
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (done.ended, done.code) == ("output", None)
    assert done.out == bytes(1_000_000)
    assert peak_bytes < 8_000_000
    assert str(done) == "program 'sh' wrote more than it may"


def test_output_may_fill_the_limit_exactly() -> None:
    done = shell("head -c 600 /dev/zero; head -c 400 /dev/zero >&2", limits=ProgramLimits(wall_s=30, output_bytes=1000))
    assert done.ok
    assert (len(done.out), len(done.err)) == (600, 400)
    more = shell("head -c 600 /dev/zero; head -c 401 /dev/zero >&2", limits=ProgramLimits(wall_s=30, output_bytes=1000))
    assert more.ended == "output"
    assert len(more.out) + len(more.err) == 1000


def test_memory_is_limited() -> None:
    argv = [sys.executable, "-I", "-S", "-c", "x = bytearray(1 << 30)"]
    done = run(argv, limits=ProgramLimits(wall_s=30, memory_bytes=200_000_000))
    assert done.code == 1
    assert b"MemoryError" in done.err
    assert run([*argv[:-1], "pass"], limits=ProgramLimits(wall_s=30, memory_bytes=200_000_000)).ok


def test_processor_time_is_limited() -> None:
    done = shell("while :; do :; done", limits=ProgramLimits(wall_s=60, cpu_s=0.3))
    assert (done.ended, done.code) == ("signal", -signal.SIGXCPU)
    assert str(done) == "program 'sh' was ended by SIGXCPU"


def test_the_length_of_files_is_limited(tmp_path: Path) -> None:
    limits = ProgramLimits(wall_s=30, file_bytes=50_000)
    done = shell('exec head -c 200000 /dev/zero > "$1"', tmp_path / "big", limits=limits)
    assert (done.ended, done.code) == ("signal", -signal.SIGXFSZ)
    assert (tmp_path / "big").stat().st_size == 50_000


# --- nothing is left ----------------------------------------------------------------------------------------------

# A tree of processes: one child in the group, one that left it for a session of its own, one below that; all deaf to
# SIGTERM. The numbers of all of them go where $1 says; $2 is what the program does then.
TREE = """
trap '' TERM
sleep 1000 & child=$!
setsid sh -c 'sleep 1000 & echo $$ $! > "$0.escaped"; wait' "$1" &
while ! [ -s "$1.escaped" ]; do :; done
echo $$ $child $(cat "$1.escaped") > "$1"
eval "$2"
"""


@pytest.mark.parametrize(
    ("then", "limits", "ended"),
    [
        ("wait", ProgramLimits(wall_s=3), "timeout"),
        ("exec yes", ProgramLimits(wall_s=60, output_bytes=1000), "output"),
        ("exit 3", SOON, "exited"),
        ("kill -9 $$", SOON, "signal"),
    ],
)
def test_deaf_and_escaped_grandchildren_are_gone(tmp_path: Path, then: str, limits: ProgramLimits, ended: str) -> None:
    done = shell(TREE, tmp_path / "pids", then, limits=limits)
    assert done.ended == ended
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 4
    assert [pid for pid in pids if not gone(pid)] == []


def test_a_fork_bomb_is_gone(tmp_path: Path) -> None:
    # Each process starts the next and dies, deaf to SIGTERM: whoever kills them one by one comes too late.
    bomb = tmp_path / "bomb"
    bomb.write_text('trap \'\' TERM\necho $$ >> "$0.pids"\nsh "$0" &\n')
    done = shell('sh "$1" & sleep 1000', bomb, limits=ProgramLimits(wall_s=1))
    assert done.ended == "timeout"
    before = (tmp_path / "bomb.pids").read_text()
    assert len(before.split()) > 1
    assert all(gone(int(pid)) for pid in before.split())
    assert (tmp_path / "bomb.pids").read_text() == before


@pytest.mark.parametrize("victims", ["$PPID", "0"])
def test_a_program_that_kills_its_guard_dies_with_it(
    hear: Callable[[], list[int]], tmp_path: Path, victims: str
) -> None:
    done = shell('sleep 1000 & echo $$ $! > "$1"; eval "kill -9 $2"; sleep 1000', tmp_path / "pids", victims)
    assert (done.ended, done.code) == ("signal", -signal.SIGKILL)
    assert all(wait_until_gone(pid) for pid in hear())  # dead at once; who buries orphans may take its time


def test_a_program_that_stops_everybody_is_gone(
    hear: Callable[[], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "END_S", 1.0)
    monkeypatch.setattr(program, "END_S", 1.0)
    done = shell('echo $$ > "$1"; kill -STOP 0; sleep 1000', tmp_path / "pids", limits=ProgramLimits(wall_s=1))
    assert done.ended == "timeout"
    assert all(wait_until_gone(pid) for pid in hear())


def test_a_guard_without_a_group_of_its_own_does_nothing() -> None:
    guard = Path(child.__file__).with_name("guard.py")
    done = run(["sh", "-c", '"$@"; echo still here', "sh", sys.executable, guard, "0", "1"], limits=SOON)
    assert done.out == b"still here\n"
    assert b"must have one of its own" in done.err


# A process of ours that runs a program: the program tells its number and waits.
PARENT = """
import os, sys, threading
from cutscore.process import ProgramLimits, run
def work():
    run(["sh", "-c", "sleep 1000 & echo $$ $! > $0; wait", sys.argv[1]], limits=ProgramLimits(wall_s=1000))
if sys.argv[2] == "fork":
    thread = threading.Thread(target=work)
    thread.start()
    sys.stdin.read(1)
    if os.fork() == 0:
        sys.stdin.read()  # holds a copy of every descriptor as long as the test likes
        os._exit(0)
    print("forked", flush=True)
    thread.join()
else:
    work()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_when_we_end_the_program_ends(hear: Callable[[], list[int]], tmp_path: Path, how: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, tmp_path / "pids", "plain"], stderr=subprocess.PIPE)
    pids = hear()
    assert not any(gone(pid) for pid in pids)
    parent.send_signal(how)
    assert parent.stderr is not None
    with parent:
        said = parent.stderr.read()
    assert parent.returncode == -how
    if how == signal.SIGINT:
        assert b"KeyboardInterrupt" in said
        assert all(gone(pid) for pid in pids)  # it was seen to before the interrupt went on
    assert all(wait_until_gone(pid) for pid in pids)


def test_the_program_dies_with_its_guard_also_when_we_cannot_see_to_it(
    hear: Callable[[], list[int]], tmp_path: Path
) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, tmp_path / "pids", "plain"])
    program, below = hear()
    guard = int(Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1])
    try:
        parent.send_signal(signal.SIGSTOP)
        os.kill(guard, signal.SIGKILL)
        assert wait_until_gone(program)
    finally:
        parent.kill()
        parent.wait()
        os.kill(below, signal.SIGKILL)  # an orphan of this double murder


def test_a_forked_copy_of_our_descriptors_keeps_nobody_alive(hear: Callable[[], list[int]], tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, tmp_path / "pids", "fork"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    pids = hear()
    parent.stdin.write(b".")
    parent.stdin.flush()
    assert parent.stdout.readline() == b"forked\n"
    parent.kill()
    parent.wait()
    assert all(wait_until_gone(pid) for pid in pids)
    parent.stdin.close()  # ends the copy
    parent.stdout.close()


def test_many_threads_at_once() -> None:
    def one(number: int) -> ProgramResult:
        if number % 3 == 0:
            return shell("echo $1; sleep 1000", str(number), limits=ProgramLimits(wall_s=1))
        return shell("cat; exit $1", str(number), limits=SOON)

    with ThreadPoolExecutor(8) as pool:
        for number, done in enumerate(pool.map(one, range(16))):
            if number % 3 == 0:
                assert done.ended == "timeout"
            else:
                assert (done.ended, done.code) == ("exited", number)


def test_no_descriptor_is_lost() -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    shell("true")
    before = count()
    shell("cat", limits=SOON)
    shell("sleep 100", limits=ProgramLimits(wall_s=0.2))
    with pytest.raises(Stopped):
        run(["no-such-program"], limits=SOON)
    assert count() == before


def test_the_guard_reads_its_order_and_leaves_what_is_said_after_it() -> None:
    """Who is to be killed at once, right after its start, is not given a grace because that word was swallowed."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(len(b"order").to_bytes(8) + b"order" + b"k")
        assert guard._receive(theirs.fileno()) == b"order"
        assert theirs.recv(8) == b"k"
