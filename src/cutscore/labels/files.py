"""Files of labels: one JSON line a label, whatever the question; read, merged, written.

A file is read line by line and every complaint names its line, because somebody must go there and mend it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from pydantic import JsonValue, ValidationError

from cutscore.atomic import replace_file
from cutscore.core.errors import BadInput, BrokenData, NoRoom
from cutscore.core.frozen import FrozenModel, canonical_json
from cutscore.core.judgement import QuestionKind, fold_answer
from cutscore.core.label import Label
from cutscore.core.strict_json import first_fault, read_json
from cutscore.labels.sheets import MAX_LINE_BYTES, read_sheet
from cutscore.regular_file import open_regular

Line = TypeVar("Line", bound=FrozenModel)

UNEXPECTED: tuple[QuestionKind, ...] = ("scale", "weaknesses", "pairwise")  # opinions, which nobody expects
SPLITS = ("train", "dev", "test")
PREFERENCES = ("A", "B", "neither")
LOWEST, HIGHEST = 1, 10  # of a scale
# An array is read whole.
MAX_ARRAY_BYTES = 256_000_000

_FORMS: dict[QuestionKind, str] = {
    "yes_no": '"yes" or "no"',
    "choice": "one of the choices, as text",
    "scale": f"a number from {LOWEST} to {HIGHEST}",
    "weaknesses": '"yes" where some are listed, "no" where none are, or left out',
    "pairwise": '"A", "B" or "neither"',
    "short": "a few words, as text",
}


class LabelKey(NamedTuple):
    """What a label is about: one question about one deliverable. Labels of several people share it."""

    benchmark: str
    item: str
    subject: str
    epoch: int
    question: str


@dataclass(frozen=True)
class PlacedLabel:
    """A label and where it stands, for people: `labels 'a.jsonl' line 7`."""

    label: Label
    place: str


@dataclass(frozen=True)
class MergedLabels:
    """Labels of several files, each once, and a sentence for every one that stood there twice."""

    labels: tuple[Label, ...]
    repeats: tuple[str, ...]


def label_key(label: Label) -> LabelKey:
    """Return the question and the deliverable that a label is about."""
    return LabelKey(label.benchmark, label.item, label.subject, label.epoch, label.question)


def is_allowed_answer(kind: QuestionKind, answer: JsonValue) -> bool:
    """Return whether an answer is one that this kind of question can have; None (could not say) always is.

    >>> is_allowed_answer("yes_no", "yes"), is_allowed_answer("scale", 11), is_allowed_answer("pairwise", None)
    (True, False, True)
    """
    if answer is None:
        return True
    if kind == "yes_no":
        return answer in ("yes", "no")
    if kind == "pairwise":
        return answer in PREFERENCES
    if kind == "scale":
        return isinstance(answer, int | float) and not isinstance(answer, bool) and LOWEST <= answer <= HIGHEST
    return answer in ("yes", "no") if kind == "weaknesses" else isinstance(answer, str) and bool(answer)


def label_verdict(label: Label) -> JsonValue:
    """Return the answer of a label; for weaknesses, `"yes"` when there are some. Words are folded."""
    if label.kind == "weaknesses":
        return "yes" if label.weaknesses else "no"
    return fold_answer(label.answer) if label.kind == "short" and label.answer is not None else label.answer


def read_labels(file: Path) -> Iterator[PlacedLabel]:
    """Read a file of labels, one line at a time; empty lines are passed over. A `.csv` file is a table of them."""
    sheet = ((place, _validate(fields, Label, place)) for place, fields in read_sheet(file))
    for place, label in sheet if file.suffix.lower() == ".csv" else read_lines(file, Label, what="labels"):
        _check(label, place)
        yield PlacedLabel(label, place)


def read_lines(file: Path, kind: type[Line], *, what: str) -> Iterator[tuple[str, Line]]:
    """Read JSON lines of one kind, each with its place for people; also for files that stand beside labels.

    A file that begins with a bracket is one JSON array of such objects; a place in it is the number of the entry.
    """
    try:
        stream = open_regular(file)
    except OSError as error:
        raise BadInput(f"{what} '{file}'", f"cannot be read ({error.strerror})", "name a .jsonl file") from error
    with stream:
        if stream.peek().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            for number, entry in enumerate(_entries(stream, f"{what} '{file}'"), start=1):
                yield (place := f"{what} '{file}' entry {number}"), _validate(entry, kind, place)
            return
        for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b""), start=1):
            place = f"{what} '{file}' line {number}"
            if len(line) > MAX_LINE_BYTES:
                raise BrokenData(place, "is longer than 1 MB", "give one JSON object a line")
            if line.strip():
                yield place, _validate(_parse_json(line, place), kind, place)


def merge_labels(files: Iterable[Path]) -> MergedLabels:
    """Read several files into one list.

    A label that repeats what the same person said before is taken once, and named. Refused are: people who contradict
    themselves, a question that has two kinds, and an item that is in two splits.
    """
    said: dict[tuple[LabelKey, str], PlacedLabel] = {}
    kinds: dict[LabelKey, PlacedLabel] = {}
    splits: dict[tuple[str, str], PlacedLabel] = {}
    repeats = []
    for placed in (each for file in files for each in read_labels(file)):
        label, key = placed.label, label_key(placed.label)
        _refuse(placed, kinds.setdefault(key, placed), "kind", "a question has one kind")
        _refuse(placed, kinds[key], "expected", "a question has one right answer")
        same_item = splits.setdefault((label.benchmark, label.item), placed)
        _refuse(placed, same_item, "split", "an item belongs to one split")
        first = said.setdefault((key, label.person), placed)
        if first is placed:
            continue
        if (first.label.answer, first.label.weaknesses) != (label.answer, label.weaknesses):
            fact = f"'{label.person}' contradicts {first.place} on item '{label.item}', question '{label.question}'"
            raise BrokenData(placed.place, fact, "keep the one that holds")
        repeats.append(f"{placed.place} repeats {first.place}; it counts once")
    return MergedLabels(tuple(each.label for each in said.values()), tuple(repeats))


def write_labels(file: Path, labels: Iterable[Label]) -> None:
    """Write labels as JSON lines; the file is whole or stays as it was."""
    try:
        with replace_file(file) as draft, draft.open("wb") as stream:
            for label in labels:
                stream.write(canonical_json(label.model_dump(mode="json", exclude_defaults=True)) + b"\n")
    except OSError as error:
        raise NoRoom(f"labels '{file}'", error.strerror or str(error), "choose another folder") from error


def labels_digest(labels: Iterable[Label]) -> str:
    """Return the sha256 of the labels, the same for any order; how long people took does not count."""
    # Labels without what came later are those of before.
    later = {"groups", "expected", "files"}
    unsaid = ((label, {"seconds_spent", *(name for name in later if not getattr(label, name))}) for label in labels)
    plain = (label.model_dump(mode="json", exclude=names) for label, names in unsaid)
    return hashlib.sha256(b"\n".join(sorted(map(canonical_json, plain)))).hexdigest()


def _entries(stream: BinaryIO, what: str) -> list[JsonValue]:
    data = stream.read(MAX_ARRAY_BYTES + 1)
    if len(data) > MAX_ARRAY_BYTES:
        raise BrokenData(what, f"is an array of more than {MAX_ARRAY_BYTES:,} bytes", "give one JSON object a line")
    entries = _parse_json(data, what)
    assert isinstance(entries, list)  # what begins with a bracket and is JSON
    return entries


def _parse_json(data: bytes, place: str) -> JsonValue:
    try:
        return read_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BrokenData(place, "is not UTF-8 text", "save the file as UTF-8") from None
    except ValueError as error:
        raise BrokenData(place, str(error), "give one JSON object a line") from None


def _validate(value: JsonValue, kind: type[Line], place: str) -> Line:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise BrokenData(place, first_fault(error), "correct the line") from None


def _check(label: Label, place: str) -> None:
    if not is_allowed_answer(label.kind, label.answer):
        fact = f"{label.answer!r:.60} cannot answer a question of kind '{label.kind}'"
        raise BrokenData(place, fact, f"the answer is {_FORMS[label.kind]}")
    if label.kind == "weaknesses" and label.answer not in (None, label_verdict(label)):
        fact = f"answers '{label.answer}' and lists {len(label.weaknesses)} weaknesses"
        raise BrokenData(place, fact, f"the answer is {_FORMS[label.kind]}")
    if label.expected is not None and (label.kind in UNEXPECTED or not is_allowed_answer(label.kind, label.expected)):
        fact = f"{label.expected!r:.60} cannot be the right answer to a question of kind '{label.kind}'"
        raise BrokenData(place, fact, "leave 'expected' out where there is no right answer")
    if label.weaknesses and label.kind != "weaknesses":
        raise BrokenData(place, f"has weaknesses and is of kind '{label.kind}'", "correct the kind")
    if label.subject and label.person.casefold() == label.subject.casefold():
        fact = f"'{label.person}' grades own work on item '{label.item}'"
        raise BrokenData(place, fact, "leave it out, and let somebody else grade it")
    if label.split not in ("", *SPLITS):
        raise BrokenData(place, f"'{label.split}' is no split", f"use {', '.join(SPLITS)} or nothing")


def _refuse(placed: PlacedLabel, first: PlacedLabel, field: str, rule: str) -> None:
    mine, other = getattr(placed.label, field), getattr(first.label, field)
    if mine != other:
        fact = f"has {field} '{mine}' for item '{placed.label.item}', and {first.place} has '{other}'"
        raise BrokenData(placed.place, fact, rule)
