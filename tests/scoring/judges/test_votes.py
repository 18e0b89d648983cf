"""Several runs, one judgement: the majority rule of the papers' facts, and what a tie comes to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.judgement import Question, Weakness
from cutscore.core.timeline import span_from
from cutscore.scoring.judges.reply import Answer
from cutscore.scoring.judges.votes import decide, is_settled, quorum
from cutscore.scoring.matching.similarity import SimilarityMatcher

RED = Question(id="red", kind="yes_no", text="Is it red?")
PICK = Question(id="pick", kind="choice", text="Which?", choices=("a", "b", "c"))
HOW = Question(id="how", kind="scale", text="How?")
FAULTS = Question(id="faults", kind="weaknesses", text="What is wrong?")
BETTER = Question(id="better", kind="pairwise", text="Which is better?")
HELD = Question(id="held", kind="short", text="What is held?")


def runs(*answers: object) -> list[Answer | None]:
    return [None if each is None else Answer(each, f"because {each}") for each in answers]  # type: ignore[arg-type]


def weak(*texts: str) -> Answer:
    return Answer("yes" if texts else "no", "seen", None, tuple(Weakness(text=text) for text in texts))


@pytest.mark.parametrize(
    ("question", "answers", "verdict", "flags"),
    [
        (RED, ("yes",), "yes", ()),
        (RED, ("yes", "no", "yes"), "yes", ()),
        (RED, ("no", "yes", None, "no", "yes"), "no", ("tie",)),
        (RED, ("yes", None, None, "yes", "yes"), "yes", ()),
        (BETTER, ("A", "B", None, "A", "B"), "neither", ("tie",)),
        (PICK, ("b", "c", "a", "b", None), "b", ("no majority",)),
        (PICK, ("c", "b", "b", "c", "a"), "b", ("tie",)),
        (HOW, (3, 9, 4), 4, ()),
        (HOW, (3, 9, None, 4, 8), 4, ("tie",)),
        (HOW, (5, 5, None, 5, 5), 5, ()),
        (HELD, ("Red  cup", "a cup", "red cup"), "Red  cup", ()),
        (HELD, ("cup", "mug", "mug", "jar", None), "mug", ("no majority",)),
        (HELD, ("cup", "mug", "jar"), "cup", ("no majority",)),
        (HELD, ("2", "two", "two"), "two", ()),
    ],
)
def test_the_majority_decides(
    question: Question, answers: tuple[object, ...], verdict: object, flags: tuple[str, ...]
) -> None:
    made = decide(question, runs(*answers), votes=len(answers))
    assert (made.answer, made.flags) == (verdict, flags)


@pytest.mark.parametrize(("votes", "valid"), [(1, 0), (3, 1), (5, 2)])
def test_too_few_runs_are_no_answer(votes: int, valid: int) -> None:
    answers = ["yes"] * valid + [None] * (votes - valid)
    made = decide(RED, runs(*answers), votes=votes, why_not="the model was asleep")
    assert made.answer is None
    assert made.because.startswith("the model was asleep")
    assert quorum(votes) == valid + 1


def test_the_reason_and_the_place_come_from_the_winning_side() -> None:
    late, early = span_from([4, 5]), span_from([0, 1])
    made = decide(RED, [Answer("no", "dark", early), Answer("yes", "bright"), Answer("yes", "red", late)], votes=3)
    assert (made.because, made.at) == ("bright", late)


def test_weaknesses_of_more_than_half_of_the_winning_runs_are_kept_with_their_support() -> None:
    ballots = [weak("Too dark.", "Shaky"), weak("too dark", "Loud"), weak(), weak("TOO DARK", "shaky"), weak()]
    made = decide(FAULTS, ballots, votes=5)
    assert made.answer == "yes"
    assert [(each.text, each.support) for each in made.weaknesses] == [("Too dark.", 3), ("Shaky", 2)]


def test_a_yes_never_has_an_empty_list() -> None:
    made = decide(FAULTS, [weak("one"), weak("two", "three"), weak("three"), weak(), weak()], votes=5)
    assert [(each.text, each.support) for each in made.weaknesses] == [("three", 2)]
    tied = decide(FAULTS, [weak("one"), weak(), None], votes=3)
    assert (tied.answer, tied.flags, tied.weaknesses[0].text) == ("yes", ("tie",), "one")


def test_weaknesses_of_the_losing_side_do_not_count() -> None:
    made = decide(FAULTS, [weak("one"), weak(), weak()], votes=3)
    assert (made.answer, made.weaknesses) == ("no", ())


def test_another_matcher_can_be_handed_in() -> None:
    by_length = SimilarityMatcher(
        "length", lambda ours, theirs: np.array([[float(len(a) > 1 < len(b)) for b in theirs] for a in ours]), 1.0
    )
    made = decide(FAULTS, [weak("dark"), weak("gloomy"), weak("x")], votes=3, matcher=by_length)
    assert [(each.text, each.support) for each in made.weaknesses] == [("dark", 2)]


def test_wordings_that_are_nearly_the_same_support_each_other() -> None:
    ballots = [weak("The background flickers"), weak("the background is flickering slightly"), weak("No sound at all")]
    made = decide(FAULTS, ballots, votes=3)
    assert [(each.text, each.support) for each in made.weaknesses] == [("The background flickers", 2)]


@given(st.lists(st.sampled_from(["yes", "no", None]), min_size=5, max_size=5))
def test_stopping_early_never_changes_a_verdict(answers: list[str | None]) -> None:
    everything = decide(RED, runs(*answers), votes=5)
    made = next((made for made in range(1, 6) if is_settled(runs(*answers[:made]), 5)), 5)
    assert decide(RED, runs(*answers[:made]), votes=5).answer == everything.answer


@given(st.permutations(["yes", "yes", "no", "no", "yes"]))
def test_the_order_of_votes_does_not_matter(answers: list[str]) -> None:
    assert decide(RED, runs(*answers), votes=5).answer == "yes"
