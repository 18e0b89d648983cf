"""Staged cases as items: contexts drawn into a store."""

from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.staged.kind import StagedCase
from cutscore.benchmarks.clvg.staged.registry import find_kind, list_cases
from cutscore.benchmarks.clvg.taxonomy import read_taxonomy
from cutscore.core.files import FileStore


def make_staged_items(store: FileStore) -> list[GenerationCase]:
    """Draw the contexts of all staged cases, and return their items in the order of the taxonomy."""
    _, subcategories = read_taxonomy()
    places = {code: number for number, code in enumerate(subcategories)}
    cases = sorted(list_cases(), key=lambda case: (places[case.subcategory], case.name))
    return [_make_item(case, store) for case in cases]


def _make_item(case: StagedCase, store: FileStore) -> GenerationCase:
    kind = find_kind(case.kind)
    drawn = kind.context(case.settings, store)
    files = tuple(file.model_copy(update={"name": f"{case.name}/{file.name}"}) for file in drawn.files)
    parts = tuple(
        part.model_copy(update={"file": f"{case.name}/{part.file}"}) if part.file else part for part in drawn.parts
    )
    return GenerationCase(
        id=case.name,
        cluster=case.name,
        subcategory=case.subcategory,
        instruction=case.instruction,
        files=files,
        context=parts,
        length_s=float(kind.film(case.settings, 0).length_s),
        shots=case.shots,
        subjects=case.subjects,
        staged=case.model_dump(mode="json"),
    )
