"""Reasons of failures as a run keeps them: what was said last of each cell, so that tables have it without a judge."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from cutscore.atomic import replace_file
from cutscore.bridge.rows import REASONS_FILE
from cutscore.core.errors import NoRoom
from cutscore.results.behaviour.failures import FailureReason

_REASON = TypeAdapter(FailureReason)


def keep_reasons(run: Path, cell: str, found: Sequence[FailureReason]) -> None:
    """Write down why samples of a cell failed, in place of what was said of that cell before."""
    kept = [*(each for each in read_reasons([run]) if each.cell != cell), *found]
    file = run / REASONS_FILE
    if not kept and not file.exists():
        return
    try:
        with replace_file(file) as draft:
            draft.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in kept), encoding="utf-8")
    except OSError as error:
        raise NoRoom.of(f"run '{run}'", error, "make room, and run the same command again") from error


def read_reasons(runs: Iterable[Path]) -> list[FailureReason]:
    """Return what is written down in some runs; lines of another version are left out."""
    found = []
    for run in dict.fromkeys(runs):
        file = run / REASONS_FILE
        for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() and not file.is_symlink() else ():
            try:
                found.append(_REASON.validate_json(line))
            except ValidationError:
                continue
    return found
