import json
from fractions import Fraction
from pathlib import Path

import pytest

from cutscore.benchmarks.vidwork.sidecars import transcript, write_transcript, write_truth
from cutscore.core.errors import NoRoom
from cutscore.stage.scene import Scene
from cutscore.stage.timeline import Truth, truth


def test_a_transcript_holds_the_words_where_they_are_spoken(pour: Scene, tmp_path: Path) -> None:
    path = tmp_path / "pour.transcript.json"
    write_transcript(pour, path)
    said = json.loads(path.read_text())
    assert (said["schema"], said["made_by"], said["length_s"]) == ("cutscore.transcript/1", "tones, one a word", "4")
    (line,) = said["segments"]
    assert line["text"] == "Now fill the glass"
    assert [word["text"] for word in line["words"]] == line["text"].split()
    times = [Fraction(word[name]) for word in line["words"] for name in ("start_s", "end_s")]
    assert times == sorted(times)
    assert Fraction(line["end_s"]) == times[-1]


def test_a_silent_scene_has_an_empty_transcript(pour: Scene) -> None:
    assert transcript(pour.model_copy(update={"lines": ()}))["segments"] == []


def test_the_truth_is_written_with_its_scene(pour: Scene, tmp_path: Path) -> None:
    path = tmp_path / "pour.truth.json"
    write_truth(pour, path)
    told = json.loads(path.read_text())
    assert Truth.model_validate(told["truth"]) == truth(pour)
    assert Scene.model_validate(told["scene"]) == pour
    assert [each.name for each in tmp_path.iterdir()] == ["pour.truth.json"]


def test_a_folder_that_is_not_there_is_said(pour: Scene, tmp_path: Path) -> None:
    with pytest.raises(NoRoom, match=r"file 'a\.json': cannot be written"):
        write_truth(pour, tmp_path / "nowhere" / "a.json")
