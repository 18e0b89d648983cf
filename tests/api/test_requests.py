"""What was asked for → cells, and every reason to say no before anybody is asked."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutscore.api.requests import cell_requests
from cutscore.cells.request import CellRequest
from cutscore.cli.command import pairs
from cutscore.core.errors import BadInput, CutscoreError

COLORBARS = CellRequest("colorbars")


def shape(base: CellRequest = COLORBARS, **asked: Any) -> list[tuple[str, str, str]]:
    return [(request.subject, request.model, request.frames) for request in cell_requests(base, **asked)]


def test_only_subjects_that_take_a_model_are_crossed_with_models() -> None:
    models = ["openai/a", "openai/b", "openai/a"]
    assert shape(subjects=["oracle", "model", "blind"], models=models) == [
        ("oracle", "", ""),
        ("model", "openai/a", ""),
        ("model", "openai/b", ""),
        ("blind", "", ""),
    ]


def test_a_model_alone_means_the_subject_model() -> None:
    assert shape(models=["openai/a"]) == [("model", "openai/a", "")]


def test_every_ablation_adds_the_same_cells_once_more() -> None:
    ablate = [("frames", "uniform=2"), ("frames", "fps=1,max=4")]
    base = replace(COLORBARS, frames="uniform=8")
    assert shape(base, subjects=["blind", "reader"], ablate=ablate) == [
        (subject, "", frames) for frames in ("uniform=8", "uniform=2", "fps=1,max=4") for subject in ("blind", "reader")
    ]


def test_frames_are_ablated_for_those_who_look_or_for_all_when_nobody_does() -> None:
    base, ablate = replace(COLORBARS, frames="uniform=8"), [("frames", "uniform=2")]
    assert shape(base, subjects=["oracle", "reader"], ablate=ablate)[2:] == [("reader", "", "uniform=2")]
    assert shape(base, subjects=["oracle"], ablate=ablate)[1:] == [("oracle", "", "uniform=2")]


def inputs(**asked: Any) -> list[tuple[str, str, str]]:
    return [(request.subject, request.model, request.input) for request in cell_requests(COLORBARS, **asked)]


def test_an_input_is_ablated_for_those_who_look() -> None:
    ablate = [("input", "question"), ("input", "shuffled")]
    assert inputs(subjects=["oracle", "reader"], ablate=ablate) == [
        ("oracle", "", ""),
        ("reader", "", ""),
        ("reader", "", "question"),
        ("reader", "", "shuffled"),
    ]


def test_the_transcript_alone_is_the_model_under_that_input_or_the_benchmarks_own() -> None:
    models = ["openai/a", "openai/b"]
    assert inputs(subjects=["transcript"], models=models) == [
        ("transcript=model", model, "transcript") for model in models
    ]
    assert inputs(subjects=["tx=transcript", "model"], models=["openai/a"]) == [
        ("tx=model", "openai/a", "transcript"),
        ("model", "openai/a", ""),
    ]
    assert inputs(subjects=["transcript"]) == [("transcript", "", "transcript")]


def test_a_script_is_part_of_the_identity(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    script.write_text("{}", encoding="utf-8")
    (request,) = cell_requests(COLORBARS, models=[f"scripted/{script}"])
    assert request.source_digest == hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {},
            "benchmark 'colorbars': nobody to run: name a --subject or a --model; "
            "it has oracle, reader, blind, null, model",
        ),
        ({"subjects": ["orcale"]}, "no subject 'orcale'; did you mean 'oracle'?"),
        ({"subjects": ["=oracle"]}, "--subject '=oracle': '=oracle' is not [LABEL=]KIND[@VERSION][:SPEC]"),
        ({"subjects": ["model"]}, "--subject 'model': needs a model; add --model PROVIDER/NAME"),
        (
            {"subjects": ["oracle"], "models": ["a/b"]},
            "--model 'a/b': nobody takes a model among the subjects (oracle)",
        ),
        ({"subjects": ["oracle", "oracle"]}, "--subject 'oracle': is asked for twice; give it once"),
        ({"subjects": ["video"]}, "--subject 'video': needs a model; add --model PROVIDER/NAME"),
        ({"models": ["gpt"]}, "--model 'gpt': is not PROVIDER/NAME"),
        ({"models": ["a/b"], "roles": {"critic": "x"}}, "--role critic= 'x': is not PROVIDER/NAME"),
        ({"models": ["a/b"], "votes": 3}, "--votes 3: nobody votes without a judge; add --judge"),
        ({"models": ["a/b"], "judge": "x/y", "votes": 4}, "--votes 4: an even number of votes can be tied; ask 3 or 5"),
        ({"models": ["a/b"], "mode": "strict"}, "--mode 'strict': benchmark 'colorbars' has no scoring mode 'strict'"),
        ({"models": ["a/b"], "frames": "bogus"}, "frame plan 'bogus': "),
        ({"models": ["a/b"], "ablate": [("frame", "x")]}, "no setting to ablate 'frame'; did you mean 'frames'?"),
        ({"models": ["a/b"], "ablate": [("frames", "x")]}, "frame plan 'x': "),
        ({"models": ["a/b"], "ablate": [("frames", "0")]}, "frame plan '0': "),
        ({"models": ["a/b"], "ablate": [("input", "frame")]}, "no input 'frame'; did you mean 'frames'?"),
        (
            {"subjects": ["oracle", "null"], "ablate": [("input", "frames")]},
            "--ablate input=frames: nobody among the subjects (oracle, null) looks at an input that could be changed",
        ),
        ({"subjects": ["transcript"], "ablate": [("input", "frames")]}, "--ablate input=frames: nobody among"),
        ({"models": ["a/b"], "data": "nope"}, "--data 'nope': there is no such folder"),
        ({"models": ["a/b"], "prompts": {"ask": "nope.md"}}, "--prompt ask=nope.md: there is no such file"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(options: dict[str, Any], said: str) -> None:
    crossed = {name: options[name] for name in ("subjects", "models", "ablate") if name in options}
    shared = {name: value for name, value in options.items() if name not in crossed}
    with pytest.raises(CutscoreError) as caught:
        cell_requests(replace(COLORBARS, **shared), **crossed)
    assert str(caught.value).startswith(said)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("word", ["judge", "=x", "judge=", ""])
def test_pairs_have_two_sides(word: str) -> None:
    with pytest.raises(BadInput, match="is not NAME=VALUE; write --role NAME=VALUE"):
        pairs("--role", [word])


def test_a_name_given_twice_is_not_lost_silently() -> None:
    with pytest.raises(BadInput, match="--role 'a=2': 'a' is given twice; give it once"):
        pairs("--role", ["a=1", "a=2"])


def conditions(base: CellRequest = COLORBARS, **asked: Any) -> list[tuple[str, dict[str, str]]]:
    return [(request.subject, dict(request.conditions)) for request in cell_requests(base, **asked)]


def test_a_condition_is_set_for_those_to_whom_it_means_something() -> None:
    base = replace(COLORBARS, conditions={"temperature": "0.0", "time_limit_s": "60"})
    made = conditions(base, subjects=["reader", "model", "mine=folder:out"], models=["openai/a"])
    assert made == [
        ("reader", {"time_limit_s": "60"}),
        ("model", {"temperature": "0", "time_limit_s": "60"}),
        ("mine=folder:out", {}),
    ]


def test_a_condition_is_ablated_for_those_to_whom_it_means_something() -> None:
    base = replace(COLORBARS, conditions={"temperature": "0"})
    made = conditions(base, subjects=["reader", "model"], models=["openai/a"], ablate=[("temperature", "1")])
    assert made == [("reader", {}), ("model", {"temperature": "0"}), ("model", {"temperature": "1"})]
    usual = conditions(base, models=["openai/a"], ablate=[("temperature", "none")])
    assert usual == [("model", {"temperature": "0"}), ("model", {})]


def test_a_limit_is_ablated_for_those_who_look_or_for_all_when_nobody_does() -> None:
    ablate = [("time_limit_s", "5")]
    assert conditions(subjects=["oracle", "reader"], ablate=ablate)[2:] == [("reader", {"time_limit_s": "5"})]
    assert conditions(subjects=["oracle"], ablate=ablate)[1:] == [("oracle", {"time_limit_s": "5"})]


@pytest.mark.parametrize(
    ("given", "asked", "words"),
    [
        (
            {"temperature": "0"},
            {"subjects": ["reader", "blind"]},
            "--set temperature=0: it means nothing to any of the subjects (reader, blind); "
            "name a subject that takes a model, or leave it out",
        ),
        (
            {"time_limit_s": "5"},
            {"subjects": ["mine=folder:out"]},
            "--set time_limit_s=5: it means nothing to any of the subjects (mine); "
            "name a subject that does its work now, or leave it out",
        ),
        (
            {},
            {"subjects": ["reader"], "ablate": [("temperature", "0")]},
            "--ablate temperature=0: it means nothing to any of the subjects (reader)",
        ),
        ({}, {"subjects": ["reader"], "ablate": [("temperatur_", "0")]}, "did you mean 'temperature'?"),
        (
            {},
            {"models": ["openai/a"], "ablate": [("top_p", "2")]},
            "'top_p' cannot be '2'; it is at least 0",
        ),
        ({"tempo": "2"}, {"models": ["openai/a"]}, "benchmark 'colorbars' has no condition 'tempo'"),
    ],
)
def test_a_condition_that_cannot_be_is_refused(given: dict[str, str], asked: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        cell_requests(replace(COLORBARS, conditions=given), **asked)
