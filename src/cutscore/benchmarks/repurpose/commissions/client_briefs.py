"""Briefs and rubrics: written beside a film by people, or drafted by a model that watched it.

    NAME.brief.md          the brief; its first lines may be terms (`form: trailer`), up to an empty line
    NAME.rubric.json       a list of items, or NAME.rubric.csv with one item a row
    NAME.reference.md      an editor's notes on the film, for the variant `reference`

A draft is not signed off, and says so.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, JsonValue, ValidationError

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.authoring.source_facts import find_note, note_path
from cutscore.benchmarks.repurpose.dataset import CONTENTS, FORMS, FilmTerms
from cutscore.benchmarks.repurpose.rubric.criteria import Criterion
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json

BRIEF, RUBRICS, REFERENCE = ".brief.md", (".rubric.json", ".rubric.csv"), ".reference.md"
LONGEST_BRIEF, LONGEST_NOTES, MOST_RUBRIC_BYTES = 10_000, 200_000, 1_000_000
PERSON = "a person"
# What each term may be, as people are told.
ALLOWED = {
    "content": f"one of {', '.join(CONTENTS)}",
    "form": f"one of {', '.join(FORMS)}",
    "length_s": "seconds above 0",
    "within_s": "seconds, 0 or more",
    "aspect": "width to height, such as 9:16",
    "container": "one of mp4, mov, matroska, webm",
    "sound": "true or false",
}


@dataclass(frozen=True)
class ClientBrief:
    """A brief with its terms and its rubric, without the items of the Format pillar, and an editor's notes on the film.

    `drafted_by` is the model that wrote something of it; empty when people wrote all.
    """

    brief: str
    terms: FilmTerms
    rubric: tuple[Criterion, ...]
    drafted_by: str = ""
    reference: str = ""


class _BriefDraft(FrozenModel):
    brief: str = Field(min_length=40, max_length=LONGEST_BRIEF)
    rubric: tuple[Criterion, ...] = Field(min_length=4)


def read_client_brief(clip: SourceClip, given: Mapping[str, str], drafter: ModelWriter) -> ClientBrief:
    """Return what is wanted of a film: as written beside it, and where something is missing, as a model drafts it.

    Terms of the brief count more than those given on the command line. Of a film in which nothing is heard no sound is
    wanted, unless somebody says so.

    Raises:
        BadInput: Nobody wrote it and no model is there, or what is written cannot be used.
    """
    brief, json, table, notes = (find_note(clip, suffix) for suffix in (BRIEF, *RUBRICS, REFERENCE))
    rubric = json or table
    text, own = _read_brief(brief) if brief else ("", {})
    usual: dict[str, None] = {} if clip.has_sound or clip.scene is not None else {"sound": None}
    said = {name: value for name, value in {**given, **own}.items() if value}
    terms = _read_terms({**usual, **said}, brief.name if brief else "--set")
    reference = _text(notes, LONGEST_NOTES) if notes else ""
    if brief and rubric:
        return ClientBrief(text, terms, read_rubric(rubric), reference=reference)
    if not drafter.model:
        what, missing = ("rubric", RUBRICS[0]) if brief else ("brief", BRIEF)
        hint = f"write {note_path(clip, missing).name} beside it, or add --model"
        raise BadInput(f"film '{clip.name}'", f"has no {what}", hint)
    draft = _draft(clip, text, terms, drafter)
    kept = read_rubric(rubric) if rubric else draft.rubric
    return ClientBrief(text or draft.brief, terms, kept, drafter.model, reference)


def read_rubric(file: Path) -> tuple[Criterion, ...]:
    """Read a rubric: a JSON list of items, or a table with one item a row.

    Points have to be said for each item: whoever forgets them did not weigh it.
    """
    what = f"rubric '{file.name}'"
    text = _text(file, MOST_RUBRIC_BYTES)
    try:
        entries = _rows(text) if file.suffix == ".csv" else read_json(text)
    except (ValueError, csv.Error) as fault:
        raise BadInput(what, str(fault), "give a list of items") from None
    if not isinstance(entries, list) or not entries:
        raise BadInput(what, "is no list of items", 'write [{"id": …, "pillar": …, "points": …, "text": …}, …]')
    made = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or entry.get("points") in (None, ""):
            raise BadInput(what, f"item {number} has no points", "say what each is worth")
        try:
            made.append(Criterion.model_validate(_unsigned(entry)))
        except ValidationError as error:
            raise BadInput(what, f"item {number}: {first_fault(error)}", "mend it") from None
    return tuple(made)


def _unsigned(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item whose penalty is written as people read it, -2, as the points that it costs: 2."""
    points = str(entry["points"]).strip().replace("\u2212", "-")
    return {**entry, "points": points[1:]} if entry.get("pillar") == "penalty" and points[:1] == "-" else dict(entry)


def _rows(text: str) -> list[dict[str, Any]]:
    rows = csv.DictReader(io.StringIO(text), strict=True)
    return [{name: cell for name, cell in row.items() if name and cell not in (None, "")} for row in rows]


def _draft(clip: SourceClip, brief: str, terms: FilmTerms, drafter: ModelWriter) -> _BriefDraft:
    return drafter.write(
        clip.ref,
        _read_draft,
        content=terms.content,
        form=terms.form,
        length=f"{float(terms.length_s):g}",
        aspect=":".join(map(str, terms.aspect)),
        brief=brief or "(none yet: write one)",
    )


def _read_draft(reply: JsonValue) -> _BriefDraft:
    draft = _BriefDraft.model_validate(reply)
    if any(each.pillar == "format" for each in draft.rubric):
        raise ValueError("the Format pillar is checked by a program; leave its items out")
    return draft


def _read_brief(file: Path) -> tuple[str, dict[str, str]]:
    """Return the words of a brief, and the terms that stand before its first empty line."""
    text = _text(file, LONGEST_BRIEF).strip()
    head, _, rest = text.partition("\n\n")
    lines = [line.partition(":") for line in head.splitlines()]
    named = {name.strip(): value.strip() for name, colon, value in lines if colon}
    if len(named) != len(lines) or not set(named) <= set(FilmTerms.model_fields):
        return text, {}
    if not rest.strip():
        raise BadInput(f"file '{file.name}'", "has terms and no brief", "write what the client wants below them")
    return rest.strip(), named


def _read_terms(given: Mapping[str, str | None], where: str) -> FilmTerms:
    try:
        return FilmTerms.model_validate(given)
    except ValidationError as error:
        wrong = [name for each in error.errors() if (name := str(each["loc"][0])) in ALLOWED]
        hint = "; ".join(f"{name} is {ALLOWED[name]}" for name in dict.fromkeys(wrong))
        raise BadInput(where, first_fault(error), hint or f"terms are {', '.join(ALLOWED)}") from None


def _text(file: Path, most: int) -> str:
    with file.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most or not data.strip():
        fact = "is empty" if not data.strip() else f"is longer than {most:,} bytes"
        raise BadInput(f"file '{file.name}'", fact, "write it anew")
    return data.decode("utf-8-sig", "replace")
