"""A gate card means something: what failed is neither scored nor asked nor counted, and somebody says so."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.authoring.gates.card import write_card
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.bridge.rows import read_rows
from cutscore.cells.admission import admit, read_gate_card
from cutscore.cells.scoring_code import code_digest
from cutscore.core.errors import BrokenData
from cutscore.core.gate import Gate, GateCard, GateName, ItemGates, Shortcut

Make = Callable[..., LoadedBenchmark]
Called = Callable[..., tuple[int, str, str]]


def card_of(bench: LoadedBenchmark, **failed: GateName) -> GateCard:
    """A card by hand: all passed but the named items, each at its gate."""
    items = tuple(
        ItemGates(
            item=item.id,
            content=item.digest(),
            gates=(Gate(name=failed[item.id], state="failed", faults=("it is bad",)),) if item.id in failed else (),
        )
        for item in bench.items
    )
    return GateCard(
        benchmark="gated", version="1", scoring=code_digest(bench.found), cutscore="0", decoder="x", items=items
    )


def test_what_failed_is_left_out_until_it_or_its_verifier_changes(make: Make) -> None:
    bench = make({"id": "one"}, {"id": "two"}, {"id": "three"})
    data = bench.data
    assert data is not None
    assert "has not been through its gates" in admit(bench.found, bench.items, data).remarks[0]
    write_card(data, card := card_of(bench, one="verifier", two="expert"))
    assert read_gate_card(data) == card
    found = admit(bench.found, bench.items, data)
    assert [item.id for item in found.items] == ["three"]
    assert found.refused == {
        "one": "failed the verifier gate: it is bad",
        "two": "failed the expert gate: it is bad",
    }
    assert found.remarks[0] == "item 'one' is left out of every number: it failed the verifier gate: it is bad"
    write_card(data, card.model_copy(update={"scoring": "other"}))
    found = admit(bench.found, bench.items, data)
    assert list(found.refused) == ["two"]
    assert "its verifier has changed since the gates, so it is unchecked" in found.remarks[-1]
    write_card(data, card)
    moved = [item.model_copy(update={"brief": "Another."}) for item in bench.items]
    found = admit(bench.found, moved, data)
    assert found.refused == {}
    assert "3 items changed since the gates (one, two, three)" in found.remarks[-1]
    (data / "gates.json").write_text("{")
    with pytest.raises(BrokenData, match="is not JSON"):
        admit(bench.found, bench.items, data)


def test_a_shortcut_that_works_closes_the_whole_pack(make: Make) -> None:
    bench = make({"id": "one"}, {"id": "two"})
    known = Shortcut(name="medoid", n=4, mean=0.9, low=0.8, chance=0.0, limit=0.05)
    card = card_of(bench).model_copy(update={"shortcuts": (known,)})
    assert card.failed
    now = {item.item: item.content for item in card.items}
    refused = card.refusals(now, scoring=card.scoring)
    assert refused == dict.fromkeys(("one", "two"), f"failed the verifier gate: {known.fault}")
    assert card.refusals(now, scoring="another") == {}
    printed = card.model_copy(update={"shortcuts": (known.model_copy(update={"printed": "it may"}),)})
    assert (printed.failed, printed.refusals(now, scoring=card.scoring)) == (False, {})


@pytest.mark.real  # long, and needs nothing else
def test_what_failed_is_neither_scored_nor_asked_nor_counted(make: Make, called: Called) -> None:
    bench = make({"id": "good"}, {"id": "bad"})
    data = bench.data or Path()
    code, _, err = called("run", "gated", "--data", data, "--subject", "oracle", "--log-dir", "before")
    assert code == 0
    assert "has not been through its gates: run 'cutscore check" in err

    write_card(data, card_of(bench, bad="asset"))
    (data.parent / "in").mkdir()
    (data.parent / "in" / "word.json").write_text('["glovebox"]')
    code, _, err = called("score", "gated", "bad", data.parent / "in", "--data", data)
    assert code == 2
    assert "error: item 'bad': failed the asset gate: it is bad; mend it and run 'cutscore check' again" in err
    code, out, _ = called("score", "gated", "good", data.parent / "in", "--data", data, "--json")
    assert (code, json.loads(out)["score"]) == (0, 1.0)

    left_out = "item 'bad' is left out of every number: it failed the asset gate: it is bad"
    code, out, err = called("run", "gated", "--data", data, "--subject", "oracle", "--json")
    assert (code, json.loads(out)["remarks"]) == (0, [left_out])
    assert f"warning: {left_out}" in err
    assert [(row.item, row.ending.status) for row in read_rows(Path("logs"))] == [("good", "marked")]
    assert called("rescore", "before")[0] == 0
    again = [row.item for row in read_rows(Path("before")) if row.subject.endswith("(rescored)")]
    assert again == ["good"]

    write_card(data, card_of(bench, bad="asset", good="expert"))
    code, _, err = called("run", "gated", "--data", data, "--subject", "oracle")
    assert code == 2
    assert "item 'good': failed the expert gate: it is bad" in err


def test_the_best_blind_guess_of_a_pack_is_its_chance(make: Make) -> None:
    bench = make({"id": "one"}, {"id": "two"})
    data = bench.data or Path()
    assert admit(bench.found, bench.items, None).chance is None  # the card tells
    assert admit(bench.found, bench.items, data).chance == {}
    comb = Shortcut(name="comb", n=2, mean=0.4, low=None, chance=0.4, limit=0.45, guess=True)
    card = card_of(bench).model_copy(update={"shortcuts": (comb, comb.model_copy(update={"mean": 0.3}))})
    write_card(data, card)
    assert admit(bench.found, bench.items, data).chance == {"found": 0.4}
    moved = [item.model_copy(update={"brief": "Another."}) for item in bench.items]
    assert admit(bench.found, moved, data).chance == {}
    write_card(data, card.model_copy(update={"scoring": "other"}))
    assert admit(bench.found, bench.items, data).chance == {}
