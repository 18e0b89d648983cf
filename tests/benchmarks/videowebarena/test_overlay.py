"""videowebarena: each defect of the released files is named, mended, and as it was with the overlay off."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.mark import mark
from cutscore.benchmarks.videowebarena.overlay import OFF, ON, apply_mend, find_mend, read_overlay
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.errors import BrokenData, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding

INVALID = {
    "factual-reddit-9": "has no 'eval'",
    "factual-reddit-49": "is marked by its address, and url_note '' is no rule",
    "factual-shopping-27": "is marked by what pages show, and program_html is empty",
    "factual-shopping-43": "is marked by its answer, and has no reference_answers",
}
Items = dict[str, WebItem]


def test_with_the_overlay_every_task_can_be_marked(released_items: Items) -> None:
    assert [item.id for item in released_items.values() if item.checks.fault] == []


def test_without_it_four_are_invalid_and_say_why(released_items: Items) -> None:
    found = {item.id: item.checks_under(OFF).fault for item in released_items.values() if item.checks_under(OFF).fault}
    assert found == INVALID
    for name in INVALID:
        with pytest.raises(Unscored, match=rf"item '{name}': is invalid: it .*; leave --set overlay=off out"):
            released_items[name].require_checks(OFF)
        assert released_items[name].require_checks(ON)


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_task_is_unscored_and_never_a_number(released_items: Items, name: str) -> None:
    item, answer = released_items[name], Deliverable(text="whatever", files=())
    found = mark(answer, Evidence(), item, {}, options={"overlay": OFF})
    (gap,) = {each.because for each in found if isinstance(each, ScoreGap) and each.name == "final"}
    assert f"item '{name}': is invalid: it {INVALID[name]}" in gap
    assert not [each for each in found if isinstance(each, Finding) and each.name == "final"]


def test_every_mend_is_for_an_entry_of_the_released_files(released_items: Items) -> None:
    assert {item.id for item in released_items.values() if item.mended} == set(read_overlay())
    assert all(released_items[name].defects for name in read_overlay())


def test_what_was_mended(released_items: Items) -> None:
    nine = released_items["factual-reddit-9"].checks.final
    assert nine is not None
    assert (nine.eval_types, len(nine.program_html)) == (("program_html",), 4)
    forty_three = released_items["factual-shopping-43"].checks.final
    assert forty_three is not None
    assert forty_three.reference_answers
    assert forty_three.reference_answers[0].texts == (forty_three.reference_url,)
    asked = released_items["factual-reddit-32"].checks.intermediate
    assert asked is not None
    assert asked.reference_answers[0].texts[0].split(" |OR| ")[1] == "ps4"
    excluded = released_items["vwa-reddit-155"].checks.final
    assert excluded is not None
    assert [each.required_contents[0].kind for each in excluded.program_html] == [
        "must_include",
        "must_exclude",
    ]


def test_what_is_read_for_a_mended_task_is_enough_to_mark_it_as_written(released_items: Items) -> None:
    for item in released_items.values():
        written = item.checks_under(OFF).final
        if written and not item.checks_under(OFF).fault:
            assert item.checks.final
            assert item.checks.final.program_html[: len(written.program_html)] == written.program_html
            assert set(written.eval_types) == set(item.checks.final.eval_types)


def test_defects_are_named_by_task(released_items: Items) -> None:
    found = Counter(defect for item in released_items.values() for defect in item.defects)
    by = {defect: [item.id for item in released_items.values() if defect in item.defects] for defect in found}
    several = {defect: ids for defect, ids in by.items() if len(ids) > 1}
    assert {defect: len(ids) for defect, ids in several.items()} == {
        "the intent is not its filled template": 23,  # 22 factual, as counted before, and wa-331
        "a reference_url stands outside of 'eval', where nobody reads it": 20,
        "intermediate_eval has no eval_types (nobody reads them)": 2,
        "must_include and must_exclude in one target: the reference never checks the second": 2,
        "2 image queries: for the reference only the last counts": 2,
        "url_match stands behind checks of pages: they stay on the page": 2,
        "must_include and fuzzy_match in one answer: both must hold": 2,
    }
    once = {defect: ids[0] for defect, ids in by.items() if len(ids) == 1}
    assert once == {
        "cannot be marked as it is written: it has no 'eval'": "factual-reddit-9",
        "program_html stands outside of 'eval', where nobody reads it": "factual-reddit-9",
        "alternatives are written '|or|', which the reference does not split": "factual-reddit-32",
        f"cannot be marked as it is written: it {INVALID['factual-reddit-49']}": "factual-reddit-49",
        f"cannot be marked as it is written: it {INVALID['factual-shopping-27']}": "factual-shopping-27",
        f"cannot be marked as it is written: it {INVALID['factual-shopping-43']}": "factual-shopping-43",
        "intermediate_eval has the types see_review_tutorials (nobody reads them)": "factual-shopping_admin-7",
        "3 image queries: for the reference only the last counts": "vwa-reddit-111",
        "compares with the image 'coco_images/000000515982.jpg', a path of a file that is not shipped": "vwa-reddit-28",
        "compares with the image 'media/catalog/product/cache/829a59e57f886f8cf0598ffca4f8a940/B/0/B009P9HODS.1.jpg', "
        "a path of a file that is not shipped": "vwa-reddit-180",
        "one_of and must_include in one answer: both must hold": "vwa-shopping-40",
        "'hrad' is no difficulty": "vwa-shopping-179",
        "'mediun' is no difficulty": "vwa-classifieds-149",
        "a string_note stands outside of 'eval', where nobody reads it": "wa-661",
    }


def test_a_mend_is_for_one_very_entry_alone(make_entry: Callable[..., Any]) -> None:
    assert find_mend("factual-reddit-9", make_entry(task_id=9)) is None


def test_a_mend_leaves_the_entry_as_it_is(make_entry: Callable[..., Any]) -> None:
    mend = read_overlay()["factual-reddit-49"]
    entry = make_entry()
    made = apply_mend(entry, mend)
    assert made["eval"]["url_note"] == "GOLD in PRED"
    assert "url_note" not in entry["eval"]


def test_a_mend_of_a_field_that_is_not_there_is_told(make_entry: Callable[..., Any]) -> None:
    mend = read_overlay()["factual-reddit-9"]
    with pytest.raises(BrokenData, match="mends a field 'program_html' that is not there"):
        apply_mend(make_entry(), mend)
