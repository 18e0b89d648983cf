"""A worker process: does one pickled job after the other, until its pipe closes.

It is started by `processes.py` under a guard, which ends it, and whatever its jobs have started, when its parent dies.
"""

import json
import pickle
import signal
import sys
from multiprocessing.connection import Connection

from cutscore.engines.jobs import Job, Outcome, describe_error, perform

# The folders that our parent imports from come as an argument: jobs are found by the name of their module.
STARTER = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from cutscore.engines import worker; worker.main()"


def start_command(descriptor: int) -> list[str]:
    """Return the program and arguments of a worker that serves the pipe of a descriptor."""
    return [sys.executable, "-c", STARTER, str(descriptor), json.dumps([str(folder) for folder in sys.path])]


def main() -> None:
    """Do jobs until the pipe closes."""
    signal.signal(signal.SIGTERM, _leave)
    with Connection(int(sys.argv[1])) as pipe:
        try:
            while True:
                pipe.send_bytes(_perform(pipe.recv_bytes()))
        except (EOFError, OSError):
            return


def _perform(data: bytes) -> bytes:
    try:
        job: Job = pickle.loads(data)  # noqa: S301  # written by our own parent
    except Exception as error:  # noqa: BLE001  # unpickling imports the module of the job
        return pickle.dumps(Outcome("", error=f"cannot be read by a worker: {describe_error(error)}"))
    outcome = perform(job)
    try:
        return pickle.dumps(outcome)
    except Exception as error:  # noqa: BLE001  # pickling runs code of the result
        return pickle.dumps(Outcome(job.key, error=f"result cannot be sent back: {describe_error(error)}"))


def _leave(*_: object) -> None:
    """Leave the job by an exception, so that it can end the programs that it started."""
    raise SystemExit(1)
