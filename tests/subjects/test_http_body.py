"""What a service is sent: blanks of any depth, parts that are not there, several parts of a role."""

import base64
import json
import tomllib
from pathlib import Path

import pytest

from cutscore.core.errors import BadInput
from cutscore.subjects.http_body import fill_body, inline_files, is_given
from cutscore.subjects.http_profile import ServiceProfile

WORDS = {"instruction": "A cat {seed}", "seed": "7", "length_s": "2.5"}


def profile_fields(repository: Path, name: str) -> dict:
    path = repository / "examples" / "video-services" / name
    return dict(ServiceProfile.model_validate(tomllib.loads(path.read_text())).submit.fields)


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    assert fill_body({"prompt": "{instruction}"}, WORDS) == {"prompt": "A cat {seed}"}


def test_an_optional_field_is_left_out_without_its_part(repository: Path) -> None:
    flat = profile_fields(repository, "flat.toml")
    assert fill_body(flat, WORDS) == {"prompt": "A cat {seed}", "duration": 2.5, "seed": 7}
    assert fill_body(flat, {**WORDS, "first_frame": "x.png"})["image"] == "x.png"


def test_an_element_stands_once_for_every_part_of_its_role(repository: Path) -> None:
    nested = profile_fields(repository, "nested.toml")
    made = fill_body(nested, {**WORDS, "subject": "a.png", "subject_2": "b.png", "subject_3": "c.png"})
    assert [each["type"] for each in made["content"]] == ["text", *["image_url"] * 3]
    assert [each["image_url"]["url"] for each in made["content"][1:]] == ["a.png", "b.png", "c.png"]
    assert made["parameters"] == {"seconds": 2.5, "seed": 7}


def test_a_blank_that_nothing_fills_is_named() -> None:
    with pytest.raises(BadInput, match=r"has the blank {style}, which nothing fills"):
        fill_body({"look": "{style}"}, WORDS)


def test_words_are_no_number() -> None:
    with pytest.raises(BadInput, match=r"'A cat {seed}' is no number"):
        fill_body({"seed": "{instruction:number}"}, WORDS)


def test_files_go_as_data_urls_of_their_type(tmp_path: Path) -> None:
    picture, outside = tmp_path / "given" / "a.png", tmp_path / "secret.txt"
    picture.parent.mkdir()
    picture.write_bytes(b"pixels")
    outside.write_bytes(b"mine")
    body = inline_files({"refs": [{"url": str(picture)}], "prompt": str(outside)}, picture.parent)
    assert body["refs"][0]["url"] == f"data:image/png;base64,{base64.b64encode(b'pixels').decode()}"
    assert body["prompt"] == str(outside), "a path in somebody's words is words"
    assert not is_given(f"{picture.parent}/../secret.txt", picture.parent)
    assert json.dumps(body)
