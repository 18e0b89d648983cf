"""What only a judge can say: whether a free answer is right, whether two reasons are the same, what an image shows.

The wanted answer and the task stand in the question. What comes from the subject or from a page stands behind the
judge's fence, and orders in it are material like the rest.
"""

from dataclasses import dataclass, field

from cutscore.benchmarks.videowebarena.evaluators.verdict import Verdict, show_value
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import JUDGE_ROLE, Judgement, Judges, Question

VQA_ROLE = "vqa"  # who looks at images, where it is not the judge
LONGEST_SHOWN = 100_000  # characters of a page that a judge is shown

RIGHT, PARTLY, WRONG = "correct", "partially correct", "incorrect"
SAME, DIFFERENT = "same", "different"


def read_fuzzy_reply(reply: str) -> bool:
    """Return what a reply says about an answer, by the words that the reference looks for; Unscored without them.

    >>> read_fuzzy_reply("Partially correct."), read_fuzzy_reply("correct"), read_fuzzy_reply("not correct")
    (False, True, True)
    """
    said = reply.lower()
    if PARTLY in said or WRONG in said:
        return False
    if RIGHT in said:
        return True
    raise Unscored("judge", f"says {show_value(reply)}, which is neither '{RIGHT}' nor '{WRONG}'", "ask another")


def read_unachievable_reply(reply: str) -> bool:
    """Return whether a reply says that two reasons are the same; Unscored where it says neither."""
    said = reply.lower()
    if DIFFERENT in said:
        return False
    if SAME in said:
        return True
    raise Unscored("judge", f"says {show_value(reply)}, which is neither '{SAME}' nor '{DIFFERENT}'", "ask another")


@dataclass
class Jury:
    """The judges of one sample; a question that both modes have is put once.

    Args:
        evidence: What was recorded; of it a judge is shown one thing at a time.
        asked: Questions that were put, with what was said.
    """

    judges: Judges
    evidence: Evidence
    asked: dict[tuple[str, ...], Judgement] = field(default_factory=dict)

    def compare_answer(self, seen: str, reference: str, task: str) -> Verdict:
        """Ask whether an answer means the same as the reference."""
        text = f"The task: {task}\nThe reference answer: {reference}\nIs the answer that was given correct?"
        question = Question(id="fuzzy", kind="choice", text=text, choices=(RIGHT, PARTLY, WRONG))
        said = self._ask_about_text(question, seen, label="answer", prompt="judge_fuzzy")
        return Verdict(
            read_fuzzy_reply(str(said.answer)),
            f"seen {show_value(seen)}, wanted what means {show_value(reference)}: {said.message}",
        )

    def compare_reason(self, seen: str, note: str, task: str) -> Verdict:
        """Ask whether somebody who says that a task cannot be done says so for the reason that its author has."""
        text = f"The task: {task}\nWhy it cannot be done: {note}\nIs the reason that was given the same?"
        question = Question(id="unachievable", kind="choice", text=text, choices=(SAME, DIFFERENT))
        said = self._ask_about_text(question, seen, label="answer", prompt="judge_unachievable")
        return Verdict(
            read_unachievable_reply(str(said.answer)),
            f"seen {show_value(seen)}, wanted the reason {show_value(note)}: {said.message}",
        )

    def look_at(self, image: FileRef, question: str) -> Judgement:
        """Ask what an image shows."""
        asked = Question(id="vqa", kind="short", text=question)
        shown = self.evidence.model_copy(update={"files": (image,), "facts": {}})
        view = JudgeView(prompt="judge_vqa", shown=(Shown(label="image", file=image.name),))
        return self._ask(asked, shown, view, VQA_ROLE, image.sha256)

    def _ask_about_text(self, question: Question, seen: str, *, label: str, prompt: str) -> Judgement:
        is_long = len(seen) > LONGEST_SHOWN
        cut = f"{seen[:LONGEST_SHOWN]}\n(cut off after {LONGEST_SHOWN:,} characters)" if is_long else seen
        shown = self.evidence.model_copy(update={"files": (), "facts": {label: cut}})
        view = JudgeView(prompt=prompt, shown=(Shown(label=label, fact=label),))
        return self._ask(question, shown, view, JUDGE_ROLE, cut)

    def _ask(self, question: Question, shown: Evidence, view: JudgeView, role: str, what: str) -> Judgement:
        judge = self.judges.get(role) or self.judges.get(JUDGE_ROLE)
        if judge is None:
            raise Unscored(f"check '{question.id}'", "needs a judge, and there is none", "name one with --judge")
        key = (question.id, question.text, what)
        if key not in self.asked:
            (self.asked[key],) = judge.ask([question], shown, view=view)
        said = self.asked[key]
        if said.answer is None:
            raise Unscored(f"check '{question.id}'", said.message, "run the same command again")
        return said
