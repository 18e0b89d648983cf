"""How answers to closed questions are read, and that nobody gains by writing odd ones."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.scoring.verifiers.choice import LONGEST, read_choice
from cutscore.store import Store

CHOICES = ("red", "blue", "light blue", "green")


def read(text: str) -> tuple[str | None, str]:
    choice = read_choice(Deliverable(text=text), Evidence(), CHOICES)
    return choice.choice, choice.message


@pytest.fixture
def filed(tmp_path: Path) -> Callable[..., tuple[str | None, str]]:
    """Read an answer that was delivered as `answer.json`."""

    def read_file(content: str | bytes, *, text: str = "") -> tuple[str | None, str]:
        store = Store(tmp_path)
        data = content if isinstance(content, bytes) else content.encode()
        deliverable = Deliverable(text=text, files=(store.put_bytes(data, name="answer.json"),))
        choice = read_choice(deliverable, Evidence(files=deliverable.files).bind(store), CHOICES)
        return choice.choice, choice.message

    return read_file


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("blue", "blue"),
        ("  BLUE.\n", "blue"),
        ("**Blue**", "blue"),
        ('"blue"!', "blue"),
        ("Answer: blue", "blue"),
        ("answer: Blue\nIt was red before and green after.", "blue"),
        ("The screen is blue.", "blue"),
        ("light blue", "light blue"),
        ("Light  blue", "blue"),  # two spaces are not the choice as it was shown
        ("blue, blue, blue", "blue"),
        ("bluered blueish", None),
        ("I saw red.\nAnswer: blue", None),
        ("red or blue", None),
        ("red, blue, light blue, green", None),
        ("Answer: red or blue", None),
        ("Answer:\nblue", None),
        ("teal", None),
        ("ｂｌｕｅ", None),
        ("...", None),
    ],
)
def test_text_is_read_for_the_one_choice_that_it_names(text: str, named: str | None) -> None:
    assert read(text)[0] == named


def test_the_sentence_says_what_was_answered() -> None:
    assert read("blue") == ("blue", "answered 'blue'")
    assert read("red or blue") == (None, "answered 'red or blue', which names 2 of the choices")
    assert read("teal") == (None, "answered 'teal', which names none of the choices")
    assert read("\x1b[31m" + "x" * 60)[1] == f"answered '\\x1b[31m{'x' * 34}…', which names none of the choices"


def test_nothing_is_said_with_its_reason() -> None:
    assert read(" \n")[1] == "nothing was delivered"
    failed = read_choice(Deliverable(failure="the model refused"), Evidence(), CHOICES)
    assert failed.message == "nothing was delivered (the model refused)"


def test_a_megabyte_is_not_an_answer() -> None:
    assert read("blue " * 200_000)[1] == "the answer has 999,999 characters, more than 2,000"
    assert read("blue " + "x" * (LONGEST - 5))[0] == "blue"


def test_the_file_wins_over_the_text(filed: Callable[..., tuple[str | None, str]]) -> None:
    assert filed('{"answer": "blue"}', text="red") == ("blue", "answered 'blue'")
    assert filed('{"answer": "blue", "confidence": 0.9}')[0] == "blue"
    assert filed("blue", text="blue")[0] is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("blue", "answer.json is not JSON from character 1 on"),
        ("", "answer.json is not JSON from character 1 on"),
        (b"\xff\xfe", "answer.json is not JSON from character 1 on"),
        ('"blue"', 'answer.json is not {"answer": "one of the choices"}'),
        ('["blue"]', 'answer.json is not {"answer": "one of the choices"}'),
        ('{"answer": ["blue"]}', 'answer.json is not {"answer": "one of the choices"}'),
        ('{"answer": {"answer": "blue"}}', 'answer.json is not {"answer": "one of the choices"}'),
        ('{"answer": true}', 'answer.json is not {"answer": "one of the choices"}'),
        ('{"Answer": "blue"}', 'answer.json is not {"answer": "one of the choices"}'),
        ('{"answer": NaN}', "answer.json has the number NaN"),
        ('{"answer": 1e999}', "answer.json has the number 1e999"),
        ('{"answer": "red", "answer": "blue"}', "answer.json has the key 'answer' twice"),
        ("[" * 90_000, "answer.json is nested too deeply"),
        ('{"answer":' * 9_000, "answer.json is nested too deeply"),
        ('{"answer": "' + "blue " * 300_000 + '"}', "answer.json has 1,500,014 bytes, more than 100,000"),
        ('{"answer": "' + "blue " * 1_000 + '"}', "the answer has 4,999 characters, more than 2,000"),
        ('{"answer": ""}', "answered '', which names none of the choices"),
        ('{"answer": "red blue green"}', "answered 'red blue green', which names 3 of the choices"),
        ('{"answer": "\\ud800"}', "answered '\\ud800', which names none of the choices"),
    ],
)
def test_hostile_files_get_nothing_and_a_reason(
    content: str | bytes, told: str, filed: Callable[..., tuple[str | None, str]]
) -> None:
    assert filed(content) == (None, told)


@given(st.text(max_size=200), st.booleans())
def test_whatever_is_written_is_read_or_refused(text: str, as_json: bool) -> None:
    """Nothing raises, and whoever names two choices never gets one of them."""
    named, told = read(json.dumps({"answer": text}) if as_json else text)
    assert named is None or named in CHOICES
    assert told
    told.encode()
    assert read(f"red {text} green")[0] is None or text.startswith(("\n", "\r"))
