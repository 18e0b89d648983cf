"""Whose fault it is that a decoding child did not finish: the file's, or this machine's.

The first fault is nobody's yet: the file is decoded once more, in a fresh child. What comes again at the same place of
the same file is the file's, and it is refused. Anything else is ours, and what we cannot decode is unscored.

Some faults cannot be the file's, however often they come: a stop, a kill of a child that took little memory, a
processor that others kept busy. A few are the file's at once: processor time is counted by the kernel.
"""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cutscore.core.errors import BrokenData, CutscoreError, Unscored
from cutscore.process import ChildExit

Kind = Literal["crash", "exit", "kill", "hang", "time"]
Stall = Literal["hung", "starved", "stopped"]
Blame = Literal["file", "machine", "open"]  # open: the file's, if it comes again at the same place

# Several threads decode ahead, so a crash at one frame is seen some frames earlier or later.
NEAR_ANSWERS = 64
# A child that takes less than this share of what it may take is not why memory ran out.
SUSPECT_SHARE = 1 / 4
# With less than this share of a processor, others keep a child from its work.
BUSY_SHARE = 1 / 2
# Signals that a process gets for what it does itself; all others somebody sends.
_OWN_SIGNALS = {
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGSYS),
    *(signal.SIGXFSZ, signal.SIGALRM),
}


class DecoderFault(Exception):
    """A child did not finish a file.

    Args:
        kind: What happened, in a word. All crashes are one kind: a damaged heap ends by this signal or by that.
        blame: Whose fault it can be.
        did: What happened, as something that the file did: `made the decoder crash (SIGSEGV)`.
        answers: How many answers came before.
    """

    def __init__(self, kind: Kind, blame: Blame, did: str, answers: int) -> None:
        super().__init__(did)
        self.kind, self.blame, self.did, self.answers = kind, blame, did, answers


def fault_of_exit(ended: ChildExit | None, answers: int, *, memory_bytes: int, cpu_s: int) -> DecoderFault:
    """Return the fault of a child that is no more; None is one that hung up and lived on.

    >>> fault_of_exit(ChildExit(-9, peak_bytes=200 << 20), 3, memory_bytes=4 << 30, cpu_s=60).did
    'the decoder was killed from outside (SIGKILL)'
    """
    if ended is None or ended.code >= 0:
        return DecoderFault("exit", "open", "made the decoder exit", answers)
    number = -ended.code
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number == signal.SIGXCPU:
        return DecoderFault("time", "file", f"took more than {cpu_s} s of processor time to decode", answers)
    if number in _OWN_SIGNALS:
        return DecoderFault("crash", "open", f"made the decoder crash ({name})", answers)
    if number == signal.SIGKILL and ended.peak_bytes >= memory_bytes * SUSPECT_SHARE:
        fact = f"made the decoder take {ended.peak_bytes >> 20} MiB, for which it was killed ({name})"
        return DecoderFault("kill", "open", fact, answers)
    return DecoderFault("kill", "machine", f"the decoder was killed from outside ({name})", answers)


def blame_faults(clip: str, first: DecoderFault, second: DecoderFault) -> CutscoreError:
    """Return the error for a file whose decoding failed twice: BrokenData where it is the file's fault, else Unscored.

    >>> crash = DecoderFault("crash", "open", "made the decoder crash (SIGSEGV)", 3)
    >>> print(blame_faults("clip 'a.mp4'", crash, crash))
    clip 'a.mp4': made the decoder crash (SIGSEGV), twice at the same place
    """
    if second.blame == "file":
        return BrokenData(clip, second.did)
    if _is_same(first, second):
        return BrokenData(clip, f"{second.did}, twice at the same place")
    what = f"{first.did}, twice" if first.did == second.did else f"first {first.did}, then {second.did}"
    fact = f"was not decoded, which is no fault of the file: {what}"
    return Unscored(clip, fact, "see that memory and processors are free, and run the same command again")


def _is_same(first: DecoderFault, second: DecoderFault) -> bool:
    near = abs(first.answers - second.answers) <= NEAR_ANSWERS
    return near and first.kind == second.kind and first.blame == second.blame == "open"


@dataclass(frozen=True)
class ProcessLook:
    """What a process is doing.

    Args:
        cpu_s: Processor time of all its threads until now.
        is_stopped: Somebody has stopped it, or traces it.
        is_waiting: One of its threads could run if it had a processor, or waits for a disk.
    """

    cpu_s: float
    is_stopped: bool
    is_waiting: bool


def judge_stall(look: ProcessLook | None, *, used_s: float, watched_s: float, limit_s: float) -> Stall:
    """Return what keeps a child from answering, after the time in which it should have.

    Args:
        look: What it is doing now.
        used_s: Processor time that it used since we watch it.
        watched_s: How long we watch it.
        limit_s: Processor time after which it hangs, however long that took.

    >>> judge_stall(ProcessLook(9.0, is_stopped=False, is_waiting=True), used_s=0.1, watched_s=1, limit_s=10)
    'starved'
    """
    if look is not None and look.is_stopped:
        return "stopped"
    is_starved = look is not None and look.is_waiting and used_s < min(limit_s, watched_s * BUSY_SHARE)
    return "starved" if is_starved else "hung"


def look_at(pid: int) -> ProcessLook | None:
    """Return what a process is doing; None where nobody tells, or it is gone."""
    try:
        times = _stat_words(Path(f"/proc/{pid}/stat"))[11:13]
        tasks = os.listdir(f"/proc/{pid}/task")
    except (OSError, IndexError):
        return None
    states = set()
    for task in tasks:
        with suppress(OSError, IndexError):
            states.add(_stat_words(Path(f"/proc/{pid}/task/{task}/stat"))[0])
    return ProcessLook(
        cpu_s=sum(map(int, times)) / os.sysconf("SC_CLK_TCK"),
        is_stopped=bool(states & {b"T", b"t"}),
        is_waiting=bool(states & {b"R", b"D"}),
    )


def _stat_words(path: Path) -> list[bytes]:
    """Return the words behind the process's name, which may hold anything: its state comes first."""
    return path.read_bytes().rpartition(b")")[2].split()
