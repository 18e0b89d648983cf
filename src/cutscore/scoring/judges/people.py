"""People as a judge: answers from a file of labels, so that a run is marked as people marked it.

A label speaks of a deliverable when benchmark, item, question and epoch are the same and its subject is the sample's
subject, the sample's model, or left out. Several people are several votes; what they come to, `labels.consensus` says.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, JudgeSession, Question, SampleJudge
from cutscore.core.label import Label
from cutscore.labels.consensus import consensus
from cutscore.labels.files import label_verdict, labels_digest, merge_labels


@dataclass(frozen=True)
class PeopleJudge:
    """Whoever wrote the labels, which are by item, question and epoch, in the order of the file."""

    file: Path
    digest: str
    labels: Mapping[tuple[str, str, int], Sequence[Label]]
    model: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As a user writes it: `people:LABELS.jsonl`."""
        return f"people:{self.file}"

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        """Digest of the labels: other labels, other answers."""
        return {"labels": self.digest}

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return the judge that looks up the labels of one sample."""

        def ask(questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
            return [self._judgement(each, session) for each in questions]

        return SampleJudge(self.name, ask)

    def _judgement(self, question: Question, session: JudgeSession) -> Judgement:
        whose = {"", session.subject.label, str(session.subject), session.model}
        known = self.labels.get((session.item, question.id, session.epoch), [])
        # One subject may be named in several ways; here they are the same one.
        labels = [label.model_copy(update={"subject": ""}) for label in known if label.subject in whose]
        if not labels:
            return Judgement(question=question.id, judge=self.name, because="nobody labelled it")
        (agreed,) = consensus(labels)
        return Judgement(
            question=question.id,
            judge=self.name,
            answer=agreed.answer,
            weaknesses=agreed.weaknesses,
            because=agreed.reason,
            votes=tuple(label_verdict(label) for label in labels),
            reasons=tuple(label.because for label in labels) if len(labels) > 1 else (),
        )


def people_judge(file: Path, benchmark: str) -> PeopleJudge:
    """Read the labels of one benchmark, before anybody is asked anything; those of others are left out."""
    mine = [label for label in merge_labels([file]).labels if label.benchmark == benchmark]
    placed: dict[tuple[str, str, int], list[Label]] = defaultdict(list)
    for label in mine:
        placed[label.item, label.question, label.epoch].append(label)
    return PeopleJudge(file, labels_digest(mine), dict(placed))
