"""Judge, matcher and optimiser as models, side by side, with one journal and one purse.

A judge with a prompt is opened from a file, as any user would open it: whatever reads its prompt, a model or a reader
that runs the detectors which the prompt names, can be optimised.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from cutscore.cells.record_file import write_text_record
from cutscore.core.errors import RunBroken, Unscored
from cutscore.core.judgement import CellJudge, Judgement, JudgeSession, JudgeSpec, QuestionKind, Wait, ask_judge
from cutscore.core.matching import Matcher, MatchMode, MatchWeaknesses
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.optimize.candidates import prompt_digest
from cutscore.optimize.problem import LabelledSample, PredictedAnswer
from cutscore.optimize.proposer import FOLDER
from cutscore.prompts import load_prompt
from cutscore.results.judge_card.verdicts import JudgeCase, favour
from cutscore.scoring.judges.call_folder import CallFolder
from cutscore.scoring.judges.choose import open_judge
from cutscore.scoring.judges.text_model import TextModel
from cutscore.scoring.matching.feedback import match

if TYPE_CHECKING:
    from pydantic import JsonValue

    from cutscore.core.item import Item
    from cutscore.registry import Benchmark

OPTIMIZER_ROLE = "optimizer"
CANDIDATES = "candidates"


@dataclass
class PromptedJudge:
    """A judge of one benchmark, or of plain files, that is asked with one prompt after the other.

    Args:
        prompt: Name of the prompt that changes.
        subjects: Whose work each deliverable is, by the name that labels have for it.
        replies: Counts every reply that was used, replayed ones at what they once cost.
    """

    spec: JudgeSpec
    prompt: str
    benchmark: Benchmark | None
    items: Mapping[str, Item]
    calls: CallFolder
    wait: Wait
    subjects: Mapping[str, SubjectSpec] = field(default_factory=dict)
    replies: Tally = field(default_factory=Tally)
    _opened: dict[str, CellJudge] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, prompt: str, sample: LabelledSample) -> list[PredictedAnswer]:
        """Return what the judge says to the labelled questions of a sample."""
        case, judge = sample.shown, self.open(prompt)
        assert isinstance(case, JudgeCase)
        tally = self.calls.tally(judge.model, item=sample.id)
        said = {each.question: each for each in self._ask(judge, case, tally)}
        self._book(tally)
        kinds = {question.id: question.kind for question in case.questions}
        return [predicted_answer(said[each.id], kinds[each.id], each.expected) for each in sample.questions]

    def open(self, prompt: str) -> CellJudge:
        """Return the judge with a prompt, which is kept as a file beside the journal."""
        digest = prompt_digest(prompt)
        with self._lock:
            if digest not in self._opened:
                file = self.calls.path / CANDIDATES / f"{digest[:16]}.md"
                file.parent.mkdir(parents=True, exist_ok=True)
                write_text_record(file, prompt)
                spec = replace(
                    self.spec, prompts={**self.spec.prompts, self.prompt: file}, journal=self.calls.journal_file
                )
                self._opened[digest] = open_judge(spec, self.benchmark, self.items)
            return self._opened[digest]

    def _ask(self, judge: CellJudge, case: JudgeCase, tally: Tally) -> Sequence[Judgement]:
        subject = self.subjects.get(case.subject, SubjectSpec(kind="folder", label="folder"))
        session = JudgeSession(
            case.item,
            subject,
            self.wait,
            model=case.model,
            epoch=case.epoch,
            tally=tally,
            clean=self.calls.clean,
        )
        asked = judge.for_sample(session)
        try:
            return ask_judge(asked, case.questions, case.evidence, case.view)
        except Unscored as error:
            return [Judgement(question=each.id, judge=asked.name, because=str(error)) for each in case.questions]

    def _book(self, tally: Tally) -> None:
        with self._lock:
            self.replies.calls += tally.calls - 1
        self.replies.add_booked_call(tally.usage, tally.cost_usd)


def predicted_answer(said: Judgement, kind: QuestionKind, expected: JsonValue = None) -> PredictedAnswer:
    """Return a judgement as what S compares.

    >>> predicted_answer(Judgement(question="q", judge="j", answer="no", because="It is red."), "yes_no").has_weakness
    True
    """
    if said.answer is None:
        return PredictedAnswer(None, because=said.because)
    word = "" if kind == "weaknesses" else str(said.answer)
    return PredictedAnswer(favour(kind, said.answer, expected) == 0, said.weaknesses, said.because, word)


def ask_text_model(model: TextModel, text: str) -> str:
    """Return what an optimiser says; nothing where it declines.

    Raises:
        RunBroken: Its provider gave up. The same command goes on from here.
    """
    system = load_prompt(OPTIMIZER_ROLE, folder=FOLDER).fill().strip()
    try:
        reply = model.reply_from_thread(system, text)
    except Unscored as gave_up:
        raise RunBroken(gave_up.what, gave_up.fact, "run the same command again") from gave_up
    return "" if reply.refused else reply.text


def matching_function(matcher: Matcher, matching: str) -> MatchWeaknesses:
    """Return S with a matcher, in the mode that the user names."""
    mode: MatchMode = "reference" if matching == "reference" else "paper"
    return partial(match, matcher=matcher, mode=mode)


def spent_usd(*tallies: Tally) -> float | None:
    """Return what some replies cost together; None when that is not known of one of them."""
    costs = [each.cost_usd for each in tallies]
    return None if None in costs else sum(cost or 0.0 for cost in costs)
