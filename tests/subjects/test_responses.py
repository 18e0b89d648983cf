"""Responses of elsewhere: whose they are, what is refused in which words, and what a missing one is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, BrokenData, UnknownName, Unscored
from cutscore.core.subject import Subject, SubjectSpec, WorkContext
from cutscore.subjects.responses import open_responses, read_responses, split_by_model

ITEMS = ("bars-01-a", "bars-01-b")
Work = Callable[[Subject], Deliverable]


def line(**fields: Any) -> dict[str, Any]:
    return {"model": "lab/one", "item": "bars-01-a", "text": "red", **fields}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: dict[str, Any] | str, name: str = "said.jsonl") -> Path:
        file = tmp_path / name
        plain = [each if isinstance(each, str) else json.dumps(each) for each in lines]
        file.write_text("\n".join(plain), encoding="utf-8")
        return file

    return write


def test_a_text_is_handed_over_and_its_cost_is_not_known(write: Any, work: Work, context: WorkContext) -> None:
    subject = open_responses(str(write(line(), line(item="bars-01-b", text="2"))), ITEMS)
    assert (subject.answered_by, work(subject)) == ("lab/one", Deliverable(text="red"))
    assert (context.tally.usage, context.tally.cost_usd) == (None, None)


def test_an_empty_text_is_an_answer(write: Any, work: Work) -> None:
    assert work(open_responses(str(write(line(text="", error=None))), ITEMS)) == Deliverable(text="")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([line(text=None, error="HTTP 503\n  after 5 tries")], "failed where it was asked: HTTP 503 after 5 tries"),
        ([line(item="bars-01-b")], r"model 'lab/one': no response in 'said\.jsonl'$"),
        ([line(epoch=2)], r"model 'lab/one': no response in 'said\.jsonl'$"),
    ],
)
def test_no_text_is_no_answer_of_the_models(write: Any, work: Work, lines: list[Any], said: str) -> None:
    with pytest.raises(Unscored, match=said):
        work(open_responses(str(write(*lines)), ITEMS))


def test_an_error_of_a_page_is_cut(write: Any, work: Work) -> None:
    with pytest.raises(Unscored) as caught:
        work(open_responses(str(write(line(text=None, error="x" * 10_000))), ITEMS))
    assert len(str(caught.value)) < 400


def test_one_array_says_the_same(write: Any) -> None:
    lines = [line(), line(item="bars-01-b", text="é")]
    array = write("\n " + json.dumps(lines, indent=1), name="said.json")
    assert read_responses(array) == read_responses(write(*lines))
    with pytest.raises(BrokenData, match=r"said.json' entry 2: epoch: Input should be a valid integer; correct"):
        read_responses(write(json.dumps([line(), line(epoch="2")]), name="said.json"))
    with pytest.raises(BrokenData, match=r"said.json': is not JSON from character \d+ on"):
        read_responses(write('[{"model": "a",', name="said.json"))


def test_identity_is_what_that_model_said(write: Any) -> None:
    def source_digest(*lines: dict[str, Any]) -> str:
        return open_responses(f"{write(*lines)}#lab/one", ITEMS).source_digest

    other = line(item="bars-01-b", text=None, error="503")
    first = source_digest(line(), other)
    assert first == source_digest(other, line(latency_s=3), line(model="lab/two"))
    assert (
        len(
            {first, source_digest(line()), source_digest(line(text="blue"), other), source_digest(line(epoch=2), other)}
        )
        == 4
    )


def test_each_model_of_a_file_is_a_subject(write: Any, caplog: pytest.LogCaptureFixture) -> None:
    file = write(line(), line(model="a #2", latency_s=3, prompt="p"), line(item="bars-01-b", text="", prompt="q"))
    assert split_by_model(SubjectSpec.parse(f"responses:{file}")) == [
        f"responses=responses:{file}#a #2",
        f"responses=responses:{file}#lab/one",
    ]
    assert caplog.messages == [f"responses '{file}': fields that are not read: prompt (2 times), latency_s (1 times)"]
    assert split_by_model(SubjectSpec.parse(f"old=responses@2:{file}#a #2")) == [f"old=responses@2:{file}#a #2"]
    assert open_responses(f"{file}#a #2", ITEMS).answered_by == "a #2"


def test_a_file_may_have_the_mark_in_its_name(write: Any) -> None:
    write(line(model="lab/two"), name="said")
    file = write(line(), name="said#1")
    assert [open_responses(f"{file}{model}", ITEMS).answered_by for model in ("", "#lab/one")] == ["lab/one"] * 2


def test_whose_responses_are_meant_must_be_told(write: Any) -> None:
    file = write(line(), line(model="lab/two"))
    with pytest.raises(BadInput, match="has 2 models: lab/one, lab/two; write responses:FILE#MODEL"):
        open_responses(str(file), ITEMS)
    with pytest.raises(UnknownName, match=r"no model in responses '.*' 'lab/tow'; did you mean 'lab/two'\?"):
        open_responses(f"{file}#lab/tow", ITEMS)


def test_unknown_items_are_counted_and_the_first_are_named(write: Any) -> None:
    strange = [line(item=f"x-{number}", model="lab/two") for number in range(7)]
    fact = "has 7 items that are not in the data: x-0, x-1, x-2, x-3, x-4 and 2 more; give the data"
    with pytest.raises(BadInput, match=fact):
        open_responses(f"{write(line(), *strange)}#lab/one", ITEMS)


def test_the_same_response_twice_names_both_lines(write: Any) -> None:
    fact = "line 3: answers item 'bars-01-a', epoch 1 for model 'lab/one' again, after responses '.*' line 1; keep one"
    with pytest.raises(BrokenData, match=fact):
        read_responses(write(line(), line(epoch=2), line(text=None, error="503")))


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("", r"said.jsonl': has no lines"),
        ('{"model": "a"', "line 1: is not JSON from character 14 on; give one JSON object a line"),
        ('"text"', "line 1: Input should be a valid dictionary"),
        ('{"item": "a", "text": "x"}', "line 1: model: Field required"),
        ('{"model": "", "item": "a", "text": "x"}', "line 1: model: String should have at least 1 character"),
        ('{"model": "a\\u0000b", "item": "a", "text": "x"}', "line 1: model: String should match pattern"),
        ('{"model": "a", "item": 3, "text": "x"}', "line 1: item: Input should be a valid string"),
        ('{"model": "a", "item": "b"}', "line 1: has neither a text nor an error"),
        ('{"model": "a", "item": "b", "text": "x", "error": "y"}', "line 1: has both a text and an error"),
        ('{"model": "a", "item": "b", "text": ["x"]}', "line 1: text: Input should be a valid string"),
        ('{"model": "a", "item": "b", "error": {"code": 503}}', "line 1: error: Input should be a valid string"),
        ('{"model": "a", "item": "b", "text": "x", "epoch": true}', "line 1: epoch: Input should be a valid integer"),
        ('{"model": "a", "item": "b", "text": "x", "epoch": 0}', "line 1: epoch: Input should be greater than or"),
        ('{"model": "a", "item": "b", "text": "x", "cost": NaN}', "line 1: has the number NaN"),
        ('{"model": "a", "item": "b", "text": "x", "text": "y"}', "line 1: has the key 'text' twice"),
        ("[" * 200_000, "is nested too deeply"),
        ('{"model": "a\x00"}', "line 1: is not JSON from character 13 on"),
        ('{"text": "' + "x" * 2_000_000, "line 1: is longer than 1 MB"),
    ],
)
def test_a_file_that_is_broken_is_refused_by_line(write: Any, bad: str, said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        read_responses(write(bad))


def test_what_is_no_text_or_no_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"model": "\xff"}')
    with pytest.raises(BrokenData, match="line 1: is not UTF-8 text"):
        read_responses(tmp_path / "a.jsonl")
    with pytest.raises(BadInput, match=r"responses '.*b.jsonl': cannot be read \(No such file"):
        read_responses(tmp_path / "b.jsonl")
    with pytest.raises(BadInput, match="it is a folder and no regular file"):
        read_responses(tmp_path)


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "said.jsonl").open("wb") as file:
        file.truncate(50 << 30)
    with pytest.raises(BrokenData, match="line 1: is longer than 1 MB"):
        read_responses(tmp_path / "said.jsonl")
