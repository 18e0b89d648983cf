"""Which judge a name means: `openai/x`, `constant:yes`, `truth`, `stage`, `reader`, `people:LABELS`, or a plug-in's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.core.card import JudgeCard
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.item import Item
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import (
    CellJudge,
    Judge,
    Judgement,
    JudgeSession,
    JudgeSpec,
    Question,
    SampleJudge,
    ask_judge,
)
from cutscore.registry import Benchmark, load_plugin, plugins
from cutscore.scoring.judges.answers import KIND as ANSWERS
from cutscore.scoring.judges.answers import recorded_answers
from cutscore.scoring.judges.benchmark_judges import benchmark_judge
from cutscore.scoring.judges.constant import ConstantJudge
from cutscore.scoring.judges.people import people_judge

if TYPE_CHECKING:
    from cutscore.core.evidence import Evidence

# For `cutscore list`: how a user writes each, and one line about it.
JUDGES: Mapping[str, str] = {
    "PROVIDER/NAME": "any model that Inspect can ask, shown clips or frames",
    "scripted/FILE.json": "the offline model, which follows a script",
    "constant:ANSWER": "always the same answer, to see what a judge that does not look is worth",
    "truth": "knows the answer, for footage that cutscore rendered",
    "stage": "predicates over what was staged, which items carry with them, where a benchmark has them",
    "reader": "looks at pixels and sound without a model, where a benchmark has one",
    "people:LABELS.jsonl": "what people said, from a file of labels",
    "answers:FILE.json": "what a judge said elsewhere, by item and question",
}
# Frames that a model is shown of a clip where no card says how many.
DEFAULT_FRAMES = "fps=1,max=32"
_PLAIN = ("constant", "truth", "stage", "reader", "people", ANSWERS)


def asks_model(name: str) -> bool:
    """Return whether a name means a model of some provider.

    >>> asks_model("openai/x"), asks_model("people:a/b.jsonl"), asks_model("truth")
    (True, False, False)
    """
    return "/" in name and name.partition(":")[0] not in (*_PLAIN, *plugins("judges"))


def open_judge(
    spec: JudgeSpec, benchmark: Benchmark | None = None, items: Mapping[str, Item] = MappingProxyType({})
) -> CellJudge:
    """Return the judge that a name means, ready for one benchmark.

    Models and `constant` also do without a benchmark. Only `truth` and `stage` get to see the items, which are by id.

    A package may offer more judges under the entry point `cutscore.judges`: a callable that takes the spec and the
    benchmark, and returns a `cutscore.core.judgement.CellJudge`. It cannot replace a judge of ours.
    """
    kind, colon, rest = spec.name.partition(":")
    offered = plugins("judges")
    if kind not in _PLAIN and kind not in offered and not asks_model(spec.name):
        raise UnknownName.among("judge", spec.name, (*_PLAIN, *offered, "PROVIDER/NAME"))
    if kind in ("constant", "people", ANSWERS) and not rest:
        form = next(name for name in JUDGES if name.startswith(kind))
        raise BadInput(f"judge '{spec.name}'", "lacks what follows the colon", f"write {form}")
    if kind in ("truth", "stage", "reader") and colon:
        raise BadInput(f"judge '{spec.name}'", f"'{kind}' takes nothing after a colon", f"write {kind}")
    if kind == "constant":
        return _DisclosingJudge(ConstantJudge(tuple(filter(None, (each.strip() for each in rest.split(","))))))
    if kind not in _PLAIN and kind not in offered:
        return _DisclosingJudge(_open_model(spec, benchmark))
    if benchmark is None:
        raise BadInput(f"judge '{spec.name}'", "belongs to a benchmark", "say which one")
    return _DisclosingJudge(_open_own(kind, rest, spec, benchmark, items))


def _open_own(kind: str, rest: str, spec: JudgeSpec, benchmark: Benchmark, items: Mapping[str, Item]) -> CellJudge:
    """Open a judge that answers for one benchmark: from labels, its own folder, or a plug-in."""
    if kind == "people":
        return people_judge(Path(rest), benchmark.name)
    if kind == ANSWERS:
        return recorded_answers(Path(rest), benchmark)
    if kind in ("truth", "stage", "reader"):
        return benchmark_judge(spec, benchmark, items)
    made = load_plugin(f"judge '{kind}'", plugins("judges")[kind], lambda make: make(spec, benchmark))
    if not callable(getattr(made, "for_sample", None)):
        fact = f"its package made a {type(made).__name__} without for_sample(session)"
        raise BadInput(f"judge '{kind}'", fact, "see cutscore.core.judgement.CellJudge")
    return made  # type: ignore[no-any-return]


def _open_model(spec: JudgeSpec, benchmark: Benchmark | None) -> CellJudge:
    from cutscore.models.provider import media_input, script_digest
    from cutscore.scoring.judges.ask import AskPolicy
    from cutscore.scoring.judges.journal import shared_journal
    from cutscore.scoring.judges.model import ModelJudge
    from cutscore.scoring.judges.request import load_judge_prompts
    from cutscore.settings import load_settings

    settings, card = load_settings(), benchmark.card.judge if benchmark else JudgeCard()
    frames = spec.frames or card.frames or (benchmark.card.frames if benchmark else DEFAULT_FRAMES)
    folder, name = (benchmark.folder / "prompts", benchmark.name) if benchmark else (None, "")
    own = {name: each.takes for name, each in settings.models.items() if each.takes}
    return ModelJudge(
        name=spec.name,
        texts=load_judge_prompts(folder, benchmark=name, flags=spec.prompts, config=settings.prompts),
        policy=AskPolicy(
            votes=spec.votes or card.votes, stop_early=card.stop_early if spec.stop_early is None else spec.stop_early
        ),
        frames=frames,
        takes=media_input(spec.name, own),
        source_digest=script_digest(spec.name),
        journal=shared_journal(spec.journal),
        config={"max_retries": settings.max_retries, "attempt_timeout": settings.timeout_s},
        params={**card.params, **spec.params},
    )


@dataclass(frozen=True)
class _DisclosingJudge:
    """A judge that flags when it judges its own work, and whose code counts in the identity of what it judged."""

    cell_judge: CellJudge

    @property
    def name(self) -> str:
        return self.cell_judge.name

    @property
    def model(self) -> str:
        return self.cell_judge.model

    @property
    def prompts(self) -> Mapping[str, str]:
        return self.cell_judge.prompts

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        return {**self.cell_judge.terms, "code": _code_digest()}

    def for_sample(self, session: JudgeSession) -> Judge:
        from cutscore.models.boundary import is_same_model

        judge = self.cell_judge.for_sample(session)
        if self.model:
            own = bool(session.model) and is_same_model(self.model, session.model)
        else:
            own = session.subject.kind == self.name
        return SampleJudge(judge.name, partial(_flag_own_work, judge)) if own else judge


def _flag_own_work(
    judge: Judge, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
) -> list[Judgement]:
    """Ask a judge of its own work, and say so."""
    made = ask_judge(judge, questions, evidence, view)
    return [each.model_copy(update={"flags": tuple(sorted({*each.flags, "self"}))}) for each in made]


def _code_digest() -> str:
    """Return the digest of the code that asks, reads replies and matches them: other code, other answers."""
    judges = Path(__file__).parent
    files = [*sorted(judges.glob("*.py")), *sorted((judges.parent / "matching").glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
