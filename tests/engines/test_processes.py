"""Jobs are functions of the standard library: a worker is a fresh interpreter and cannot import this file."""

import ctypes
import math
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from fractions import Fraction

import pytest

from cutscore.engines import Job, Outcome, processes, run_jobs

TOO_LONG_S = 60  # for what should take a second: a test that hangs must fail, not hang


class Unreadable:
    """Can be sent, cannot be read."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return int, ("not a number",)


def by_key(outcomes: Iterator[Outcome]) -> dict[str, Outcome]:
    return {outcome.key: outcome for outcome in outcomes}


def test_every_way_to_fail_fails_alone_and_all_others_finish() -> None:
    good = [Job(f"good {number}", pow, (number, 2)) for number in range(8)]
    bad = {
        "raises": Job("raises", operator.truediv, (1, 0)),
        "exits": Job("exits", sys.exit, (3,)),
        "dies": Job("dies", os._exit, (7,)),
        "killed": Job("killed", signal.raise_signal, (signal.SIGKILL,)),
        "segfault": Job("segfault", ctypes.string_at, (0,)),
        "local function": Job("local function", lambda: 1),
        "unreadable": Job("unreadable", abs, (Unreadable(),)),
        "lock": Job("lock", threading.Lock),
        "module": Job("module", __import__, ("math",)),
    }
    outcomes = by_key(run_jobs([*good[:4], *bad.values(), *good[4:]], engine="processes", workers=2))
    assert len(outcomes) == len(good) + len(bad)
    for number in range(8):
        assert outcomes[f"good {number}"] == Outcome(f"good {number}", number**2)
    errors = {key: outcomes[key].error for key in bad}
    assert all(outcomes[key].value is None for key in bad)
    assert errors.pop("local function").startswith("cannot be sent to a worker: ")
    assert errors.pop("unreadable").startswith("cannot be read by a worker: ValueError: invalid literal")
    assert errors.pop("lock").startswith("result cannot be sent back: TypeError: cannot pickle")
    assert errors.pop("module").startswith("result cannot be sent back: TypeError: cannot pickle")
    assert errors == {
        "raises": "ZeroDivisionError: division by zero",
        "exits": "SystemExit: 3",
        "dies": "the worker died: it ended with exit code 7",
        "killed": "the worker died: it was killed by signal 9 (Killed)",
        "segfault": "the worker died: it was killed by signal 11 (Segmentation fault)",
    }


def test_same_outcomes_as_inline() -> None:
    jobs = [Job(f"{number:02d}", math.factorial, (number,)) for number in range(-2, 30)]
    assert by_key(run_jobs(jobs, engine="processes", workers=2)) == by_key(run_jobs(jobs))


def test_big_arguments_and_results_pass() -> None:
    big = [bytes([number]) * 3_000_000 for number in range(5)]
    jobs = [Job(str(number), bytes.upper, (data,)) for number, data in enumerate(big)]
    outcomes = by_key(run_jobs(jobs, engine="processes", workers=2))
    assert [outcomes[str(number)].value for number in range(5)] == [data.upper() for data in big]


def test_a_slow_job_holds_up_nobody() -> None:
    """Two workers, one of them asleep for longer than this test may last."""
    jobs = [Job("slow", time.sleep, (10 * TOO_LONG_S,)), *(Job(str(number), abs, (number,)) for number in range(6))]
    outcomes = run_jobs(jobs, engine="processes", workers=2)
    assert {next(outcomes).key for _ in range(6)} == set("012345")
    outcomes.close()  # type: ignore[attr-defined]  # and the sleeper ends with the iterator


def test_jobs_are_taken_lazily() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(1000):
            taken.append(number)
            yield Job(str(number), Fraction, (number, 3))

    outcomes = run_jobs(jobs(), engine="processes", workers=2)
    assert taken == []
    for given in range(1, 20):
        next(outcomes)
        assert len(taken) <= given + 4
    outcomes.close()  # type: ignore[attr-defined]


def test_jobs_that_cannot_be_sent_are_taken_lazily_too() -> None:
    endless = (Job(str(number), lambda: 1) for number in range(10**9))
    outcomes = run_jobs(endless, engine="processes", workers=2)
    assert [next(outcomes).key for _ in range(5)] == list("01234")
    outcomes.close()  # type: ignore[attr-defined]


def test_a_worker_killed_while_idle_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    workers: list[processes._Worker] = []

    class Noted(processes._Worker):
        def __init__(self) -> None:
            super().__init__()
            workers.append(self)

    def jobs() -> Iterator[Job]:
        yield Job("first", abs, (-1,))
        os.kill(workers[0].child.pid, signal.SIGKILL)  # the second job is asked for when the first is done
        assert workers[0].child.wait(TOO_LONG_S) is not None
        yield Job("second", abs, (-2,))

    monkeypatch.setattr(processes, "_Worker", Noted)
    assert list(run_jobs(jobs(), engine="processes", workers=1)) == [Outcome("first", 1), Outcome("second", 2)]
    assert len(workers) == 2


def test_a_signal_inside_a_finalizer_still_ends_the_job_and_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Python drops what a finalizer raises, with a traceback on stderr; Ctrl-C may come at any moment."""
    code = """
import signal, time, weakref
class Thing: pass
thing = Thing()
weakref.finalize(thing, signal.raise_signal, signal.SIGTERM)
del thing
time.sleep(5)
"""
    assert list(run_jobs([Job("one", exec, (code,))], engine="processes", workers=1)) == [
        Outcome("one", error="SystemExit: 1")
    ]
    assert capfd.readouterr().err == ""


def test_no_worker_is_left() -> None:
    pids = [outcome.value for outcome in run_jobs([Job("one", os.getpid)], engine="processes", workers=1)]
    assert not os.path.exists(f"/proc/{pids[0]}")


SCRIPT = """
import subprocess, sys, time
from cutscore.engines import Job, run_jobs

if __name__ == "__main__":
    nap = "import time; print('started', flush=True); time.sleep(3600)"
    jobs = [Job("sleeps", time.sleep, (3600,)), Job("starts", subprocess.call, ([sys.executable, "-c", nap],))]
    for outcome in run_jobs(jobs, engine="processes", workers=2):
        print(outcome, flush=True)
"""


@pytest.fixture
def running() -> Iterator[subprocess.Popen[str]]:
    """A parent with two workers, one asleep and one with a program that is; all hold stdout as long as they live."""
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "started\n"
    yield parent
    if parent.poll() is None:
        os.killpg(parent.pid, signal.SIGKILL)
    parent.communicate(timeout=TOO_LONG_S)


def test_no_orphan_when_the_parent_is_killed(running: subprocess.Popen[str]) -> None:
    running.kill()
    out, err = running.communicate(timeout=TOO_LONG_S)  # returns when the last holder of stdout is gone
    assert (out, err, running.returncode) == ("", "", -signal.SIGKILL)


def test_ctrl_c_ends_all_at_once(running: subprocess.Popen[str]) -> None:
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the whole group
    out, err = running.communicate(timeout=TOO_LONG_S)
    assert out == ""
    assert running.returncode in (-signal.SIGINT, 130)
    assert err.count("in drain") == 1  # the parent's own traceback; workers are quiet
