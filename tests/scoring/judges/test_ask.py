"""Asking: what is kept, what is asked again, how votes and orders are folded. No model is needed to show it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.scoring.judges.ask import REFUSED, Asking, Manner, Said
from cutscore.scoring.judges.request import Request, Turn

RED = Question(id="red", kind="yes_no", text="Is file 1 red?")
HOW = Question(id="how", kind="scale", text="How red?")
BETTER = Question(id="better", kind="pairwise", text="Which is better?")

Answering = Callable[[Request, Turn], Said]


class Desk:
    """Asks with a function in place of a model, and keeps what was asked."""

    def __init__(self, prompts: Any, answer: Answering) -> None:
        self.prompts, self.answer = prompts, answer
        self.requests: list[tuple[Request, Turn]] = []
        self.retries: list[str] = []

    def call(self, request: Request, turn: Turn) -> Said:
        self.requests.append((request, turn))
        return self.answer(request, turn)

    def ask(self, questions: Sequence[Question], evidence: Evidence, **manner: Any) -> list[Judgement]:
        asking = Asking("a/b", self.call, self.prompts, {"model": "a/b"}, Manner(**manner), self.retries.append)
        return asking.ask(questions, evidence)

    @property
    def asked(self) -> list[list[str]]:
        return [[question.id for question in request.questions] for request, _ in self.requests]


@pytest.fixture
def context(prompts: Any) -> Callable[[Answering], Desk]:
    return lambda answer: Desk(prompts, answer)


def test_many_questions_are_one_call_and_each_judgement_says_who_and_why(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(lambda request, turn: Said(reply(request, red="yes", how=8)))
    first, second = mine.ask([RED, HOW], evidence)
    assert mine.asked == [["red", "how"]]
    assert (first.question, first.answer, first.votes, first.because) == ("red", "yes", ("yes",), "because of red")
    assert (second.judge, second.answer, second.flags) == ("a/b", 8, ())
    assert len(first.prompt) == 64


def test_only_what_is_missing_is_asked_again_with_the_reason(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    def answer(request: Request, turn: Turn) -> Said:
        return Said(reply(request, red="yes", how="much") if turn.attempt == 1 else reply(request, how=3))

    mine = context(answer)
    made = mine.ask([RED, HOW], evidence)
    assert [each.answer for each in made] == ["yes", 3]
    assert mine.asked == [["red", "how"], ["how"]]
    assert mine.retries == ["unreadable"]
    again = mine.requests[1][0].system
    assert "could not be used: it has an answer that is not allowed to how." in again
    assert "could not be used" not in mine.requests[0][0].system


def test_patience_with_unreadable_replies_ends(context: Callable[[Answering], Desk], evidence: Evidence) -> None:
    mine = context(lambda request, turn: Said("I would rather chat."))
    (made,) = mine.ask([RED], evidence, unreadable=2)
    assert made.answer is None
    assert made.because == "the reply could not be used: it holds no JSON object"
    assert (mine.asked, mine.retries) == ([["red"]] * 3, ["unreadable"] * 2)
    assert len({request.key for request, _ in mine.requests}) == 3, "each attempt is a call of its own in the journal"


def test_what_was_readable_stays_when_the_rest_never_is(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(lambda request, turn: Said(reply(request, red="no")))
    made = mine.ask([RED, HOW], evidence)
    assert [each.answer for each in made] == ["no", None]
    wanted = "the reply could not be used: it has no answer to how; 1 answered that nobody asked ('red')"
    assert made[1].because == wanted
    assert all("('red')" not in request.system for request, _ in mine.requests), "that is for readers, not for models"


def test_a_refusal_is_asked_once_more(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(
        lambda request, turn: Said("no", refused=True) if turn.attempt == 1 else Said(reply(request, red="no"))
    )
    assert mine.ask([RED], evidence)[0].answer == "no"
    stubborn = context(lambda request, turn: Said(refused=True))
    (made,) = stubborn.ask([RED], evidence)
    assert (made.answer, made.because) == (None, REFUSED)
    assert stubborn.retries == ["refusal"]


def test_a_provider_that_gave_up_is_not_asked_again(context: Callable[[Answering], Desk], evidence: Evidence) -> None:
    mine = context(lambda request, turn: Said(fault="model 'a/b': gave up"))
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.because, len(mine.asked)) == (None, "model 'a/b': gave up", 1)


def test_votes_are_runs_of_their_own_and_failed_ones_are_missing(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    answers = {1: "yes", 2: "no", 4: "yes", 5: "yes"}

    def answer(request: Request, turn: Turn) -> Said:
        return Said(reply(request, red=answers[turn.vote])) if turn.vote in answers else Said(fault="503")

    mine = context(answer)
    (made,) = mine.ask([RED], evidence, votes=5)
    assert (made.answer, made.votes) == ("yes", ("yes", "no", None, "yes", "yes"))
    assert made.reasons == ("because of red",) * 2 + ("",) + ("because of red",) * 2
    assert made.told == "a/b says 'yes', 3 of 5 votes: because of red"


def test_votes_that_cannot_change_anything_may_be_left_out(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(lambda request, turn: Said(reply(request, red="yes", how=7 if turn.vote < 3 else 2)))
    made = mine.ask([RED, HOW], evidence, votes=5, stop_early=True)
    assert [each.answer for each in made] == ["yes", 2]
    assert len(mine.asked) == 5, "one question that is still open keeps the run going"
    quick = context(lambda request, turn: Said(reply(request, red="yes")))
    assert quick.ask([RED], evidence, votes=5, stop_early=True)[0].votes == ("yes",) * 3


def test_a_pair_is_asked_in_both_orders(context: Callable[[Answering], Desk], reply: Callable[..., str]) -> None:
    pair = Evidence(facts={"first": "good", "second": "bad"})

    def prefers(word: str) -> Answering:
        def answer(request: Request, turn: Turn) -> Said:
            return Said(reply(request, better=next(each.name for each in request.shown if each.text == word)))

        return answer

    mine = context(prefers("good"))
    (made,) = mine.ask([BETTER], pair)
    assert (made.answer, made.flags, len(mine.asked)) == ("A", (), 2)
    assert context(prefers("bad")).ask([BETTER], pair)[0].answer == "B"
    biased = context(lambda request, turn: Said(reply(request, better="A")))
    (made,) = biased.ask([BETTER], pair)
    assert (made.answer, made.flags) == ("neither", ("order",))


def test_pairs_and_other_questions_are_asked_apart(
    context: Callable[[Answering], Desk], reply: Callable[..., str]
) -> None:
    pair = Evidence(facts={"first": "good", "second": "bad"})
    mine = context(
        lambda request, turn: Said(
            reply(
                request,
                **{question.id: "neither" if question.kind == "pairwise" else "yes" for question in request.questions},
            )
        )
    )
    made = mine.ask([BETTER, RED], pair)
    assert [each.question for each in made] == ["better", "red"]
    assert mine.asked == [["red"], ["better"], ["better"]]


def test_a_verdict_that_was_copied_from_the_submission_is_not_taken(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(lambda request, turn: Said(reply(request, red="yes", seal="00000000" if turn.attempt == 1 else "")))
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.flags) == ("yes", ("broken seal",))
    assert "a reply came without the seal of its request" in made.told
    gone = context(lambda request, turn: Said(reply(request, red="yes", seal="00000000")))
    assert gone.ask([RED], evidence)[0].answer is None


def test_a_judge_that_was_addressed_says_so(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = context(lambda request, turn: Said(reply(request, red="no", addressed=True)))
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.flags) == ("no", ("addressed",))


def test_long_lists_are_asked_in_parts(
    context: Callable[[Answering], Desk], evidence: Evidence, reply: Callable[..., str]
) -> None:
    many = [Question(id=f"q{number}", kind="yes_no", text="?") for number in range(7)]
    mine = context(
        lambda request, turn: Said(reply(request, **dict.fromkeys((q.id for q in request.questions), "yes")))
    )
    assert [each.question for each in mine.ask(many, evidence, at_once=3)] == [each.id for each in many]
    assert [len(each) for each in mine.asked] == [3, 3, 1]


def test_what_cannot_be_asked_is_said(context: Callable[[Answering], Desk], evidence: Evidence) -> None:
    mine = context(lambda request, turn: Said())
    with pytest.raises(BadInput, match="questions: two of them have the same id"):
        mine.ask([RED, RED], evidence)
    with pytest.raises(BadInput, match="votes: 2 cannot be decided by a majority; ask an odd number of times"):
        mine.ask([RED], evidence, votes=2)
