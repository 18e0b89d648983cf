"""Generators whose marks we know beforehand; the judge who knows what was staged is in `judge_stage`."""

from collections.abc import Callable, Mapping

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.judge_stage import judge_by_truth, staged_case
from cutscore.benchmarks.clvg.staged.films import put_film
from cutscore.benchmarks.clvg.staged.registry import find_kind
from cutscore.benchmarks.clvg.weaknesses import find_weakness
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileStore
from cutscore.media.footage import Footage, hold_picture

__all__ = ["PLANTED", "empty", "judge_by_truth", "near_miss", "perfect"]


def perfect(item: GenerationCase, store: FileStore) -> Deliverable:
    """Return a right film."""
    case = staged_case(item)
    return _deliver(store, find_kind(case.kind).film(case.settings, 0))


def empty(item: GenerationCase, store: FileStore) -> Deliverable:
    """Hand over nothing."""
    return Deliverable()


def near_miss(item: GenerationCase, store: FileStore) -> Deliverable:
    """Return a film with the first weakness that can be planted into the case."""
    case = staged_case(item)
    kind = find_kind(case.kind)
    return _deliver(store, kind.spoil(case.settings, kind.plants[0]))


def plant(item: GenerationCase, store: FileStore, spec: str) -> Deliverable:
    """Return the film with the weakness that the spec names (`planted:wrong_order`).

    Where the case cannot show that weakness, the right film is handed over: so scores say how many cases can show it.
    """
    code = find_weakness(spec).code
    case = staged_case(item)
    kind = find_kind(case.kind)
    return _deliver(store, kind.spoil(case.settings, code)) if code in kind.plants else perfect(item, store)


def echo(item: GenerationCase, store: FileStore, spec: str) -> Deliverable:
    """Hand back the first video or picture of the context as it is; a picture is no video, and is refused as such."""
    shown = (file for file in item.files if file.media_type.startswith(("video/", "image/")))
    return Deliverable(files=tuple(file.model_copy(update={"name": GENERATED}) for file in list(shown)[:1]))


def freeze(item: GenerationCase, store: FileStore, spec: str) -> Deliverable:
    """Return the first picture of the right film, held for its length."""
    case = staged_case(item)
    right = find_kind(case.kind).film(case.settings, 0)
    return _deliver(store, hold_picture(next(right.pictures()), count=right.count, rate=right.rate))


# Generators with known faults, by the kinds that the card names; each takes what follows the colon.
PLANTED: Mapping[str, Callable[[GenerationCase, FileStore, str], Deliverable]] = {
    "planted": plant,
    "echo": echo,
    "frozen": freeze,
}


def _deliver(store: FileStore, footage: Footage) -> Deliverable:
    return Deliverable(files=(put_film(store, GENERATED, footage),))
