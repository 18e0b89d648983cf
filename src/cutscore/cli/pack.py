"""`cutscore pack`: a run folder as one portable file, and the check of such a file."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import BadInput
from cutscore.results.wording import count, size


@subcommand("pack", examples="  cutscore pack logs -o study.tar\n  cutscore pack --check study.tar")
@click.argument("run", type=PATH)
@click.option("-o", "--out", type=PATH, metavar="FILE", help="File to write; RUN.tar here when left out.")
@click.option("--check", is_flag=True, help="RUN is such a file: compare everything in it with its checksums.")
def command(*, run: Path, out: Path | None, check: bool) -> CommandOutput:
    """A run folder as one portable file.

    Logs and every stored file that they refer to, in a plain tar with checksums; the same record gives the same bytes.
    Refused when a secret of this machine is in it.
    """
    from cutscore.bridge.pack import pack
    from cutscore.bridge.pack_check import check as check_pack
    from cutscore.bridge.rows import read_cells
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    if check:
        if not run.is_file():
            raise BadInput(f"pack '{run}'", "there is no such file", "name a file that 'cutscore pack' wrote")
        made, verb = check_pack(run), "whole and unchanged"
    else:
        name = run.resolve().name
        redact = redactor(names=load_settings().secret_env)
        made, verb = pack(read_cells(run), out or Path(f"{name}.tar"), name=name, redact=redact), "written"
    holds = f"{count(made.cells, 'cell')}, {count(made.files, 'file')}, {size(made.size_bytes)}"
    plain = {"file": str(made.file), "cells": made.cells, "files": made.files, "size_bytes": made.size_bytes}
    after = "" if check else f"\ncheck it anywhere with: cutscore pack --check {quote(str(made.file))}"
    return CommandOutput({**plain, "checked": check}, f"{made.file}: {verb}; {holds}{after}")
