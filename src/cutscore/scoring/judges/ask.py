"""The one way to ask a model what it thinks: many questions at once, several times, until the replies can be read.

Questions that were answered are never asked again. What is tried again, and how often, depends on what went wrong:

    unreadable   no JSON, another form, a missing id, a wrong seal: asked again for what is missing, with the reason
    refusal      the model or its provider declined: asked once more
    provider     429, 503, time-outs and cut connections: waited out by Inspect; when it gives up, so do we

A question that is left without an answer is a judgement without one: unscored and counted, never a low score.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import digest_of
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question
from cutscore.core.matching import Matcher
from cutscore.prompts import Prompt
from cutscore.scoring.judges.exhibits import Exhibit, exhibits
from cutscore.scoring.judges.reply import Answer, ParsedReply, read_reply
from cutscore.scoring.judges.request import NAMES, Attempt, JudgeRequest, make_request
from cutscore.scoring.judges.votes import decide, is_settled
from cutscore.scoring.matching.matchers import DEFAULT_MATCHER

REFUSED = "the model or its provider refused to answer"
_SWAPPED = {"A": "B", "B": "A", "neither": "neither"}


@dataclass(frozen=True)
class AskPolicy:
    """How a model is asked.

    Args:
        votes: Runs of each question; odd.
        stop_early: Leave out runs that cannot change a verdict any more.
        max_unreadable: How often one run may be asked again after a reply that could not be read.
        matcher: Which weaknesses are one, when runs are compared.
    """

    votes: int = 1
    stop_early: bool = False
    max_unreadable: int = 2
    max_refusals: int = 1
    batch_size: int = 40
    matcher: Matcher = DEFAULT_MATCHER

    def __post_init__(self) -> None:
        if self.votes < 1 or self.votes % 2 == 0:
            raise BadInput("votes", f"{self.votes} cannot be decided by a majority", "ask an odd number of times")


@dataclass(frozen=True)
class RawReply:
    """What came back for one request; the fault says why nothing did, and is empty when something did."""

    text: str = ""
    refused: bool = False
    fault: str = ""


@dataclass
class _Vote:
    """What one run over some questions brought.

    Args:
        flags: What the replies give away, whichever question it is about.
        order_dependent: Questions whose answer changed with the order of a pair.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    why_not: str = ""
    flags: set[str] = field(default_factory=set)
    order_dependent: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Interviewer:
    """Asks one model about one sample.

    Args:
        send: Sends a request; the only part that is not pure.
        prompts: The prompts of `request.py`, by name.
        terms: Whatever else can change a reply (model, frame plan); part of every request's digest.
        on_retry: Called with the class of every reply that is asked for again.
        view: What of the evidence is shown, and how; its prompts are in `prompts` already.
    """

    judge: str
    send: Callable[[JudgeRequest, Attempt], RawReply]
    prompts: Mapping[str, Prompt]
    terms: Mapping[str, Any]
    policy: AskPolicy = AskPolicy()
    on_retry: Callable[[str], None] = lambda fault: None
    view: JudgeView = WHOLE_VIEW

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
        """Return a judgement for each question, in their order. Pairs are asked about by themselves, in both orders."""
        if len({question.id for question in questions}) < len(questions):
            raise BadInput("questions", "two of them have the same id", "give each its own")
        made: dict[str, Judgement] = {}
        for pairwise in (False, True):
            kind = [question for question in questions if (question.kind == "pairwise") == pairwise]
            for start in range(0, len(kind), self.policy.batch_size):
                for each in self._vote(kind[start : start + self.policy.batch_size], evidence, pairwise):
                    made[each.question] = each
        return [made[question.id] for question in questions]

    def _vote(self, questions: list[Question], evidence: Evidence, pairwise: bool) -> list[Judgement]:
        votes, runs = self.policy.votes, list[_Vote]()
        orders = (False, True) if pairwise else (False,)
        views = [exhibits(evidence, self.view, pairwise=pairwise, swapped=swapped) for swapped in orders]
        while len(runs) < votes:
            first = Attempt(vote=len(runs) + 1)
            parts = [self._ask_once(questions, shown, first) for shown in views]
            runs.append(_fold_orders(*parts) if pairwise else parts[0])
            if self.policy.stop_early and all(is_settled(_answers_to(runs, each.id), votes) for each in questions):
                break
        return [self._judgement(question, runs) for question in questions]

    def _ask_once(self, questions: list[Question], shown: tuple[Exhibit, ...], attempt: Attempt) -> _Vote:
        """Ask until everything is answered or no retry is left; what is readable is kept."""
        vote, left, failed = _Vote(), questions, Counter[str]()
        allowed = {"unreadable": self.policy.max_unreadable, "refusal": self.policy.max_refusals}
        while left:
            request = make_request(left, shown, terms=self.terms, prompts=self.prompts, attempt=attempt)
            said = self.send(request, attempt)
            if said.fault:
                vote.why_not = said.fault
                return vote
            reply = ParsedReply() if said.refused else read_reply(said.text, left, seal=request.fence.seal)
            vote.answers |= reply.answers
            noticed = {"addressed": reply.addressed, "broken seal": reply.broken_seal}
            vote.flags |= {flag for flag, is_so in noticed.items() if is_so}
            left = [question for question in left if question.id not in vote.answers]
            if not left:
                break
            fault = "refusal" if said.refused else "unreadable"
            vote.why_not = (
                REFUSED if said.refused else f"the reply could not be used: {reply.problem}{_unknown_ids(reply)}"
            )
            failed[fault] += 1
            if failed[fault] > allowed[fault]:
                break
            self.on_retry(fault)
            attempt = Attempt(attempt.vote, attempt.number + 1, reply.problem)
        return vote

    def _judgement(self, question: Question, runs: Sequence[_Vote]) -> Judgement:
        ballots = _answers_to(runs, question.id)
        why_not = next((run.why_not for run in runs if run.why_not), "")
        verdict = decide(question, ballots, votes=self.policy.votes, matcher=self.policy.matcher, why_not=why_not)
        flags = {*verdict.flags, *(flag for run in runs for flag in run.flags)}
        flags |= {"order"} if any(question.id in run.order_dependent for run in runs) else set()
        return Judgement(
            question=question.id,
            judge=self.judge,
            answer=verdict.answer,
            weaknesses=verdict.weaknesses,
            because=verdict.because,
            at=verdict.at,
            votes=tuple(ballot.answer if ballot else None for ballot in ballots),
            reasons=tuple(ballot.because if ballot else "" for ballot in ballots) if len(ballots) > 1 else (),
            prompt=prompt_digest(self.prompts),
            flags=tuple(sorted(flags)),
        )


def prompt_digest(prompts: Mapping[str, Prompt]) -> str:
    """Return one digest for all prompts that a judge reads: a change of any of them makes another judge."""
    return digest_of({name: prompts[name].digest for name in NAMES})


def _unknown_ids(reply: ParsedReply) -> str:
    """Name the ids that nobody asked, for the reader of the record; a model is never told them."""
    return f" ({', '.join(map(repr, reply.unknown_ids))})" if reply.unknown_ids else ""


def _answers_to(runs: Sequence[_Vote], question: str) -> list[Answer | None]:
    return [run.answers.get(question) for run in runs]


def _fold_orders(first: _Vote, second: _Vote) -> _Vote:
    """Fold the two orders of a pair: whoever is preferred either way is preferred, and a preference that turns is none.

    A question that one of the orders left open stays open.
    """
    folded = _Vote(why_not=first.why_not or second.why_not, flags=first.flags | second.flags)
    for name, answer in first.answers.items():
        if name not in second.answers:
            continue
        if answer.answer == _SWAPPED[str(second.answers[name].answer)]:
            folded.answers[name] = answer
        else:
            folded.answers[name] = Answer("neither", answer.because, answer.at)
            folded.order_dependent.add(name)
    return folded
