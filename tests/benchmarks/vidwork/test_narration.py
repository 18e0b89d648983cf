"""Which sentences are steps, which are reasons, and where somebody was silent."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.narration import MOST_SENTENCES, step_in, told, unsaid
from cutscore.media.transcript import Segment, Transcript


def spoken(*lines: tuple[float, float, str]) -> Transcript:
    segments = [Segment(start_s=Fraction(start), end_s=Fraction(end), text=text) for start, end, text in lines]
    return Transcript(made_by="a test", segments=tuple(segments))


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        ("Crack 3 eggs into the bowl.", "Crack 3 eggs into the bowl"),
        ("Pour milk into the bowl!", "Pour milk into the bowl"),
        ("Then, stir it", "Stir it"),
        ("Now we are going to whisk the batter.", "Whisk the batter"),
        ("And next you will need to turn on the stove;", "Turn on the stove"),
        ("Press the alarm.", "Press the alarm"),
    ],
)
def test_requests_and_what_the_narrator_does_are_steps(sentence: str, step: str) -> None:
    assert step_in(sentence) == step


@pytest.mark.parametrize(
    "sentence",
    [
        "How to make pancakes.",
        "The pancakes are ready.",
        "Lumps would burn.",
        "Water takes the dirt away.",
        "Nails hold the walls.",
        "It needs heat.",
        "Cheers.",
        "Help is on its way.",
        "Can you put it on the plate?",
        "3 eggs are enough for the two of us.",
        "...",
        "",
    ],
)
def test_what_has_a_subject_or_no_object_is_no_step(sentence: str) -> None:
    assert step_in(sentence) == ""


def test_a_sentence_after_a_step_may_be_its_reason() -> None:
    heard = told(
        spoken((0, 2, "How to make tea."), (2, 6, "Fill the pot. Tea needs water. It is wet."), (8, 9, "Cheers."))
    )
    assert [(each.text, each.is_step, each.explains) for each in heard] == [
        ("How to make tea", False, None),
        ("Fill the pot", True, None),
        ("Tea needs water", False, 1),
        ("It is wet", False, 1),
        ("Cheers", False, None),
    ]


def test_times_within_a_line_are_shared_out_by_letters() -> None:
    one, two = told(spoken((10, 14, "Stir it now. Fill the cup.")))
    assert one.at_s == 10
    assert two.at_s == 10 + 4 * Fraction(12, 26)


def test_a_sentence_goes_on_in_the_next_line() -> None:
    heard = told(
        spoken((0, 2, "Crack three eggs"), (2, 4, "into the bowl. Whisk"), (4, 5, "them well."), (5, 6, "Done"))
    )
    assert [(float(each.at_s), each.text) for each in heard if each.is_step] == [
        (0.0, "Crack three eggs into the bowl"),
        (3.4, "Whisk them well"),
    ]


def test_a_gap_holds_as_many_steps_as_fit_into_it() -> None:
    heard = told(spoken((0, 1, "How to."), (4, 5, "Stir it."), (16, 17, "Fill it."), (20, 21, "Done.")))
    assert unsaid(heard) == ((4, 2),)
    assert unsaid(heard[:1]) == unsaid(()) == ()


@given(st.lists(st.text(max_size=80), max_size=30))
def test_whatever_is_said_can_be_heard(texts: list[str]) -> None:
    lines = [(n, n + 1, "".join(letter for letter in text if letter.isprintable())) for n, text in enumerate(texts)]
    heard = told(spoken(*lines))
    assert [each.at_s for each in heard] == sorted(each.at_s for each in heard)
    assert all(each.explains is None or heard[each.explains].is_step for each in heard)
    assert all(each.text.strip() for each in heard if each.is_step)


def test_endless_talk_is_cut_off() -> None:
    assert len(told(spoken((0, 9000, "Stir it. " * (3 * MOST_SENTENCES // 4))))) == 3 * MOST_SENTENCES // 4
    assert len(told(spoken(*((n, n + 1, "Stir it.") for n in range(2 * MOST_SENTENCES))))) == MOST_SENTENCES
