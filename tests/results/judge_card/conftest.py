"""Planted judges: what they do wrong is known, so that an audit can be asked whether it finds it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import JsonValue

from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.core.label import Label
from cutscore.results.judge_card.resampling import Resampling
from cutscore.results.judge_card.verdicts import JudgeCase

Answer = Callable[[Question, Evidence, "Planted"], JsonValue]


@dataclass
class Planted:
    """A judge that answers by a rule and by coins that depend on its seed, the words and the number of the call."""

    answer: Answer
    seed: int = 0
    name: str = "planted/judge-1"
    prompt: str = "a" * 64
    votes: int = 0
    calls: int = field(default=0, init=False)

    def coin(self, *about: object) -> float:
        """A number from 0 to 1, the same for the same words."""
        text = repr((self.seed, *about)).encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:6], "big") / 2**48

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
        self.calls += 1
        made = []
        for question in questions:
            votes = tuple(self._vote(question, evidence) for _ in range(self.votes))
            said = max(set(votes), key=votes.count) if votes else self.answer(question, evidence, self)
            made.append(Judgement(question=question.id, judge=self.name, answer=said, votes=votes, prompt=self.prompt))
        return made

    def _vote(self, question: Question, evidence: Evidence) -> JsonValue:
        self.calls += 1
        return self.answer(question, evidence, self)


YES_NO = Question(id="q", kind="yes_no", text="Is it right?")


@dataclass(frozen=True)
class World:
    """Cases with labels."""

    cases: tuple[JudgeCase, ...]
    labels: tuple[Label, ...]
    truth: dict[str, JsonValue]


@pytest.fixture(scope="session")
def planted() -> type[Planted]:
    return Planted


@pytest.fixture(scope="session")
def quick() -> Resampling:
    """Fewer resamples than a card has: enough for ends that are right to a hundredth or two."""
    return Resampling(resamples=400)


@pytest.fixture(scope="session")
def world() -> Callable[..., World]:
    """Make so many items of one question each, with truth drawn at random.

    The evidence says which item it is (`id`), and holds the subject's words (`answer`); it does not hold the truth.
    """

    def make(
        n: int,
        *,
        question: Question = YES_NO,
        answers: Sequence[JsonValue] = ("yes", "no"),
        seed: int = 0,
        split: str = "",
        models: Sequence[str] = ("",),
    ) -> World:
        draw = Planted(lambda *_: None, seed=seed).coin
        truth = {f"i{place}": answers[int(draw(place) * len(answers))] for place in range(n)}
        cases = tuple(
            JudgeCase(
                benchmark="b",
                item=item,
                questions=(question,),
                evidence=Evidence(facts={"id": item, "answer": "It is blue."}),
                subject=models[place % len(models)],
                model=models[place % len(models)],
            )
            for place, item in enumerate(truth)
        )
        labels = tuple(
            Label(
                benchmark="b",
                item=case.item,
                question=question.id,
                kind=question.kind,
                subject=case.subject,
                person="ann",
                answer=truth[case.item],
                split=split,
            )
            for case in cases
        )
        return World(cases, labels, truth)

    return make


COVERING = 42  # of 50 intervals; fewer is less likely than 1 in 1,000 when each covers with 95%


@pytest.fixture(scope="session")
def covers() -> Callable[..., None]:
    """Check that intervals of 50 simulations cover the planted value as often as they promise."""

    def check(found: Sequence[object], value: float) -> None:
        assert len(found) == 50
        inside = [each.low is not None and each.low <= value <= each.high for each in found]  # type: ignore[attr-defined]
        assert sum(inside) >= COVERING, f"{sum(inside)} of 50 cover {value}"

    return check
