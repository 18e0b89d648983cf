"""How much memory a program takes while it does one job: of all its processes together, and of them on GPUs.

The guard tells the peak of a program that has ended. This tells that of one job of a program that stays, too.
"""

import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Self

from cutscore.process.guard_meter import GroupMeter
from cutscore.process.service import Service
from cutscore.process.start import bare_env

GPU_PROGRAM = "nvidia-smi"
GPU_QUERY = ("--query-compute-apps=timestamp,pid,used_memory", "--format=csv,noheader,nounits")
GPU_LOOK_EVERY_MS = 250
GPU_LOG_BYTES = 64 << 20


class UsageMeter:
    """Looks at everybody below a process until it is closed. A peak that nobody saw is None.

    with UsageMeter() as meter:
        run(argv, limits=limits, on_start=meter.watch)
    meter.peak_bytes, meter.gpu_peak_bytes
    """

    def __init__(self) -> None:
        self.peak_bytes: int | None = None
        self.gpu_peak_bytes: int | None = None
        self._done = threading.Event()
        self._meter: GroupMeter | None = None
        self._thread: threading.Thread | None = None

    def watch(self, root: int) -> None:
        """Begin to look; the process itself does not count."""
        self._meter = GroupMeter(None, None, root=root)
        self._thread = threading.Thread(target=self._look, args=(self._meter,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        self._logs = tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True)
        self._gpus = _watch_gpus(Path(self._logs.name))
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        if self._gpus is not None:
            self._gpus.close()
        if self._meter is not None:
            self.peak_bytes = self._meter.peak_bytes or None
            said = self._gpus.logs[0].read_text(errors="replace").splitlines() if self._gpus else []
            self.gpu_peak_bytes = gpu_peak_bytes(said, self._meter.seen)
        self._logs.cleanup()

    def _look(self, meter: GroupMeter) -> None:
        while not self._done.wait(meter.due_ms() / 1000):
            meter.look()


def _watch_gpus(logs: Path) -> Service | None:
    """Start the program that tells who uses GPUs, again and again; None where there is none."""
    program = shutil.which(GPU_PROGRAM, path=bare_env()["PATH"])
    if program is None:
        return None
    argv = [program, *GPU_QUERY, "-lms", str(GPU_LOOK_EVERY_MS)]
    return Service(argv, logs=logs, log_bytes=GPU_LOG_BYTES, shared=True)


def gpu_peak_bytes(said: Iterable[str], pids: Collection[int]) -> int | None:
    """Return the most that processes took on all GPUs at one time; None where none of them was seen there.

    >>> said = ["t1, 7, 100", "t1, 8, 50", "t1, 9, 4000", "t2, 7, 120", "t3, 7, [N/A]"]
    >>> gpu_peak_bytes(said, {7, 8}) >> 20, gpu_peak_bytes(said, {5})
    (150, None)
    """
    taken: defaultdict[str, int] = defaultdict(int)
    for line in said:
        when, _, rest = line.partition(", ")
        pid, _, mib = rest.partition(", ")
        if pid.isdecimal() and mib.isdecimal() and int(pid) in pids:
            taken[when] += int(mib) << 20
    return max(taken.values(), default=None)
