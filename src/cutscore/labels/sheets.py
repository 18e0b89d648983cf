"""Labels as a table (CSV): one row a label, as a spreadsheet writes it.

Columns that bear the name of a label's field are that field. All others are groups of the item (`axis`, `domain`, …),
since a table has no other place for them. Empty cells say nothing: an empty `answer` is somebody who could not say.
Graders' sheets have names of their own for some columns (`ALIASES`), and may write Yes and NO.
"""

import csv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.label import Label
from cutscore.regular_file import open_regular

# A line longer than this is a clip or a log that was given by mistake.
MAX_LINE_BYTES = 1_000_000
# Columns as sheets for grading a rubric call them.
ALIASES = {"grader": "person", "editor": "subject", "rubric item": "question", "rubric_item": "question"}
TIES = ("tie", "unclear")  # what sheets for pairs call neither
# Fields that are no single cell of a table.
_FIELDS = set(Label.model_fields) - {"weaknesses", "groups", "files"}


def read_sheet(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the fields of each row, with its place for people; raise at a row that does not fit its heading."""
    what = f"labels '{file}'"
    try:
        stream = open_regular(file)
    except OSError as error:
        raise BadInput(what, f"cannot be read ({error.strerror})", "name a .csv file") from error
    with stream:
        rows = csv.reader(_lines(stream, what), strict=True)
        try:
            heading = [ALIASES.get(name.strip().casefold(), name.strip()) for name in next(rows, [])]
            _check(heading, what)
            for row in rows:
                if any(cell.strip() for cell in row):
                    yield (place := f"{what} line {rows.line_num}"), _fields(heading, row, place)
        except csv.Error as error:
            raise BrokenData(f"{what} line {rows.line_num}", f"is no row of a table: {error}", "correct it") from None


def _lines(stream: BinaryIO, what: str) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b""), start=1):
        if len(line) > MAX_LINE_BYTES:
            raise BrokenData(f"{what} line {number}", "is longer than 1 MB", "give one label a row")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise BrokenData(f"{what} line {number}", "is not UTF-8 text", "save the file as UTF-8") from None


def _check(heading: list[str], what: str) -> None:
    for wanted in ("item", "person", "answer"):
        if wanted not in heading:
            raise BrokenData(f"{what} line 1", f"has no column '{wanted}'", "name the columns in the first line")
    for name in heading:
        if not name or heading.count(name) > 1:
            raise BrokenData(f"{what} line 1", f"has a column '{name}' twice or without a name", "name each once")


def _fields(heading: list[str], row: list[str], place: str) -> dict[str, Any]:
    if len(row) != len(heading):
        raise BrokenData(place, f"has {len(row)} cells, the heading has {len(heading)}", "correct the row")
    said = {name: cell.strip() for name, cell in zip(heading, row, strict=True) if cell.strip()}
    fields: dict[str, Any] = {"benchmark": "", **{name: cell for name, cell in said.items() if name in _FIELDS}}
    for name in ("answer", "expected") if fields.get("kind", "yes_no") == "yes_no" else ():
        if fields.get(name, "").casefold() in ("yes", "no"):
            fields[name] = fields[name].casefold()
    if fields.get("kind") == "pairwise" and fields.get("answer", "").casefold() in TIES:
        fields["answer"] = "neither"
    if fields.get("kind") == "scale" and "answer" in fields:
        with suppress(ValueError):  # whoever checks labels says what a scale takes
            fields["answer"] = float(fields["answer"])
    groups = {name: cell for name, cell in said.items() if name not in _FIELDS}
    return {**fields, "groups": groups} if groups else fields
