"""Judges that a benchmark brings itself: `truth` knows the answer, `reader` looks at pixels and sound.

    oracle.judge_by_truth(questions, evidence, item)       → judgements, for footage that we rendered
    keyless.judge_by_reading(questions, evidence)          → judgements, from what can be seen and heard

`stage` is the same hook as `truth`, also for data packs: there the items carry what was staged with them, and to a
question about something else it has no answer.

A hook names its judgements by question; who judged is written here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import digest_of
from cutscore.core.item import Item
from cutscore.core.judgement import Judge, Judgement, JudgeSession, Question
from cutscore.perception.identity import eyes

if TYPE_CHECKING:
    from cutscore.registry import Benchmark

TRUTH_HOOK, READER_HOOK = "judge_by_truth", "judge_by_reading"
KNOWING = ("truth", "stage")


@dataclass(frozen=True)
class Hooked:
    """A benchmark's own function as a judge.

    Args:
        name: `truth`, `stage` or `reader`.
        hook: The function.
        made_of: Digest of the file that it is in.
        items: Items by id, for all but `reader`.
    """

    name: str
    hook: Callable[..., Sequence[Judgement]]
    made_of: str
    items: Mapping[str, Item] = field(default_factory=dict)
    model: str = ""

    @property
    def prompts(self) -> Mapping[str, str]:
        return {}

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        return {"made_of": self.made_of}

    def sit(self, sitting: JudgeSession) -> Judge:
        knows: tuple[Any, ...] = (self.items[sitting.item],) if self.name in KNOWING else ()
        return _Sitting(self.name, self.hook, knows)


@dataclass(frozen=True)
class _Sitting:
    name: str
    hook: Callable[..., Sequence[Judgement]]
    knows: tuple[Any, ...]

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
        made = {each.question: each for each in self.hook(questions, evidence, *self.knows)}
        if missing := [question.id for question in questions if question.id not in made]:
            fact = f"the benchmark's hook answers nothing to question '{missing[0]}'"
            raise BrokenData(f"judge '{self.name}'", fact, "let it give a judgement for each, also one without answer")
        return [made[question.id].model_copy(update={"judge": self.name}) for question in questions]


def truth(found: Benchmark, items: Mapping[str, Item], *, own_data: bool) -> Hooked:
    """Return the judge that knows, where there is one to know."""
    if own_data:
        fact = "knows only footage that cutscore rendered, and these items are your own"
        raise BadInput("judge 'truth'", fact, "ask a model, or people:LABELS.jsonl")
    return Hooked("truth", _hook(found, "oracle", TRUTH_HOOK, "truth"), _code(found, "oracle"), items)


def stage(found: Benchmark, items: Mapping[str, Item]) -> Hooked:
    """Return the judge that knows what items carry of what was staged."""
    return Hooked("stage", _hook(found, "oracle", TRUTH_HOOK, "stage"), _code(found, "oracle"), items)


def reader(found: Benchmark) -> Hooked:
    """Return the judge that looks for itself, where a benchmark has one."""
    code = digest_of([_code(found, "keyless"), eyes()])
    return Hooked("reader", _hook(found, "keyless", READER_HOOK, "reader"), code)


def _hook(found: Benchmark, part: str, name: str, judge: str) -> Callable[..., Sequence[Judgement]]:
    hook = getattr(found.part(part), name, None)
    if hook is None:
        fact = f"benchmark '{found.name}' has none: its {part}.py has no {name}"
        raise BadInput(f"judge '{judge}'", fact, "see 'cutscore list' for other judges")
    return hook  # type: ignore[no-any-return]


def _code(found: Benchmark, part: str) -> str:
    return hashlib.sha256((found.folder / f"{part}.py").read_bytes()).hexdigest()
