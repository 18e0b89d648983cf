"""Scores of metrics without a package (DOVER++, CoTracker): from a CSV, or from a program that the user names.

A program never gets the delivered file, only a clean encode of its decoded pictures, and prints a number in its last
line. It runs in the folder of the hub file, with the user's environment without secrets.
"""

import csv
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from cutscore.core.errors import BadInput, Unscored
from cutscore.media import deliverable as door
from cutscore.process.program import ProgramLimits, run
from cutscore.redaction import redactor


@cache
def read_scores(file: Path) -> Mapping[str, str]:
    """Return what a CSV says of each task, as it is written; of two lines about one task the later counts."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if not {"task_id", "score"} <= set(rows.fieldnames or ()):
                raise BadInput(f"scores '{file.name}'", "lacks the columns task_id and score", "add them")
            return {(row["task_id"] or "").strip(): (row["score"] or "").strip() for row in rows}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"scores '{file.name}'", f"cannot be read: {error}", "name a CSV of task_id,score") from error


def find_score(file: Path, task: str) -> float:
    """Return the score of a task that was measured elsewhere.

    Raises:
        Unscored: There is none, or no number.
    """
    said = read_scores(file).get(task)
    if not said:
        raise Unscored(f"scores '{file.name}'", f"have none for task '{task}'")
    return parse_score(said, f"scores '{file.name}'")


def parse_score(said: str, what: str) -> float:
    """Return a finite number.

    >>> parse_score("nan", "scores 'tq.csv'")
    Traceback (most recent call last):
    cutscore.core.errors.Unscored: scores 'tq.csv': 'nan' is no finite number
    """
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Unscored(what, f"'{said[:40]}' is no finite number")
    return value


def run_program(
    program: Sequence[str], *, video: Path, source: Path | None, timeout_s: float, cwd: Path | None = None
) -> float:
    """Return the number that a program prints last about clean encodes of two videos.

    Raises:
        Unscored: It failed, or printed no number.
    """
    with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
        copies = {"{video}": (video, Path(folder) / "video.mp4"), "{source}": (source, Path(folder) / "source.mp4")}
        argv = list(program)
        for blank, (original, copy) in copies.items():
            if any(blank in word for word in argv):
                if original is None:
                    raise Unscored(f"program '{program[0]}'", "wants a source, and the task has none")
                door.write_clean_copy(original, copy)
                argv = [word.replace(blank, str(copy)) for word in argv]
        secret = redactor()
        env = {name: value for name, value in os.environ.items() if secret.text(value) == value}
        ended = run(argv, limits=ProgramLimits(wall_s=timeout_s), env=env, cwd=cwd)
    what = f"program '{program[0]}'"
    if not ended.ok:
        last = ended.err.decode(errors="replace").strip().splitlines()[-1:] or [""]
        raise Unscored(what, str(ended).removeprefix(f"{what} ") + (f": {last[0][:200]}" if last[0] else ""))
    printed = ended.out.decode(errors="replace").split()
    if not printed:
        raise Unscored(what, "printed nothing")
    return parse_score(printed[-1], what)
