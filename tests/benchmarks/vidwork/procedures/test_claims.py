"""The record decides, or says that it does not; the clip is in `STEPS`, the radio plays beside the rest."""

from fractions import Fraction

import pytest

from cutscore.benchmarks.vidwork.procedures.claims import Statement, is_true_of
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
        (Statement("in order", ("crack", "whisk", "fry")), True),
        (Statement("in order", ("crack", "fry", "whisk")), False),
        (Statement("in order", ("radio", "whisk")), None),  # both run
        (Statement("in order", ("whisk", "radio")), None),
        (Statement("in order", ("fry", "radio", "crack")), False),  # fry before crack is enough
        (Statement("in order", ("serve", "salt")), None),  # one instant
        (Statement("in a row", ("whisk", "fry")), None),  # the radio plays
        (Statement("in a row", ("crack", "fry")), False),
        (Statement("in a row", ("fry", "whisk")), False),
        (Statement("in a row", ("whisk", "fry", "crack")), False),
        (Statement("between", ("whisk", "crack", "fry")), True),
        (Statement("between", ("crack", "whisk", "fry")), False),
        (Statement("between", ("fry", "crack", "whisk")), False),
        (Statement("between", ("radio", "crack", "serve")), None),  # begins while the first one runs
        (Statement("shows", text="Fry the batter in the pan!"), True),
        (Statement("shows", text="Sweep the floor"), False),
        (Statement("shows", text="Fry the batter"), None),  # may be the same step in fewer words
        (Statement("does", ("fry",), "fry"), True),
        (Statement("does", ("fry",), "peel"), None),  # as crack, of which it is a kind
        (Statement("does", ("fry",), "saw"), False),
        (Statement("does", ("fry",), "boil"), None),  # frying is boiling's kind
        (Statement("does", ("fry",), "gobble"), None),
        (Statement("does", ("radio",), "saw"), None),  # "turn on" has no object
        (Statement("uses", ("whisk",), "the fork"), True),
        (Statement("uses", ("whisk",), "saw"), False),
        (Statement("uses", ("whisk",), "salad fork"), None),
        (Statement("uses", ("fry",), "saw"), None),  # nobody said with what
        (Statement("counts", ("crack",), number=3), True),
        (Statement("counts", ("crack",), number=4), False),
        (Statement("counts", ("fry",), number=4), None),
        (Statement("enables", ("crack", "whisk")), True),
        (Statement("enables", ("crack", "fry")), True),  # through whisk
        (Statement("enables", ("fry", "crack")), False),
        (Statement("enables", ("crack", "radio")), None),  # silent is not false
        (Statement("spares", ("fry", "crack")), False),
        (Statement("spares", ("crack", "fry")), True),
        (Statement("spares", ("fry", "radio")), None),
        (Statement("spares", ("serve", "crack")), None),  # perhaps it needs it
    ],
)
def test_the_record_decides_or_says_that_it_does_not(part, answer):
    assert is_true_of((part,), clip()) is answer
    assert is_true_of((part.deny(),), clip()) is (None if answer is None else not answer)


def test_a_row_is_decided_when_nothing_runs_beside():
    assert is_true_of((Statement("in a row", ("crack", "whisk", "fry")),), without("radio")) is True
    assert is_true_of((Statement("in a row", ("crack", "fry")),), without("radio")) is False
    late = STEPS[1].model_copy(update={"start_s": Fraction(5), "end_s": Fraction(6)})  # begins together with fry
    steps = sorted((STEPS[0], late, *STEPS[2:]), key=lambda step: step.start_s)
    assert is_true_of((Statement("in a row", ("whisk", "fry")),), clip(*steps)) is None


def test_of_two_steps_with_the_same_words_nobody_knows_which_is_meant():
    again = ProcedureStep(id="again", text="Whisk them with the fork.", tool="fork", start_s=9, end_s=10)
    twice = clip(*STEPS, again)
    for part in (
        Statement("in order", ("crack", "whisk")),
        Statement("in a row", ("crack", "whisk")),
        Statement("between", ("whisk", "crack", "fry")),
        Statement("uses", ("whisk",), "saw"),
        Statement("enables", ("crack", "whisk")),
        Statement("spares", ("crack", "whisk")),
    ):
        assert is_true_of((part,), twice) is None
    more = ProcedureStep(id="more", text="Crack 4 eggs into a bowl", start_s=9, end_s=10)
    assert is_true_of((Statement("counts", ("crack",), number=4),), clip(*STEPS, more)) is None
    assert is_true_of((Statement("counts", ("crack",), number=5),), clip(*STEPS, more)) is False


def test_a_claim_is_false_by_one_part_and_true_only_by_all():
    true, false, open_ = (
        Statement("uses", ("whisk",), "fork"),
        Statement("shows", text="Sweep the floor"),
        Statement("shows", text="Fry the batter"),
    )
    assert is_true_of((true, true), clip()) is True
    assert is_true_of((true, open_), clip()) is None
    assert is_true_of((open_, false), clip()) is False


def test_needs_through_many_steps_are_found_quickly():
    """Each of 60 steps needs both before it: walking every path would take a trillion steps."""
    names = [f"s{n}" for n in range(60)]
    steps = [
        ProcedureStep(id=name, text=f"Do thing {name}", needs=tuple(names[max(0, n - 2) : n]), start_s=n, end_s=n + 1)
        for n, name in enumerate(names)
    ]
    long = ProcedureRecord(name="a", title="Long", domain="cooking", length_s=60, steps=tuple(steps))
    assert is_true_of((Statement("spares", ("s59", "s0")),), long) is False
