"""The contract tests see what they are there to see: each promise is broken once, in a copy of colorbars."""

import itertools
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import random
from typing import Any

import pytest

from cutscore.authoring import contract, leaks
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark

Copied = Callable[..., LoadedBenchmark]

BRIEF = 'at=f"{float(item.at_s):.3f}"'
VALUE = "value=float(answer.choice == item.answer)"
GUESS = "Random(seed).choice(ask.choices)"


def test_an_honest_copy_keeps_every_promise(copied: Copied) -> None:
    assert contract.problems(copied()) == []


@pytest.mark.parametrize(
    ("leak", "field"),
    [
        ('at=f"{float(item.at_s):.3f} ({item.answer})"', "answer"),
        ('at=f"{float(item.at_s):.3f}" + "." * len(item.answer)', "answer"),
        ('at=f"{float(item.at_s):.3f}" + " " * item.choices.index(item.segments[0].value)', "segments"),
        ('at=f"{float(item.segment.start_s):.3f}"', "segments"),
    ],
    ids=["in words", "by length", "by spaces", "by the cut"],
)
def test_a_leak_into_the_brief_is_seen(copied: Copied, leak: str, field: str) -> None:
    found = contract.subject_sees_no_truth(copied(ask=(BRIEF, leak)))
    by_value = f"item 'bars-01-a': what the subject gets changes with {field}"
    by_failing = f"item 'bars-01-a': ask() fails when {field} changes ("
    assert any(text == by_value or text.startswith(by_failing) for text in found), found


def test_a_leak_into_the_order_of_the_choices_is_seen(copied: Copied) -> None:
    leak = "        choices=tuple(sorted(item.choices, key=lambda choice: choice != item.answer)),"
    bench = copied(ask=("        choices=item.choices,", leak))
    assert "item 'bars-01-a': what the subject gets changes with the whole truth" in (
        contract.subject_sees_no_truth(bench)
    )
    assert any(
        "always taking choice 1 scores 1.000" in text for text in contract.blind_knows_no_more_than_chance(bench)
    )


def test_an_item_without_a_truth_field_is_a_fault(copied: Copied) -> None:
    bench = copied(dataset=("answer: Annotated[Value, TRUTH]\n    segments: Annotated[tuple[ValueSpan, ...], TRUTH]",
                            "answer: Value\n    segments: tuple[ValueSpan, ...]"))  # fmt: skip
    assert contract.subject_sees_no_truth(bench) == [
        "ColorbarsItem marks no field as TRUTH, so nothing is known to be hidden"
    ]


VARIANT = """

def variant(item: ColorbarsItem, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    plain = ask(item, prompts)
    return {made}
"""
LAST = 'prompts={"ask": frame.digest, item.kind: question.digest},\n    )\n'
LISTED = ("[scores.accuracy]", '[inputs]\nhint = "a hint"\n[scores.accuracy]')


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (
            "plain",
            "item 'bars-01-a', input 'hint': the variant asks what the task asks; give None where there is nothing",
        ),
        ("None", "input 'hint': no item has anything for it"),
        (
            "plain.model_copy(update={'brief': item.answer + plain.brief})",
            "input 'hint': item 'bars-01-a': what the subject gets changes with answer",
        ),
        (
            "plain.model_copy(update={'brief': '{{hint}}'})",
            "item 'bars-01-a', input 'hint': the brief still has a '{{'",
        ),
        ("plain.model_copy(update={'item': 'x'})", "item 'bars-01-a', input 'hint': the ask names item 'x'"),
    ],
)
def test_a_variant_that_is_none_or_tells_too_much_is_seen(copied: Copied, made: str, fault: str) -> None:
    bench = copied(card=LISTED, ask=(LAST, LAST + VARIANT.format(made=made)))
    assert fault in contract.variants_are_as_the_card_says(bench)


