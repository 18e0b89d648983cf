"""Judgements as sentences, and cards that ask for them."""

import pytest
from pydantic import ValidationError

from cutscore.core.card import Card, JudgeCard
from cutscore.core.ending import Ending
from cutscore.core.judgement import FLAGS, Judgement
from cutscore.core.row import Row
from cutscore.core.tally import Tally
from cutscore.core.usage import Usage


def judgement(**more: object) -> Judgement:
    return Judgement.model_validate({"question": "q", "judge": "a/b", "answer": "yes", "because": "Seen.", **more})


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (judgement(), "a/b says 'yes': Seen."),
        (judgement(because=""), "a/b says 'yes'"),
        (judgement(answer=7, votes=(7, 3, None)), "a/b says 7, 1 of 3 votes: Seen."),
        (judgement(answer=None, because="it was asleep"), "a/b gave no answer: it was asleep"),
        (judgement(flags=("tie", "self")), "a/b says 'yes': Seen. (the votes are tied; it judges its own work)"),
    ],
)
def test_a_judgement_is_told_with_all_that_a_reader_should_know(made: Judgement, told: str) -> None:
    assert made.message == told


def test_every_flag_has_words() -> None:
    assert all(judgement(flags=(flag,)).message.endswith(f"({words})") for flag, words in FLAGS.items())


def card(**more: object) -> Card:
    plain = {"title": "t", "about": "a", "version": "1", "licence": "l", "headline": "main", "splits": {}}
    scores = {"main": {"about": "m"}, "liked": {"about": "l", "judged": True}}
    return Card.model_validate({"name": "bench", **plain, "scores": scores, **more})


def test_a_card_says_whether_a_judge_is_taken_or_needed() -> None:
    assert (card().takes_judge, card().needs_judge) == (True, False)
    assert card(headline="liked").needs_judge
    assert not card(scores={"main": {"about": "m"}}).takes_judge


def test_an_even_number_of_votes_is_refused() -> None:
    assert card(judge={"votes": 5, "frames": "uniform=4"}).judge == JudgeCard(votes=5, frames="uniform=4")
    with pytest.raises(ValidationError, match="4 votes can be tied; ask an odd number of times"):
        card(judge={"votes": 4})


def test_a_row_that_nobody_judged_is_written_as_before_there_were_judges() -> None:
    who = {"benchmark": "b", "version": "1", "cell": "c", "subject": "s", "item": "i", "epoch": 1, "cluster": "k"}
    row = Row(**who, ending=Ending(status="unscored", because="x"))
    assert not {"judge", "judgements", "judge_seen"} & row.canonical().keys()
    judged = row.model_copy(update={"judge": "a/b", "judgements": (judgement(),)})
    assert judged.canonical()["judgements"][0]["answer"] == "yes"


def test_a_call_that_is_booked_already_is_counted_and_not_booked_again() -> None:
    tally = Tally()
    tally.add_booked_call(Usage(input=1, cached=0, cache_write=0, output=2, reasoning=0), 0.5)
    assert (tally.calls, tally.cost_usd) == (1, 0.5)
    tally.add_booked_call(None, None)
    assert (tally.calls, tally.usage, tally.cost_usd) == (2, None, None)
