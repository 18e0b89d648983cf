"""`cutscore agents`: the command-line agents that can be measured: installed, removed, tried, and their box opened."""

from __future__ import annotations

import click

from cutscore.cli.command import subcommand
from cutscore.cli.output import CommandOutput, OutputPrinter
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import BadInput, Stopped, UnknownName
from cutscore.core.subject import SubjectSpec

ACTIONS = ("list", "install", "remove", "probe")
EXAMPLES = """
  cutscore agents list
  cutscore agents install codex_cli             the pinned version, locked by hashes
  cutscore agents install codex_cli@0.166.0     another one, resolved today
  cutscore agents probe codex_cli               its tools, its counts, its pictures, in a box
  cutscore agents remove codex_cli
"""


@subcommand("agents", examples=EXAMPLES)
@click.argument("action", metavar="|".join(ACTIONS))
@click.argument("names", nargs=-1, metavar="NAME[@VERSION]...")
def command(*, action: str, names: tuple[str, ...]) -> CommandOutput:
    """Install agent programs, and see what they do.

    They are installed into the cache, by npm and from lock files. Nothing else of the machine is touched.
    """
    if action not in ACTIONS:
        raise UnknownName.among("action", action, ACTIONS)
    if action == "list":
        return _list()
    if not names:
        raise BadInput(f"agents {action}", "names no agent", f"write 'cutscore agents {action} NAME'")
    return {"install": _install, "remove": _remove, "probe": _probe}[action]([_read(name) for name in names])


def _read(word: str) -> SubjectSpec:
    from cutscore.subjects.harness.catalogue import HARNESSES

    spec = SubjectSpec.parse(word)
    if spec.kind not in HARNESSES:
        raise UnknownName.among("agent", spec.kind, HARNESSES)
    return spec


def _list() -> CommandOutput:
    from cutscore.subjects.harness.catalogue import HARNESSES
    from cutscore.subjects.harness.installed import find_agent

    agents = []
    for name, adapter in HARNESSES.items():
        try:
            state = f"installed: {find_agent(adapter).version}"
        except Stopped:
            state = "not installed"
        pin = "as the paper's" if adapter.version == adapter.paper_version else f"the paper ran {adapter.paper_version}"
        agents.append(
            {"name": name, "package": adapter.package, "version": adapter.version, "pin": pin, "state": state}
        )
    text = align_columns([tuple(each.values()) for each in agents])
    return CommandOutput({"agents": agents}, f"{text}\nnext: cutscore agents install NAME")


def _install(specs: list[SubjectSpec]) -> CommandOutput:
    from cutscore.subjects.harness.catalogue import HARNESSES
    from cutscore.subjects.harness.install import install_agent

    screen, made = OutputPrinter(command="agents"), []
    for spec in specs:
        found = install_agent(HARNESSES[spec.kind], spec.version, tell=screen.tell)
        made.append({"name": spec.kind, "version": found.version, "folder": str(found.folder)})
    lines = [f"{each['name']} {each['version']} is installed in {each['folder']}" for each in made]
    return CommandOutput({"installed": made}, "\n".join(lines))


def _remove(specs: list[SubjectSpec]) -> CommandOutput:
    from cutscore.subjects.harness.catalogue import HARNESSES
    from cutscore.subjects.harness.install import remove_agent

    gone = [str(remove_agent(HARNESSES[spec.kind], spec.version)) for spec in specs]
    return CommandOutput({"removed": gone}, "\n".join(f"removed {folder}" for folder in gone))


def _probe(specs: list[SubjectSpec]) -> CommandOutput:
    raise Stopped("agents probe", "is not there yet")
