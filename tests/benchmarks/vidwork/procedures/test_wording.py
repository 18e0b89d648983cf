import pytest

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureStep
from cutscore.benchmarks.vidwork.procedures.wording import (
    _VERBS,
    after_verb,
    as_clause,
    counted_number,
    has_pronoun,
    near_numbers,
    opening_verb,
    plainest_verbs,
    same_words,
    verb_kinds,
    with_count,
    with_tool,
)
from cutscore.benchmarks.vidwork.words import stem


def step(text: str, **fields: str) -> ProcedureStep:
    return ProcedureStep(id="a", text=text, start_s=0, end_s=1, **fields)


def test_verbs_that_may_stand_for_each_other_are_of_one_kind():
    assert verb_kinds("slicing") & verb_kinds("Chop")
    assert not verb_kinds("slice") & verb_kinds("stir")
    assert verb_kinds("attach") & verb_kinds("nail")
    assert verb_kinds("attach") & verb_kinds("screw")
    assert not verb_kinds("nail") - verb_kinds("put") & verb_kinds("screw") - verb_kinds("put")
    assert verb_kinds("gobble") == frozenset()


def test_the_plainest_verb_of_each_kind_is_of_that_kind():
    assert all(number in verb_kinds(verb) for number, verb in enumerate(plainest_verbs()))
    stems = [stem(verb) for line in _VERBS for verb in dict.fromkeys(line.split())]
    spelled = [verb for line in _VERBS for verb in dict.fromkeys(line.split())]
    assert len(set(stems)) == len(set(spelled))  # no two verbs fall together


def test_small_words_tell_steps_apart():
    assert not same_words("Turn on the tap", "Turn off the tap")
    assert same_words("Turn on the tap.", "turn on a tap")


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Slice the bread", "slice"),
        ("Light the burner and heat the pan", "light"),
        ("Drop in 4 cubes", None),
        ("Roll it up", None),
        ("Measure how warm it is", None),
        ("The nurse presses the wound", None),
        ("Stir", None),
    ],
)
def test_a_verb_can_be_changed_only_where_an_object_follows(text, verb):
    assert opening_verb(step(text)) == verb


def test_the_verb_that_somebody_wrote_must_be_the_one_in_the_text():
    assert opening_verb(step("Slice the bread", verb="slice")) == "slice"
    assert opening_verb(step("Slice the bread", verb="cut")) is None
    assert after_verb("Slice the bread.") == "the bread"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Crack 2 eggs", 2),
        ("Crack Two eggs", 2),
        ("Wait 90 seconds", 90),
        ("Fill tube 2 with water", None),
        ("Add 0.5 litres", None),
        ("Add 1/2 litre", None),
        ("Add 1 egg", None),
        ("Connect the 9V battery", None),
        ("Add 2 or 3 eggs", None),
        ("Cut two apples into 8 slices", None),
        ("Add 99999999999999999999 eggs", None),
        ("Add ² eggs", None),
    ],
)
def test_only_a_lone_number_that_counts_is_a_quantity(text, number):
    assert counted_number(text) == number


def test_a_number_is_written_as_the_text_writes_it_and_stays_in_reach():
    assert with_count("Crack two eggs", 3) == "Crack three eggs"
    assert with_count("Crack 2 eggs", 3) == "Crack 3 eggs"
    assert near_numbers("Crack two eggs") == (3, 4)
    assert near_numbers("Crack twelve eggs") == (10, 11)  # there are no letters for more
    assert near_numbers("Wait 90 seconds") == (45, 180)
    assert near_numbers("Wait") == ()


@pytest.mark.parametrize(
    ("text", "tool", "changed"),
    [
        ("Cut it with a knife.", "knife", "Cut it with the saw."),
        ("Cut it with knives", "knives", "Cut it with the saw"),
        ("Dip the brush into the paint", "the brush", "Dip the saw into the paint"),
        ("Whisk the batter", "whisk", "Whisk the batter, using the saw"),
        ("Turn the knife, then cut with the knife", "knife", None),
    ],
)
def test_a_tool_takes_the_place_of_the_one_that_is_named(text, tool, changed):
    assert with_tool(step(text, tool=tool), "a saw") == changed


def test_a_step_becomes_part_of_a_sentence():
    assert as_clause(" Put it down. ") == "put it down"
    assert as_clause("PVC is cut!") == "PVC is cut"
    assert has_pronoun("Cut it")
    assert not has_pronoun("Cut the item")
