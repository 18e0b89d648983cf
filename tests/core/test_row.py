"""Canonical rows: the same bytes whoever ran, where, in which order and how fast."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.finding import Finding
from cutscore.core.row import Row, canonical_rows
from cutscore.core.usage import Usage


def row(item: str = "a", epoch: int = 1, **more: object) -> Row:
    plain = {
        "benchmark": "bars", "version": "1", "cell": "oracle-1", "subject": "oracle", "item": item, "epoch": epoch,
        "cluster": item, "ending": Ending(status="marked", scores={"accuracy": 1}),
    }  # fmt: skip
    return Row.model_validate({**plain, **more})


rows = st.lists(
    st.builds(row, st.text("abé", min_size=1, max_size=3), st.integers(1, 12)),
    unique_by=lambda made: made.key,
    max_size=12,
)


@given(rows, st.randoms())
def test_order_does_not_matter(made: list[Row], chance: random.Random) -> None:
    expected = canonical_rows(made)
    chance.shuffle(made)
    assert canonical_rows(made) == expected
    assert canonical_rows(iter(made)) == expected
    assert len(expected.splitlines()) == len(made)


def test_rows_are_sorted_by_what_makes_them_unique() -> None:
    lines = canonical_rows([row("b"), row("a", 10), row("a", 2), row("a", 1, cell="blind-1")]).splitlines()
    assert [(json.loads(line)["cell"], json.loads(line)["item"], json.loads(line)["epoch"]) for line in lines] == [
        ("blind-1", "a", 1),
        ("oracle-1", "a", 2),
        ("oracle-1", "a", 10),
        ("oracle-1", "b", 1),
    ]


def test_even_doubled_rows_have_one_order() -> None:
    one, two = row(warnings=["x"]), row(warnings=["y"])
    assert canonical_rows([one, two]) == canonical_rows([two, one])


def test_what_moves_is_left_out_and_what_counts_is_not() -> None:
    trajectory = FileRef(name="steps.jsonl", sha256="0" * 64, size_bytes=9)
    moved = row(
        seconds=3.5, retries={"429": 2}, usage=Usage(input=1), judge_usage=Usage(), cost_usd=0.5,
        deliverable=Deliverable(trajectory=trajectory),
    )  # fmt: skip
    assert canonical_rows([moved]) == canonical_rows([row()])
    for change in (
        {"ending": Ending(status="marked", scores={"accuracy": 0})},
        {"deliverable": Deliverable(text="x")},
        {"version": "2"},
        {"model": "m"},
        {"groups": {"length": "60 s"}},
        {"warnings": ["answered by another model"]},
    ):
        assert canonical_rows([row(**change)]) != canonical_rows([row()])


def test_what_a_page_with_a_clock_showed_is_left_out() -> None:
    def shown(digest: str, clock: str, answer: str = "a") -> Row:
        files = [FileRef(name=name, sha256=digest * 64, size_bytes=9) for name in ("stop.html", "stop.png")]
        facts = {"stop": {"title": clock}, "count": answer}
        return row(evidence=Evidence(files=files, facts=facts, live=["stop", "stop.html", "stop.png"]))

    assert canonical_rows([shown("0", "10:01")]) == canonical_rows([shown("1", "10:02")])
    assert canonical_rows([shown("0", "10:01", "a")]) != canonical_rows([shown("0", "10:01", "b")])


def test_what_a_finding_quotes_of_a_page_with_a_clock_is_left_out() -> None:
    def marked(clock: str, value: float = 1, live: tuple[str, ...] = ("stop",)) -> Row:
        finding = Finding(name="title", value=value, because=f"seen '{clock}'")
        gap = ScoreGap(name="judged", status="unscored", because=f"no judge for '{clock}'")
        made = Ending(status="marked", scores={"accuracy": 1}, findings=(finding,), gaps=(gap,), because=clock)
        return row(ending=made, evidence=Evidence(facts={"stop": clock}, live=live))

    assert canonical_rows([marked("10:01")]) == canonical_rows([marked("10:02")])
    assert canonical_rows([marked("10:01")]) != canonical_rows([marked("10:01", 0)])
    assert canonical_rows([marked("10:01", live=())]) != canonical_rows([marked("10:02", live=())])


def test_the_bytes_are_plain_json_lines() -> None:
    (line,) = canonical_rows([row("é", groups={"b": "1", "a": "2"})]).splitlines()
    assert "é".encode() in line
    assert b'"groups":{"a":"2","b":"1"}' in line
    assert b": " not in line


def test_a_score_of_minus_zero_is_zero() -> None:
    minus, plus = (row(ending=Ending(status="marked", scores={"a": zero})) for zero in (-0.0, 0.0))
    assert canonical_rows([minus]) == canonical_rows([plus])
