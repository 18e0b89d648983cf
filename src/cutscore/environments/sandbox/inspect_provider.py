"""The box as a sandbox of Inspect's: `--sandbox cutscore`, or for one sample by `open_sandbox`.

Files are read and written from inside, so that a link which the agent made leads nowhere but into the box. No process
outlives the command that started it: tools that leave a server behind (`bash_session`) need a container.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Literal, overload

from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)

from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.environments.sandbox.box import Box, BoxLimits, BoxRun
from cutscore.environments.sandbox.bubblewrap import USER, Mount
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.environments.sandbox.layout import WORKSPACE, find_instruction_files
from cutscore.environments.sandbox.tools import box_env, media_mounts, own_folders
from cutscore.process import DEVNULL

LONGEST_S = 24 * 3600.0  # of a command without a time limit; the sample has a clock of its own
LOG_BYTES = 256 << 20
USERS = (None, "agent", str(USER))
# What goes wrong with a file, by the exit code with which the two scripts below tell it.
_FAULTS: dict[int, type[OSError]] = {91: FileNotFoundError, 92: IsADirectoryError, 93: PermissionError}
_TOO_LONG = 94
_READ = """\
[ -e "$1" ] || exit 91; [ ! -d "$1" ] || exit 92; [ -r "$1" ] || exit 93
[ "$(stat -L -c %s -- "$1")" -le "$2" ] || exit 94; exec cat -- "$1" """
_WRITE = """\
[ ! -d "$1" ] || exit 92; mkdir -p -- "$(dirname -- "$1")" || exit 93
[ ! -e "$1" ] || [ -w "$1" ] || exit 93; cat > "$1" || exit 93"""


def make_box(folder: Path, materials: Sequence[Mount] = ()) -> Box:
    """Return a box as agents have it, whose `/tmp` stays between two commands."""
    scratch = folder / "tmp"
    scratch.mkdir(parents=True)
    scratch.chmod(0o1777)
    mounts = (Mount(scratch, "/tmp", writable=True), *materials, *media_mounts())  # noqa: S108  # the box's own
    limits = replace(BoxLimits(), log_bytes=LOG_BYTES)
    return Box(folder / "box", find_isolation(), mounts=mounts, hidden=own_folders(), limits=limits)


@sandboxenv(name="cutscore")
class BoxSandbox(SandboxEnvironment):
    """One box; its working folder is `/workspace`."""

    def __init__(self, box: Box, made: tempfile.TemporaryDirectory[str] | None = None) -> None:
        super().__init__()
        self.box, self._made, self._numbers = box, made, count(1)

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Make a box for a sample; Inspect puts the sample's files into it."""
        made = tempfile.TemporaryDirectory(prefix="cutscore-", ignore_cleanup_errors=True)
        return {"default": cls(make_box(Path(made.name)), made)}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """Remove the folders; no process is left by then."""
        for environment in environments.values():
            if made := environment.as_type(BoxSandbox)._made:
                made.cleanup()

    async def exec(  # noqa: PLR0917  # the signature that Inspect asks for
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command to its end, as the box's one user."""
        if user not in USERS:
            raise SandboxUserUnsupportedError(f"a box has one user, 'agent', and not {user!r}")
        ended = await self._run(cmd, input, str(PurePosixPath(WORKSPACE, cwd or "")), env or {}, timeout)
        most = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        out, err = (log.read_bytes() for log in ended.logs)
        if max(len(out), len(err)) > most:
            cut = (out if len(out) > most else err)[:most].decode(errors="replace")
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR, cut)
        if ended.code and err.startswith(b"bwrap: execvp") and b"Permission denied" in err:
            raise PermissionError(err.decode(errors="replace"))
        code = 137 if ended.code is None else ended.code  # the kernel's own for what it kills
        return ExecResult(code == 0, code, out.decode(errors="replace"), err.decode(errors="replace"))

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file and the folders on the way to it."""
        ended = await self._run(["sh", "-c", _WRITE, "sh", file], contents)
        self._check(ended, file)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Return a file, up to Inspect's limit."""
        most = min(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE, LOG_BYTES)
        ended = await self._run(["sh", "-c", _READ, "sh", file, str(most)])
        if ended.code == _TOO_LONG:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        self._check(ended, file)
        data = ended.logs[0].read_bytes()
        return data.decode() if text else data

    @staticmethod
    def _check(ended: BoxRun, file: str) -> None:
        if fault := _FAULTS.get(ended.code or 0):
            why = {FileNotFoundError: "is not there", IsADirectoryError: "is a directory"}.get(fault, "is not allowed")
            raise fault(f"file '{file}' {why}")
        if ended.code != 0:
            raise OSError(f"file '{file}': {ended.logs[1].read_text(errors='replace').strip() or ended.ended}")

    async def _run(
        self,
        argv: Sequence[str],
        input: str | bytes | None = None,
        cwd: str = WORKSPACE,
        env: dict[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> BoxRun:
        from anyio import to_thread

        name = f"exec-{next(self._numbers)}"
        stop: list[object] = []

        def run() -> BoxRun:
            with tempfile.TemporaryFile() as told:
                told.write(input.encode() if isinstance(input, str) else input or b"")
                told.seek(0)
                return self.box.run(
                    argv,
                    name=name,
                    env={**box_env(), **(env or {})},
                    wall_s=timeout_s or LONGEST_S,
                    stop=stop,
                    stdin=DEVNULL if input is None else told,
                    cwd=cwd,
                )

        try:
            ended = await to_thread.run_sync(run, abandon_on_cancel=True)
        finally:
            stop.append("whoever asked for it has left")
        if ended.ended == "time":
            raise TimeoutError(f"command '{argv[0]}' was ended after {timeout_s:g} s")
        return ended


@asynccontextmanager
async def open_sandbox(ask: Ask, context: WorkContext) -> AsyncIterator[BoxSandbox]:
    """Open a box with the materials of one sample: inside, `sandbox()` and Inspect's own tools mean this box.

    What lies in `box.outputs` afterwards can be handed over.
    """
    from inspect_ai.util._sandbox.context import sandbox_default_context_var, sandbox_environments_context_var

    if orders := find_instruction_files(ref.name for ref in ask.files):
        raise BadInput(f"item '{ask.item}'", f"has the material '{orders[0]}', which agents obey", "rename it")
    materials = tuple(Mount(context.store.path(ref), f"{WORKSPACE}/{ref.name}") for ref in ask.files)
    made = BoxSandbox(make_box(context.workspace / "sandbox", materials))
    environments = sandbox_environments_context_var.set({"default": made})
    default = sandbox_default_context_var.set("default")
    try:
        yield made
    finally:
        sandbox_default_context_var.reset(default)
        sandbox_environments_context_var.reset(environments)
