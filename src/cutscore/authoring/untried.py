"""Promises that cannot be tried on a data pack, with the reason: nobody knows the work, or nobody can judge it."""

from collections.abc import Callable
from contextlib import suppress

from cutscore.authoring.contract import EMPTY
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.cells.known_work import KnownWork
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import Unscored
from cutscore.core.finding import score_key
from cutscore.core.item import Item

# What needs work that the oracle knows, and what needs a judge where the headline does.
NEEDS_ORACLE = {
    *("the oracle gets full marks", "a near miss does not pass"),
    *("marking repeats", "findings are what the card lists"),
}
NEEDS_JUDGE = {"the oracle gets full marks", "a near miss does not pass", "blind knows no more than chance"}
# What opens a world. Where nobody knows the work, that may be somebody's site, and nothing is opened for a check.
NEEDS_WORLD = {EMPTY, "judges are asked in our words", "blind knows no more than chance"}


def untried_items(bench: LoadedBenchmark) -> dict[str, dict[str, str]]:
    """Return by check the items of a pack for which it cannot be tried, each with the reason.

    Nobody need know a perfect deliverable for a task of own footage, and a judge that needs no key cannot answer what
    people wrote. Neither is a fault of the pack.
    """
    if bench.data is None:
        return {}
    oracle, judged = _unknown_work(bench), bench.found.card.needs_judge
    judge = _unjudged(bench, lambda item: _blind_work(bench, item)) if judged else {}
    empty = _unjudged(bench, lambda item: _empty_film(bench, item)) if judged else {}
    world = oracle if bench.found.has_part("environment") else {}
    found = {EMPTY: empty} | {
        name: {**(judge if name in NEEDS_JUDGE else {}), **(oracle if name in NEEDS_ORACLE else {})}
        for name in NEEDS_ORACLE | NEEDS_JUDGE
    }
    return found | ({name: {**found.get(name, {}), **world} for name in NEEDS_WORLD} if world else {})


def _unknown_work(bench: LoadedBenchmark) -> dict[str, str]:
    found = {}
    for item in bench.items:
        # What the author's code raises is told by every check that meets it.
        with suppress(Exception):
            try:
                bench.oracle_deliverable("perfect", item)
            except Unscored as error:
                found[item.id] = f"{error.fact}; {error.next}".removesuffix("; ")
    return found


def _unjudged(bench: LoadedBenchmark, work: Callable[[Item], KnownWork | None]) -> dict[str, str]:
    """Return the items whose judge cannot tell what some work is worth."""
    key, found = score_key(bench.headline, bench.modes[0]), {}
    for item in bench.items:
        with suppress(Exception):
            made = work(item)
            gap = None if made is None else bench.mark(made, item).gap(key)
            if gap is not None:
                found[item.id] = f"its judge cannot mark it: {gap.because}"
    return found


def _blind_work(bench: LoadedBenchmark, item: Item) -> KnownWork:
    made: KnownWork = bench.found.part("keyless").blind(bench.ask(item), 0, bench.store)
    return made


def _empty_film(bench: LoadedBenchmark, item: Item) -> KnownWork | None:
    """Return what stands for nothing where that is a file, such as the source that an editor left as it was."""
    made = bench.oracle_deliverable("empty", item)
    return made if isinstance(made, Deliverable) and made.files else None
