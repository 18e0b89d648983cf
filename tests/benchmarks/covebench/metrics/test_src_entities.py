"""covebench: which things SRC looks for, from a file and from questions."""

import json
from pathlib import Path

import pytest

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.metrics.src_entities import name_entities, phrases_of, read_entities
from cutscore.core.errors import BadInput


@pytest.mark.parametrize(
    ("asked", "things"),
    [
        ("how well is the man's baseball gear (helmet, jersey) preserved in its design?", ["man's baseball gear"]),
        ("how accurately are the huts and palm trees in the background preserved?", ["huts and palm trees"]),
        ("how well is the tree kept?", ["tree"]),
        ("how well is the girl's visual identity (red dress) preserved?", ["girl"]),
        ("how well is the layout of the leafless trees preserved?", ["leafless trees"]),
        ("how well is the hiker's walking gait preserved?", []),
        ("how precisely is the bright daylight and color grading of the resort preserved?", []),
        ("Is the dog there?", []),
    ],
)
def test_a_question_names_things(asked: str, things: list[str]) -> None:
    assert phrases_of(f"Comparing Video A and Video B, {asked}") == things


def test_a_thing_is_looked_for_once() -> None:
    kept = {"format": "Score-MCQ", "dimension": "Semantic Preservation", "text": "how well is the dog preserved?"}
    done = {"format": "Single-TF", "text": "how well is the cat preserved?", "expected": "Yes"}
    questions = [{"id": "Q1", **kept}, {"id": "Q2", **kept}, {"id": "Q3", **done}]
    assert name_entities(Checklist.model_validate({"points": [{"target": "", "questions": questions}]})) == ("dog",)


def test_a_file_has_phrases_or_the_released_metadata(tmp_path: Path) -> None:
    file = tmp_path / "src_entities.json"
    released = {"id": 2, "status": "completed", "preserved_entities": [{"description": "a vase"}]}
    file.write_text(json.dumps({"1": ["the dog ", "a tree"], "2": released, "3": {"status": "skipped"}}))
    assert read_entities(file) == {"1": ("the dog", "a tree"), "2": ("a vase",), "3": ()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "is no object of tasks"),
        ("{", "is not JSON"),
        ('{"1": "a dog"}', "task '1' has something else than phrases"),
        ('{"1": [{"box": null}]}', "task '1' has something else than phrases"),
        ('{"1": [" "]}', "task '1' has something else than phrases"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "e.json").write_text(text)
    with pytest.raises(BadInput, match=said):
        read_entities(tmp_path / "e.json")
    with pytest.raises(BadInput, match=r"entities 'none.json': cannot be read"):
        read_entities(tmp_path / "none.json")
