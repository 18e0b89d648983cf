"""covebench: what a writer may hand in as an instruction, and what the categoriser makes of it."""

from typing import Any

import pytest

from cutscore.benchmarks.covebench.construction.categoriser import compare_categories, read_categories
from cutscore.benchmarks.covebench.construction.combinations import Combination
from cutscore.benchmarks.covebench.construction.instructions import read_instruction
from cutscore.core.strict_json import first_fault

OFFERED = [
    Combination(types=("Subject Removal", "Lighting Change"), example="…"),
    Combination(types=("Art Style Transfer", "Environmental VFX"), example="…"),
]
REMOVE = {"type": "Subject Removal", "instruction": "Remove the green bench."}
NIGHT = {"type": "Lighting Change", "instruction": "Turn the day into night."}
STYLED = {"type": "Art Style Transfer", "instruction": "Render the video as a watercolor."}
PETALS = {"type": "Environmental VFX", "instruction": "Let petals drift by."}
TARGET = "A park at night. Where the bench stood there is grass."


def draft(*edits: dict[str, str], combination: int = 1, instruction: str = "", **more: Any) -> dict[str, Any]:
    words = instruction or " ".join(edit["instruction"] for edit in edits)
    return {"combination": combination, "edits": list(edits), "instruction": words, "target": TARGET, **more}


def fault_of(reply: Any, earlier: tuple[str, ...] = ()) -> str:
    try:
        read_instruction(reply, OFFERED, earlier)
    except ValueError as error:
        return first_fault(error)
    return ""


def test_a_good_draft_is_taken_with_its_edits() -> None:
    read = read_instruction(
        draft(REMOVE, NIGHT, instruction="Remove the green  bench,\nand turn day into night."), OFFERED
    )
    assert read.instruction == "Remove the green bench, and turn day into night."
    assert read.dimensions == ("Subject", "Background")
    assert fault_of(draft(STYLED, PETALS, combination=2)) == ""


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (draft(REMOVE, NIGHT, combination=3), "there is no combination 3; choose 1 to 2"),
        (
            draft(REMOVE, STYLED),
            "'Art Style Transfer' is not in combination 1, which is Subject Removal + Lighting Change",
        ),
        (
            draft(REMOVE, {**REMOVE, "instruction": "Remove the lamp post."}),
            "no edit is of type Lighting Change, which combination 1 has",
        ),
        (draft(REMOVE), "edits: Tuple should have at least 2 items after validation, not 1"),
        (
            draft(STYLED, {**STYLED, "instruction": "Render all in oil painting."}, PETALS, combination=2),
            "two edits are of type Art Style Transfer, and a video can have only one",
        ),
        (
            draft(REMOVE, NIGHT, instruction="Remove the green bench, turn day into night, and zoom in."),
            "the instruction asks for a zoom: 'zoom'",
        ),
        (
            draft(REMOVE, NIGHT, instruction="Remove the green bench, turn day into night, and add subtitles."),
            "the instruction asks for text in the picture: 'subtitles'",
        ),
        (
            draft(REMOVE, NIGHT, instruction="Remove the green bench and all sound, and turn day into night."),
            "the instruction asks for sound: 'sound'",
        ),
        (
            draft({**STYLED, "instruction": "Make it look like Pixar."}, PETALS, combination=2),
            "the instruction asks for a cartoon or comic style: 'Pixar'",
        ),
        (
            draft({**STYLED, "instruction": "Render the video as cubism."}, PETALS, combination=2),
            "it names no style of this list: Pixel Art, CG Rendering, Sketch, Watercolor, Retro, Oil Painting, "
            "Cyberpunk, Anime, Ghibli, Ink Wash, Monochromatic, Realistic",
        ),
        (
            draft(REMOVE, NIGHT, instruction="Remove the green bench, turn day into night, in watercolour."),
            "it names the style Watercolor, and the combination has no Art Style Transfer",
        ),
        (
            draft(STYLED, {**PETALS, "instruction": "Let heavy snow fall."}, combination=2),
            "edit 2 is weather ('snow'), which is no effect but a Weather Change",
        ),
        (
            draft(REMOVE, NIGHT, instruction="Could you remove the green bench and turn day into night?"),
            "an instruction is a command; write neither a question nor a plea",
        ),
        (
            draft(REMOVE, {**NIGHT, "instruction": "Turn the day into night " + "and darker still " * 10}),
            "edit 2 has more than 30 words; keep each edit simple",
        ),
        (draft(REMOVE, NIGHT, instruction="Turn the day into night, very dark."), "edit 1 is not in the instruction"),
        (draft(REMOVE, REMOVE, NIGHT), "edit 2 repeats another edit"),
        (
            draft(REMOVE, NIGHT, instruction="Remove the green bench. \x1b[31m Turn day into night."),
            "instruction: holds characters that cannot be printed",
        ),
        (draft(REMOVE, NIGHT, score=10), "score: Extra inputs are not permitted"),
        (["Remove the bench."], "Input should be a valid dictionary or instance of InstructionDraft"),
    ],
)
def test_every_fault_is_named(reply: Any, fault: str) -> None:
    assert fault_of(reply) == fault


def test_digital_rain_and_a_retro_lamp_are_allowed() -> None:
    rain = {**PETALS, "instruction": "Let digital rain fall over the screen wall."}
    assert fault_of(draft(STYLED, rain, combination=2)) == ""
    lamp = {**REMOVE, "instruction": "Remove the retro lamp with its realistic shadow."}
    assert fault_of(draft(lamp, NIGHT)) == ""


def test_what_another_video_is_asked_for_is_not_asked_for_again() -> None:
    other = "Remove the bench, the green one, and turn the day into night."
    expected = "this is nearly the instruction for another video; ask for something else"
    assert fault_of(draft(REMOVE, NIGHT), (other,)) == expected
    assert fault_of(draft(REMOVE, NIGHT), ("Remove the boat, and let it rain.",)) == ""


def test_categories_are_those_of_table_9() -> None:
    assert read_categories({"categories": ["Style", "Subject"]}) == ("Subject", "Style")
    with pytest.raises(ValueError, match=r"'Sound' is no category; choose from Subject, Background, Style, Motion"):
        read_categories({"categories": ["Sound"]})
    with pytest.raises(ValueError, match="at least 1 item"):
        read_categories({"categories": []})


def test_a_comparison_tells_both_sides() -> None:
    found = compare_categories(("Subject", "Motion"), ("Subject", "Camera"))
    assert (found.unheard, found.unclaimed) == (("Motion",), ("Camera",))
