"""One problem of AVE: a judge, labelled samples, S and Φ. What a prompt is worth on a batch, and why.

A *case* is a sample in which people see a weakness. Where a question asks for weaknesses, S compares lists; where it
is answered with yes or no, S is the verdict, and "no" (what was asked for is not there) is the weakness. Where labels
tell the right answer, as checklists do, every other answer is the weakness.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import add

from pydantic import JsonValue

from cutscore.core.errors import BadInput, Unscored
from cutscore.core.judgement import Weakness
from cutscore.core.matching import Confusion, MatchWeaknesses, verdict_confusion

PERFECT = "Perfect prediction."


@dataclass(frozen=True)
class LabelledQuestion:
    """What people together say to one question.

    Args:
        has_weakness: Their verdict.
        weaknesses: What they named; None where the question asks for a verdict alone.
        text: The question itself, for whoever reads feedback.
        answer: What they say, in a word; yes or no by their verdict when empty.
        expected: The right answer, where there is one.
    """

    id: str
    has_weakness: bool
    weaknesses: tuple[Weakness, ...] | None = None
    text: str = ""
    answer: str = ""
    expected: JsonValue = None


@dataclass(frozen=True)
class LabelledSample:
    """A deliverable with what people say of it.

    Args:
        cluster: What is not independent shares one.
        shown: What a judge gets to see; only the judge looks inside.
        link: Where a reader can look at it.
    """

    id: str
    questions: tuple[LabelledQuestion, ...]
    cluster: str
    shown: object = None
    link: str = ""


@dataclass(frozen=True)
class PredictedAnswer:
    """What a judge said to one question; `has_weakness` is None when no reply could be read, and `because` why."""

    has_weakness: bool | None
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""
    answer: str = ""


# A prompt and a sample → what the judge says to each of its questions, votes counted already.
AskJudge = Callable[[str, LabelledSample], Sequence[PredictedAnswer]]
# What an optimiser says to a text.
AskOptimizer = Callable[[str], str]
Phi = Callable[[Confusion], float]


@dataclass(frozen=True)
class MarkedSample:
    """What S says of one sample.

    Args:
        confusion, binary: Sums over its questions, by S and by the verdicts alone.
        unread: Questions without an answer that could be read and matched; they are in neither sum.
        refused_pairs: Pairs that a matcher claimed and that cannot be.
        answers: What the judge said, in the order of the questions.
    """

    sample: LabelledSample
    confusion: Confusion
    binary: Confusion
    feedback: str
    unread: int = 0
    refused_pairs: int = 0
    because: str = ""
    answers: tuple[PredictedAnswer, ...] = ()

    @property
    def score(self) -> float:
        """The share that is right: what a search may add up and average, which Φ is not."""
        total = self.confusion.total
        return (self.confusion.tp + self.confusion.tn) / total if total else 0.0


RunAll = Callable[[Callable[[LabelledSample], MarkedSample], Sequence[LabelledSample]], list[MarkedSample]]


def one_by_one(work: Callable[[LabelledSample], MarkedSample], batch: Sequence[LabelledSample]) -> list[MarkedSample]:
    """Judge a batch, a sample after the other."""
    return list(map(work, batch))


@dataclass(frozen=True)
class JudgeProblem:
    """What a search works on.

    Args:
        train, validation: Samples to learn from, and to choose by.
        match: S; None compares verdicts alone and tells the optimiser one word.
        run_all: Applies a function to every sample of a batch, in order of results; side by side where it can.
    """

    judge: AskJudge
    optimizer: AskOptimizer
    train: Sequence[LabelledSample]
    validation: Sequence[LabelledSample]
    phi: Phi
    match: MatchWeaknesses | None
    run_all: RunAll = one_by_one

    def __post_init__(self) -> None:
        for name, samples in (("train", self.train), ("dev", self.validation)):
            if not samples:
                raise BadInput(f"split '{name}'", "has no labelled sample", "label more, or split the labels anew")
        cases = [question.has_weakness for each in self.validation for question in each.questions]
        if len(set(cases)) == 1:
            kind = "has a weakness" if cases[0] else "has none"
            fact = f"each of its {len(cases)} answers says that the sample {kind}, so prompts cannot be told apart"
            raise BadInput("split 'dev'", fact, "label samples of both kinds")

    def evaluate(self, prompt: str, batch: Sequence[LabelledSample]) -> list[MarkedSample]:
        """Ask the judge about a batch with a prompt, and mark what it says."""
        return evaluate_prompt(prompt, batch, judge=self.judge, match=self.match, run_all=self.run_all)

    def worth(self, marks: Sequence[MarkedSample]) -> float:
        """Return Φ of the summed confusions, which is no mean of anything."""
        return self.phi(total_confusion(marks))


def evaluate_prompt(
    prompt: str,
    batch: Sequence[LabelledSample],
    *,
    judge: AskJudge,
    match: MatchWeaknesses | None,
    run_all: RunAll = one_by_one,
) -> list[MarkedSample]:
    """Ask a judge about a batch with a prompt, and mark what it says."""
    return run_all(lambda sample: mark_sample(sample, judge(prompt, sample), match), batch)


def in_threads(workers: int) -> RunAll:
    """Return what judges a batch in so many threads; the first error ends it, and calls under way are awaited."""

    def run_all(work: Callable[[LabelledSample], MarkedSample], batch: Sequence[LabelledSample]) -> list[MarkedSample]:
        with ThreadPoolExecutor(min(workers, len(batch))) as pool:
            under_way = [pool.submit(work, sample) for sample in batch]
            try:
                return [each.result() for each in under_way]
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    return run_all


def total_confusion(marks: Sequence[MarkedSample], *, binary: bool = False) -> Confusion:
    """Add up the confusions of some samples, by S or by the verdicts alone."""
    return reduce(add, (each.binary if binary else each.confusion for each in marks), Confusion())


def mark_sample(
    sample: LabelledSample, answers: Sequence[PredictedAnswer], match: MatchWeaknesses | None
) -> MarkedSample:
    """Compare what a judge said of one sample with what people say.

    A question without a readable answer is counted and is neither right nor wrong.
    """
    soft, hard, notes, reasons, unread, refused = Confusion(), Confusion(), [], [], 0, 0
    for people, judge in zip(sample.questions, answers, strict=True):
        head = f"{people.text}: " if people.text and len(sample.questions) > 1 else ""
        if judge.has_weakness is None:
            unread += 1
            notes.append(f"{head}No readable answer.")
            reasons.append(judge.because)
            continue
        verdict = verdict_confusion(truth=people.has_weakness, said=judge.has_weakness)
        if match is None:
            soft += verdict
            notes.append(f"{head}{'Right.' if verdict.tp or verdict.tn else 'Wrong.'}")
        elif people.weaknesses is None:
            soft += verdict
            notes.append(f"{head}{_verdict_words(people, judge)}")
        else:
            try:
                found = match(people.weaknesses, judge.weaknesses if judge.has_weakness else ())
            except Unscored as error:  # the matcher could not be asked, or said nothing that can be used
                unread += 1
                notes.append(f"{head}Not matched.")
                reasons.append(str(error))
                continue
            soft += found.confusion
            refused += found.refused
            notes.append(head + _difference_words(found.omissions, found.hallucinations))
        hard += verdict
    because = next(filter(None, reasons), "")
    return MarkedSample(sample, soft, hard, " ".join(notes), unread, refused, because, tuple(answers))


def _verdict_words(people: LabelledQuestion, said: PredictedAnswer) -> str:
    if people.has_weakness == said.has_weakness:
        return PERFECT
    right, wrong = ("no", "yes") if people.has_weakness else ("yes", "no")
    words = f"People say {people.answer or right}, the judge said {said.answer or wrong}"
    return f"{words}, because: {said.because}" if said.because else f"{words}."


def _difference_words(omissions: Sequence[str], hallucinations: Sequence[str]) -> str:
    """Write Algorithm 1's feedback."""
    if not omissions and not hallucinations:
        return PERFECT
    return f"Omissions: {_listed(omissions)}; Hallucinations: {_listed(hallucinations)}"


def _listed(texts: Sequence[str]) -> str:
    return " | ".join(texts) if texts else "none"
