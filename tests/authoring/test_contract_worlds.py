"""The promises of benchmarks with a world or with turns: the oracle acts, evidence is recorded, nothing leaks."""

import pytest

from cutscore.authoring import contract
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.core.ask import AskPart
from cutscore.registry import benchmark
from cutscore.store import Store


@pytest.fixture
def opened(worlds, tmp_path):
    """Give a function that opens a benchmark of the fixtures by name."""
    return lambda name: load_benchmark(benchmark(name), Store(tmp_path / "store"))


@pytest.mark.parametrize("name", ["kiosk", "dialogue"])
def test_a_world_and_turns_keep_every_promise(opened, name):
    assert contract.problems(opened(name)) == []


def test_the_same_work_is_done_in_one_world(opened):
    bench = opened("kiosk")
    contract.marking_repeats(bench)
    from kiosk_bench.environment import opened as kiosks

    assert len(kiosks) == 6, "two items, each with a perfect, an empty and a nearly right order"
    assert all(kiosk.is_closed for kiosk in kiosks)


def test_a_world_that_cannot_be_opened_here_is_said(opened, monkeypatch):
    monkeypatch.setenv("KIOSK_FAULT", "lacks power")
    problems = contract.oracle_gets_full_marks(opened("kiosk"))
    assert problems[0] == "item 'order-1': the oracle is stopped: kiosk: has no power here; plug it in"


def test_an_oracle_that_acts_needs_a_world(opened, monkeypatch):
    bench = opened("kiosk")
    has_part = type(bench.found).has_part
    monkeypatch.setattr(
        type(bench.found), "has_part", lambda self, name: name != "environment" and has_part(self, name)
    )
    problem = contract.oracle_gets_full_marks(bench)[0]
    assert "oracle: it has actions, and there is no environment to act in; add environment/" in problem


@pytest.mark.parametrize("field", ["text", "value"])
def test_a_leak_into_a_named_part_is_seen(opened, monkeypatch, field):
    bench = opened("kiosk")
    ask = bench.found.part("ask")
    honest = ask.ask

    def leaky(item, prompts):
        told = AskPart(role="hint", **{field: item.drink})
        return (made := honest(item, prompts)).model_copy(update={"parts": (*made.parts, told)})

    monkeypatch.setattr(ask, "ask", leaky)
    assert "item 'order-1': what the subject gets changes with drink" in contract.subject_sees_no_truth(bench)


def test_a_leak_into_a_later_turn_is_seen(opened, monkeypatch):
    bench = opened("dialogue")
    ask = bench.found.part("ask")
    honest = ask.next_ask

    async def leaky(item, prompts, context):
        made = await honest(item, prompts, context)
        return made if made.ask else made.model_copy(update={"text": f"It was {item.rest}."})

    monkeypatch.setattr(ask, "next_ask", leaky)
    assert "item 'from-a': what the subject gets changes with rest" in contract.subject_sees_no_truth(bench)


def test_a_world_that_knows_the_truth_is_seen(opened, monkeypatch, tmp_path):
    bench = opened("kiosk")
    reach = contract.keyless_subjects_reach_no_truth.__globals__["_reached"]
    monkeypatch.setitem(
        contract.keyless_subjects_reach_no_truth.__globals__,
        "_reached",
        lambda found, file: {**reach(found, file), **({"kiosk_bench.oracle": 1} if file.startswith("env") else {})},
    )
    (problem,) = contract.keyless_subjects_reach_no_truth(bench)
    assert problem == "environment/__init__.py reaches kiosk_bench.oracle, where the truth is"


def test_show_names_the_parts_of_an_ask(worlds, cli):
    shown = cli("show", "kiosk", "order-1")
    assert 'part: board        ["tea", "milk"]' in shown.out
    assert "part: start_page   /board" in shown.out
    assert cli("show", "kiosk", "order-1", "--json").json["parts"] == [
        {"role": "board", "value": ["tea", "milk"]},
        {"role": "start_page", "text": "/board"},
    ]
    assert "parts" not in cli("show", "colorbars", "bars-01-a", "--json").json


def test_check_says_of_a_world_what_it_says_of_all(worlds, cli):
    done = cli("check", "kiosk")
    assert (done.code, "BROKEN" in done.out) == (0, False), done.out
