"""Key terms: the two scores, what they can be fooled by, and what stands beside them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.answers.key_terms import MOST_WORDS, TermScore, key_terms, score_terms

QUESTION = "Why did the person wrap the bandage tightly around the leg?"
REFERENCE = "Pressure slows the bleeding until help arrives."
PADDING = (
    "In general procedures like these depend on many things, among them skill, patience, light, tools and weather. "
)


def score(answer: str, reference: str = REFERENCE, *listed: str) -> TermScore:
    return score_terms(answer, key_terms(reference, QUESTION, listed))


def test_the_reference_gets_full_marks_and_nothing_gets_none() -> None:
    full = score(REFERENCE)
    assert (full.paper, full.robust, full.missing, full.others) == (1.0, 1.0, (), 0)
    for nothing in ("", "…", "the of and", "🙂"):
        assert (score(nothing).paper, score(nothing).robust) == (0.0, 0.0)


def test_a_worked_example() -> None:
    """Terms: pressur slow bleed until help arriv (6). Said: slow, bleed and one other word: F1 = 2·2/(3+6)."""
    found = score("It slows bleeding somewhat")
    assert found.found == ("bleed", "slow")
    assert found.others == 1
    assert found.paper == pytest.approx(4 / 9)
    assert found.robust == pytest.approx(4 / 8)  # of the stretch "slows bleeding"


def test_the_words_of_the_question_neither_help_nor_harm() -> None:
    assert score("The person wrapped the bandage around the leg tightly").paper == 0
    assert score("The person wrapped the bandage around the leg: " + REFERENCE).paper == 1.0


def test_a_list_of_terms_replaces_the_words_of_the_reference_and_the_rest_of_it_is_neutral() -> None:
    assert score("slows the bleeding", REFERENCE, "bleeding").paper == 1.0
    assert score("pressure", REFERENCE, "bleeding").paper == 0
    assert score("Celery or salt", "Some celery salt", "celery salt").found == ("celeri", "salt")


def test_numbers_meet_whatever_their_spelling() -> None:
    assert score("½ cup", "0.5 cups").paper == 1.0
    assert score("two minutes", "2 minutes").paper == 1.0
    assert score("3 minutes", "2 minutes").paper == 0.5


def test_a_long_answer_is_diluted_in_paper_and_not_in_robust() -> None:
    verbose = PADDING * 3 + REFERENCE + " " + PADDING * 3
    assert score(verbose).paper == 0.5
    assert score(verbose).robust == 1.0


def test_terms_that_lie_far_apart_gain_little() -> None:
    """A pasted transcript holds the terms, but not close together; a bare heap of them fools both scores."""
    transcript = "Now we put pressure on. " + PADDING * 2 + "It slows down. " + PADDING * 2 + "Then help arrives."
    assert score(transcript).robust == 0.5
    assert score(transcript).paper < 0.5
    heap = " ".join(f"word{number}" for number in range(200)) + " pressure slow bleeding until help arrives"
    assert score(heap).paper < 0.1
    assert score(heap).robust == 1.0  # why `paper` stands beside it, and why the tables print this control


def test_only_stretches_of_twice_the_reference_are_looked_at() -> None:
    """Six terms, reference of seven words: fourteen words hold both ends, fifteen do not."""
    far = "pressure {} slows bleeding until help arrives"
    inside, outside = (far.format("and " * fillers) for fillers in (8, 9))
    assert score(inside).robust == 1.0
    assert score(outside).robust < 1.0
    assert score(outside).paper == 1.0  # stop words cost nothing there


@pytest.mark.parametrize(
    ("answer", "differs"),
    [
        ("Pressure slows the bleeding", False),
        ("Pressure does not slow the bleeding", True),
        ("Pressure doesn't slow the bleeding", True),
        ("Bleeding would never slow without pressure", True),
        ("", False),
    ],
)
def test_a_negation_on_one_side_only_is_told_and_does_not_change_the_score(answer: str, differs: bool) -> None:
    assert score(answer).negation_differs is differs
    assert score("Pressure slows the bleeding").paper == score("Pressure does not slow the bleeding").paper


def test_a_negation_of_both_sides_is_no_difference() -> None:
    assert not score("No infection", "So that it does not get infected").negation_differs


def test_a_megabyte_of_hits_is_read_to_an_end() -> None:
    assert score("pressure x " * 90_000).robust < 1
    assert score("slow " * 200_000).paper == pytest.approx(2 / 7)


def test_stretches_are_looked_for_in_the_first_words_and_terms_everywhere() -> None:
    late = "and " * MOST_WORDS + REFERENCE
    assert (score(late).paper, score(late).robust) == (1.0, 0.0)
    assert score(late[4 * 10 :]).robust > 0


WORDS = ("pressure", "slows", "bleeding", "help", "arrives", "oil", "not", "the", "bandage")
terms = st.lists(st.sampled_from(WORDS), max_size=30)


@settings(max_examples=50)
@given(terms)
def test_both_scores_are_shares_and_a_short_answer_has_them_equal_or_better(words: list[str]) -> None:
    found = score(" ".join(words))
    assert 0 <= found.paper <= 1
    assert 0 <= found.robust <= 1
    if len(words) <= 2 * len(REFERENCE.split()):
        assert found.robust >= found.paper


@settings(max_examples=50)
@given(terms, st.randoms(use_true_random=False))
def test_paper_does_not_see_order_or_repetition(words: list[str], random: object) -> None:
    shuffled = [*words, *words]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert score(" ".join(shuffled)).paper == score(" ".join(words)).paper
