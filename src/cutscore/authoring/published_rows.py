"""Published rows → a data pack: the columns `prompt` and `reference_file_urls` of AgenticVBench's data sets.

A row is a prompt, which every subject gets word for word, and addresses of files. Nothing is downloaded: the files lie
in a folder, and each address finds its file by the end of its path (`…/task-1/broken.mp4` is `task-1/broken.mp4` there,
or any one `broken.mp4` when there is no other); of an archive it may also be what was unpacked from it. Without the
truth such a task can be run, exported and handed out, and is unscored with the reason; with it (fields of the
benchmark's own items, by id) it is a task like any other.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from pydantic import JsonValue

from cutscore.atomic import replace_file
from cutscore.authoring.pack_writer import copy_files
from cutscore.authoring.packs import ITEMS_FILE, LONGEST_ARRAY_BYTES
from cutscore.core.bundle import Provenance
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.frozen import canonical_json
from cutscore.core.strict_json import read_json
from cutscore.regular_file import open_regular

PROMPT, FILES = "prompt", "reference_file_urls"
IDS = ("id", "task_id", "task", "name")  # whichever comes first is the item's
UNKNOWN_LICENCE = "LicenseRef-unknown"
UNTOLD = "its truth was not published with it"
ARCHIVES = (".zip", ".tar", ".gz", ".tgz")

# What the paper's Table 2 wants of each family.
WANTED: Mapping[str, Mapping[str, str]] = {
    "sequencing": {"solution.json": "the ordered list of clips", "solution.mp4": "the film in that order"},
    "assembly": {"solution.json": "which clip is in which slot", "solution.mp4": "the film put together"},
    "repair": {"fixed.mp4": "the mended film", "report.md": "what was wrong, where, and what was done"},
    "repurpose": {"final.mp4": "the new film", "report.md": "what was done and why"},
}


@dataclass(frozen=True)
class ImportResult:
    """How many items have their truth and how many have not, the refused rows, and columns that nothing was made of."""

    told: int
    untold: int
    refused: tuple[str, ...]
    unused: tuple[str, ...]


def read_rows(file: Path) -> list[dict[str, JsonValue]]:
    """Read rows: JSON lines, one JSON array, the answer of a data set viewer (`{"rows": [{"row": …}]}`), or CSV."""
    what = f"rows '{file}'"
    try:
        with open_regular(file) as stream:
            data = stream.read(LONGEST_ARRAY_BYTES + 1)
        if len(data) > LONGEST_ARRAY_BYTES:
            raise BadInput(what, f"is larger than {LONGEST_ARRAY_BYTES:,} bytes", "split it")
        text = data.decode("utf-8-sig")
        rows = list(_parse_rows(text, file.suffix.lower()))
    except OSError as error:
        raise BadInput(what, f"cannot be read: {error.strerror}", "name a file of rows") from error
    except UnicodeDecodeError:
        raise BadInput(what, "is not UTF-8 text", "write parquet as JSON lines first") from None
    except (ValueError, csv.Error) as fault:
        raise BadInput(what, str(fault), "write one JSON object a line, one array, or CSV with a head") from None
    if not rows:
        raise BadInput(what, "has no rows", f"rows have the columns '{PROMPT}' and '{FILES}'")
    return rows


def _parse_rows(text: str, suffix: str) -> Iterator[dict[str, JsonValue]]:
    if suffix == ".csv":
        yield from ({key: value for key, value in row.items() if key} for row in csv.DictReader(io.StringIO(text)))
        return
    plain = [read_json(line) for line in text.splitlines() if line.strip()] if suffix == ".jsonl" else read_json(text)
    if isinstance(plain, dict):
        plain = plain.get("rows", [plain])
    for number, row in enumerate(plain if isinstance(plain, list) else [plain], start=1):
        inner = row.get("row", row) if isinstance(row, dict) else row
        if not isinstance(inner, dict):
            raise ValueError(f"row {number} is not an object")
        yield inner


@dataclass(frozen=True)
class PublishedFiles:
    """The folder in which published files are, and where they are taken to."""

    folder: Path
    store: FileStore

    def take_address(self, url: str, id: str) -> list[FileRef]:
        """Take in what an address means: a file, or what was unpacked from it into a folder of its name.

        Of several with that name it is the one whose folders agree the longest with those of the address.
        """
        wanted = PurePosixPath(unquote(urlsplit(url).path))
        if not wanted.name:
            raise ValueError(f"'{_strip_query(url)}' names no file")
        found = self._best(wanted, [path for path in self._inside if path.is_file() and path.name == wanted.name], url)
        if found is not None:
            return [self._take(found, f"{id}/{wanted.name}")]
        stem = wanted.name.removesuffix(wanted.suffix).removesuffix(".tar")
        place = self._best(
            wanted.with_name(stem),
            [path for path in self._inside if path.is_dir() and path.name == stem and wanted.suffix in ARCHIVES],
            url,
        )
        if place is None:
            raise ValueError(f"'{wanted.name}' is not in the folder of files; get it from {_strip_query(url)}")
        inside = [path for path in self._inside if path.is_file() and path.is_relative_to(place)]
        return [self._take(path, f"{id}/{path.relative_to(place).as_posix()}") for path in inside]

    def take_named(self, name: str) -> FileRef:
        """Take in a file by its path in the folder, which is also its name in the pack."""
        if (self.folder / name) not in self._inside:
            raise ValueError(f"'{name}' is not in the folder of files")
        return self._take(self.folder / name, name)

    @cached_property
    def _inside(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if not path.is_symlink())

    def _best(self, wanted: PurePosixPath, able: Sequence[Path], url: str) -> Path | None:
        agreeing = {path: _common_ending(path.relative_to(self.folder).parts, wanted.parts) for path in able}
        best = [path for path, parts in agreeing.items() if parts == max(agreeing.values())]
        if len(best) > 1:
            raise ValueError(f"'{wanted.name}' is there {len(best)} times; keep the folders of {_strip_query(url)}")
        return best[0] if best else None

    def _take(self, path: Path, name: str) -> FileRef:
        try:
            return self.store.put(path, name=name, media_type=media_type_of(name))
        except BadInput as fault:
            raise ValueError(f"'{path.name}' {fault.fact}") from fault


def write_published_pack(
    out: Path,
    rows: Sequence[Mapping[str, JsonValue]],
    *,
    benchmark: str,
    sources: PublishedFiles,
    truth: Mapping[str, Mapping[str, JsonValue]],
    licence: str = "",
) -> ImportResult:
    """Write a pack of all rows that an item can be made of into a new or empty folder.

    `truth` has by id what the benchmark's items have besides; `hidden` in it names files of the marker in the folder of
    `sources`. The licence is that of rows that do not say theirs.
    """
    lines: dict[str, dict[str, JsonValue]] = {}
    refused = []
    for number, row in enumerate(rows, start=1):
        id = _id(row, number)
        try:
            if id in lines:
                raise ValueError(f"another row is called '{id}', too")
            line, refs = _make_item(id, row, benchmark, sources, licence=licence)
            known = dict(truth.get(id, {"untold": UNTOLD}))
            hidden = known.get("hidden")
            kept = [sources.take_named(str(name)) for name in hidden] if isinstance(hidden, list) else []
            lines[id] = line | known | ({"hidden": _plain_refs(kept)} if kept else {})
            copy_files([*refs, *kept], out, sources.store)
        except ValueError as fault:
            refused.append(f"row {number} ({id}): {fault}")
    if strange := sorted(truth.keys() - lines.keys()):
        raise BadInput("truth", f"names '{strange[0]}', which no row became", "ids are those of the rows")
    if lines:
        with replace_file(out / ITEMS_FILE) as draft:
            draft.write_bytes(b"".join(canonical_json(line) + b"\n" for line in lines.values()))
    used = {PROMPT, FILES, "licence", "license", *IDS}
    unused = dict.fromkeys(name for row in rows for name in row if name not in used)
    return ImportResult(
        sum(id in truth for id in lines), sum(id not in truth for id in lines), tuple(refused), tuple(unused)
    )


def _id(row: Mapping[str, JsonValue], number: int) -> str:
    said = next((str(row[name]) for name in IDS if row.get(name) not in (None, "")), "")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", said).strip("-._")[:100] or f"row-{number:03d}"


def _make_item(
    id: str, row: Mapping[str, JsonValue], benchmark: str, sources: PublishedFiles, *, licence: str
) -> tuple[dict[str, JsonValue], list[FileRef]]:
    """Return what a row says of an item, and its files."""
    prompt = row.get(PROMPT)
    if not isinstance(prompt, str) or not prompt.strip():
        raise ValueError(f"has no '{PROMPT}'")
    given = {url: sources.take_address(url, id) for url in _addresses(row)}
    refs = [ref for each in given.values() for ref in each]
    licence = str(row.get("licence") or row.get("license") or licence or UNKNOWN_LICENCE)
    origins = {
        url: Provenance(licence=licence, source=place, recipe=f"download {place}").model_dump(mode="json")
        for url, place in ((url, _strip_query(url)) for url in given)
    }
    names = [ref.name for ref in refs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"two of its files are called '{twice}'")
    return {
        "id": id,
        "cluster": id,
        "brief": prompt,
        "verbatim": True,
        "materials": _plain_refs(refs),
        "deliveries": [{"name": name, "about": about} for name, about in WANTED[benchmark].items()],
        "licence": licence,
        "provenance": {ref.name: origins[url] for url, each in given.items() for ref in each},
    }, refs


def _plain_refs(refs: Sequence[FileRef]) -> JsonValue:
    return [ref.model_dump(mode="json") for ref in refs]


def _addresses(row: Mapping[str, JsonValue]) -> list[str]:
    """Return the addresses of a row: a list, a list written as text, or one or several with white space between."""
    said = row.get(FILES)
    if isinstance(said, str):
        said = read_json(said) if said.strip().startswith("[") else [*said.split()]
    if not isinstance(said, list) or not said or not all(isinstance(each, str) and each for each in said):
        raise ValueError(f"has no '{FILES}'")
    return [str(each) for each in said]


def _common_ending(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """Count the parts that two paths have in common at their ends.

    >>> _common_ending(("a", "t1", "x.mp4"), ("main", "t1", "x.mp4"))
    2
    """
    pairs = list(zip(reversed(mine), reversed(theirs), strict=False))
    return next((place for place, (one, other) in enumerate(pairs) if one != other), len(pairs))


def _strip_query(url: str) -> str:
    """Return an address without what follows its path: signed addresses carry secrets there."""
    return urlsplit(url)._replace(query="", fragment="").geturl()
