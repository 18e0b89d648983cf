"""Packs of vidwork: what is read, what is refused item by item, and what is remarked on."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.vidwork.dataset import (
    AXES,
    BUCKETS,
    CENTRES_S,
    DOMAINS,
    ERROR_TYPES,
    ErrorQuestion,
    OrderQuestion,
    bucket,
    empty_cells,
    items,
    remarks,
)
from cutscore.core.errors import BrokenData
from cutscore.store import Store

Lines = dict[str, dict[str, Any]]
WritePack = Callable[..., Path]


def told(start_s: int, end_s: int, text: str) -> dict[str, Any]:
    return {"made_by": "hand", "segments": [{"start_s": start_s, "end_s": end_s, "text": text}]}


def read(pack: Path) -> list[Any]:
    return items(Store(pack.parent / "store"), pack)


def test_five_axes_three_domains_eight_error_types(vidwork: LoadedBenchmark) -> None:
    assert len(AXES) == 5
    assert {item.groups["axis"] for item in vidwork.items} == set(AXES)
    assert {item.groups["domain"] for item in vidwork.items} == set(DOMAINS)
    assert {item.error_type for item in vidwork.items if isinstance(item, ErrorQuestion)} == set(ERROR_TYPES)
    assert len(vidwork.items) == 31


def test_strata_are_filled_in_and_give_no_truth_away(vidwork: LoadedBenchmark) -> None:
    by_id = {item.id: item.groups for item in vidwork.items}
    assert by_id["omelette-s"] == {"axis": "step_recognition", "domain": "cooking", "duration": "30 s"}
    assert by_id["burn-o1"]["duration"] == "unknown"
    assert by_id["omelette-e0a"] == by_id["omelette-e0b"]  # a wrong description and its twin


def test_author_and_filter_become_strata_when_somebody_names_them(write_pack: WritePack, lines: Lines) -> None:
    one = {**lines["tyre-c"], "author": "model-x", "filtered_by": ["b", "a"]}
    found = read(write_pack([one, lines["tyre-x"]]))
    assert (found[0].groups["author"], found[0].groups["filter"]) == ("model-x", "a+b")
    assert (found[1].groups["author"], found[1].groups["filter"]) == ("unknown", "none")


def test_keyframes_of_a_folder_come_in_order_and_need_no_video(vidwork: LoadedBenchmark) -> None:
    item = next(item for item in vidwork.items if item.id == "omelette-s")
    assert item.clip is None  # type: ignore[attr-defined]
    names = [frame.name for frame in item.keyframes]  # type: ignore[attr-defined]
    assert names == [f"frames/omelette/{second:04d}.jpg" for second in range(10)]
    assert vidwork.store.path(item.keyframes[3]).read_bytes() == b"omelette 3"  # type: ignore[attr-defined]


def test_a_transcript_may_lie_beside_the_items(vidwork: LoadedBenchmark) -> None:
    said = {item.cluster: item.narration for item in vidwork.items}  # type: ignore[attr-defined]
    assert said == {"omelette": "Hello and welcome", "tyre": "Hello and welcome", "burn": "Hello and welcome Let us go"}


def test_an_array_is_read_like_lines(write_pack: WritePack, lines: Lines) -> None:
    pack = write_pack(list(lines.values()), array=True)
    assert [item.id for item in read(pack)] == list(lines)
    write_pack([lines["tyre-c"]])  # items.jsonl stands before it
    assert [item.id for item in read(pack)] == ["tyre-c"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("{}", "items.json is not an array"), ("[", "items.json is not JSON"), ("[7]", "line 1: is not a JSON object")],
)
def test_an_array_that_is_none(write_pack: WritePack, text: str, words: str) -> None:
    pack = write_pack([], array=True)
    (pack / "items.json").write_text(text)
    with pytest.raises(BrokenData, match=words):
        read(pack)


@pytest.mark.parametrize(
    ("item", "change", "words"),
    [
        ("tyre-s", {"steps": ["one", "two"]}, "steps: Tuple should have at least 3 items"),
        ("tyre-s", {"steps": ["one", "two", "…"]}, "step 3 has no word"),
        ("tyre-s", {"steps": ["one", "two", "three\nfour"]}, "steps.2: String should match pattern"),
        ("tyre-s", {"clip": None}, "has neither a clip nor keyframes"),
        ("tyre-s", {"clip": "gone.mp4"}, "file 'gone.mp4' does not exist"),
        ("tyre-s", {"axis": "taste"}, "does not match any of the expected tags"),
        ("tyre-s", {"axis": None}, "does not match any of the expected tags"),
        ("tyre-s", {"domain": "sports"}, "domain: Input should be 'cooking'"),
        ("tyre-s", {"duration_s": -3}, "duration_s: Input should be greater than 0"),
        ("tyre-s", {"duration_s": "1e999999999"}, "is not a number of seconds"),
        ("tyre-s", {"gold": "before"}, "gold: Extra inputs are not permitted"),
        ("tyre-s", {"transcript": told(3, 1, "x")}, "span ends at 1 s, before it starts"),
        ("tyre-s", {"transcript": "gone.srt"}, "file 'gone.srt' does not exist"),
        ("tyre-s", {"transcript": "../secret.srt"}, "file '../secret.srt' leads out of the pack"),
        ("tyre-s", {"transcript": "tyre.mp4"}, "file 'tyre.mp4' is neither a transcript nor subtitles"),
        ("tyre-o1", {"gold": "during"}, "gold: Input should be 'before' or 'after'"),
        ("tyre-o1", {"second": "loosening the nut with the wrenches"}, "have the same words"),
        ("tyre-c", {"reference": "The jack was left out"}, "no word that the question lacks"),
        ("tyre-c", {"reference": "Because it is"}, "no word that the question lacks"),
        ("tyre-c", {"reference": "so " * 1_000}, "reference: String should have at most 2000 characters"),
        ("tyre-c", {"key_terms": ["rocket"]}, "key term 'rocket' is not in the reference"),
        ("tyre-e1a", {"error_type": "typo"}, "error_type: Input should be 'step_swap'"),
        ("tyre-e1a", {"description": " "}, "description: String should have at least 1 character"),
        ("omelette-s", {"keyframes": "frames/none"}, "folder 'frames/none' does not exist"),
        ("omelette-s", {"keyframes": "../pack/frames"}, "file '../pack/frames/burn'"),
        ("omelette-s", {"keyframes": ".."}, "folder '..' leads out of the pack"),
        ("omelette-s", {"keyframes": []}, "has neither a clip nor keyframes"),
        ("omelette-s", {"keyframes": ["frames/omelette/9999.jpg"]}, "does not exist"),
    ],
)
def test_a_bad_item_is_named_with_its_fault(
    write_pack: WritePack, lines: Lines, item: str, change: dict[str, Any], words: str
) -> None:
    pack = write_pack([lines["burn-s"], {**lines[item], **change}])
    with pytest.raises(BrokenData) as broken:
        read(pack)
    (fault,) = broken.value.faults
    assert fault.startswith("line 2: ")
    assert words in fault


def test_every_bad_item_is_named_however_many(write_pack: WritePack, lines: Lines) -> None:
    pack = write_pack([{**line, "domain": "sports"} for line in lines.values()])
    with pytest.raises(BrokenData, match="and 26 more") as broken:
        read(pack)
    assert len(broken.value.faults) == len(lines)


def test_remarks_name_what_lacks_a_partner_or_is_said_aloud(write_pack: WritePack, lines: Lines) -> None:
    assert {line for line in remarks(read(write_pack(list(lines.values())))) if "item" in line} == set()
    chosen = [lines[name] for name in ("tyre-o1", "tyre-e1a", "tyre-x", "tyre-s")]
    chosen[2]["transcript"] = told(0, 1, "See the yellow gloves on this ground")
    chosen.append({**lines["burn-x"], "transcript": told(0, 1, "Here is a sink")})
    found = remarks(read(write_pack(chosen)))
    assert "no item on axis causal_reasoning" in found
    assert "order questions have 1 times before and 0 times after" in found
    assert [line for line in found if line.startswith("item")] == [
        "item 'tyre-o1': is not asked the other way round",
        "item 'tyre-e1a': has no correct twin",
        "item 'tyre-x': its whole answer is said in the transcript",
    ]


def test_an_id_that_tells_the_answer_is_remarked(write_pack: WritePack, lines: Lines) -> None:
    told = {"tyre-e1b": "tyre-twin-1", "tyre-o1": "tyre-Before", "tyre-s": "tyre-correct", "tyre-e1a": "step_swap-7"}
    found = remarks(read(write_pack([{**lines[name], "id": other} for name, other in told.items()])))
    assert [line for line in found if line.endswith("hints at the answer")] == [
        "item 'tyre-twin-1': its id, which subjects see, hints at the answer",
        "item 'tyre-Before': its id, which subjects see, hints at the answer",
        "item 'step_swap-7': its id, which subjects see, hints at the answer",
    ]


def test_empty_cells_of_the_published_corpus() -> None:
    """Table 2 of the paper: the one cell without a clip is repair × 300 s."""
    published = {"cooking": (39, 1, 18, 8), "repair_manufacturing": (15, 23, 8, 0), "first_aid_safety": (18, 18, 14, 9)}
    assert sum(map(sum, published.values())) == 171
    clips = [(domain, length) for domain, row in published.items() for length, n in zip(BUCKETS, row, strict=True) if n]
    assert empty_cells(clips) == [("repair_manufacturing", "300 s")]
    assert len(empty_cells([])) == 12


@settings(max_examples=50)
@given(st.fractions(min_value=Fraction(1, 100), max_value=1000))
def test_the_bucket_is_the_nearest_centre_and_the_shorter_of_two(length: Fraction) -> None:
    centre = int(bucket(length).removesuffix(" s"))
    assert all((abs(centre - length), centre) <= (abs(other - length), other) for other in CENTRES_S)


def test_pairs_of_order_questions_have_both_golds(vidwork: LoadedBenchmark) -> None:
    golds: dict[str, set[str]] = {}
    for item in vidwork.items:
        if isinstance(item, OrderQuestion):
            golds.setdefault(item.pair, set()).add(item.gold)
    assert set(map(frozenset, golds.values())) == {frozenset({"before", "after"})}
