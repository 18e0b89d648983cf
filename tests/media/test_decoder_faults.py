import os
import signal
import subprocess
import sys
import time

import pytest

from cutscore.core.errors import BrokenData, CutscoreError, Unscored
from cutscore.media.decoder_faults import (
    NEAR_ANSWERS,
    Blame,
    DecoderFault,
    Kind,
    ProcessLook,
    blame_faults,
    fault_of_exit,
    judge_stall,
    look_at,
)
from cutscore.process import ChildExit

LIMITS = {"memory_bytes": 4 << 30, "cpu_s": 60}


@pytest.mark.parametrize(
    ("ended", "kind", "blame", "did"),
    [
        (ChildExit(-signal.SIGXCPU), "time", "file", "took more than 60 s of processor time to decode"),
        (ChildExit(-signal.SIGBUS), "crash", "open", "made the decoder crash (SIGBUS)"),
        (ChildExit(-signal.SIGKILL), "kill", "machine", "the decoder was killed from outside (SIGKILL)"),
        (ChildExit(-signal.SIGHUP), "kill", "machine", "the decoder was killed from outside (SIGHUP)"),
        (
            ChildExit(-signal.SIGKILL, peak_bytes=2 << 30),
            *("kill", "open", "made the decoder take 2048 MiB, for which it was killed (SIGKILL)"),
        ),
        (ChildExit(1), "exit", "open", "made the decoder exit"),
        (None, "exit", "open", "made the decoder exit"),
    ],
)
def test_how_a_child_ended_says_whose_fault_it_can_be(ended: ChildExit | None, kind: str, blame: str, did: str) -> None:
    fault = fault_of_exit(ended, 7, **LIMITS)
    assert (fault.kind, fault.blame, fault.did, fault.answers) == (kind, blame, did, 7)


def fault(kind: Kind, blame: Blame = "open", answers: int = 0) -> DecoderFault:
    return DecoderFault(kind, blame, f"did {kind}", answers)


@pytest.mark.parametrize(
    ("first", "second", "error", "words"),
    [
        (fault("crash"), fault("crash", answers=NEAR_ANSWERS), BrokenData, "c: did crash, twice at the same place"),
        (fault("crash"), fault("crash", answers=NEAR_ANSWERS + 1), Unscored, "no fault of the file: did crash, twice;"),
        (fault("crash"), fault("hang"), Unscored, "no fault of the file: first did crash, then did hang;"),
        (fault("kill", "machine"), fault("kill", "machine"), Unscored, "no fault of the file: did kill, twice;"),
        (fault("kill"), fault("kill", "machine"), Unscored, "no fault of the file: did kill, twice;"),
        (fault("kill", "machine"), fault("time", "file"), BrokenData, "c: did time"),
    ],
)
def test_only_what_repeats_at_the_same_place_is_the_files_fault(
    first: DecoderFault, second: DecoderFault, error: type[CutscoreError], words: str
) -> None:
    got = blame_faults("c", first, second)
    assert type(got) is error
    assert words in str(got)


@pytest.mark.parametrize(
    ("stopped", "waiting", "used_s", "watched_s", "seen"),
    [
        (True, False, 0, 1, "stopped"),
        (False, False, 0, 1, "hung"),  # a lock that nobody opens
        (False, True, 0.9, 1, "hung"),  # it turns in circles
        (False, True, 0.1, 1, "starved"),
        (False, True, 9.9, 40, "starved"),
        (False, True, 10, 40, "hung"),  # however long it took, it had enough
    ],
)
def test_a_stall_is_judged_by_what_the_child_could_do(
    stopped: bool, waiting: bool, used_s: float, watched_s: float, seen: str
) -> None:
    look = ProcessLook(99, is_stopped=stopped, is_waiting=waiting)
    assert judge_stall(look, used_s=used_s, watched_s=watched_s, limit_s=10) == seen


def test_where_nobody_tells_a_stall_is_a_hang() -> None:
    assert judge_stall(None, used_s=0, watched_s=1, limit_s=10) == "hung"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_is_seen_as_it_is() -> None:
    assert look_at(1 << 30) is None
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        os.kill(sleeper.pid, signal.SIGSTOP)
        until = time.monotonic() + 10
        while not ((look := look_at(sleeper.pid)) and look.is_stopped) and time.monotonic() < until:
            time.sleep(0.01)
        assert look == ProcessLook(look.cpu_s if look else 0, is_stopped=True, is_waiting=False)
        sleeper.kill()
    ours = look_at(os.getpid())
    assert ours is not None
    assert ours.is_waiting
    assert ours.cpu_s > 0
