"""Files of labels: what is read, what is refused and in which words, what is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.errors import BadInput, BrokenData, NoRoom
from cutscore.core.judgement import Weakness
from cutscore.core.label import Label
from cutscore.labels.files import labels_digest, merge_labels, read_labels, write_labels


def line(**fields: Any) -> str:
    return json.dumps({"benchmark": "b", "item": "i", "question": "q", "person": "ann", "answer": "yes", **fields})


def file_of(folder: Path, *lines: str, name: str = "a.jsonl") -> Path:
    file = folder / name
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


EVERY_KIND = [
    Label(benchmark="b", item="i1", question="q", person="ann", answer="no", because="cut at 3 s", split="test"),
    Label(benchmark="b", item="i2", question="c", kind="choice", person="ann", answer="écarlate"),
    Label(benchmark="b", item="i3", question="s", kind="scale", person="bo", answer=7.5, seconds_spent=3.0),
    Label(
        benchmark="b", item="i4", kind="weaknesses", person="bo", weaknesses=(Weakness(text="flicker", at=("1/3", 2)),)
    ),
    Label(benchmark="b", item="i5", question="p", kind="pairwise", person="cy", subject="x", epoch=2, answer="neither"),
    Label(benchmark="b", item="i6", question="q", person="cy", answer=None),
]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_labels(tmp_path / "a.jsonl", EVERY_KIND)
    assert [each.label for each in read_labels(tmp_path / "a.jsonl")] == EVERY_KIND
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    write_labels(tmp_path / "a.jsonl", EVERY_KIND)
    before = (tmp_path / "a.jsonl").read_bytes()

    def broken() -> Any:
        yield EVERY_KIND[0]
        raise OSError(28, "No space left on device")

    with pytest.raises(NoRoom, match="No space left on device"):
        write_labels(tmp_path / "a.jsonl", broken())
    assert (tmp_path / "a.jsonl").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    with pytest.raises(NoRoom, match="choose another folder"):
        write_labels(tmp_path / "none" / "a.jsonl", EVERY_KIND)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", r"line 3: is not JSON from character \d+ on; give one JSON object a line"),
        ("[1]", "line 3: Input should be a valid dictionary"),
        (line(person=""), "line 3: person: String should have at least 1 character; correct the line"),
        (line(remark="x"), "line 3: remark: Extra inputs are not permitted"),
        (line(answer="maybe"), "line 3: 'maybe' cannot answer a question of kind 'yes_no'; the answer is \"yes\" or"),
        (line(answer=True), "line 3: True cannot answer"),
        (line(kind="scale", answer=11), "line 3: 11 cannot answer .* the answer is a number from 1 to 10"),
        (line(kind="scale", answer=True), "line 3: True cannot answer"),
        (line(kind="pairwise", answer="a"), 'line 3: .* the answer is "A", "B" or "neither"'),
        (line(kind="choice", answer=""), "line 3: '' cannot answer"),
        (line(kind="weaknesses", answer="some"), "line 3: 'some' cannot answer .* \"yes\" where some are listed"),
        (line(kind="weaknesses", answer="yes"), "line 3: answers 'yes' and lists 0 weaknesses"),
        (line(weaknesses=[{"text": "flicker"}]), "line 3: has weaknesses and is of kind 'yes_no'"),
        (line(split="holdout"), "line 3: 'holdout' is no split; use train, dev, test or nothing"),
        (line(because="x" * 1_000_000), "line 3: is longer than 1 MB"),
        ('{"answer": "yes", "answer": "no"}', "line 3: has the key 'answer' twice"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, bad: str, said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        list(read_labels(file_of(tmp_path, line(), "", bad)))


def test_what_is_no_text_or_no_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(BrokenData, match="line 1: is not UTF-8 text"):
        list(read_labels(tmp_path / "a.jsonl"))
    with pytest.raises(BadInput, match=r"cannot be read \(No such file or directory\); name a .jsonl file"):
        list(read_labels(tmp_path / "b.jsonl"))


def test_one_array_holds_the_same_labels(tmp_path: Path) -> None:
    lines = [line(), line(person="bo")]
    array = file_of(tmp_path, "\ufeff[", ",".join(lines), "]", name="a.json")
    as_lines = [each.label for each in read_labels(file_of(tmp_path, *lines))]
    assert [each.label for each in read_labels(array)] == as_lines
    assert next(read_labels(array)).place.endswith("a.json' entry 1")


def test_lines_come_before_the_fault_that_follows_them(tmp_path: Path) -> None:
    labels = read_labels(file_of(tmp_path, line(), "{"))
    assert next(labels).label.answer == "yes"


def test_repeats_count_once_and_are_named(tmp_path: Path) -> None:
    first = file_of(tmp_path, line(), line(person="bo", answer="no"))
    second = file_of(tmp_path, line(because="sharper", seconds_spent=2), line(item="j"), name="b.jsonl")
    merged = merge_labels([first, second])
    assert [(each.item, each.person, each.because) for each in merged.labels] == [
        ("i", "ann", ""),
        ("i", "bo", ""),
        ("j", "ann", ""),
    ]
    assert merged.repeats == (f"labels '{second}' line 1 repeats labels '{first}' line 1; it counts once",)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (line(answer="no"), r"line 2: 'ann' contradicts labels '.*' line 1 on item 'i', question 'q'; keep the one"),
        (line(kind="choice", person="bo"), "line 2: has kind 'choice' for item 'i', and .* line 1 has 'yes_no'"),
        (line(question="r", split="test"), "line 2: has split 'test' .* line 1 has ''; an item belongs to one split"),
    ],
)
def test_contradictions_name_both_places(tmp_path: Path, other: str, said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        merge_labels([file_of(tmp_path, line(), other)])


def test_other_deliverables_are_no_contradiction(tmp_path: Path) -> None:
    lines = (line(), line(subject="x", answer="no"), line(subject="x", epoch=2), line(benchmark="c", answer="no"))
    assert len(merge_labels([file_of(tmp_path, *lines)]).labels) == 4


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "scale", "answer": 7, "expected": 10}, "10 cannot be the right answer to a question of kind 'scale'"),
        ({"expected": "maybe"}, "'maybe' cannot be the right answer to a question of kind 'yes_no'"),
        ({"kind": "pairwise", "answer": "A", "expected": "A"}, "leave 'expected' out where there is no right answer"),
    ],
)
def test_only_a_question_with_a_right_answer_expects_one(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        list(read_labels(file_of(tmp_path, line(**fields))))


def test_a_question_has_one_right_answer(tmp_path: Path) -> None:
    twice = file_of(tmp_path, line(expected="yes"), line(person="bo", expected="no"))
    with pytest.raises(BrokenData, match=r"has expected 'no' for item 'i', and .* has 'yes'; a question has one right"):
        merge_labels([twice])


def test_the_digest_knows_content_and_not_order() -> None:
    assert labels_digest(EVERY_KIND) == labels_digest(reversed(EVERY_KIND))
    assert labels_digest(EVERY_KIND) != labels_digest(EVERY_KIND[1:])
    assert labels_digest(EVERY_KIND).startswith("bbaac1d60427")  # of before labels had groups and expected answers
    slower = [label.model_copy(update={"seconds_spent": 9.0}) for label in EVERY_KIND]
    assert labels_digest(EVERY_KIND) == labels_digest(slower)


def test_a_label_may_speak_of_plain_files(tmp_path: Path) -> None:
    files = {"video": "out/1.mp4", "prompt": "A cup falls.", "references": ["cup.png"]}
    line = {"benchmark": "own", "item": "1", "person": "ann", "kind": "weaknesses", "files": files}
    (tmp_path / "labels.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    (placed,) = read_labels(tmp_path / "labels.jsonl")
    assert placed.label.files is not None
    assert placed.label.files.paths == ("out/1.mp4", "cup.png")
    plain = placed.label.model_copy(update={"files": None})
    assert labels_digest([placed.label]) != labels_digest([plain])
    line["files"] = {**files, "video": "../1.mp4"}
    (tmp_path / "labels.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(BrokenData, match=r"line 1: files.video: '../1.mp4' is no path within a folder"):
        list(read_labels(tmp_path / "labels.jsonl"))
