"""`cutscore agents`: the command-line agents that can be measured: installed, removed, tried, and their box opened."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput, OutputPrinter
from cutscore.cli.text_tables import align_columns
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.subject import SubjectSpec
from cutscore.results.wording import size

if TYPE_CHECKING:
    from cutscore.subjects.harness.probe import AgentProbe

ACTIONS = ("list", "install", "remove", "probe", "shell")
EXAMPLES = """
  cutscore agents list
  cutscore agents install codex_cli             the pinned version, locked by hashes
  cutscore agents install codex_cli@0.166.0     another one, resolved today
  cutscore agents probe codex_cli               its tools, its counts, its pictures, in a box
  cutscore agents remove codex_cli
  cutscore agents shell sequencing film-1 -o try    the box of an item, for you; try/workspace/outputs stays
"""


@subcommand("agents", examples=EXAMPLES)
@click.argument("action", metavar="|".join(ACTIONS))
@click.argument("names", nargs=-1, metavar="NAME[@VERSION]... | BENCH ITEM")
@click.option("-o", "--out", type=PATH, metavar="DIR", help="Where the box of 'shell' stays; a new folder.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own, for 'shell'.")
def command(*, action: str, names: tuple[str, ...], out: Path | None, data: Path | None) -> CommandOutput:
    """Install agent programs, and see what they do.

    They are installed into the cache, by npm and from lock files. Nothing else of the machine is touched.
    """
    if action not in ACTIONS:
        raise UnknownName.among("action", action, ACTIONS)
    if action == "list":
        return _list()
    if action == "shell":
        from cutscore.cli.agent_shell import open_shell

        if len(names) != 2:
            raise BadInput("agents shell", "opens the box of one item", "write 'cutscore agents shell BENCH ITEM'")
        return open_shell(*names, out=out, data=data)
    if not names:
        raise BadInput(f"agents {action}", "names no agent", f"write 'cutscore agents {action} NAME'")
    return {"install": _install, "remove": _remove, "probe": _probe}[action]([_read(name) for name in names])


def _read(word: str) -> SubjectSpec:
    from cutscore.subjects.harness.catalogue import HARNESSES

    try:
        spec = SubjectSpec.parse(word)
    except ValueError as error:
        raise BadInput(f"agent '{word}'", "is not NAME[@VERSION]", "see 'cutscore agents list'") from error
    if spec.kind not in HARNESSES:
        raise UnknownName.among("agent", spec.kind, HARNESSES)
    return spec


def _list() -> CommandOutput:
    from cutscore.subjects.harness.catalogue import HARNESSES
    from cutscore.subjects.harness.installed import installed_versions

    agents = []
    for name, adapter in HARNESSES.items():
        found = installed_versions(name)
        state = f"installed: {', '.join(found)}" if found else "not installed"
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
    import asyncio

    from cutscore.subjects.harness.catalogue import HARNESSES, open_harness
    from cutscore.subjects.harness.probe import probe_agent

    logging.getLogger("inspect_ai").setLevel(logging.ERROR)  # it would tell of every model name that it maps
    screen, seen = OutputPrinter(command="agents"), {}
    found = {spec.kind: open_harness(spec).installed for spec in specs}
    for name, installed in found.items():
        screen.tell(f"{name} {installed.version}: at work in a box, against a scripted model")
        seen[name] = asyncio.run(probe_agent(HARNESSES[name], installed))
    plain = [{"name": name, **asdict(each)} for name, each in seen.items()]
    return CommandOutput({"probes": plain}, "\n\n".join(_tell_probe(name, each) for name, each in seen.items()))


def _tell_probe(name: str, seen: AgentProbe) -> str:
    from cutscore.subjects.harness.probe import SIDE, TURN_LIMIT

    asked = f"{SIDE[0]}×{SIDE[1]}"
    sent = [
        f"{asked} arrives as {each.width}×{each.height} {each.media_type}, {size(each.bytes)}" for each in seen.pictures
    ]
    held = "holds" if seen.cap_holds else "does not hold"
    lines = [
        ("version", f"{seen.version}, {'not the paper’s' if seen.off_pin else 'the paper’s'}"),
        ("wire", seen.wire),
        ("isolation", seen.isolation),
        ("tools", ", ".join(seen.tools) or "none"),
        ("tokens", ", ".join(f"{bucket} {how}" for bucket, how in seen.buckets.items())),
        ("turn limit", f"{held}: {seen.answers} answers under a limit of {TURN_LIMIT}"),
        ("pictures", "; ".join(sent) or f"none arrives{f' by {seen.looked_by}' if seen.looked_by else ''}"),
        *([("failed", seen.failed)] if seen.failed else []),
    ]
    return f"{name}\n{align_columns(lines)}"
