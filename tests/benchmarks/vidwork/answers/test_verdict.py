"""Verdicts: flagged, accepted, hedged, none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.answers.verdict import SUSPICION, read_verdict

SAID = {
    "flagged": [
        "ANSWER: incorrect",
        "It all looks correct to me at first.\nANSWER: incorrect.",
        "No.",
        "No, the salt is added last.",
        "No the salt is added last.",
        "No, the correct order is eggs, then milk.",
        "No, this is not correct.",
        "The description is wrong.",
        "The description isn't accurate.",
        "This does not match the video.",
        "There is an error in step 2.",
        "Most of it is correct, but step 3 is wrong.",
        "It is mostly accurate. However, step 3 is not shown.",
        "The steps are accurate. However, the quantity is a mistake.",
        "The video does not show any salt.",
        "Steps 2 and 3 are swapped.",
        "The description is not without errors.",
        "It is accurate except that the salt comes first.",
        "Step 2 is described incorrectly.",
        "Is this description correct? It is not.\nNo.",
        "It's unclear at the start. The last step is wrong.",
        "Step 2 is wrong and step 3 is correct, but well told.",
        "Mostly correct, but the order is wrong.",
        "Step 3 was skipped.",
    ],
    "accepted": [
        "ANSWER: correct",
        "I see an error.\nANSWER: correct",
        "Yes",
        "Yes, that is what happens.",
        "The description is correct.",
        "There are no errors.",
        "It does not contain any mistakes.",
        "Nothing is wrong with it.",
        "It is not incorrect.",
        "I can confirm that it is accurate.",
        "Is anything wrong? The description matches the video.",
    ],
    "hedged": [
        "ANSWER: unsure",
        "It is possible but uncertain.",
        "The description may be incorrect.",
        "It might be correct.",
        "The description is partially correct.",
        "It is hard to tell whether it is correct.",
        "I cannot verify that it is correct.",
        "Correct. Incorrect.",
        "The description is wrong. The description is correct.",
        "Yes, there is an error.",
        "No, it is correct.",
        "Possibly.",
    ],
    "none": [
        "",
        "  \n ",
        "ANSWER: before",
        "ANSWER: correct or incorrect",
        "ANSWER: correct incorrect",
        "Lovely omelette!",
        "Is this description correct?",
        "correction corrected",
        "The correct order is eggs, then milk.",
        "🙂",
    ],
}


@pytest.mark.parametrize(("verdict", "text"), [(verdict, text) for verdict, texts in SAID.items() for text in texts])
def test_each_answer_is_read_as_one_of_four(verdict: str, text: str) -> None:
    assert read_verdict(text).verdict == verdict


def test_a_closing_line_in_the_middle_closes_nothing() -> None:
    assert read_verdict("ANSWER: incorrect\nANSWER: correct").verdict == "accepted"
    assert read_verdict("ANSWER: incorrect\nOr is it?").verdict == "none"
    assert read_verdict("ANSWER: incorrect\nYes, that is how it goes.").verdict == "accepted"


def test_how_it_was_read_is_told() -> None:
    assert read_verdict("ANSWER: incorrect").reading == "the last line answers 'incorrect'"
    assert read_verdict("No.").reading == "without a closing line, it says 'no'"
    assert read_verdict("Yes, it is wrong").reading == "it says 'yes' and the contrary in one sentence"


def test_a_megabyte_is_read_to_an_end() -> None:
    assert read_verdict("wrong " * 160_000).verdict == "flagged"
    assert read_verdict("correct. wrong. " * 60_000).verdict == "hedged"


def test_who_does_not_decide_is_half_as_suspicious_as_who_flags() -> None:
    assert SUSPICION == {"flagged": 1.0, "hedged": 0.5, "none": 0.5, "accepted": 0.0}


@given(st.text())
def test_any_text_has_a_verdict(text: str) -> None:
    found = read_verdict(text)
    assert found.verdict in SUSPICION
    assert found.reading


@given(st.sampled_from(SAID["flagged"] + SAID["accepted"]), st.sampled_from(["correct", "incorrect", "unsure"]))
def test_the_closing_line_wins_over_all_that_was_said(text: str, closing: str) -> None:
    wanted = {"correct": "accepted", "incorrect": "flagged", "unsure": "hedged"}[closing]
    assert read_verdict(f"{text}\nANSWER: {closing}").verdict == wanted
