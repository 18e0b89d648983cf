"""Answers that a judge gave elsewhere, from a file: `answers:FILE.json`, as ITEM → QUESTION → ANSWER.

A benchmark that was released with a format of its own reads that, too (`dataset.read_answers`). Answers are taken as
they stand, also those that no question allows: what becomes of them is for the scoring mode to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from cutscore.core.errors import BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import digest_of
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, JudgeSession, Question, SampleJudge
from cutscore.core.strict_json import read_json

if TYPE_CHECKING:
    from cutscore.registry import Benchmark

KIND = "answers"
MOST_BYTES = 256_000_000


@dataclass(frozen=True)
class RecordedAnswers:
    """A judge that was asked elsewhere; its answers are by item and question."""

    file: Path
    answers: Mapping[str, Mapping[str, JsonValue]]
    model: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As a user writes it: `answers:FILE.json`."""
        return f"{KIND}:{self.file}"

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        """Digest of the answers."""
        return {"answers": digest_of(self.answers)}

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return the judge that looks up the answers about one item."""
        known = self.answers.get(session.item, {})

        def ask(questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
            return [self._judgement(each.id, known.get(each.id)) for each in questions]

        return SampleJudge(self.name, ask)

    def _judgement(self, question: str, answer: JsonValue) -> Judgement:
        because = "the file has no answer" if answer is None else "as the file says"
        return Judgement(question=question, judge=f"{KIND}:{self.file.name}", answer=answer, because=because)


def recorded_answers(file: Path, benchmark: Benchmark) -> RecordedAnswers:
    """Read a file of answers before anything is marked."""
    what = f"answers '{file.name}'"
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ValueError(f"is larger than {MOST_BYTES:,} bytes")
        plain = read_json(data.decode("utf-8-sig"))
    except OSError as fault:
        raise BrokenData(what, f"cannot be read: {fault.strerror}", "name a JSON file") from fault
    except ValueError as fault:
        raise BrokenData(what, f"{fault}", 'write {"ITEM": {"QUESTION": "ANSWER"}}') from None
    own: Callable[[Any], Mapping[str, Mapping[str, JsonValue]] | None] | None
    own = getattr(benchmark.part("dataset"), "read_answers", None)
    found = own(plain) if own else None
    return RecordedAnswers(file, _read_table(plain, what) if found is None else found)


def _read_table(plain: JsonValue, what: str) -> dict[str, dict[str, JsonValue]]:
    table = plain if isinstance(plain, dict) else {}
    found = {item: answers for item, answers in table.items() if isinstance(answers, dict)}
    if not found or len(found) < len(table):
        raise BrokenData(what, "is no table of answers", 'write {"ITEM": {"QUESTION": "ANSWER"}}')
    return found