def test_card_and_ask_agree_on_variants(copied: Copied) -> None:
    absent, unlisted = copied(card=LISTED), copied(ask=(LAST, LAST + VARIANT.format(made="None")))
    assert contract.variants_are_as_the_card_says(absent) == ["ask.py has no variant, the card lists inputs"]
    assert contract.variants_are_as_the_card_says(unlisted) == ["ask.py has a variant, the card lists none"]
    fine = "plain.model_copy(update={'brief': 'A hint. ' + plain.brief}) if item.kind == 'word' else None"
    bench = copied(card=LISTED, ask=(LAST, LAST + VARIANT.format(made=fine)))
    assert contract.variants_are_as_the_card_says(bench) == []


def test_an_oracle_that_errs_is_seen(copied: Copied) -> None:
    found = contract.oracle_gets_full_marks(copied(oracle=('{"answer": item.answer}', '{"answer": item.choices[0]}')))
    assert 0 < len(found) < 120
    assert "the oracle gets accuracy 0: answered '" in found[0]
    assert found[0].startswith("item 'bars-")


def test_a_near_miss_that_passes_is_seen(copied: Copied) -> None:
    found = contract.near_miss_does_not_pass(copied(mark=(VALUE, "value=1.0")))
    assert len(found) == 60
    assert found[0].startswith("item 'bars-01-a': near miss gets accuracy 1, full marks: answered '")


def test_marks_for_nothing_are_seen(copied: Copied) -> None:
    found = contract.empty_gets_the_floor(copied(mark=(VALUE, "value=float(answer.choice in (item.answer, None))")))
    assert found[0].startswith("item 'bars-01-a': empty gets accuracy 1, not its floor 0: nothing was delivered;")


def test_a_marker_that_wavers_is_seen(copied: Copied) -> None:
    bench = copied(mark=('f"{answer.message}; from', 'f"{next(COUNT)} {answer.message}; from'))
    bench.found.part("mark").COUNT = itertools.count()
    assert "item 'bars-01-a': marking 'perfect' twice gives two results" in contract.marking_repeats(bench)


def test_a_marker_that_crashes_is_one_fault_with_its_line(copied: Copied) -> None:
    bench = copied(mark=("    answer, segment =", '    raise KeyError("colour")\n    answer, segment ='))
    (fault,) = contract.run_check("an empty deliverable gets the floor", bench)
    assert re.fullmatch(rf"{bench.found.package}/mark\.py:\d+: KeyError: 'colour' \(at item 'bars-01-a'\)", fault)
    assert fault in contract.problems(bench)


def test_a_score_with_another_name_is_seen(copied: Copied) -> None:
    bench = copied(mark=('name="accuracy"', 'name="correct"'))
    assert "item 'bars-01-a': the oracle is unscored: marking found no 'accuracy'" in (
        contract.oracle_gets_full_marks(bench)
    )
    assert "the card lists 'accuracy', but no marking found it" in contract.findings_are_what_the_card_lists(bench)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((VALUE, "value=7.0"), "finding 'accuracy' is 7, its scale is 0 to 1"),
        (("file=item.clip.name,\n        at", 'file="x.mp4",\n        at'), "names file 'x.mp4', which nobody asked"),
        (('name="accuracy"', 'mode="strict", name="accuracy"'), "has mode 'strict', which the card does not list"),
    ],
)
def test_findings_that_do_not_fit_the_card_are_seen(copied: Copied, edit: tuple[str, str], words: str) -> None:
    assert any(words in text for text in contract.findings_are_what_the_card_lists(copied(mark=edit)))


def test_a_blank_that_stays_is_seen(copied: Copied) -> None:
    bench = copied(ask=("brief=frame.fill(", "brief=frame.text + frame.fill("))
    assert "item 'bars-01-a': the brief still has a '{{'" in contract.every_blank_is_filled(bench)


