"""The record decides, or says that it does not; the clip is in `STEPS`, the radio plays beside the rest."""

from fractions import Fraction

import pytest

from cutscore.benchmarks.vidwork.procedures.claims import (
    ActionStatement,
    AdjacencyStatement,
    BetweenStatement,
    Claim,
    CountStatement,
    EnablingStatement,
    IndependenceStatement,
    OccurrenceStatement,
    OrderStatement,
    ToolStatement,
    is_true_of,
    make_claim,
)
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep

STEPS = (
    ProcedureStep(id="crack", text="Crack 3 eggs into a bowl", verb="crack", start_s=0, end_s=2),
    ProcedureStep(id="radio", text="Turn on the radio", verb="turn on", start_s=1, end_s=8),
    ProcedureStep(id="whisk", text="Whisk them with a fork", tool="fork", needs=("crack",), start_s=2, end_s=5),
    ProcedureStep(id="fry", text="Fry the batter in the pan", verb="fry", needs=("whisk",), start_s=5, end_s=9),
    ProcedureStep(id="serve", text="Lay it on a plate", start_s=9, end_s=9),
    ProcedureStep(id="salt", text="Salt it", start_s=9, end_s=9),
)


def clip(*steps: ProcedureStep) -> ProcedureRecord:
    return ProcedureRecord(name="a", title="An omelette", domain="cooking", length_s=10, steps=steps or STEPS)


def without(name: str) -> ProcedureRecord:
    return clip(*(step for step in STEPS if step.id != name))


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        (OrderStatement(steps=("crack", "whisk", "fry")), True),
        (OrderStatement(steps=("crack", "fry", "whisk")), False),
        (OrderStatement(steps=("radio", "whisk")), None),  # both run
        (OrderStatement(steps=("whisk", "radio")), None),
        (OrderStatement(steps=("fry", "radio", "crack")), False),  # fry before crack is enough
        (OrderStatement(steps=("serve", "salt")), None),  # one instant
        (AdjacencyStatement(steps=("whisk", "fry")), None),  # the radio plays
        (AdjacencyStatement(steps=("crack", "fry")), False),
        (AdjacencyStatement(steps=("fry", "whisk")), False),
        (AdjacencyStatement(steps=("whisk", "fry", "crack")), False),
        (BetweenStatement(step="whisk", first="crack", last="fry"), True),
        (BetweenStatement(step="crack", first="whisk", last="fry"), False),
        (BetweenStatement(step="fry", first="crack", last="whisk"), False),
        (BetweenStatement(step="radio", first="crack", last="serve"), None),  # begins while the first one runs
        (OccurrenceStatement(text="Fry the batter in the pan!"), True),
        (OccurrenceStatement(text="Sweep the floor"), False),
        (OccurrenceStatement(text="Fry the batter"), None),  # may be the same step in fewer words
        (ActionStatement(step="fry", verb="fry"), True),
        (ActionStatement(step="fry", verb="peel"), None),  # as crack, of which it is a kind
        (ActionStatement(step="fry", verb="saw"), False),
        (ActionStatement(step="fry", verb="boil"), None),  # frying is boiling's kind
        (ActionStatement(step="fry", verb="gobble"), None),
        (ActionStatement(step="radio", verb="saw"), None),  # "turn on" has no object
        (ToolStatement(step="whisk", tool="the fork"), True),
        (ToolStatement(step="whisk", tool="saw"), False),
        (ToolStatement(step="whisk", tool="salad fork"), None),
        (ToolStatement(step="fry", tool="saw"), None),  # nobody said with what
        (CountStatement(step="crack", number=3), True),
        (CountStatement(step="crack", number=4), False),
        (CountStatement(step="fry", number=4), None),
        (EnablingStatement(first="crack", second="whisk"), True),
        (EnablingStatement(first="crack", second="fry"), True),  # through whisk
        (EnablingStatement(first="fry", second="crack"), False),
        (EnablingStatement(first="crack", second="radio"), None),  # silent is not false
        (IndependenceStatement(step="fry", other="crack"), False),
        (IndependenceStatement(step="crack", other="fry"), True),
        (IndependenceStatement(step="fry", other="radio"), None),
        (IndependenceStatement(step="serve", other="crack"), None),  # perhaps it needs it
    ],
)
def test_the_record_decides_or_says_that_it_does_not(part, answer):
    assert is_true_of(make_claim(part), clip()) is answer
    denied = part.model_copy(update={"affirmed": False})
    assert is_true_of(make_claim(denied), clip()) is (None if answer is None else not answer)


def test_a_row_is_decided_when_nothing_runs_beside():
    assert is_true_of(make_claim(AdjacencyStatement(steps=("crack", "whisk", "fry"))), without("radio")) is True
    assert is_true_of(make_claim(AdjacencyStatement(steps=("crack", "fry"))), without("radio")) is False
    late = STEPS[1].model_copy(update={"start_s": Fraction(5), "end_s": Fraction(6)})  # begins together with fry
    steps = sorted((STEPS[0], late, *STEPS[2:]), key=lambda step: step.start_s)
    assert is_true_of(make_claim(AdjacencyStatement(steps=("whisk", "fry"))), clip(*steps)) is None


def test_of_two_steps_with_the_same_words_nobody_knows_which_is_meant():
    again = ProcedureStep(id="again", text="Whisk them with the fork.", tool="fork", start_s=9, end_s=10)
    twice = clip(*STEPS, again)
    for part in (
        OrderStatement(steps=("crack", "whisk")),
        AdjacencyStatement(steps=("crack", "whisk")),
        BetweenStatement(step="whisk", first="crack", last="fry"),
        ToolStatement(step="whisk", tool="saw"),
        EnablingStatement(first="crack", second="whisk"),
        IndependenceStatement(step="crack", other="whisk"),
    ):
        assert is_true_of(make_claim(part), twice) is None
    more = ProcedureStep(id="more", text="Crack 4 eggs into a bowl", start_s=9, end_s=10)
    assert is_true_of(make_claim(CountStatement(step="crack", number=4)), clip(*STEPS, more)) is None
    assert is_true_of(make_claim(CountStatement(step="crack", number=5)), clip(*STEPS, more)) is False


def test_a_claim_is_false_by_one_part_and_true_only_by_all():
    true, false, open_ = (
        ToolStatement(step="whisk", tool="fork"),
        OccurrenceStatement(text="Sweep the floor"),
        OccurrenceStatement(text="Fry the batter"),
    )
    assert is_true_of(make_claim(true, true), clip()) is True
    assert is_true_of(make_claim(true, open_), clip()) is None
    assert is_true_of(make_claim(open_, false), clip()) is False


def test_a_claim_reads_back_equal():
    said = make_claim(OrderStatement(steps=("a", "b")), ToolStatement(step="a", tool="saw", affirmed=False))
    assert Claim.model_validate_json(said.model_dump_json()) == said


def test_needs_through_many_steps_are_found_quickly():
    """Each of 60 steps needs both before it: walking every path would take a trillion steps."""
    names = [f"s{n}" for n in range(60)]
    steps = [
        ProcedureStep(id=name, text=f"Do thing {name}", needs=tuple(names[max(0, n - 2) : n]), start_s=n, end_s=n + 1)
        for n, name in enumerate(names)
    ]
    long = ProcedureRecord(name="a", title="Long", domain="cooking", length_s=60, steps=tuple(steps))
    assert is_true_of(make_claim(IndependenceStatement(step="s59", other="s0")), long) is False
