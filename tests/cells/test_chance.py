"""Chance is that of the items at hand: counted item by item, tried by `check`, or unknown."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.cells.chance import expected_chance
from cutscore.registry import benchmark

Bench = Callable[[str], LoadedBenchmark]


@pytest.mark.parametrize("name", ["colorbars", "sequencing", "assembly"])
def test_cards_say_what_guessing_gets_on_their_own_items(name: str, bench: Bench) -> None:
    own, scores = bench(name), bench(name).found.card.scores
    found = expected_chance(own.found, own.items)
    assert found == {each: pytest.approx(scores[each].chance, abs=0.002) for each in found}
    assert set(found) == {each for each, card in scores.items() if card.chance is not None}


def test_fewer_choices_are_easier_to_guess(bench: Bench) -> None:
    own = bench("colorbars")
    items = [item.model_copy(update={"choices": item.choices[:2]}) for item in own.items]
    assert expected_chance(own.found, items) == {"accuracy": 0.5}
    assert expected_chance(own.found, [*items[:3], own.items[0]]) == {"accuracy": 0.4375}


def test_what_has_to_be_tried_is_not_counted() -> None:
    assert expected_chance(benchmark("repair"), []) == {}


def test_of_own_items_the_card_tells_and_of_a_pack_its_items(bench: Bench, tmp_path) -> None:
    own = bench("colorbars")
    assert own.chance == 0.25
    two = [item.model_copy(update={"choices": item.choices[:2]}) for item in own.items]
    assert replace(own, items=two, data=tmp_path).chance == 0.5
    assert replace(bench("repair"), data=tmp_path).chance is None