def test_an_ask_that_names_another_item_or_prompt_is_seen(copied: Copied) -> None:
    bench = copied(ask=("item=item.id", 'item="bars-01-a"'))
    assert "item 'bars-01-b': the ask names item 'bars-01-a'" in contract.every_blank_is_filled(bench)
    bench = copied(ask=('{"ask": frame.digest, ', '{"ask": "0", '))
    assert "item 'bars-01-a': the ask names prompt 'ask' with another digest" in contract.every_blank_is_filled(bench)


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ({"card": ("all = 60", "all = 61")}, "there are 60 items, the card says 61 in split 'all'"),
        (
            {"card": ('name = "colorbars"', 'name = "colorbars"\nstop_by = "axis"')},
            "the card stops a failing provider by 'axis', and items have no such group",
        ),
    ],
)
def test_items_unlike_the_card_are_seen(copied: Copied, edits: dict[str, tuple[str, str]], words: str) -> None:
    assert words in contract.items_are_as_the_card_says(copied(**edits))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda item: {"id": f"{item.cluster}-x"}, "item 'bars-01-x': 3 items have this id"),
        (
            lambda item: {"at_s": Fraction(random())},
            "item 'bars-01-a': a second call of items() gives it another content",
        ),
        (
            lambda item: {"groups": {} if item.id.endswith("b") else {"moment": item.groups["moment"]}},
            "item 'bars-01-b': its groups are [], others have ['moment']",
        ),
    ],
    ids=["one id", "drawn anew", "other groups"],
)
def test_items_unlike_each_other_are_seen(copied: Copied, change: Callable[[Any], dict[str, Any]], words: str) -> None:
    bench = copied()
    dataset = bench.found.part("dataset")
    read = dataset.items
    dataset.items = lambda *given: [item.model_copy(update=change(item)) for item in read(*given)]
    assert words in contract.items_are_as_the_card_says(replace(bench, items=dataset.items(bench.store)))


def test_another_order_at_the_second_call_is_seen(copied: Copied) -> None:
    bench = copied()
    turned = LoadedBenchmark(bench.found, bench.store, bench.items[::-1], bench.prompts)
    assert "a second call of items() gives other ids or another order" in contract.items_are_as_the_card_says(turned)


def test_a_question_that_quotes_the_answer_is_seen(copied: Copied) -> None:
    quoting = copied(mark=("Does the answer name it", "Does '{deliverable.text}' name it"))
    found = contract.judges_are_asked_in_our_words(quoting)
    assert found[0] == "item 'bars-01-a': question 'right' quotes what was handed in"
    assert len(found) == 60


def test_a_file_that_is_missing_is_seen_and_one_of_its_own_is_free(copied: Copied) -> None:
    bench = copied(readme=("$ cutscore run colorbars --subject", "$ cutscore go colorbars --subject"))
    (bench.found.folder / "rooms.py").write_text("")
    (bench.found.folder / "oracle.py").unlink()
    assert contract.folder_has_what_all_have(bench) == ["the folder has no oracle.py"]
    readme = bench.found.folder / "README.md"
    readme.write_text(readme.read_text().replace("cutscore run", "cutscore go"))
    assert contract.folder_has_what_all_have(bench)[1:] == [
        "no README.md says how to run it; write into it the line: cutscore run colorbars --subject oracle"
    ]


def test_a_card_without_a_version_is_seen(copied: Copied) -> None:
    assert "the card has no version" in contract.folder_has_what_all_have(
        copied(card=('version = "2"', 'version = " "'))
    )


@pytest.mark.parametrize(
    "line",
    [
        "from {package}.dataset import items",
        "from {package} import dataset",
        "import {package}.oracle",
        "from .build import WORDS",
        "from . import mark",
        "from {package}.rooms import look",
    ],
)
def test_a_blind_that_peeks_is_seen(copied: Copied, line: str) -> None:
    bench = copied()
    (bench.found.folder / "rooms.py").write_text("def look():\n    from .mark import mark\n")
    add_line(bench, "keyless.py", line)
    found = leaks.keyless_subjects_reach_no_truth(bench)
    assert found
    assert all(re.fullmatch(r"keyless\.py reaches \S+, where the truth is", problem) for problem in found)


