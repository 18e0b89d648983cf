"""A worker process: does one pickled job after the other, until its pipe closes.

It is started by `processes.py` under a guard, which ends it, and whatever its jobs have started, when its parent dies.
"""

import json
import signal
import sys
from multiprocessing.connection import Connection

from cutscore.engines.jobs import perform_dumped

# After this time a signal that came inside a finalizer is given again.
_AGAIN_S = 0.01

# The folders that our parent imports from come as an argument: jobs are found by the name of their module.
STARTER = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from cutscore.engines import worker; worker.main()"


def start_command(descriptor: int) -> list[str]:
    """Return the program and arguments of a worker that serves the pipe of a descriptor."""
    return [sys.executable, "-c", STARTER, str(descriptor), json.dumps([str(folder) for folder in sys.path])]


def main() -> None:
    """Do jobs until the pipe closes."""
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, _leave)
    sys.unraisablehook = _leave_later
    with Connection(int(sys.argv[1])) as pipe:
        try:
            while True:
                pipe.send_bytes(perform_dumped(pipe.recv_bytes()))
        except (EOFError, OSError):
            return


def _leave(*_: object) -> None:
    """Leave the job by an exception, so that it can end the programs that it started."""
    raise SystemExit(1)


def _leave_later(lost: "sys.UnraisableHookArgs") -> None:
    """Leave in a moment if the signal came inside a finalizer, which Python lets no exception leave."""
    if isinstance(lost.exc_value, SystemExit):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
    else:
        sys.__unraisablehook__(lost)
