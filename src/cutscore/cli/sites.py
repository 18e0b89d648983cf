"""`cutscore sites`: websites of our own for a person, or a web task opened for an agent that is not run here."""

from __future__ import annotations

import json
import os
import select
import sys
import threading
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from cutscore.cli.command import PATH, pairs, split_settings, subcommand
from cutscore.cli.output import CommandOutput, OutputPrinter, is_terminal
from cutscore.core.errors import BadInput
from cutscore.registry import benchmark

if TYPE_CHECKING:
    from cutscore.api.sites import OpenTask

LOOK_EVERY_S = 0.1
MOST_ANSWER_BYTES = 1_000_000

EXAMPLES = """
  cutscore sites                                    serves six websites of our own; Ctrl-C ends them
  cutscore sites --task wa-3 -o out --data tasks    opens the task; Enter ends it
  cutscore score videowebarena wa-3 out --data tasks
"""


@subcommand("sites", examples=EXAMPLES)
@click.option("--task", default="", metavar="ITEM", help="Which task of videowebarena; without one, sites are served.")
@click.option("-o", "out", type=PATH, metavar="DIR", help="Where the task's files and the evidence go.")
@click.option("--data", type=PATH, metavar="DIR", help="Tasks of your own, or the released ones.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A condition of work, see the card.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Where served sites answer; a free one by itself."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of what served sites show.")
def command(
    *, task: str, out: Path | None, data: Path | None, settings: tuple[str, ...], port: int, seed: int
) -> CommandOutput:
    """Websites to look at, or a web task opened for your own agent.

    Without --task: serves the sites of our own on loopback until Ctrl-C; nothing that is done there is kept.

    With --task: resets, logs in, opens the start pages, tells where the browser is reached (Playwright:
    connect_over_cdp), and waits for a line on standard input, which is the answer. Then it records what 'cutscore
    score' marks. Ctrl-C gives up.
    """
    if not task:
        return _serve(port, seed)
    if out is None:
        raise BadInput("--task", "needs a folder for what is recorded", "add -o DIR")
    return _record(task, out, data, settings)


def _serve(port: int, seed: int) -> CommandOutput:
    from cutscore.api.sites import serve_sites

    with serve_sites(port=port, seed=seed) as sites:
        lines = [f"{site.title:14} {site.address:46} {site.login}".rstrip() for site in sites]
        screen = OutputPrinter(command="sites")
        told = json.dumps({"event": "open", "sites": {site.name: site.address for site in sites}})
        screen.tell("\n".join([*lines, "", "Ctrl-C ends them."]) if is_terminal(sys.stderr) else told)
        threading.Event().wait()
    raise AssertionError("nobody sets the event")


def _record(task: str, out: Path, data: Path | None, settings: tuple[str, ...]) -> CommandOutput:
    from cutscore.api.sites import BENCHMARK, record_sites

    found = benchmark(BENCHMARK)
    options, conditions = split_settings(found.card, pairs("--set", settings))
    if options:
        name = next(iter(options))
        raise BadInput(f"--set '{name}'", "is a choice in scoring", "give it to 'cutscore score'")
    evidence = record_sites(task, out, wait=_wait, data=data, conditions=conditions)
    then = f"cutscore score {found.name} {task} {quote(str(out))}" + (f" --data {quote(str(data))}" if data else "")
    plain = {"task": task, "folder": str(out), "reads": len(evidence.reads), "errors": evidence.errors}
    warnings = tuple(f"evidence '{name}' {why}" for name, why in evidence.errors.items())
    return CommandOutput(plain, f"{task}   {len(evidence.reads)} reads in {out}\nnext: {then}", warnings)


async def _wait(opened: OpenTask) -> str:
    """Tell that a task is open, and return the first line of standard input; nothing where that ends."""
    from anyio import sleep

    screen = OutputPrinter(command="sites")
    screen.tell(_text(opened) if is_terminal(sys.stderr) else json.dumps(opened.as_json()))
    said = b""
    while b"\n" not in said and len(said) < MOST_ANSWER_BYTES:
        # A thread that reads could not be ended by Ctrl-C.
        if not select.select([sys.stdin], [], [], 0)[0]:
            await sleep(LOOK_EVERY_S)
            continue
        more = os.read(sys.stdin.fileno(), 65536)
        if not more:
            break
        said += more
    return said.partition(b"\n")[0].decode(errors="replace").strip()


def _text(opened: OpenTask) -> str:
    lines = [opened.brief.strip(), "", *(f"page      {url}" for url in opened.urls)]
    lines += [f"browser   {opened.cdp}", f"files     {opened.folder}", ""]
    return "\n".join([*lines, "Enter ends the task; what is typed before it is the answer."])
