"""Which judge a name means: `openai/x`, `constant:yes`, `truth`, `stage`, `reader`, `people:LABELS`, or a plug-in's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.item import Item
from cutscore.core.judgement import CellJudge, Judge, Judgement, JudgeSession, JudgeSpec, Question
from cutscore.registry import Benchmark, plugins

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
}
_PLAIN = ("constant", "truth", "stage", "reader", "people")


def asks_model(name: str) -> bool:
    """Return whether a name means a model of some provider.

    >>> asks_model("openai/x"), asks_model("people:a/b.jsonl"), asks_model("truth")
    (True, False, False)
    """
    return "/" in name and name.partition(":")[0] not in (*_PLAIN, *plugins("judges"))


def hire(summons: JudgeSpec, found: Benchmark, items: Mapping[str, Item]) -> CellJudge:
    """Return the judge that a name means, ready for one benchmark.

    Args:
        summons: Name and wishes.
        found: The benchmark, for the judges that its own folder brings.
        items: Items by id. Only `truth` and `stage` get to see them.

    A package may offer more judges under the entry point `cutscore.judges`: a callable that takes the summons and the
    benchmark, and returns a `cutscore.core.judgement.Hired`. It cannot replace a judge of ours.
    """
    kind, colon, spec = summons.name.partition(":")
    offered = plugins("judges")
    if kind not in _PLAIN and kind not in offered and not asks_model(summons.name):
        raise UnknownName.among("judge", summons.name, (*_PLAIN, *offered, "PROVIDER/NAME"))
    if kind in ("constant", "people") and not spec:
        form = next(name for name in JUDGES if name.startswith(kind))
        raise BadInput(f"judge '{summons.name}'", "lacks what follows the colon", f"write {form}")
    if kind in ("truth", "stage", "reader") and colon:
        raise BadInput(f"judge '{summons.name}'", f"'{kind}' takes nothing after a colon", f"write {kind}")
    return _Honest(_made(kind, spec, summons, found, items))


def _made(kind: str, spec: str, summons: JudgeSpec, found: Benchmark, items: Mapping[str, Item]) -> CellJudge:
    if kind == "constant":
        from cutscore.scoring.judges.constant import Constant

        return Constant(tuple(filter(None, (each.strip() for each in spec.split(",")))))
    if kind == "people":
        from cutscore.scoring.judges.people import open_labels

        return open_labels(Path(spec), found.name)
    if kind in ("truth", "stage", "reader"):
        from cutscore.scoring.judges import hooked

        if kind == "stage":
            return hooked.stage(found, items)
        return hooked.truth(found, items, own_data=summons.own_data) if kind == "truth" else hooked.reader(found)
    return (
        _offered(kind, summons, found) if kind not in _PLAIN and kind in plugins("judges") else _model(summons, found)
    )


def _model(summons: JudgeSpec, found: Benchmark) -> CellJudge:
    from cutscore.models.fingerprint import fingerprint
    from cutscore.models.takes import takes
    from cutscore.scoring.judges.ask import Manner
    from cutscore.scoring.judges.journal import Journal
    from cutscore.scoring.judges.model import ModelJudge
    from cutscore.scoring.judges.request import judge_prompts
    from cutscore.settings import load_settings

    settings, card = load_settings(), found.card
    own = {name: each.takes for name, each in settings.models.items() if each.takes}
    return ModelJudge(
        name=summons.name,
        texts=judge_prompts(
            found.folder / "prompts", benchmark=found.name, flags=summons.prompts, config=settings.prompts
        ),
        manner=Manner(votes=summons.votes or card.judge.votes, stop_early=card.judge.stop_early),
        frames=card.judge.frames or card.frames,
        takes=takes(summons.name, own),
        made_of=fingerprint(summons.name),
        journal=Journal(summons.journal),
        config={"max_retries": settings.max_retries, "attempt_timeout": settings.timeout_s},
    )


def _offered(kind: str, summons: JudgeSpec, found: Benchmark) -> CellJudge:
    entry = plugins("judges")[kind]
    try:
        made: Any = entry.load()(summons, found)
    except (ImportError, AttributeError) as error:
        fact = f"its package cannot be imported: {error}"
        raise BadInput(f"judge '{kind}'", fact, f"mend or uninstall what offers '{entry.value}'") from error
    if not callable(getattr(made, "sit", None)):
        fact = f"its package made a {type(made).__name__} without sit(sitting)"
        raise BadInput(f"judge '{kind}'", fact, "see cutscore.core.judgement.Hired")
    return made  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Honest:
    """A judge that says when the work is its own, and whose code counts in the identity of what it judged."""

    hired: CellJudge

    @property
    def name(self) -> str:
        return self.hired.name

    @property
    def model(self) -> str:
        return self.hired.model

    @property
    def prompts(self) -> Mapping[str, str]:
        return self.hired.prompts

    @property
    def terms(self) -> Mapping[str, JsonValue]:
        return {**self.hired.terms, "code": _code()}

    def sit(self, sitting: JudgeSession) -> Judge:
        from cutscore.models.boundary import same_model

        judge = self.hired.sit(sitting)
        if self.model:
            own = bool(sitting.model) and same_model(self.model, sitting.model)
        else:
            own = sitting.subject.kind == self.name
        return _Own(judge) if own else judge


@dataclass(frozen=True)
class _Own:
    """A judge of its own work."""

    judge: Judge

    @property
    def name(self) -> str:
        return self.judge.name

    def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
        made = self.judge.ask(questions, evidence)
        return [each.model_copy(update={"flags": tuple(sorted({*each.flags, "self"}))}) for each in made]


def _code() -> str:
    """Return the digest of the code that asks and reads replies: other code, other answers."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
