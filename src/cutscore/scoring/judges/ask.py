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
from cutscore.core.judgement import Judgement, Question
from cutscore.prompts import Prompt
from cutscore.scoring.judges.exhibits import Exhibit, exhibits
from cutscore.scoring.judges.reply import Answer, Reply, read_reply
from cutscore.scoring.judges.request import NAMES, Request, Turn, make_request
from cutscore.scoring.judges.votes import Same, decide, same_words, settled

REFUSED = "the model or its provider refused to answer"
_SWAPPED = {"A": "B", "B": "A", "neither": "neither"}


@dataclass(frozen=True)
class Manner:
    """How a model is asked.

    Args:
        votes: Runs of each question; odd.
        stop_early: Leave out runs that cannot change a verdict any more.
        unreadable: How often one run may be asked again after a reply that could not be read.
        refusals: How often after one that was refused.
        at_once: Questions in one request, at most.
        same: Whether two weaknesses are one, when runs are compared.
    """

    votes: int = 1
    stop_early: bool = False
    unreadable: int = 2
    refusals: int = 1
    at_once: int = 40
    same: Same = same_words

    def __post_init__(self) -> None:
        if self.votes < 1 or self.votes % 2 == 0:
            raise BadInput("votes", f"{self.votes} cannot be decided by a majority", "ask an odd number of times")


@dataclass(frozen=True)
class Said:
    """What came back for one request.

    Args:
        text: The model's words.
        refused: It declined to answer.
        fault: Why nothing came back at all; empty when something did.
    """

    text: str = ""
    refused: bool = False
    fault: str = ""


@dataclass
class _Run:
    """One run over some questions.

    Args:
        why_not: Why answers are missing.
        flags: What the replies give away, whichever question it is about.
        turned: Questions whose answer changed with the order of a pair.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    why_not: str = ""
    flags: set[str] = field(default_factory=set)
    turned: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Asking:
    """Asks one model about one sample.

    Args:
        judge: The name that judgements carry.
        call: Sends a request; the only part that is not pure.
        prompts: The four prompts of `request.py`, by name.
        terms: Whatever else can change a reply (model, frame plan); part of every request's digest.
        manner: Votes and patience.
        on_retry: Told the class of every reply that is asked for again.
    """

    judge: str
    call: Callable[[Request, Turn], Said]
    prompts: Mapping[str, Prompt]
    terms: Mapping[str, Any]
    manner: Manner = Manner()
    on_retry: Callable[[str], None] = lambda fault: None

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
        """Return a judgement for each question, in their order. Pairs are asked about by themselves, in both orders."""
        if len({question.id for question in questions}) < len(questions):
            raise BadInput("questions", "two of them have the same id", "give each its own")
        made: dict[str, Judgement] = {}
        for pairwise in (False, True):
            kind = [question for question in questions if (question.kind == "pairwise") == pairwise]
            for start in range(0, len(kind), self.manner.at_once):
                for each in self._voted(kind[start : start + self.manner.at_once], evidence, pairwise):
                    made[each.question] = each
        return [made[question.id] for question in questions]

    def _voted(self, questions: list[Question], evidence: Evidence, pairwise: bool) -> list[Judgement]:
        votes, runs = self.manner.votes, list[_Run]()
        orders = (False, True) if pairwise else (False,)
        views = [exhibits(evidence, pairwise=pairwise, swapped=swapped) for swapped in orders]
        while len(runs) < votes:
            turn = Turn(vote=len(runs) + 1)
            parts = [self._run(questions, shown, turn) for shown in views]
            runs.append(_both_orders(*parts) if pairwise else parts[0])
            if self.manner.stop_early and all(settled(_of(runs, each.id), votes) for each in questions):
                break
        return [self._judgement(question, runs) for question in questions]

    def _run(self, questions: list[Question], shown: tuple[Exhibit, ...], turn: Turn) -> _Run:
        """Ask until everything is answered or patience ends; what is readable is kept."""
        run, left, failed = _Run(), questions, Counter[str]()
        patience = {"unreadable": self.manner.unreadable, "refusal": self.manner.refusals}
        while left:
            request = make_request(left, shown, terms=self.terms, prompts=self.prompts, turn=turn)
            said = self.call(request, turn)
            if said.fault:
                run.why_not = said.fault
                return run
            reply = Reply() if said.refused else read_reply(said.text, left, seal=request.fence.seal)
            run.answers |= reply.answers
            noticed = {"addressed": reply.addressed, "broken seal": reply.broken_seal}
            run.flags |= {flag for flag, is_so in noticed.items() if is_so}
            left = [question for question in left if question.id not in run.answers]
            if not left:
                break
            fault = "refusal" if said.refused else "unreadable"
            run.why_not = REFUSED if said.refused else f"the reply could not be used: {reply.problem}{_named(reply)}"
            failed[fault] += 1
            if failed[fault] > patience[fault]:
                break
            self.on_retry(fault)
            turn = Turn(turn.vote, turn.attempt + 1, reply.problem)
        return run

    def _judgement(self, question: Question, runs: Sequence[_Run]) -> Judgement:
        ballots = _of(runs, question.id)
        why_not = next((run.why_not for run in runs if run.why_not), "")
        verdict = decide(question, ballots, votes=self.manner.votes, same=self.manner.same, why_not=why_not)
        flags = {*verdict.flags, *(flag for run in runs for flag in run.flags)}
        flags |= {"order"} if any(question.id in run.turned for run in runs) else set()
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


def _named(reply: Reply) -> str:
    """Name the ids that nobody asked, for the reader of the record; a model is never told them."""
    return f" ({', '.join(map(repr, reply.strangers))})" if reply.strangers else ""


def _of(runs: Sequence[_Run], question: str) -> list[Answer | None]:
    return [run.answers.get(question) for run in runs]


def _both_orders(first: _Run, second: _Run) -> _Run:
    """Fold the two orders of a pair: whoever is preferred either way is preferred, and a preference that turns is none.

    A question that one of the orders left open stays open.
    """
    folded = _Run(why_not=first.why_not or second.why_not, flags=first.flags | second.flags)
    for name, answer in first.answers.items():
        if name not in second.answers:
            continue
        if answer.answer == _SWAPPED[str(second.answers[name].answer)]:
            folded.answers[name] = answer
        else:
            folded.answers[name] = Answer("neither", answer.because, answer.at)
            folded.turned.add(name)
    return folded
