"""Order answers: before, after or none, however they are worded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.answers.order import OPPOSITE, read_order

A, B = "chop the onion", "heat the pan"


def said(text: str, first: str = A, second: str = B) -> str | None:
    return read_order(text, first, second).order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("ANSWER: before", "before"),
        ("The pan comes first.\nANSWER: after", "after"),
        ("answer: **Before**.", "before"),
        ("Before", "before"),
        ("It happened after.", "after"),
        ("The onion was chopped before the pan was heated.", "before"),
        ("The pan was heated before the onion was chopped.", "after"),
        ("They heated the pan after they had chopped the onion.", "before"),
        ("Before heating the pan, the onion was chopped.", "before"),
        ("After heating the pan, she chopped the onion.", "after"),
        ("Chopping the onion preceded the pan.", "before"),
        ("Heating follows chopping.", "before"),
        ("The onion: earlier than the pan.", "before"),
        ("Did it happen before or after? The onion was chopped before the pan was heated.", "before"),
        ("ＢＥＦＯＲＥ", "before"),
        ("Chopping the onion was followed by heating the pan.", "before"),
        ("Chopping the onion was preceded by heating the pan.", "after"),
        ("First the pan is heated, then the onion is chopped.", "after"),
        ("The onion is chopped first.", "before"),
        ("The pan came first", "after"),
        ("The onion was not chopped before the pan was heated.", "after"),
        ("ANSWER: B happened before A", "after"),
    ],
)
def test_answers_that_say_it(text: str, order: str) -> None:
    assert said(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I cannot tell.",
        "before or after",
        "ANSWER: before or after",
        "ANSWER: before, after",
        "ANSWER: both",
        "ANSWER:",
        "Before. After.",
        "The onion before the pan. After the pan, the onion.",
        "The onion was chopped before the pan was heated. The pan was heated before the onion was chopped.",
        "Maybe before.",
        "Either before or later.",
        "It might be after.",
        "The onion and the pan were before everything.",
        "They chopped the onion.",
        "Then they ate.",
        "The onion and the pan were ready before the onion was done.",
        "First they cleaned up.",
        "The onion then the oil.",
        "afternoon, beforehand",
        "ANSWER: before\nActually I do not know.",
    ],
)
def test_answers_that_do_not(text: str) -> None:
    assert said(text) is None


def test_a_closing_line_in_the_middle_is_neither_answer_nor_text() -> None:
    assert said("ANSWER: before\nANSWER: after") == "after"
    assert said("ANSWER: before\n\nLet me know!") is None
    assert said("ANSWER: before\nThe pan was heated before the onion was chopped.") == "after"


def test_what_was_read_is_told() -> None:
    assert read_order("ANSWER: before", A, B).reading == "the last line answers 'before'"
    assert read_order("ANSWER: none", A, B).reading == "the last line answers 'none', which is neither before nor after"
    assert read_order("The pan after the onion", A, B).reading.endswith("'before' was read by who precedes whom")
    assert read_order("", A, B).reading == "nothing was answered"


def test_steps_with_the_same_words_are_not_told_apart() -> None:
    assert said("The egg was cracked before the egg was whisked", "egg", "the eggs") is None
    assert said("Cracking came after whisking", "crack the egg", "whisk the egg") == "after"


def test_a_megabyte_is_read_to_an_end() -> None:
    assert said("before after " * 80_000) is None
    assert said("onion. " * 150_000 + "\nANSWER: after") == "after"


@pytest.mark.parametrize(
    "text", ["The onion came before the pan", "The pan after the onion", "After the pan the onion"]
)
def test_asking_the_other_way_round_turns_the_answer_around(text: str) -> None:
    forth, back = said(text), said(text, B, A)
    assert forth is not None
    assert back == OPPOSITE[forth]  # type: ignore[index]


@given(st.text())
def test_any_text_is_read_and_says_before_after_or_nothing(text: str) -> None:
    found = read_order(text, A, B)
    assert found.order in ("before", "after", None)
    assert found.reading
