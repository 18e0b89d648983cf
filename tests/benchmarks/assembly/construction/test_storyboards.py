"""What is said of shots: by a person's file, by the script of a scene; and what the camera does, measured."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.footage import SourceClip
from cutscore.benchmarks.assembly.construction.storyboards import (
    camera_movement,
    describe_staged_shots,
    read_storyboard_note,
)
from cutscore.benchmarks.assembly.framing import Reframing, frame_picture
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.stage import library

SMALL = {"width": 160, "height": 90}
SLOT = '{"start_s": 0, "end_s": 2, "description": "A kite.", "shot_size": "wide shot"}'


@pytest.fixture
def film(tmp_path: Path) -> SourceClip:
    """A clip of which only its place matters."""
    ref = FileRef(name="kite.mp4", sha256="0" * 64, size_bytes=1)
    return SourceClip(name="kite", ref=ref, path=tmp_path, source=str(tmp_path / "kite.mp4"), length_s=Fraction(4))


def test_a_storyboard_beside_a_film_is_read(film: SourceClip, tmp_path: Path) -> None:
    assert read_storyboard_note(film) is None
    (tmp_path / "kite.storyboard.json").write_text(f'{{"story": "A kite is lost.", "slots": [{SLOT}]}}')
    board = read_storyboard_note(film)
    assert board is not None
    (told,) = board.slots
    assert (board.story, told.description) == ("A kite is lost.", "A kite.")
    assert told.span.length_s == 2
    assert told.camera == {"shot_size": "wide shot", "camera_angle": "", "lens": "", "camera_movement": ""}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[", "is not JSON"),
        ('{"story": "x", "slots": []}', "slots"),
        (f'{{"story": "", "slots": [{SLOT}]}}', "story"),
        (f'{{"story": "x", "slots": [{SLOT.replace("2,", "0,")}]}}', "begins at 0 s and ends at 0 s"),
        (f'{{"story": "x", "slots": [{SLOT.replace("shot_size", "size")}]}}', "size"),
    ],
)
def test_a_bad_storyboard_is_refused_by_name(film: SourceClip, tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "kite.storyboard.json").write_text(text)
    with pytest.raises(BadInput, match=r"kite\.storyboard\.json") as raised:
        read_storyboard_note(film)
    assert fault in raised.value.fact


def test_the_script_of_a_scene_tells_what_is_seen_and_nothing_of_the_camera() -> None:
    scene = library.scene("lantern", seed=1, length_s=14).model_copy(update=SMALL)
    told = describe_staged_shots(scene)
    assert told[0].description == (
        "A forest at night, in the snow: a red person, a yellow lantern and an orange bird."
        " Somebody walks through the snow."
    )
    assert [each.shot_size for each in told[:3]] == ["wide shot", "close-up", "medium shot"]
    assert (told[0].camera_angle, told[0].lens, told[0].camera_movement) == ("eye level", "normal lens", "static")
    assert told[5].camera_movement == "dolly in"
    kites = library.scene("lost-kite", seed=1, length_s=14).model_copy(update=SMALL)
    kite = [entry.camera_movement for entry in describe_staged_shots(kites)]
    assert kite[:3] == ["tilt up", "tracking shot", "static"]
    for each in told:
        assert not {"shot", "camera", "lens", "close", "wide"} & set(each.description.lower().split())


@pytest.mark.parametrize(
    ("framing", "name"),
    [
        (Reframing(), "static"),
        (Reframing(pan=0.2), "pan right"),
        (Reframing(pan=-0.2), "pan left"),
        (Reframing(push=1.3), "dolly in"),
        (Reframing(push=1 / 1.3), "dolly out"),
    ],
)
def test_what_the_camera_does_is_measured(framing: Reframing, name: str) -> None:
    draw = np.random.default_rng(5)
    blocks = draw.integers(0, 256, (9, 16, 3), np.uint8).repeat(16, axis=0).repeat(16, axis=1)
    assert camera_movement([frame_picture(blocks, framing.at(place), size=(96, 54)) for place in (-0.5, 0.5)]) == name
