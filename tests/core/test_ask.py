"""Asks: named parts beside the brief."""

import pytest
from pydantic import ValidationError

from cutscore.core.ask import Ask, AskPart
from cutscore.core.files import FileRef

CLIP = FileRef(name="clip.mp4", sha256="0" * 64, size_bytes=1, media_type="video/mp4")
STYLE = FileRef(name="style.png", sha256="1" * 64, size_bytes=1, media_type="image/png")


def ask() -> Ask:
    parts = (
        AskPart(role="instruction", text="Make it darker."),
        AskPart(role="reference", file="clip.mp4"),
        AskPart(role="reference", file="style.png", value={"weight": 2}),
    )
    return Ask(item="a", brief="Make it darker.", files=(CLIP, STYLE), parts=parts)


def test_parts_are_found_by_their_role() -> None:
    assert [part.file for part in ask().parts_of("reference")] == ["clip.mp4", "style.png"]
    assert (ask().part("instruction"), ask().part("voice")) == (
        AskPart(role="instruction", text="Make it darker."),
        None,
    )


def test_a_part_names_a_file_of_the_ask() -> None:
    with pytest.raises(ValidationError, match=r"a part names file 'voice.wav', which is not among"):
        Ask(item="a", brief="?", parts=(AskPart(role="voice", file="voice.wav"),))


def test_a_part_goes_with_its_file() -> None:
    less = ask().with_files([CLIP])
    assert (less.files, [part.file for part in less.parts]) == ((CLIP,), ["", "clip.mp4"])
    assert Ask.model_validate_json(less.model_dump_json()) == less
