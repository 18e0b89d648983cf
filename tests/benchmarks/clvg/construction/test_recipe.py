"""clvg: from footage to a pack, with scripted models; votes, corrections, films by a program, equal bytes."""

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.clvg import build as recipe
from cutscore.benchmarks.clvg.construction.record import CaseRecord
from cutscore.benchmarks.clvg.construction.replies import read_correction, read_vote
from cutscore.benchmarks.clvg.dataset import items
from cutscore.core.errors import BadInput
from cutscore.media.render import write_clip
from cutscore.store import Store

pytestmark = pytest.mark.real  # films are encoded and decoded

REQUEST = {"theme": "A square on its way", "request": "Let the white square go on to the right until it has left."}
YES: dict[str, Any] = {"accept": True, "reasons": [], "note": ""}
NO: dict[str, Any] = {"accept": False, "reasons": ["ambiguous"], "note": "Which side?"}
CORRECTED = {"keep": True, "request": "Let the white square leave at the right edge.", "because": "The side was open."}
SCRIPT = {"script": "One person crosses a bare room from left to right while the camera pans along, singing quietly."}


def answers(
    *, second: dict[str, Any] = YES, facts: dict[str, Any] = YES, settled: dict[str, Any] = CORRECTED
) -> list[Any]:
    said = {
        "You write requests": REQUEST,
        "You are verifier 2": second,
        "You are verifier": YES,
        "You check statements": facts,
        "You settle what others": settled,
        "You write scripts": SCRIPT,
    }
    return [{"when": phrase, "say": json.dumps(reply)} for phrase, reply in said.items()]


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    folder.mkdir()
    noise = cv2.resize(np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8), (160, 96))
    pictures = []
    for number in range(8):
        picture = noise.copy()
        cv2.rectangle(picture, (10 + 8 * number, 40), (30 + 8 * number, 60), (255, 255, 255), -1)
        pictures.append(picture)
    write_clip(folder / "square.mp4", pictures, rate=Fraction(4))
    return folder


def build(
    folder: Path, words: Sequence[str], rules: Sequence[Any] = (), *, into: str = "pack", **own: str
) -> BuildResult:
    script = folder / f"{into}.json"
    script.write_text(json.dumps({"rules": list(rules), "backoff_s": 0.001}))
    model = f"scripted/{script}" if rules else ""
    options = BuildOptions(model=model, seed=1, own=parse_options(own, recipe.OPTIONS, recipe="clvg"))
    with open_build_folder(folder / into, {"into": into}) as out:
        return recipe.build(recipe.read_sources(words, out, options, licence="CC0-1.0"), out, options)


def only_case(folder: Path) -> tuple[Any, CaseRecord]:
    (item,) = items(Store(folder / "read"), folder / "pack")
    return item, CaseRecord.model_validate(item.construction)


def test_a_request_that_everybody_accepts_stands_as_it_was_written(tmp_path: Path, films: Path) -> None:
    built = build(tmp_path, [str(films)], answers(), subcategories="forward_continuation")
    item, record = only_case(tmp_path)
    assert built.items == 1
    assert (item.subcategory, item.instruction) == ("forward_continuation", REQUEST["request"])
    assert [part.role for part in item.context] == ["source"]
    assert (record.state, len(record.votes), record.made_by) == ("accepted", 4, "")
    assert {*record.prompts} == {"request", "verify", "facts", "adjudicate", "script"}
    assert item.groups["modalities"] == "text+video"


def test_an_objection_goes_to_an_adjudicator_and_both_wordings_are_kept(tmp_path: Path, films: Path) -> None:
    build(tmp_path, [str(films)], answers(second=NO), subcategories="forward_continuation")
    item, record = only_case(tmp_path)
    assert item.instruction == CORRECTED["request"]
    assert (record.state, record.drafted, record.because) == ("corrected", REQUEST["request"], "The side was open.")
    assert [vote.accept for vote in record.votes] == [True, False, True, True]
    assert record.votes[1].reasons == ("ambiguous",)


def test_a_false_statement_that_cannot_be_mended_drops_the_case(tmp_path: Path, films: Path) -> None:
    lie, drop = NO | {"reasons": ["false_statement"]}, {"keep": False, "because": "There is no dog in it."}
    with pytest.raises(BadInput, match=r"was dropped by .*There is no dog in it"):
        build(tmp_path, [str(films)], answers(facts=lie, settled=drop), subcategories="forward_continuation")


def test_a_still_is_cut_out_where_the_subcategory_wants_one(tmp_path: Path, films: Path) -> None:
    build(tmp_path, [str(films)], answers(), subcategories="mechanics")
    item, _ = only_case(tmp_path)
    assert [(part.role, part.file.rpartition(".")[2]) for part in item.context] == [("first_frame", "png")]


def test_a_clip_without_sound_gives_no_voice(tmp_path: Path, films: Path) -> None:
    with pytest.raises(BadInput, match="nothing is heard in it"):
        build(tmp_path, [str(films)], answers(), subcategories="dialogue_reference")


def test_a_program_films_the_script_and_its_film_is_the_context(tmp_path: Path, films: Path) -> None:
    program = tmp_path / "film.py"
    program.write_text(f"import shutil, sys\nshutil.copyfile({str(films / 'square.mp4')!r}, sys.argv[2])\n")
    maker = f"command:{sys.executable} {program} {{instruction}} {{output}}"
    build(tmp_path, [str(films)], answers(), subcategories="forward_continuation", generator=maker)
    _, record = only_case(tmp_path)
    assert (record.script, record.made_by) == (SCRIPT["script"], maker)
    assert record.labels is not None


def test_nobody_can_write_without_a_model(tmp_path: Path, films: Path) -> None:
    with pytest.raises(BadInput, match="nobody writes the requests"):
        build(tmp_path, [str(films)])
    with pytest.raises(BadInput, match="names 2 models"):
        build(tmp_path, [str(films)], answers(), into="two", verifiers="scripted/a,scripted/b")


def test_the_staged_cases_make_the_same_bytes_twice(tmp_path: Path) -> None:
    for name in ("one", "two"):
        build(tmp_path, ["stage:clvg"], into=name)
    first, second = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in sorted((tmp_path / name).rglob("*"))
            if path.is_file() and ".work" not in path.parts
        }
        for name in ("one", "two")
    )
    assert first == second
    assert len(items(Store(tmp_path / "read"), tmp_path / "one")) >= 24


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ({"accept": False, "reasons": []}, "whoever does not accept names reasons"),
        ({"accept": True, "reasons": ["ambiguous"]}, "whoever does not accept names reasons"),
        ({"accept": False, "reasons": ["ugly"]}, "'ugly' is none of"),
    ],
)
def test_a_vote_has_reasons_exactly_when_it_objects(reply: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_vote(reply, by="lab/x")


def test_a_case_that_is_kept_has_words() -> None:
    with pytest.raises(ValueError, match="is there when the case is kept"):
        read_correction({"keep": True, "because": "fine"})
