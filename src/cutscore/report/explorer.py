"""All samples of all benchmarks → the data of the explorer and of the search: files that a page loads as scripts.

They are scripts and not JSON, because a page that was opened from disk may load its own scripts and nothing else.
Columns instead of objects keep 50,000 samples at a few megabytes; long texts come in files of their own, which the
page loads after it has shown its first rows. Every text in them is inert already.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutscore.core.inert_text import Clean, make_inert, truncate
from cutscore.core.row import Row
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem, row_anchor
from cutscore.results.fitness import failure_reason
from cutscore.results.wording import describe_record, digits_for, number, tone

PAGE = "items.html"
ITEMS_FILE, SAMPLES_FILE, TEXT_FILE = "data/items.js", "data/samples.js", "data/text-{}.js"
TONES = ("q0", "q1", "q2", "q3", "q4", "unscored", "stopped", "excluded")
SEARCH_CHARS = 120  # of a question that the search knows
MOST_CHARS = 6_000  # of a question, an answer, or reasons; the page of the item has the whole
CHUNK_CHARS = 2_000_000  # of texts in one file
_LOAD = "(globalThis.cutscore ??= {{}})[{}] = JSON.parse({});\n"


@dataclass
class _Words:
    """A column of words that repeat: each word once, and its number for every line."""

    words: dict[str, int] = field(default_factory=dict)
    column: list[int] = field(default_factory=list)

    def add(self, word: str) -> None:
        self.column.append(self.words.setdefault(word, len(self.words)))

    def plain(self, clean: Clean) -> dict[str, Any]:
        return {"words": [make_inert(word, clean) for word in self.words], "column": self.column}


def data_files(
    benches: Sequence[BenchmarkSite], pictures: Mapping[tuple[str, str], str], clean: Clean
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each data file; pictures are strips of films by folder and item."""
    items = [(bench, item) for bench in benches for item in bench.items]
    questions = [make_inert(_question(item), clean) for _, item in items]
    starts = [" ".join(question[: 2 * SEARCH_CHARS].split())[:SEARCH_CHARS] for question in questions]
    yield ITEMS_FILE, _script("items", _item_columns(benches, items, pictures, clean) | {"start": starts})
    texts = list(_text_chunks(items, questions, clean))
    yield SAMPLES_FILE, _script("samples", _sample_columns(items, clean) | {"texts": len(texts)})
    for place, chunk in enumerate(texts, start=1):
        yield TEXT_FILE.format(place), _script(f"text{place}", chunk)


