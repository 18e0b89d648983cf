"""Records of clips: from the stage, from a file beside the clip, from a model; and what is said when there is none."""

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.authoring import source_facts as listening
from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import read_footage
from cutscore.authoring.recipe_options import BuildOptions
from cutscore.benchmarks.vidwork.procedures.records import ProcedureRecords, collect_records
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.errors import BadInput, MissingExtra, UnknownName
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.media.transcript import Transcript
from cutscore.stage import library
from cutscore.stage.render import write
from cutscore.stage.speech import with_voice

DOMAINS = ("cooking", "repair_manufacturing")
SCENE = "stage:pancakes,length_s=4,height=90,rate=2"
RECORD: dict[str, Any] = {
    "schema": "cutscore.procedure/1",
    "name": "whatever",
    "title": "Tea",
    "domain": "cooking",
    "length_s": 3,
    "author": "Ann",
    "licence": "of the record",
    "steps": [
        {"id": "a", "text": "Boil the water", "start_s": 0, "end_s": 1},
        {"id": "b", "text": "Pour it on the tea", "start_s": 1, "end_s": 2},
        {"id": "c", "text": "Take the bag out", "start_s": 2, "end_s": 3},
    ],
}


@pytest.fixture
def film(tmp_path: Path):
    """Write a clip of three seconds, with a hum if asked for, and files beside it."""

    def write(name: str, *, hum: bool = False, **beside: str) -> Path:
        path = tmp_path / f"{name}.mp4"
        sound = Sound(np.full(48_000 * 3, 0.1, np.float32), 48_000) if hum else None
        shade = sum(name.encode()) % 200
        write_clip(path, (np.full((32, 64, 3), shade, np.uint8) for _ in range(6)), rate=Fraction(2), sound=sound)
        for suffix, text in beside.items():
            path.with_name(f"{name}.{suffix.replace('_', '.')}").write_text(text)
        return path

    return write


def record(
    tmp_path: Path, *words: object, licence: str = "", frames: str = "uniform=2", **options: Any
) -> ProcedureRecords:
    out = BuildFolder(tmp_path / "pack")
    taken = read_footage([str(word) for word in words], out, licence=licence, tell=lambda line: None)
    return collect_records(taken.clips, out, BuildOptions(**options), domains=DOMAINS, frames=frames)


def with_record(**changed: Any) -> dict[str, str]:
    return {"procedure_json": json.dumps({**RECORD, **changed})}


def test_the_stage_knows(tmp_path: Path) -> None:
    made = record(tmp_path, SCENE, SCENE.replace("rate=2", "rate=2,seed=1"))
    assert [clip.name for clip, _ in made.known] == ["pancakes", "pancakes-2"]
    assert [known.name for _, known in made.known] == ["pancakes", "pancakes-2"]
    assert {known.author for _, known in made.known} == {"stage"}


def test_a_scene_that_is_no_procedure_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    made = record(tmp_path, "stage:bounces,length_s=4,height=90,rate=2", SCENE)
    assert [known.name for _, known in made.known] == ["pancakes"]
    assert all("is no procedure" in each.because for each in made.refused)
    assert made.refused


def test_a_person_knows(tmp_path: Path, film) -> None:
    vtt = "WEBVTT\n\n00:00.500 --> 00:01.000\nNow the water\n"
    made = record(tmp_path, film("tea", **with_record(), vtt=vtt), licence="CC0-1.0")
    ((clip, known),) = made.known
    assert (known.name, known.author, known.licence, known.length_s) == ("tea", "Ann", "CC0-1.0", clip.length_s)
    assert known.narration == "Now the water"
    assert known.source.endswith("tea.mp4")
    assert not made.warnings


def test_the_licence_of_the_record_counts_where_the_clip_has_none(tmp_path: Path, film) -> None:
    ((clip, known),) = record(tmp_path, film("tea", **with_record())).known
    assert clip.licence == known.licence == "of the record"
    assert known.transcript == Transcript(made_by="no sound", length_s=3)


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"domain": "rockets"}, "its domain 'rockets' is none of cooking, repair_manufacturing"),
        ({"length_s": 9}, "lasts 00:09.000 by its record and 00:03.000 by its pictures"),
        (
            {"length_s": "7/2", "steps": [*RECORD["steps"][:2], {**RECORD["steps"][2], "end_s": "7/2"}]},
            "something ends at 00:03.500, the clip at 00:03.000",
        ),
        ({"steps": []}, "procedure 'bad.procedure.json': steps: Tuple should have at least 3 items"),
        ({"colour": "red"}, "procedure 'bad.procedure.json': colour: Extra inputs are not permitted"),
    ],
)
def test_a_record_that_does_not_fit_is_refused_by_name(tmp_path: Path, film, changed: Any, cause: str) -> None:
    made = record(tmp_path, film("bad", **with_record(**changed)), film("good", **with_record()))
    assert [known.name for _, known in made.known] == ["good"]
    (refusal,) = made.refused
    assert refusal.what == "bad"
    assert refusal.because.startswith(cause)


