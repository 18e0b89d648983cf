"""A program that stays: a server, a browser, an agent. Started once, waited for until it is ready, polled, ended."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from cutscore.core.errors import RunBroken
from cutscore.process.child import Child, ChildExit
from cutscore.process.start import DEVNULL, GroupLimits, LogFile, Stream

_PROBE_EVERY_S = 0.05
# How much of its last words an error quotes.
_QUOTED = 300


class Service(Child):
    """A child whose output lies in `stdout.txt` and `stderr.txt` of a folder, each of bounded length.

        with Service(["sites", "--port", "0"], logs=folder) as sites:
            sites.wait_until_ready("listening", timeout_s=30)

    Args:
        logs: The folder, which exists.
        log_bytes: How much of the beginning of each output is kept; see `LogFile`.
        stdout: Somewhere else, for a caller that reads it.
        group: What all its processes may use together; without limits their peak is measured.
        argv, env, cwd, stdin, pass_fds, file_bytes, shared: As for `Child`.
    """

    def __init__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        logs: Path,
        log_bytes: int = 1_000_000,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: Stream = DEVNULL,
        stdout: Stream = None,
        pass_fds: Sequence[int] = (),
        file_bytes: int | None = None,
        group: GroupLimits | None = None,
        shared: bool = False,
    ) -> None:
        self.logs = (logs / "stdout.txt", logs / "stderr.txt")
        out, err = (LogFile(path, log_bytes) for path in self.logs)
        super().__init__(
            argv,
            env=env,
            cwd=cwd,
            stdin=stdin,
            stdout=out if stdout is None else stdout,
            stderr=err,
            pass_fds=pass_fds,
            file_bytes=file_bytes,
            group=group or GroupLimits(),
            shared=shared,
        )

    def wait_until_ready(self, ready: Callable[[], bool] | str, *, timeout_s: float) -> None:
        """Wait until a probe says yes, or until words stand in one of its logs.

        Raises:
            Stopped: The program is not there or cannot be started.
            RunBroken: It ended before it was ready, or it is not ready yet. The words of its logs are in the error.
        """
        until = time.monotonic() + timeout_s
        while not (self._has_said(ready) if isinstance(ready, str) else ready()):
            what = f"program '{self.argv[0]}'"
            if ended := self.wait(_PROBE_EVERY_S):
                self.check_started()
                how = _how(ended)
                raise RunBroken(what, f"{how} before it was ready{self._last_words()}", f"see {self.logs[1]}")
            if time.monotonic() > until:
                fact = f"is not ready after {timeout_s:g} s{self._last_words()}"
                raise RunBroken(what, fact, f"see {self.logs[1]}, or give it more time")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _has_said(self, words: str) -> bool:
        return any(path.is_file() and words.encode() in path.read_bytes() for path in self.logs)

    def _last_words(self) -> str:
        for path in reversed(self.logs):
            said = path.read_text(errors="replace").strip() if path.is_file() else ""
            if said:
                return f": {' '.join(said[-_QUOTED:].split())}"
        return ""


def _how(ended: ChildExit) -> str:
    if ended.over:
        return f"used too much of {ended.over}"
    return f"ended with code {ended.code}" if ended.code >= 0 else f"was ended by signal {-ended.code}"
