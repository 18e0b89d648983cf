"""The bundle: what holds it together, what is hidden of it, what its deliveries tell."""

from typing import Any

import pytest
from pydantic import ValidationError

from cutscore.core.ask import Ask
from cutscore.core.bundle import Bundle, Delivery, Provenance
from cutscore.core.files import FileRef

CLIP = FileRef(name="clips/a.mp4", sha256="ab" * 32, size_bytes=7)
GOLD = FileRef(name="golden.mp4", sha256="cd" * 32, size_bytes=7)


def bundle(**changes: Any) -> Bundle:
    plain: dict[str, Any] = {
        "id": "task-1",
        "cluster": "film",
        "brief": "Put it right.",
        "materials": (CLIP,),
        "deliveries": (Delivery(name="fixed.mp4"),),
        "licence": "CC0-1.0",
    }
    return Bundle(**(plain | changes))


def test_what_only_the_marker_knows_is_truth() -> None:
    assert bundle().truth_fields() == ("hidden", "verifier", "provenance", "hints")
    told = bundle(hidden=(GOLD,), provenance={"golden.mp4": Provenance(licence="CC0-1.0", source="A Film")})
    assert "A Film" not in str(told.without_truth())
    assert "golden" not in str(told.without_truth())


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"brief": ""}, "at least 1 character"),
        ({"materials": ()}, "at least 1 item"),
        ({"deliveries": ()}, "at least 1 item"),
        ({"licence": ""}, "at least 1 character"),
        ({"human_minutes": 0}, "greater than 0"),
        ({"tier": "insane"}, "'easy', 'medium' or 'hard'"),
        ({"modalities": ("smell",)}, "'picture', 'sound', 'speech' or 'text'"),
        ({"materials": (CLIP, GOLD.model_copy(update={"name": "clips/A.mp4"}))}, "materials have 'clips/a.mp4' more"),
        ({"deliveries": (Delivery(name="x"), Delivery(name="X"))}, "deliveries have 'x' more than once"),
        ({"hints": {"location": " "}}, "hint 'location' says nothing"),
        ({"provenance": {"b.mp4": Provenance(licence="CC0-1.0")}}, "provenance names 'b.mp4', which is no file"),
        (
            {"hidden": (GOLD.model_copy(update={"sha256": CLIP.sha256}),)},
            "hidden file 'golden.mp4' is given away as 'clips/a.mp4'",
        ),
    ],
)
def test_a_bundle_that_does_not_hold_together_is_refused(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        bundle(**changes)


def test_an_ask_has_the_materials_and_what_is_wanted_and_nothing_of_the_marker() -> None:
    task = bundle(hidden=(GOLD,), deliveries=(Delivery(name="fixed.mp4", about="the film", container="mp4"),))
    asked = task.make_ask("Mend it.", prompts={"ask": "ef" * 32})
    assert (asked.item, asked.brief, asked.files, asked.prompts) == ("task-1", "Mend it.", (CLIP,), {"ask": "ef" * 32})
    assert [(each.name, each.about) for each in asked.wanted] == [("fixed.mp4", "the film")]
    assert task.brief_line("fixed.mp4") == "fixed.mp4: the film (mp4)"
    assert task.published_ask == task.make_ask("Put it right.")


def test_a_hint_stands_before_the_brief_and_nothing_else_changes() -> None:
    ask = Ask(item="task-1", brief="Put it right.", files=(CLIP,))
    hinted = bundle(hints={"location": "Look at 2 s to 3 s.\n"}).with_hint(ask, "location")
    assert hinted == ask.model_copy(update={"brief": "Look at 2 s to 3 s.\n\nPut it right."})
    assert bundle(hints={"location": "Look."}).with_hint(ask, "fix") is None


def test_a_delivery_tells_every_rule_and_no_other() -> None:
    assert Delivery(name="report.md").brief_line == "report.md"
    whole = Delivery(
        name="final.mp4",
        about="the trailer",
        container="mp4",
        codecs=("h264", "hevc"),
        size=(1920, 1080),
        rate="24000/1001",
        length_s=60,
        within_s=1,
    )
    assert whole.brief_line == (
        "final.mp4: the trailer (mp4, h264 or hevc, 1920×1080 pixels, 23.976 pictures a second, 60 s ± 1 s)"
    )


def test_a_delivery_tells_aspect_and_sound_and_writes_them_only_where_it_has_them() -> None:
    tall = Delivery(name="final.mp4", container="mp4", aspect=(9, 16), length_s=8, within_s=1, sound=True)
    tall = tall.model_copy(update={"sound_hz": 48_000})
    assert tall.brief_line == "final.mp4 (mp4, picture 9:16, 8 s ± 1 s, with sound, sampled at 48000 Hz)"
    assert Delivery.model_validate_json(tall.model_dump_json()) == tall
    assert not {"aspect", "sound", "sound_hz"} & Delivery(name="report.md").model_dump().keys()
    with pytest.raises(ValueError, match="greater than 0"):
        Delivery(name="final.mp4", aspect=(16, 0))


@pytest.mark.parametrize("name", ["../x", "/x", "", "a\\b"])
def test_a_delivery_stays_inside_its_folder(name: str) -> None:
    with pytest.raises(ValidationError):
        Delivery(name=name)
