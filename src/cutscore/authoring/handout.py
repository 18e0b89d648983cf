"""Tasks on paper: what an editor gets, in the words that every subject gets, and where the work is handed in.

    OUT/editor-1/start.html                 the rules, and the tasks in this editor's order
    OUT/editor-1/tasks/ITEM/brief.html      one task, to be read or printed; nothing in it comes from elsewhere
    OUT/editor-1/tasks/ITEM/materials/…     its files, under the names that the brief uses
    OUT/editor-1/hand-in/ITEM/              empty; `folder:OUT/editor-1/hand-in` reads it
    OUT/pack/                               the same tasks with their truth: for whoever marks, not for editors
    OUT/README.md                           how to mark

Whoever edits gets what a subject gets (`ask`), and nothing of an item besides it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from cutscore.authoring.pack_writer import copy_files, write_pack
from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.bundle import Bundle
from cutscore.core.files import FileStore
from cutscore.core.item import Item
from cutscore.registry import Benchmark
from cutscore.stats.strata import stratified_sample

EDITORS = 3  # as in the paper
ANSWER = RequestedFile(name="answer.txt", about="your answer, in words")

_HEADING = re.compile(r"(#{1,6}) +(.+)")
_BULLET = re.compile(r" {0,3}[-*] +(.+)")


@dataclass(frozen=True)
class BriefBlock:
    """A piece of a brief as it is set: a heading, a paragraph, the points of a list, or lines that stay as they are."""

    kind: Literal["heading", "words", "points", "lines"]
    lines: tuple[str, ...]


def brief_blocks(brief: str) -> list[BriefBlock]:
    r"""Take a brief apart: what is indented, fenced or JSON stays as it is, lines of a paragraph run together.

    >>> [block.kind for block in brief_blocks("# A\n\nOne\ntwo.\n\n- x\n  y\n\n    {}\n")]
    ['heading', 'words', 'points', 'lines']
    """
    made: list[BriefBlock] = []
    fence: list[str] | None = None
    kept: list[str] = []
    for line in brief.splitlines():
        if line.strip().startswith("```"):
            made += [] if fence is not None else _paragraph_blocks(kept)
            made += [BriefBlock("lines", tuple(fence))] if fence else []
            fence, kept = ([] if fence is None else None), []
        elif fence is not None:
            fence.append(line)
        elif line.strip():
            kept.append(line)
        else:
            made += _paragraph_blocks(kept)
            kept = []
    return [*made, *_paragraph_blocks(kept), *([BriefBlock("lines", tuple(fence))] if fence else [])]


def _paragraph_blocks(lines: Sequence[str]) -> list[BriefBlock]:
    """Return the blocks of lines without an empty one among them."""
    if not lines:
        return []
    if heading := _HEADING.fullmatch(lines[0].strip()):
        return [BriefBlock("heading", (heading[2],)), *_paragraph_blocks(lines[1:])]
    if all(line.startswith(("    ", "\t", "|")) for line in lines):
        return [BriefBlock("lines", tuple(line.removeprefix("    ") for line in lines))]
    if lines[0].lstrip()[:1] in ("[", "{") and lines[-1].rstrip()[-1:] in ("]", "}"):  # a record, such as a storyboard
        return [BriefBlock("lines", tuple(lines))]
    first = next((number for number, line in enumerate(lines) if _BULLET.fullmatch(line)), len(lines))
    made = [BriefBlock("words", (" ".join(line.strip() for line in lines[:first]),))] if first else []
    points: list[str] = []
    for line in lines[first:]:
        if bullet := _BULLET.fullmatch(line):
            points.append(bullet[1].strip())
        else:
            points[-1] += f" {line.strip()}"
    return made + ([BriefBlock("points", tuple(points))] if points else [])


def set_names(text: str, names: Sequence[str]) -> Markup:
    """Return text as HTML in which file names are set apart, so that no line breaks within one.

    >>> set_names("<b> a.mp4, ba.mp4", ["a.mp4"])
    Markup('&lt;b&gt; <code>a.mp4</code>, ba.mp4')
    """
    longest_first = sorted(set(names), key=len, reverse=True)
    if not longest_first:
        return escape(text)
    known = re.compile(rf"(?<![\w/.-])({'|'.join(map(re.escape, longest_first))})(?![\w/-])")
    # What was split at names has these at every odd place.
    parts = [
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(known.split(text))
    ]
    return Markup("").join(parts)


def stratum(item: Item) -> str:
    """Return the stratum whose share a sample keeps: tier, media and modalities of a bundle, else the item's groups."""
    if isinstance(item, Bundle):
        return " · ".join((item.tier, item.media_type, "+".join(sorted(item.modalities))))
    return " · ".join(f"{name}={value}" for name, value in sorted(item.groups.items()))


def draw_items(items: Sequence[Item], n: int, *, seed: int = 0) -> list[Item]:
    """Return a part of the items that is made like all of them, in their order."""
    drawn = set(stratified_sample({item.id: stratum(item) for item in items}, n, seed=seed))
    return [item for item in items if item.id in drawn]


def write_handout(
    out: Path,
    found: Benchmark,
    items: Sequence[Item],
    asks: Mapping[str, Ask],
    store: FileStore,
    *,
    editors: int = EDITORS,
    seed: int = 0,
) -> None:
    """Write the folders of all editors, and what whoever marks needs, into a new or empty folder.

    Every editor works on every task, alone. The seed decides in which order each of them gets the tasks, so that nobody
    is always tired in the same one.
    """
    files = Path(__file__).parent / "templates"
    pages = Environment(loader=FileSystemLoader(files), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    for number in range(1, editors + 1):
        folder = out / f"editor-{number}"
        order = Random(f"handout {seed} {number}").sample(items, len(items))
        for item in order:
            (folder / "hand-in" / item.id).mkdir(parents=True)
            place, ask = folder / "tasks" / item.id, asks[item.id]
            copy_files(ask.files, place / "materials", store)
            _write(place / "brief.html", _brief_page(item, ask, found, pages))
        start = pages.get_template("start.html")
        _write(folder / "start.html", start.render(title=found.card.title, order=order, minutes=_minutes(order)))
    write_pack(out / "pack", items, store)
    _write(out / "README.md", _organiser_readme(found, editors))


def _brief_page(item: Item, ask: Ask, found: Benchmark, pages: Environment) -> str:
    names = [*(ref.name for ref in ask.files), *(each.name for each in ask.wanted)]
    return pages.get_template("brief.html").render(
        set=lambda text: set_names(text, names),
        title=found.card.title,
        item=item.id,
        minutes=_minutes([item]),
        blocks=brief_blocks(ask.brief),
        files=ask.files,
        wanted=ask.wanted or (ANSWER,),
    )


def _minutes(items: Sequence[Item]) -> float | None:
    """Return how long the tasks are expected to take; None where it was not said of all of them."""
    known = [item.human_minutes for item in items if isinstance(item, Bundle) and item.human_minutes is not None]
    return sum(known) if known and len(known) == len(items) else None


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _organiser_readme(found: Benchmark, editors: int) -> str:
    subjects = " ".join(f"--subject human-{number}=folder:editor-{number}/hand-in" for number in range(1, editors + 1))
    return f"""\
# Hand-outs for {found.name}

Give each editor one of the folders `editor-1` to `editor-{editors}`, and nothing else: `pack` has the answers.
When all have handed in, mark in this folder:

    cutscore run {found.name} --data pack {subjects}

Every editor is a line of the table. Below them stands the human reference: of each task the median over editors, and
of these the mean over tasks. Subjects that are run with `--data pack`, too, are compared on the same tasks.
"""