def test_what_stands_around_a_subject_must_not_peek_either(copied: Copied) -> None:
    bench = copied()
    (bench.found.folder / "around.py").write_text("from . import oracle\n")
    seen = f"around.py reaches {bench.found.package}.oracle, where the truth is"
    assert seen in leaks.keyless_subjects_reach_no_truth(bench)


@pytest.mark.parametrize(
    ("line", "reached"),
    [
        ("from {package}.build import starter", "{package}.build"),
        ("def later():\n    from .rooms import look", "{package}.build"),
        ("from cutscore.authoring.recipe import publish", "cutscore.authoring.recipe"),
        ("import cutscore.stage.scene", "cutscore.stage"),
    ],
)
@pytest.mark.parametrize("file", ["dataset.py", "mark.py"])
def test_marking_that_reaches_a_recipe_is_seen(copied: Copied, file: str, line: str, reached: str) -> None:
    bench = copied()
    (bench.found.folder / "rooms.py").write_text("from . import build\n")
    add_line(bench, file, line)
    module = reached.format(package=bench.found.package)
    assert f"{file} reaches {module}, which makes items" in leaks.marking_reaches_no_recipe(bench)


def add_line(bench: LoadedBenchmark, file: str, line: str) -> None:
    path = bench.found.folder / file
    path.write_text(f"{path.read_text()}\n{line.format(package=bench.found.package)}\n")


def test_a_benchmark_where_guessing_pays_is_seen(copied: Copied) -> None:
    bench = copied(mark=(VALUE, "value=float(answer.choice is not None)"))
    assert contract.blind_knows_no_more_than_chance(bench) == [
        f"{who} scores 1.000, chance is 0.25 (99.9% of n=60: 0.083 to 0.450)"
        for who in ("blind", *(f"always taking choice {place}" for place in (1, 2, 3, 4)))
    ]


def test_a_blind_that_never_answers_is_seen(copied: Copied) -> None:
    found = contract.blind_knows_no_more_than_chance(copied(keyless=(GUESS, '"teal"')))
    assert found == ["blind scores 0.000, chance is 0.25 (99.9% of n=60: 0.083 to 0.450)"]


def test_a_card_that_promises_a_blind_is_held_to_it(copied: Copied) -> None:
    bench = copied(keyless=("def blind(", "def guess("))
    assert contract.blind_knows_no_more_than_chance(bench) == ["keyless.py has no blind, the card lists it"]


def test_a_data_pack_is_checked_by_itself_and_not_held_to_the_card_s_count(copied: Copied, tmp_path: Path) -> None:
    bench, lines = copied(), []
    for item in bench.items[:6]:
        shutil.copy(bench.store.path(item.clip), tmp_path / item.clip.name)
        lines.append(json.dumps({**item.model_dump(mode="json"), "clip": item.clip.name}))
    (tmp_path / "items.jsonl").write_text("\n".join(lines))
    pack = load_benchmark(bench.found, bench.store, data=tmp_path)
    assert [item.id for item in pack.items] == [item.id for item in bench.items[:6]]
    assert contract.problems(pack) == []


GAP = """from cutscore.core.ending import ScoreGap
    gap = ScoreGap(name="{name}", status="{status}", because="nobody knows")
    return [gap, """


def test_gaps_are_scores_of_the_card_and_no_loss_of_ours(copied: Copied) -> None:
    unknown = copied(mark=("return [accuracy, ", GAP.format(name="speed", status="excluded") + "accuracy, "))
    assert contract.findings_are_what_the_card_lists(unknown) == ["a gap names 'speed', which is no score of the card"]
    excluded = copied(mark=("return [accuracy, ", GAP.format(name="accuracy", status="excluded")))
    assert contract.oracle_gets_full_marks(excluded) == []
    lost = copied(mark=("return [accuracy, ", GAP.format(name="accuracy", status="unscored")))
    assert "item 'bars-01-a': accuracy of the oracle is unscored: nobody knows" in contract.oracle_gets_full_marks(lost)
