import json
from fractions import Fraction

import pytest

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep, Sight, read_procedure
from cutscore.core.errors import BrokenData


def omelette(**changed: object) -> ProcedureRecord:
    """Crack (0-2), whisk (2-5, needs crack), fry (5-9, needs whisk), while the radio plays (1-8)."""
    steps = (
        ProcedureStep(id="crack", text="Crack 3 eggs into a bowl", verb="crack", start_s=0, end_s=2),
        ProcedureStep(id="radio", text="Turn on the radio", verb="turn on", start_s=1, end_s=8),
        ProcedureStep(id="whisk", text="Whisk them with a fork", tool="fork", needs=("crack",), start_s=2, end_s=5),
        ProcedureStep(
            id="fry", text="Fry it in the pan", needs=("whisk",), why="heat sets the egg", start_s=5, end_s=9
        ),
    )
    sights = (Sight(question="What colour is the bowl?", answer="blue", start_s=0, end_s=5),)
    plain = {"name": "omelette", "title": "An omelette", "domain": "cooking", "length_s": 10}
    return ProcedureRecord.model_validate({**plain, "steps": steps, "sights": sights, **changed})


def test_a_sidecar_reads_back_equal(tmp_path):
    file = tmp_path / "omelette.procedure.json"
    file.write_text(omelette().model_dump_json(by_alias=True))
    assert read_procedure(file) == omelette()
    assert omelette().by_id["fry"].end_s == Fraction(9)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([("a", 0, ()), ("b", 1, ("c",)), ("c", 2, ())], "step 'b' needs 'c', which is no earlier step"),
        ([("a", 0, ()), ("b", 0, ("a",)), ("c", 2, ())], "needs 'a', which does not begin before it"),
        ([("a", 0, ()), ("b", 2, ()), ("c", 1, ())], "step 'c' begins before the one that stands above it"),
        ([("a", 0, ()), ("a", 1, ()), ("c", 2, ())], "there are two steps 'a'"),
        ([("a", 0, ()), ("b", 1, ()), ("c", 20, ())], "something ends at"),
        ([("a", 0, ()), ("b", 1, ())], "at least 3 items"),
    ],
)
def test_what_cannot_be_is_refused_by_its_place(tmp_path, steps, words):
    file = tmp_path / "x.procedure.json"
    made = [{"id": id, "text": id, "start_s": at, "end_s": at + 1, "needs": needs} for id, at, needs in steps]
    plain = omelette().model_dump(mode="json", by_alias=True) | {"steps": made}
    file.write_text(json.dumps(plain))
    with pytest.raises(BrokenData, match=words):
        read_procedure(file)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": "cutscore.procedure/2"}', "\xff"])
def test_what_is_no_procedure_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text, encoding="latin-1")
    with pytest.raises(BrokenData, match=r"procedure 'x\.json'"):
        read_procedure(tmp_path / "x.json")