def _script(name: str, plain: Mapping[str, Any]) -> str:
    written = json.dumps(plain, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return _LOAD.format(json.dumps(name), json.dumps(written))


def _item_columns(
    benches: Sequence[BenchmarkSite],
    items: Sequence[tuple[BenchmarkSite, SiteItem]],
    pictures: Mapping[tuple[str, str], str],
    clean: Clean,
) -> dict[str, Any]:
    """Return what names an item: benchmark, id, file, picture and groups."""
    place = {bench.folder: number for number, bench in enumerate(benches)}
    strips = _Words()
    groups: dict[str, _Words] = {
        name: _Words({"": 0}) for name in sorted({name for _, item in items for name in item.rows[0].groups})
    }
    for bench, item in items:
        strips.add(pictures.get((bench.folder, item.id), ""))
        for name, words in groups.items():
            words.add(item.rows[0].groups.get(name, ""))
    return {
        "benchmarks": [{"name": _bench_name(bench, benches, clean), "folder": bench.folder} for bench in benches],
        "benchmark": [place[bench.folder] for bench, _ in items],
        "ids": [make_inert(item.id, clean) for _, item in items],
        "stems": [item.stem for _, item in items],
        "picture": strips.plain(clean),
        "groups": {make_inert(name, clean): words.plain(clean) for name, words in groups.items()},
    }


def _bench_name(bench: BenchmarkSite, benches: Sequence[BenchmarkSite], clean: Clean) -> str:
    """Name a benchmark; of two versions with the version."""
    twice = sum(each.name == bench.name for each in benches) > 1
    return make_inert(f"{bench.name} v{bench.version}" if twice else bench.name, clean)


def _sample_columns(items: Sequence[tuple[BenchmarkSite, SiteItem]], clean: Clean) -> dict[str, Any]:
    """Return what facets, sorting and figures need of every sample, in the order of items and their pages."""
    subject, model, status, failure, role = _Words(), _Words(), _Words(), _Words({"": 0}), _Words({"": 0})
    plain: dict[str, list[Any]] = {
        name: [] for name in ("item", "epoch", "value", "text", "tone", "at", "time", "cost")
    }
    for number_, (bench, item) in enumerate(items):
        for row in item.rows:
            name = next(each for each in bench.names if each.cell == row.cell)
            value, ended = bench.score(row), bench.status(row)
            subject.add(name.label)
            model.add(row.model)
            status.add("failed" if row.failed else ended)
            failure.add((row.ending.failure_class or "").replace("_", " "))
            role.add(bench.role(row.cell))
            plain["item"].append(number_)
            plain["epoch"].append(row.epoch)
            plain["value"].append(value)
            plain["text"].append(ended if value is None else number(value, digits_for(bench.scale)))
            plain["tone"].append(TONES.index(ended if value is None else tone(value, bench.scale)))
            plain["at"].append(row_anchor(bench, item, row))
            plain["time"].append(None if row.seconds is None else round(row.seconds, 3))
            plain["cost"].append(row.cost_usd)
    named = {"subject": subject, "model": model, "status": status, "failure": failure, "role": role}
    return {**plain, **{name: words.plain(clean) for name, words in named.items()}}


def _text_chunks(
    items: Sequence[tuple[BenchmarkSite, SiteItem]], questions: Sequence[str], clean: Clean
) -> Iterator[dict[str, Any]]:
    """Yield questions by item, and answers and reasons by sample, in files of about one size."""
    chunk: dict[str, Any] = {}
    size = row_number = 0
    for item_number, (bench, item) in enumerate(items):
        if not chunk:
            chunk = {"item": item_number, "row": row_number, "questions": [], "answers": [], "reasons": []}
        # Cleaned before it is cut, so that a secret on the edge is seen whole.
        answers = [_cut(make_inert(_answer(row), clean)) for row in item.rows]
        reasons = [_cut(make_inert(_reasons(bench, row), clean)) for row in item.rows]
        chunk["questions"].append(_cut(questions[item_number]))
        chunk["answers"] += answers
        chunk["reasons"] += reasons
        size += sum(map(len, [chunk["questions"][-1], *answers, *reasons]))
        row_number += len(item.rows)
        if size > CHUNK_CHARS:
            yield chunk
            chunk, size = {}, 0
    if chunk:
        yield chunk


def _question(item: SiteItem) -> str:
    """Return what was asked; the first who was asked stands for all."""
    ask = next((row.ask for row in item.rows if row.ask), None)
    if ask is None:
        return ""
    return ask.brief + (f"\nChoices: {', '.join(ask.choices)}" if ask.choices else "")


def _answer(row: Row) -> str:
    files = ", ".join(each.name for each in row.deliverable.files)
    return "\n".join(filter(None, [row.deliverable.text, files]))


def _reasons(bench: BenchmarkSite, row: Row) -> str:
    """Return why a sample got what it got: of its score, then the lowest grades, then what was only measured.

    Records as JSON are for the page of the item.
    """
    why = [row.ending.because] if row.ending.status != "marked" else []
    why += [failure_reason(row)] if row.failed else []
    found = sorted(
        row.ending.findings,
        key=lambda each: (each.name != bench.headline_name, not bench.grades(each.name), each.value),
    )
    why += [f"{each.name}: {each.because}" for each in found if each.because and not describe_record(each.because)]
    why += [f"{each.judge} to {each.question}: {each.because}" for each in row.judgements if each.because]
    return "\n".join(dict.fromkeys(why))


def _cut(text: str) -> str:
    kept, left = truncate(text, MOST_CHARS)
    return f"{kept}… ({left:,} more characters on the page of the item)" if left else kept