def test_a_broken_transcript_refuses_its_clip(tmp_path: Path, film) -> None:
    made = record(tmp_path, film("bad", **with_record(), vtt="not subtitles"), film("good", **with_record()))
    assert "is neither a transcript nor subtitles" in made.refused[0].because


def test_without_anybody_who_knows_the_three_ways_are_said(tmp_path: Path, film) -> None:
    with pytest.raises(BadInput) as error:
        record(tmp_path, film("tea"))
    assert str(error.value) == (
        "clip 'tea': nobody wrote down its procedure; lay NAME.procedure.json beside the clip, name a --model that "
        "watches it, or build from stage:NAME"
    )


def test_a_prompt_that_nobody_would_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no prompt 'step'; did you mean 'steps'"):
        record(tmp_path, SCENE, prompts={"step": tmp_path / "x.md"})


def test_a_model_for_one_task_alone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--role: nobody is named for causes and sights; add --model, or a --role for"):
        record(tmp_path, SCENE, roles={"steps": "scripted/a"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cost_limit_usd": 1}, "model 'scripted/a': has no known price, so --cost-limit cannot be kept"),
        ({"frames": "many"}, "frame plan 'many'"),
    ],
)
def test_what_would_be_wrong_with_every_clip_is_said_once(tmp_path: Path, film, options: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        record(tmp_path, film("tea"), model="scripted/a", **options)


@pytest.mark.real
def test_whisper_writes_down_what_is_said(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper")
    if not shutil.which("espeak-ng"):
        pytest.skip("nobody can speak here: espeak-ng is not installed")
    scene = with_voice(library.scene("pancakes", length_s=20), "espeak-ng")
    small = scene.model_copy(update={"width": 160, "height": 90, "rate": Fraction(2)})
    write(small, tmp_path / "spoken.mp4")
    steps = [{"id": s.id, "text": s.text, "start_s": str(s.start_s), "end_s": str(s.end_s)} for s in scene.steps]
    text = json.dumps({**RECORD, "length_s": 20, "steps": steps})
    (tmp_path / "spoken.procedure.json").write_text(text)
    ((_, known),) = record(tmp_path, tmp_path / "spoken.mp4").known
    assert known.transcript is not None
    assert "whisper" in known.transcript.made_by.lower()
    heard, said = set(content_words(known.narration)), set(content_words(" ".join(line.text for line in scene.lines)))
    assert len(heard & said) >= len(said) / 2


def test_sound_is_heard_once_and_a_missing_ear_is_said(tmp_path: Path, film, monkeypatch: pytest.MonkeyPatch) -> None:
    path, heard = film("tea", hum=True, **with_record()), list[int]()

    def deaf(blocks: Any) -> Transcript:
        raise MissingExtra.of("speech", "speech")

    monkeypatch.setattr(listening, "transcribe", deaf)
    made = record(tmp_path, path)
    assert made.known[0][1].transcript is None
    assert made.warnings == [
        "clip 'tea': nobody listened to it; pip install 'cutscore[speech]', or lay a .vtt beside it"
    ]

    def hear(blocks: Any) -> Transcript:
        heard.append(sum(map(len, blocks)))
        return Transcript(made_by="ear", segments=())

    monkeypatch.setattr(listening, "transcribe", hear)
    for _ in range(2):
        made = record(tmp_path, path)
        assert (made.known[0][1].transcript, made.warnings) == (Transcript(made_by="ear"), [])
    assert [round(samples, -3) for samples in heard] == [48_000]  # three seconds, once


def test_a_model_knows_and_what_it_cannot_write_is_refused(tmp_path: Path, film) -> None:
    model = f"scripted/{tmp_path}/script.json"
    Path(tmp_path / "script.json").write_text(json.dumps({"otherwise": ["no idea"]}))
    made = record(tmp_path, film("tea", **with_record()), film("soup"), model=model)
    assert [known.name for _, known in made.known] == ["tea"]
    (refusal,) = made.refused
    assert refusal.because == f"model '{model}': wrote no usable steps in 3 attempts: holds no JSON object"
