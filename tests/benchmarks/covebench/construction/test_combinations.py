"""covebench: the combinations of types, and what is drawn of them."""

from cutscore.benchmarks.covebench.checklist import taxonomy
from cutscore.benchmarks.covebench.construction.combinations import (
    draw_combinations,
    list_combinations,
    read_combinations,
)
from cutscore.benchmarks.covebench.construction.instructions import EditDraft, InstructionDraft, find_faults
from cutscore.benchmarks.covebench.construction.lint import lint_instruction

TYPES = [type for types in taxonomy().values() for type in types]


def test_there_are_as_many_as_in_the_paper_all_distinct_with_every_type_of_table_9() -> None:
    known = read_combinations()
    assert len({frozenset(each.types) for each in known}) == len(known) >= 83
    assert all(len(set(each.types)) == len(each.types) for each in known)
    assert {type for each in known for type in each.types} == set(TYPES)
    assert len(TYPES) == 19
    assert len({each.example for each in known}) == len(known)


def test_every_example_keeps_the_rules_for_instructions() -> None:
    for each in read_combinations():
        assert list(lint_instruction(each.example)) == []
        edits = tuple(EditDraft(type=type, instruction=each.example) for type in each.types)
        draft = InstructionDraft(combination=1, edits=edits, instruction=each.example, target=each.example)
        # The example stands for each of its edits here, so that these repeat each other and weather is in all of them.
        told = [fault for fault in find_faults(draft, [each], ()) if "repeats" not in fault and "weather" not in fault]
        assert told == [], each.example


def test_five_are_drawn_by_seed_and_clip() -> None:
    drawn = draw_combinations(0, "ab")
    assert len(set(drawn)) == 5
    assert drawn == draw_combinations(0, "ab")
    assert drawn != draw_combinations(1, "ab")
    assert drawn != draw_combinations(0, "cd")
    shown = {each for number in range(200) for each in draw_combinations(number, "ab")}
    assert shown == set(read_combinations())


def test_a_list_has_number_types_and_example() -> None:
    first = read_combinations()[0]
    assert (
        list_combinations([first])
        == f"1. Subject Addition + Subject Attribute Modification\n   Example: {first.example}"
    )
