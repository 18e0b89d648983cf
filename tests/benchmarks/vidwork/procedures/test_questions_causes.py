"""Do questions about causes have the answer of the record, in words that the question lacks?"""

from fractions import Fraction
from random import Random

from cutscore.benchmarks.vidwork.answers.key_terms import key_terms, score_terms
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.questions import FEWEST_TERMS, draw_causes

STEPS = (
    ("Grease the tin", "so that the cake comes out whole", ()),
    ("Mix flour and eggs", "", ()),
    ("Fill the tin with the dough", "the tin gives it a round shape", ("s0", "s1")),
    ("Bake the dough in the oven", "it needs heat", ("s2",)),
)


def cake() -> ProcedureRecord:
    steps = tuple(
        ProcedureStep(id=f"s{n}", start_s=10 * n, end_s=10 * n + 8, text=text, why=why, needs=needs)
        for n, (text, why, needs) in enumerate(STEPS)
    )
    return ProcedureRecord(name="cake", title="Cake", domain="cooking", length_s=60, steps=steps)


def test_reasons_and_consequences_by_turns() -> None:
    found = draw_causes(cake(), Random(1), most=9)
    assert [cause.question.split()[0] for cause in found.kept] == ["Why", "If", "Why", "If", "If"]
    answers = {cause.question: (cause.answer, cause.key_terms) for cause in found.kept}
    assert answers == {
        'Why is this step done: "Grease the tin"?': (
            "So that the cake comes out whole.",
            ("cake", "comes", "whole"),
        ),
        'Why is this step done: "Fill the tin with the dough"?': (
            "The tin gives it a round shape.",
            ("round", "shape"),
        ),
        'If this step were skipped, which later one could not be done as shown: "Grease the tin"?': (
            "Fill the tin with the dough.",
            ("fill", "dough"),
        ),
        'If this step were skipped, which later one could not be done as shown: "Mix flour and eggs"?': (
            "Fill the tin with the dough.",
            ("fill", "tin", "dough"),
        ),
        'If this step were skipped, which later one could not be done as shown: "Fill the tin with the dough"?': (
            "Bake the dough in the oven.",
            ("bake", "oven"),
        ),
    }


def test_an_echo_of_the_question_scores_nothing_and_the_answer_everything() -> None:
    for cause in draw_causes(cake(), Random(2), most=9).kept:
        terms = key_terms(cause.answer, cause.question, cause.key_terms)
        assert len(terms.wanted) >= FEWEST_TERMS
        assert score_terms(cause.question, terms).paper == 0
        assert score_terms(cause.answer, terms).paper == 1


def test_a_poor_answer_is_refused_and_said() -> None:
    (refusal,) = draw_causes(cake(), Random(1), most=9).refused
    assert refusal == (
        "'Why is this step done: \"Bake the dough in the oven\"?': its answer has too few words that the question lacks"
    )


def test_the_first_step_that_is_stuck_is_the_answer() -> None:
    made = cake()
    both = (*made.steps[:3], made.steps[3].model_copy(update={"needs": ("s0", "s2")}))
    (found,) = (
        cause
        for cause in draw_causes(made.model_copy(update={"steps": both}), Random(1), most=9).kept
        if cause.question.startswith("If") and "Grease" in cause.question
    )
    assert found.answer == "Fill the tin with the dough."
    assert (found.at.start_s, found.at.end_s) == (Fraction(0), Fraction(28))


def test_without_reasons_and_needs_nothing_is_asked() -> None:
    bare = tuple(step.model_copy(update={"why": "", "needs": ()}) for step in cake().steps)
    found = draw_causes(cake().model_copy(update={"steps": bare}), Random(1), most=9)
    assert (found.kept, found.refused) == ((), ())


def test_equal_seeds_draw_alike() -> None:
    assert draw_causes(cake(), Random(4), most=2) == draw_causes(cake(), Random(4), most=2)
    assert len({draw_causes(cake(), Random(seed), most=2).kept for seed in range(8)}) > 1
