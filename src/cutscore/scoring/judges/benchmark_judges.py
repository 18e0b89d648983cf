"""Judges that a benchmark brings itself: `truth` knows the answer, `reader` looks at pixels and sound.

    oracle.judge_by_truth(questions, evidence, item)       → judgements, for footage that we rendered
    keyless.judge_by_reading(questions, evidence)          → judgements, from what can be seen and heard
    keyless.judge_by_reading(…, *, prompt="")              → the same, by a reader that is told what to look for

`stage` is the same hook as `truth`, also for data packs: there the items carry what was staged with them, and to a
question about something else it has no answer.

A hook names its judgements by question; who judged is written here. It gets all of the evidence, whatever is in view.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.cells.scoring_code import part_digest
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.item import Item
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import JUDGE_ROLE, Judge, Judgement, JudgeSession, JudgeSpec, Question, SampleJudge
from cutscore.prompts import Prompt
from cutscore.scoring.judges.request import load_judge_prompts
from cutscore.settings import load_settings

if TYPE_CHECKING:
    from cutscore.registry import Benchmark

TRUTH_HOOK, READER_HOOK = "judge_by_truth", "judge_by_reading"
SEES_ITEMS = ("truth", "stage")


@dataclass(frozen=True)
class BenchmarkJudge:
    """A benchmark's own function as a judge: `truth`, `stage` or `reader`.

    Args:
        items: By id.
        texts: Prompts of the user's for a reader that takes one: under the name that a view has, or `judge` for all.
    """

    name: str
    hook: Callable[..., Sequence[Judgement]]
    source_digest: str
    items: Mapping[str, Item] = field(default_factory=dict)
    texts: Mapping[str, Prompt] = field(default_factory=dict)
    model: str = ""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Digests of the user's prompts, by name."""
        return {name: each.digest for name, each in self.texts.items()}

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        """Digest of the code that judges."""
        return {"made_of": self.source_digest}

    def for_sample(self, session: JudgeSession) -> Judge:
        """Return the judge for one sample; all but `reader` get its item."""
        knows = (self.items[session.item],) if self.name in SEES_ITEMS else ()

        def ask(questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
            text = self.texts.get(view.prompt or JUDGE_ROLE) or self.texts.get(JUDGE_ROLE)
            told = {"prompt": text.text} if text else {}
            made = {each.question: each for each in self.hook(questions, evidence, *knows, **told)}
            if missing := [question.id for question in questions if question.id not in made]:
                fact = f"the benchmark's hook answers nothing to question '{missing[0]}'"
                next_step = "let it give a judgement for each, also one without answer"
                raise BrokenData(f"judge '{self.name}'", fact, next_step)
            return [made[question.id].model_copy(update={"judge": self.name}) for question in questions]

        return SampleJudge(self.name, ask)


def benchmark_judge(spec: JudgeSpec, benchmark: Benchmark, items: Mapping[str, Item]) -> BenchmarkJudge:
    """Return `truth`, `stage` or `reader` of a benchmark, where it has one."""
    name = spec.name
    if name == "truth" and spec.own_data:
        fact = "knows only footage that cutscore rendered, and these items are your own"
        raise BadInput("judge 'truth'", fact, "ask a model, or people:LABELS.jsonl")
    part, hook_name = ("oracle", TRUTH_HOOK) if name in SEES_ITEMS else ("keyless", READER_HOOK)
    hook = getattr(benchmark.part(part), hook_name, None)
    if hook is None:
        fact = f"benchmark '{benchmark.name}' has none: its {part}.py has no {hook_name}"
        raise BadInput(f"judge '{name}'", fact, "see 'cutscore list' for other judges")
    texts = _own_prompts(spec, benchmark) if "prompt" in inspect.signature(hook).parameters else {}
    return BenchmarkJudge(name, hook, part_digest(benchmark, part), items, texts)


def _own_prompts(spec: JudgeSpec, benchmark: Benchmark) -> dict[str, Prompt]:
    """Return the judge prompts that the user replaced; its own are for models, and tell a reader nothing."""
    folder, config = benchmark.folder / "prompts", load_settings().prompts
    ours = load_judge_prompts(folder, benchmark=benchmark.name, flags={}, config={})
    now = load_judge_prompts(folder, benchmark=benchmark.name, flags=spec.prompts, config=config)
    return {name: each for name, each in now.items() if each != ours[name]}
