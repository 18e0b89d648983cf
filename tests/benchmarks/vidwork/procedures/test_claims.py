"""The record decides, or says that it does not; the clip is in `STEPS`, the radio plays beside the rest."""

from fractions import Fraction

import pytest

from cutscore.benchmarks.vidwork.procedures.claims import (
    Between,
    Claim,
    Counts,
    Does,
    Enables,
    InARow,
    InOrder,
    Shows,
    Spares,
    Uses,
    claim,
    holds,
)
from cutscore.benchmarks.vidwork.procedures.procedure import Procedure, Step

STEPS = (
    Step(id="crack", text="Crack 3 eggs into a bowl", verb="crack", start_s=0, end_s=2),
    Step(id="radio", text="Turn on the radio", verb="turn on", start_s=1, end_s=8),
    Step(id="whisk", text="Whisk them with a fork", tool="fork", needs=("crack",), start_s=2, end_s=5),
    Step(id="fry", text="Fry the batter in the pan", verb="fry", needs=("whisk",), start_s=5, end_s=9),
    Step(id="serve", text="Lay it on a plate", start_s=9, end_s=9),
    Step(id="salt", text="Salt it", start_s=9, end_s=9),
)


def clip(*steps: Step) -> Procedure:
    return Procedure(name="a", title="An omelette", domain="cooking", length_s=10, steps=steps or STEPS)


def without(name: str) -> Procedure:
    return clip(*(step for step in STEPS if step.id != name))


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        (InOrder(steps=("crack", "whisk", "fry")), True),
        (InOrder(steps=("crack", "fry", "whisk")), False),
        (InOrder(steps=("radio", "whisk")), None),  # both run
        (InOrder(steps=("whisk", "radio")), None),
        (InOrder(steps=("fry", "radio", "crack")), False),  # fry before crack is enough
        (InOrder(steps=("serve", "salt")), None),  # one instant
        (InARow(steps=("whisk", "fry")), None),  # the radio plays
        (InARow(steps=("crack", "fry")), False),
        (InARow(steps=("fry", "whisk")), False),
        (InARow(steps=("whisk", "fry", "crack")), False),
        (Between(step="whisk", first="crack", last="fry"), True),
        (Between(step="crack", first="whisk", last="fry"), False),
        (Between(step="fry", first="crack", last="whisk"), False),
        (Between(step="radio", first="crack", last="serve"), None),  # begins while the first one runs
        (Shows(text="Fry the batter in the pan!"), True),
        (Shows(text="Sweep the floor"), False),
        (Shows(text="Fry the batter"), None),  # may be the same step in fewer words
        (Does(step="fry", verb="fry"), True),
        (Does(step="fry", verb="peel"), None),  # as crack, of which it is a kind
        (Does(step="fry", verb="saw"), False),
        (Does(step="fry", verb="boil"), None),  # frying is boiling's kind
        (Does(step="fry", verb="gobble"), None),
        (Does(step="radio", verb="saw"), None),  # "turn on" has no object
        (Uses(step="whisk", tool="the fork"), True),
        (Uses(step="whisk", tool="saw"), False),
        (Uses(step="whisk", tool="salad fork"), None),
        (Uses(step="fry", tool="saw"), None),  # nobody said with what
        (Counts(step="crack", number=3), True),
        (Counts(step="crack", number=4), False),
        (Counts(step="fry", number=4), None),
        (Enables(first="crack", second="whisk"), True),
        (Enables(first="crack", second="fry"), True),  # through whisk
        (Enables(first="fry", second="crack"), False),
        (Enables(first="crack", second="radio"), None),  # silent is not false
        (Spares(step="fry", other="crack"), False),
        (Spares(step="crack", other="fry"), True),
        (Spares(step="fry", other="radio"), None),
        (Spares(step="serve", other="crack"), None),  # perhaps it needs it
    ],
)
def test_the_record_decides_or_says_that_it_does_not(part, answer):
    assert holds(claim(part), clip()) is answer
    denied = part.model_copy(update={"so": False})
    assert holds(claim(denied), clip()) is (None if answer is None else not answer)


def test_a_row_is_decided_when_nothing_runs_beside():
    assert holds(claim(InARow(steps=("crack", "whisk", "fry"))), without("radio")) is True
    assert holds(claim(InARow(steps=("crack", "fry"))), without("radio")) is False
    late = STEPS[1].model_copy(update={"start_s": Fraction(5), "end_s": Fraction(6)})  # begins together with fry
    steps = sorted((STEPS[0], late, *STEPS[2:]), key=lambda step: step.start_s)
    assert holds(claim(InARow(steps=("whisk", "fry"))), clip(*steps)) is None


def test_of_two_steps_with_the_same_words_nobody_knows_which_is_meant():
    again = Step(id="again", text="Whisk them with the fork.", tool="fork", start_s=9, end_s=10)
    twice = clip(*STEPS, again)
    for part in (
        InOrder(steps=("crack", "whisk")),
        InARow(steps=("crack", "whisk")),
        Between(step="whisk", first="crack", last="fry"),
        Uses(step="whisk", tool="saw"),
        Enables(first="crack", second="whisk"),
        Spares(step="crack", other="whisk"),
    ):
        assert holds(claim(part), twice) is None
    more = Step(id="more", text="Crack 4 eggs into a bowl", start_s=9, end_s=10)
    assert holds(claim(Counts(step="crack", number=4)), clip(*STEPS, more)) is None
    assert holds(claim(Counts(step="crack", number=5)), clip(*STEPS, more)) is False


def test_a_claim_is_false_by_one_part_and_true_only_by_all():
    true, false, open_ = Uses(step="whisk", tool="fork"), Shows(text="Sweep the floor"), Shows(text="Fry the batter")
    assert holds(claim(true, true), clip()) is True
    assert holds(claim(true, open_), clip()) is None
    assert holds(claim(open_, false), clip()) is False


def test_a_claim_reads_back_equal():
    said = claim(InOrder(steps=("a", "b")), Uses(step="a", tool="saw", so=False))
    assert Claim.model_validate_json(said.model_dump_json()) == said


def test_needs_through_many_steps_are_found_quickly():
    """Each of 60 steps needs both before it: walking every path would take a trillion steps."""
    names = [f"s{n}" for n in range(60)]
    steps = [
        Step(id=name, text=f"Do thing {name}", needs=tuple(names[max(0, n - 2) : n]), start_s=n, end_s=n + 1)
        for n, name in enumerate(names)
    ]
    long = Procedure(name="a", title="Long", domain="cooking", length_s=60, steps=tuple(steps))
    assert holds(claim(Spares(step="s59", other="s0")), long) is False
