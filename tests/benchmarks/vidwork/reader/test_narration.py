"""Which sentences are steps, which are reasons, where somebody was silent; and what a listener makes of a text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.reader.narration import MOST_SENTENCES, Narration, SilentGap, read_narration, step_in
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
    heard = read_narration(
        spoken((0, 2, "How to make tea."), (2, 6, "Fill the pot. Tea needs water. It is wet."), (8, 9, "Cheers."))
    )
    assert [(each.text, each.is_step, each.explains) for each in heard.sentences] == [
        ("How to make tea", False, None),
        ("Fill the pot", True, None),
        ("Tea needs water", False, 1),
        ("It is wet", False, 1),
        ("Cheers", False, None),
    ]


def test_times_within_a_line_are_shared_out_by_letters() -> None:
    one, two = read_narration(spoken((10, 14, "Stir it now. Fill the cup."))).sentences
    assert one.at_s == 10
    assert two.at_s == 10 + 4 * Fraction(12, 26)


def test_a_sentence_goes_on_in_the_next_line() -> None:
    heard = read_narration(
        spoken((0, 2, "Crack three eggs"), (2, 4, "into the bowl. Whisk"), (4, 5, "them well."), (5, 6, "Done"))
    )
    assert [(float(each.at_s), each.text) for each in heard.sentences if each.is_step] == [
        (0.0, "Crack three eggs into the bowl"),
        (3.4, "Whisk them well"),
    ]


def test_a_gap_holds_as_many_steps_as_fit_into_it() -> None:
    heard = read_narration(spoken((0, 1, "How to."), (4, 5, "Stir it."), (16, 17, "Fill it."), (20, 21, "Done.")))
    assert heard.gaps == (SilentGap(Fraction(4), 2),)
    assert Narration(heard.sentences[:1]).gaps == Narration(()).gaps == ()


@given(st.lists(st.text(max_size=80), max_size=30))
def test_whatever_is_said_can_be_heard(texts: list[str]) -> None:
    lines = [(n, n + 1, "".join(letter for letter in text if letter.isprintable())) for n, text in enumerate(texts)]
    heard = read_narration(spoken(*lines)).sentences
    assert [each.at_s for each in heard] == sorted(each.at_s for each in heard)
    assert all(each.explains is None or heard[each.explains].is_step for each in heard)
    assert all(each.text.strip() for each in heard if each.is_step)


def test_endless_talk_is_cut_off() -> None:
    assert (
        len(read_narration(spoken((0, 9000, "Stir it. " * (3 * MOST_SENTENCES // 4)))).sentences)
        == 3 * MOST_SENTENCES // 4
    )
    assert (
        len(read_narration(spoken(*((n, n + 1, "Stir it.") for n in range(2 * MOST_SENTENCES)))).sentences)
        == MOST_SENTENCES
    )


def test_a_text_is_found_by_its_words(narration: Narration) -> None:
    found = narration.find("Cracking three eggs in a bowl")
    assert found is not None
    assert found.at_s == 4
    assert narration.find("Peel the carrot") is None
    assert Narration(()).find("Crack 3 eggs") is None


def test_the_reason_is_what_was_said_right_after(narration: Narration) -> None:
    assert narration.reason("Crack 3 eggs into the bowl") == "Eggs hold it together"
    assert narration.reason("Turn on the oven") is None
    assert narration.reason("Peel the carrot") is None


def test_told_steps_are_in_the_order_in_which_they_were_told(narration: Narration) -> None:
    eggs, pan = "Crack 3 eggs into the bowl", "Pour the batter into the pan"
    assert narration.is_before(eggs, pan) is True
    assert narration.is_before(pan, eggs) is False
    assert narration.is_before(eggs, eggs) is None


def test_an_untold_step_lies_where_there_is_more_room(narration: Narration) -> None:
    """One gap lies before the oven and one after it; both gaps lie after the eggs."""
    assert narration.is_before("Crack 3 eggs into the bowl", "Peel the carrot") is True
    assert narration.is_before("Peel the carrot", "Crack 3 eggs into the bowl") is False
    assert narration.is_before("Turn on the oven", "Peel the carrot") is None
    assert narration.is_before("Grate the cheese", "Peel the carrot") is None
    assert narration.when("Peel the carrot") == 8
    assert narration.when("Turn on the oven") == 20


def test_what_needs_a_step_comes_later_and_shares_a_word(narration: Narration) -> None:
    blocked = narration.blocked_without("Whisk the batter with the fork")
    assert blocked is not None
    assert blocked.text == "Pour the batter into the pan"
    nearest = narration.blocked_without("Crack 3 eggs into the bowl")
    assert nearest is not None
    assert nearest.text == "Whisk the batter with the fork"
    assert narration.blocked_without("Peel the carrot") is None
