"""`cutscore export atif`: what subjects did in a run, step by step, as files that Harbor's tools read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.cli.export import new_folder
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import BadInput, CorruptEntry, UnknownName
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.redaction import Redactor
    from cutscore.results.atif import AtifFiles
    from cutscore.store import Store


def export_trajectories(run: Path, out: Path, *, items: Sequence[str] = ()) -> CommandOutput:
    """Write the trajectories of a run, one folder for each sample; samples without steps are counted and left out.

    Raises:
        BadInput: No sample of the run has steps.
        UnknownName: The run has no item of that name.
    """
    from cutscore.redaction import redactor
    from cutscore.results.atif import to_atif
    from cutscore.results.cells import read_run
    from cutscore.results.stored_steps import read_stored_steps
    from cutscore.settings import load_settings

    found = [(row, cell.record.store) for cell in read_run(run) for row in cell.rows]
    known = {row.item for row, _ in found}
    if unknown := next((item for item in items if item not in known), None):
        raise UnknownName.among("item", unknown, known)
    clean, written, without, missing = redactor(names=load_settings().secret_env), 0, 0, 0
    with new_folder(out) as draft:
        for row, store in found:
            if items and row.item not in items:
                continue
            steps = read_stored_steps(row, store)
            if not steps:
                without += 1
                continue
            folder = draft / row.benchmark / row.cell / f"{row.item}-{row.epoch}"
            missing += _write_sample(folder, to_atif(row, steps), store, clean)
            written += 1
        if not written:
            fact = f"{count(without, 'sample')}, and none has steps"
            raise BadInput(f"run '{run}'", fact, "name a run of an agent, or of a subject that records what it does")
    plain = {"form": "atif", "run": str(run), "out": str(out), "trajectories": written}
    text = f"{out}: trajectories of {count(written, 'sample')}"
    remarks = [f"{count(without, 'sample')} without steps left out"] if without else []
    remarks += [f"{count(missing, 'picture')} not in the store any more"] if missing else []
    plain |= {"without_steps": without, "missing_pictures": missing}
    return CommandOutput(plain, text, tuple(remarks))


def _write_sample(folder: Path, made: AtifFiles, store: Store, clean: Redactor) -> int:
    """Write one sample; return how many of its pictures are gone."""
    missing = 0
    folder.mkdir(parents=True)
    for path, document in made.documents.items():
        text = json.dumps(clean.plain(document), ensure_ascii=False, indent=1)
        (folder / path).write_text(f"{text}\n", encoding="utf-8")
    for path, ref in made.pictures.items():
        try:
            source = store.path(ref)
        except (BadInput, CorruptEntry):
            missing += 1
            continue
        (folder / path).parent.mkdir(exist_ok=True)
        shutil.copyfile(source, folder / path)
    return missing
