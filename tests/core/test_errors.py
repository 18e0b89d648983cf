"""What errors say, which code they end with, and that they survive the way between processes."""

import pickle

import pytest

from cutscore.core import errors
from cutscore.core.errors import BadInput, CutscoreError, MissingExtra, UnknownName


def everyone() -> list[type[CutscoreError]]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CutscoreError)]


def test_the_sentence_names_thing_fact_and_next_step() -> None:
    assert str(BadInput("item 'a'", "has no clip", "add one")) == "item 'a': has no clip; add one"
    assert str(BadInput("item 'a'", "has no clip")) == "item 'a': has no clip"
    assert str(BadInput("no item 'a'", "", "did you mean 'b'?")) == "no item 'a'; did you mean 'b'?"
    assert BadInput("a", "b", "c").as_json() == {"kind": "BadInput", "what": "a", "fact": "b", "next": "c"}


def test_exit_codes_are_those_of_the_drawn_tree() -> None:
    assert errors.__doc__ is not None
    drawn = [line.strip(" │├└─").split() for line in errors.__doc__.splitlines() if "──" in line]
    codes = {words[0]: words[1] for words in drawn}
    assert set(codes) == {kind.__name__ for kind in everyone()} - {"CutscoreError"}
    for kind in everyone():
        if codes.get(kind.__name__, "-") != "-":
            assert kind.exit_code == int(codes[kind.__name__])


@pytest.mark.parametrize("kind", everyone())
def test_an_error_crosses_processes_whole(kind: type[CutscoreError]) -> None:
    error = kind("what", "fact", "next")
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert back.as_json() == error.as_json()


def test_near_names_are_offered() -> None:
    assert str(UnknownName.among("benchmark", "colourbars", ["repair", "colorbars"])) == (
        "no benchmark 'colourbars'; did you mean 'colorbars'?"
    )
    assert str(UnknownName.among("benchmark", "zzz", ["b", "a"])) == "no benchmark 'zzz'; known: a, b"
    assert str(UnknownName.among("subject", "x", [])) == "no subject 'x'; there is no subject yet"
    many = str(UnknownName.among("item", "zzz", [f"item-{n:02d}" for n in range(20)]))
    assert many.endswith("item-11 …")


def test_a_missing_extra_is_a_command() -> None:
    assert str(MissingExtra.of("VMAF", "vmaf")) == "VMAF needs an extra: pip install 'cutscore[vmaf]'"
