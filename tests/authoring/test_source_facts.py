"""Notes beside footage."""

from fractions import Fraction
from pathlib import Path

import pytest

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.source_facts import find_note, read_note
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.stage import library


def clip(folder: Path, **of_clip: object) -> SourceClip:
    ref = FileRef(name="media/my.mp4", sha256="a" * 64, size_bytes=1)
    return SourceClip("my", ref, Path("my.mp4"), str(folder / "my.mp4"), Fraction(4), **of_clip)  # type: ignore[arg-type]


def test_a_note_is_read_on_one_line(tmp_path: Path) -> None:
    assert read_note(clip(tmp_path), ".synopsis.md", longest=20) is None
    (tmp_path / "my.synopsis.md").write_text("  A kite\nis lost. ")
    assert read_note(clip(tmp_path), ".synopsis.md", longest=20) == "A kite is lost."


def test_a_note_that_is_too_long_or_empty_is_refused(tmp_path: Path) -> None:
    for text, count in (("x" * 21, 21), (" \n", 0)):
        (tmp_path / "my.synopsis.md").write_text(text)
        with pytest.raises(BadInput, match=f"its synopsis has {count} characters; write 1 to 20"):
            read_note(clip(tmp_path), ".synopsis.md", longest=20)


def test_scenes_of_the_stage_have_no_notes(tmp_path: Path) -> None:
    (tmp_path / "my.synopsis.md").write_text("A kite is lost.")
    assert find_note(clip(tmp_path, scene=library.scene("race")), ".synopsis.md") is None
