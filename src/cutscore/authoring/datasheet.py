"""DATASHEET.md: what a pack is, what it was made of, who wrote it, what was left out, and how to run it.

`pack.json` beside it holds the same for programs, with the sha256 of every file.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

import cutscore
from cutscore.atomic import replace_file
from cutscore.authoring.footage import SourceClip
from cutscore.authoring.recipe_options import BuildResult
from cutscore.core.frozen import canonical_json, digest_of
from cutscore.core.timeline import timecode
from cutscore.media.frames import decoder_version
from cutscore.media.source import shown_name

SHEET, RECORD, SCHEMA = "DATASHEET.md", "pack.json", "cutscore.datasheet/1"
UNKNOWN = "unknown"
GATES = "`cutscore check` puts tasks through their gates and leaves `gates.json` here; what failed cannot be scored."
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


@dataclass(frozen=True)
class Grid:
    """A table of counts; the first of the columns heads the names of rows, and the note is a sentence below."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    note: str = ""


@dataclass(frozen=True)
class Datasheet:
    """Everything that a datasheet says.

    Args:
        about: What the items ask, in a sentence or two.
        clips: What the pack was made of.
        authors: Who wrote the records of clips, with how many.
        grids: Counts that are the recipe's own.
        filtering: Sentences on how easy items were taken out.
        probing: Sentences on what the texts alone give away.
        settings: More that decided what was built, by name.
        run: Commands that use the pack.
    """

    recipe: str
    about: str
    built: BuildResult
    clips: Sequence[SourceClip]
    authors: Mapping[str, int]
    grids: Sequence[Grid] = ()
    filtering: Sequence[str] = ()
    probing: Sequence[str] = ()
    seed: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)
    run: Sequence[str] = ()


def write_datasheet(folder: Path, sheet: Datasheet, files: Mapping[str, str]) -> None:
    """Write both files into a pack's folder; `files` has the sha256 of each file of the pack, by name."""
    for name, data in (
        (SHEET, datasheet_markdown(sheet).encode()),
        (RECORD, canonical_json(datasheet_record(sheet, files)) + b"\n"),
    ):
        with replace_file(folder / name) as draft:
            draft.write_bytes(data)


def datasheet_record(sheet: Datasheet, files: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return the sheet for programs."""
    sources: list[JsonValue] = [
        {
            "name": clip.name,
            "source": Path(clip.source).name if clip.scene is None else clip.source,
            "sha256": clip.ref.sha256,
            "length_s": str(clip.length_s),
            "licence": clip.licence or None,
            **({"address": clip.address} if clip.address else {}),
            **({"author": clip.author} if clip.author else {}),
        }
        for clip in sheet.clips
    ]
    return {
        "schema": SCHEMA,
        "recipe": sheet.recipe,
        "cutscore": cutscore.__version__,
        "seed": sheet.seed,
        "settings": dict(sheet.settings),
        "built": sheet.built.model_dump(mode="json"),
        "authors": dict(sheet.authors),
        "sources": sources,
        "files": dict(files),
        "digest": digest_of(dict(files)),
    }


def datasheet_markdown(sheet: Datasheet) -> str:
    """Write the sheet for people. Names and licences are strangers' words: nothing in them acts as markup."""
    built = sheet.built
    return "\n".join(
        [
            f"# Datasheet: {built.items} items about {built.clips} clips",
            "",
            sheet.about,
            "",
            *_section_lines("Run it", [f"    {command}" for command in sheet.run], bare=True),
            *(line for grid in sheet.grids for line in _grid_lines(grid)),
            *_grid_lines(_source_grid(sheet.clips)),
            *_section_lines(
                "Who wrote it", [f"{_escape(name or UNKNOWN)}: {n} clips" for name, n in sheet.authors.items()]
            ),
            *_section_lines("Too easy", sheet.filtering or ["No baselines were run: easy items are still in it."]),
            *_section_lines("What the texts alone give away", sheet.probing),
            *_section_lines("Dropped", [f"{_escape(reason)}: {n}" for reason, n in built.dropped.items()]),
            *_section_lines("Refused", [f"{_escape(each.what)}: {_escape(each.because)}" for each in built.refused]),
            *_section_lines("To know", [_escape(warning) for warning in built.warnings]),
            *_section_lines("Gates that it does not pass", [_escape(failure) for failure in built.failures]),
            *_section_lines("Gates", [GATES]),
            *_section_lines("How it was made", _settings_lines(sheet)),
        ]
    )


def _settings_lines(sheet: Datasheet) -> Iterable[str]:
    yield f"recipe {sheet.recipe}, seed {sheet.seed}, cutscore {cutscore.__version__}, {decoder_version()}"
    yield from (f"{name}: {_escape(value)}" for name, value in sheet.settings.items() if value)


def _origin_text(clip: SourceClip) -> str:
    name = Path(clip.source).name if clip.scene is None else clip.source
    return ", ".join(filter(None, (name, clip.address, clip.author and f"by {clip.author}")))


def _source_grid(clips: Sequence[SourceClip]) -> Grid:
    nameless = sum(not clip.licence for clip in clips)
    rows = [
        (
            f"`{clip.name}`",
            timecode(clip.length_s),
            _escape(clip.licence or UNKNOWN),
            _escape(_origin_text(clip)),
            f"`{clip.ref.sha256}`",
        )
        for clip in clips
    ]
    note = f"The licence of {nameless} of {len(clips)} is unknown: ask before you pass them on." if nameless else ""
    return Grid("Sources", ("clip", "length", "licence", "from", "sha256"), rows, note)


def _section_lines(title: str, lines: Iterable[str], *, bare: bool = False) -> list[str]:
    listed = [line if bare else f"- {line}" for line in lines]
    return [f"## {title}", "", *listed, ""] if listed else []


def _grid_lines(grid: Grid) -> list[str]:
    if not grid.rows:
        return []
    rows = [grid.columns, ["---"] * len(grid.columns), *grid.rows]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return [f"## {grid.title}", "", *lines, "", *([grid.note, ""] if grid.note else [])]


def _escape(text: str) -> str:
    r"""Return text on one line in which nothing is markup.

    >>> _escape("a|b <script>")
    'a\\|b \\<script\\>'
    """
    return _ACTIVE.sub(r"\\\1", shown_name(text, most=400))
