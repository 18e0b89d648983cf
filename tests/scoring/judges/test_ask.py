"""Asking: what is kept, what is asked again, how votes and orders are folded. No model is needed to show it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.scoring.judges.ask import REFUSED, AskPolicy, Interviewer, RawReply
from cutscore.scoring.judges.request import Attempt, JudgeRequest

RED = Question(id="red", kind="yes_no", text="Is file 1 red?")
HOW = Question(id="how", kind="scale", text="How red?")
BETTER = Question(id="better", kind="pairwise", text="Which is better?")

Answering = Callable[[JudgeRequest, Attempt], RawReply]


class FakeProvider:
    """Asks with a function in place of a model, and keeps what was asked."""

    def __init__(self, prompts: Any, answer: Answering) -> None:
        self.prompts, self.answer = prompts, answer
        self.requests: list[tuple[JudgeRequest, Attempt]] = []
        self.retries: list[str] = []

    def send(self, request: JudgeRequest, attempt: Attempt) -> RawReply:
        self.requests.append((request, attempt))
        return self.answer(request, attempt)

    def ask(self, questions: Sequence[Question], evidence: Evidence, **options: Any) -> list[Judgement]:
        interviewer = Interviewer(
            "a/b", self.send, self.prompts, {"model": "a/b"}, AskPolicy(**options), self.retries.append
        )
        return interviewer.ask(questions, evidence)

    @property
    def asked(self) -> list[list[str]]:
        return [[question.id for question in request.questions] for request, _ in self.requests]


MakeProvider = Callable[[Answering], FakeProvider]


@pytest.fixture
def provider(prompts: Any) -> MakeProvider:
    return lambda answer: FakeProvider(prompts, answer)


def test_many_questions_are_one_call_and_each_judgement_says_who_and_why(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = provider(lambda request, attempt: RawReply(reply(request, red="yes", how=8)))
    first, second = mine.ask([RED, HOW], evidence)
    assert mine.asked == [["red", "how"]]
    assert (first.question, first.answer, first.votes, first.because) == ("red", "yes", ("yes",), "because of red")
    assert (second.judge, second.answer, second.flags) == ("a/b", 8, ())
    assert len(first.prompt) == 64


def test_only_what_is_missing_is_asked_again_with_the_reason(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    def answer(request: JudgeRequest, attempt: Attempt) -> RawReply:
        return RawReply(reply(request, red="yes", how="much") if attempt.number == 1 else reply(request, how=3))

    mine = provider(answer)
    made = mine.ask([RED, HOW], evidence)
    assert [each.answer for each in made] == ["yes", 3]
    assert mine.asked == [["red", "how"], ["how"]]
    assert mine.retries == ["unreadable"]
    again = mine.requests[1][0].system
    assert "could not be used: it has an answer that is not allowed to how." in again
    assert "could not be used" not in mine.requests[0][0].system


def test_patience_with_unreadable_replies_ends(provider: MakeProvider, evidence: Evidence) -> None:
    mine = provider(lambda request, attempt: RawReply("I would rather chat."))
    (made,) = mine.ask([RED], evidence, max_unreadable=2)
    assert made.answer is None
    assert made.because == "the reply could not be used: it holds no JSON object"
    assert (mine.asked, mine.retries) == ([["red"]] * 3, ["unreadable"] * 2)
    assert len({request.key for request, _ in mine.requests}) == 3, "each attempt is a call of its own in the journal"


def test_what_was_readable_stays_when_the_rest_never_is(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = provider(lambda request, attempt: RawReply(reply(request, red="no")))
    made = mine.ask([RED, HOW], evidence)
    assert [each.answer for each in made] == ["no", None]
    wanted = "the reply could not be used: it has no answer to how; 1 answered that nobody asked ('red')"
    assert made[1].because == wanted
    assert all("('red')" not in request.system for request, _ in mine.requests), "that is for readers, not for models"


def test_a_refusal_is_asked_once_more(provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]) -> None:
    mine = provider(
        lambda request, attempt: (
            RawReply("no", refused=True) if attempt.number == 1 else RawReply(reply(request, red="no"))
        )
    )
    assert mine.ask([RED], evidence)[0].answer == "no"
    stubborn = provider(lambda request, attempt: RawReply(refused=True))
    (made,) = stubborn.ask([RED], evidence)
    assert (made.answer, made.because) == (None, REFUSED)
    assert stubborn.retries == ["refusal"]


def test_a_provider_that_gave_up_is_not_asked_again(provider: MakeProvider, evidence: Evidence) -> None:
    mine = provider(lambda request, attempt: RawReply(fault="model 'a/b': gave up"))
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.because, len(mine.asked)) == (None, "model 'a/b': gave up", 1)


def test_votes_are_runs_of_their_own_and_failed_ones_are_missing(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    answers = {1: "yes", 2: "no", 4: "yes", 5: "yes"}

    def answer(request: JudgeRequest, attempt: Attempt) -> RawReply:
        return RawReply(reply(request, red=answers[attempt.vote])) if attempt.vote in answers else RawReply(fault="503")

    mine = provider(answer)
    (made,) = mine.ask([RED], evidence, votes=5)
    assert (made.answer, made.votes) == ("yes", ("yes", "no", None, "yes", "yes"))
    assert made.reasons == ("because of red",) * 2 + ("",) + ("because of red",) * 2
    assert made.message == "a/b says 'yes', 3 of 5 votes: because of red"


def test_votes_that_cannot_change_anything_may_be_left_out(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = provider(lambda request, attempt: RawReply(reply(request, red="yes", how=7 if attempt.vote < 3 else 2)))
    made = mine.ask([RED, HOW], evidence, votes=5, stop_early=True)
    assert [each.answer for each in made] == ["yes", 2]
    assert len(mine.asked) == 5, "one question that is still open keeps the run going"
    quick = provider(lambda request, attempt: RawReply(reply(request, red="yes")))
    assert quick.ask([RED], evidence, votes=5, stop_early=True)[0].votes == ("yes",) * 3


def test_a_pair_is_asked_in_both_orders(provider: MakeProvider, reply: Callable[..., str]) -> None:
    pair = Evidence(facts={"first": "good", "second": "bad"})

    def prefers(word: str) -> Answering:
        def answer(request: JudgeRequest, attempt: Attempt) -> RawReply:
            return RawReply(reply(request, better=next(each.name for each in request.shown if each.text == word)))

        return answer

    mine = provider(prefers("good"))
    (made,) = mine.ask([BETTER], pair)
    assert (made.answer, made.flags, len(mine.asked)) == ("A", (), 2)
    assert provider(prefers("bad")).ask([BETTER], pair)[0].answer == "B"
    biased = provider(lambda request, attempt: RawReply(reply(request, better="A")))
    (made,) = biased.ask([BETTER], pair)
    assert (made.answer, made.flags) == ("neither", ("order",))


def test_pairs_and_other_questions_are_asked_apart(provider: MakeProvider, reply: Callable[..., str]) -> None:
    pair = Evidence(facts={"first": "good", "second": "bad"})
    mine = provider(
        lambda request, attempt: RawReply(
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
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = provider(
        lambda request, attempt: RawReply(reply(request, red="yes", seal="00000000" if attempt.number == 1 else ""))
    )
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.flags) == ("yes", ("broken seal",))
    assert "a reply came without the seal of its request" in made.message
    gone = provider(lambda request, attempt: RawReply(reply(request, red="yes", seal="00000000")))
    assert gone.ask([RED], evidence)[0].answer is None


def test_a_judge_that_was_addressed_says_so(
    provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]
) -> None:
    mine = provider(lambda request, attempt: RawReply(reply(request, red="no", addressed=True)))
    (made,) = mine.ask([RED], evidence)
    assert (made.answer, made.flags) == ("no", ("addressed",))


def test_long_lists_are_asked_in_parts(provider: MakeProvider, evidence: Evidence, reply: Callable[..., str]) -> None:
    many = [Question(id=f"q{number}", kind="yes_no", text="?") for number in range(7)]
    mine = provider(
        lambda request, attempt: RawReply(reply(request, **dict.fromkeys((q.id for q in request.questions), "yes")))
    )
    assert [each.question for each in mine.ask(many, evidence, batch_size=3)] == [each.id for each in many]
    assert [len(each) for each in mine.asked] == [3, 3, 1]


def test_what_cannot_be_asked_is_said(provider: MakeProvider, evidence: Evidence) -> None:
    mine = provider(lambda request, attempt: RawReply())
    with pytest.raises(BadInput, match="questions: two of them have the same id"):
        mine.ask([RED, RED], evidence)
    with pytest.raises(BadInput, match="votes: 2 cannot be decided by a majority; ask an odd number of times"):
        mine.ask([RED], evidence, votes=2)
