"""The box of an item, opened for a person: what an agent finds in it, and nothing else."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from cutscore.api.items import load_items
from cutscore.cells.selection import find_item
from cutscore.cli.output import CommandOutput, OutputPrinter
from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput
from cutscore.registry import Benchmark, benchmark
from cutscore.store import Store

# A terminal of the box's own: keys like Ctrl-C are then meant for the shell, and not for us.
TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def open_shell(bench: str, item: str, *, out: Path | None, data: Path | None) -> CommandOutput:
    """Open a shell in the box of an item; without a terminal it reads its commands from standard input."""
    from cutscore.environments.sandbox.box import Box
    from cutscore.environments.sandbox.bubblewrap import Mount
    from cutscore.environments.sandbox.isolation import find_isolation
    from cutscore.environments.sandbox.layout import OUTPUTS, PYTHON, WORKSPACE
    from cutscore.environments.sandbox.tools import box_env, media_mounts, own_folders
    from cutscore.settings import load_settings

    if out is not None and out.exists() and any(out.iterdir()):
        raise BadInput(f"folder '{out}'", "is not empty", "name a new one with -o")
    found = benchmark(bench)
    store = Store(load_settings().cache_dir / "items")
    ask = _ask(found, store, item, data)
    isolation = find_isolation()
    materials = tuple(Mount(store.path(ref), f"{WORKSPACE}/{ref.name}") for ref in ask.files)
    with nullcontext(out) if out else tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        box = Box(Path(folder).resolve(), isolation, mounts=(*materials, *media_mounts()), hidden=own_folders())
        screen = OutputPrinter(command="agents")
        screen.tell(f"the box of '{item}', isolation {isolation}; deliverables go to {OUTPUTS}; 'exit' leaves it")
        shell = ["/bin/bash"]
        if sys.stdin.isatty():
            columns, lines = os.get_terminal_size(sys.stdin.fileno())
            start = f"stty rows {lines} cols {columns}; PS1='box:\\w\\$ ' exec bash --norc -i"
            shell = [f"{PYTHON}/bin/python3", "-c", TERMINAL, "/bin/bash", "-c", start]
        with _same_terminal():
            code = box.attach(shell, env={**box_env(), "TERM": os.environ.get("TERM", "dumb")})
        left = sorted(str(path.relative_to(box.outputs)) for path in box.outputs.rglob("*") if path.is_file())
    plain = {"benchmark": bench, "item": item, "isolation": isolation, "code": code, "outputs": left}
    text = f"outputs: {', '.join(left) or 'nothing'}"
    then = f"\nnext: cutscore score {bench} {item} {box.outputs}" if out and left else ""
    return CommandOutput(plain, text + then)


def _ask(found: Benchmark, store: Store, item: str, data: Path | None) -> Ask:
    from cutscore.cells.inputs import make_asks
    from cutscore.prompts import load_prompts
    from cutscore.settings import load_settings

    wanted = find_item(load_items(found, store, data), item, bench=found.name, data=str(data or ""))
    prompts = load_prompts(found.folder / "prompts", benchmark=found.name, config=load_settings().prompts)
    return make_asks(found, [wanted], prompts, frames="", input="").asks[item]


@contextmanager
def _same_terminal() -> Iterator[None]:
    """Leave the terminal as it was, whatever ended the shell."""
    if not sys.stdin.isatty():
        yield
        return
    import termios

    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
