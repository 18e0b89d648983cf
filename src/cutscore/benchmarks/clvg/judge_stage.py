"""The judge `stage`: names the weaknesses of a delivered film by its pixels, measured against what was staged."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.staged.kind import StagedCase
from cutscore.benchmarks.clvg.staged.registry import find_kind
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import canonical_json
from cutscore.core.judgement import Judgement, Question, Weakness

FILMS = 64  # whose weaknesses are kept


def staged_case(item: GenerationCase) -> StagedCase:
    """Return what was staged of an item; raise Unscored where nothing was."""
    if not item.staged:
        raise Unscored(f"item '{item.id}'", "nobody knows a right film of a context that was not staged")
    return StagedCase.model_validate(item.staged)


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: GenerationCase) -> list[Judgement]:
    """Name every weakness that the verifier of the item's kind finds in the delivered pixels."""
    ref = evidence.file(GENERATED)
    if ref is None or not item.staged:
        why = "it was shown no video" if ref is None else "the context was not staged; name another judge"
        return [Judgement(question=each.id, judge="stage", because=why) for each in questions]
    found = _verify(evidence.path(GENERATED), ref.sha256, canonical_json(staged_case(item)))
    because = "; ".join(each.text for each in found) or "the film is as it should be"
    return [
        Judgement(question=each.id, judge="stage", answer="yes" if found else "no", weaknesses=found, because=because)
        for each in questions
    ]


@lru_cache(maxsize=FILMS)
def _verify(path: Path, sha256: str, case: bytes) -> tuple[Weakness, ...]:
    """Look at a film once for all roles in which it is judged."""
    staged = StagedCase.model_validate_json(case)
    return tuple(find_kind(staged.kind).verify(path, staged.settings))
