"""Is nothing asked that somebody says?"""

from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep, Sight
from cutscore.benchmarks.vidwork.procedures.questions import draw_sights, select_unspoken
from cutscore.media.transcript import Segment, Transcript


def seen(question: str, answer: str, *terms: str) -> Sight:
    return Sight(start_s=0, end_s=5, question=question, answer=answer, key_terms=terms)


SIGHTS = (
    seen("What colour is the bowl?", "The bowl is blue.", "blue"),
    seen("How many eggs are there?", "Three."),
    seen("What colour is the pan?", "It is red.", "red"),
    seen("Is the lid open or shut?", "It is shut."),
    seen("Where is the spoon?", "Left of the bowls."),
)


def tea(said: str | None) -> ProcedureRecord:
    lines = [] if said is None else [Segment(start_s=1, end_s=4, text=said)]
    return ProcedureRecord(
        name="tea",
        title="Tea",
        domain="cooking",
        length_s=30,
        steps=tuple(ProcedureStep(id=f"s{n}", start_s=n, end_s=n + 1, text=f"Do it {n}") for n in range(3)),
        sights=SIGHTS,
        transcript=None if said is None else Transcript(made_by="hand", segments=tuple(lines)),
    )


def test_what_is_said_in_any_form_is_refused_with_the_word() -> None:
    found = select_unspoken(tea("Take 3 eggs and a bowl, and nothing BLUE."))
    assert [sight.question for sight in found.kept] == ["What colour is the pan?"]
    assert found.refused == (
        "'What colour is the bowl?': 'blue' of the answer is said in the transcript",
        "'How many eggs are there?': '3' of the answer is said in the transcript",
        "'Is the lid open or shut?': the question gives the answer away",
        "'Where is the spoon?': 'bowls' of the answer is said in the transcript",
    )


def test_where_nobody_speaks_only_the_question_gives_away() -> None:
    for silent in (tea(None), tea("")):
        assert [sight.answer for sight in select_unspoken(silent).kept] == [
            "The bowl is blue.",
            "Three.",
            "It is red.",
            "Left of the bowls.",
        ]


def test_kinds_come_by_turns() -> None:
    for seed in range(10):
        drawn = draw_sights(SIGHTS, Random(seed), most=4)
        assert len({sight.question.split()[0] for sight in drawn}) == 4
    assert draw_sights(SIGHTS, Random(1), most=3) == draw_sights(SIGHTS, Random(1), most=3)
    assert draw_sights((), Random(1), most=3) == []
    assert len(draw_sights(SIGHTS, Random(1), most=99)) == len(SIGHTS)


def test_a_key_term_that_the_answer_lacks_is_refused() -> None:
    odd = tea(None).model_copy(update={"sights": (seen("What is in the cup?", "Some tea.", "tea", "milk"),)})
    assert select_unspoken(odd).refused == ("'What is in the cup?': key term 'milk' is not in the answer",)
