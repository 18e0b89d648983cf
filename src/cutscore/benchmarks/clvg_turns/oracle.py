"""Generators whose marks we know beforehand; the judge who knows what was staged is in `judge_stage`.

What is right depends on what the viewer has said, so known work is told by that.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from cutscore.benchmarks.clvg_turns.dataset import InteractionCase
from cutscore.benchmarks.clvg_turns.film_names import film_name
from cutscore.benchmarks.clvg_turns.judge_stage import judge_by_truth
from cutscore.benchmarks.clvg_turns.staged import put_still, put_turn
from cutscore.cells.known_work import KnownWork, key_of_answers
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore

__all__ = ["PLANTED", "empty", "judge_by_truth", "near_miss", "perfect"]

Film = Callable[[FileStore, str, InteractionCase, Sequence[str]], FileRef]


def perfect(item: InteractionCase, store: FileStore) -> KnownWork:
    """Return the film of every state that the viewer can lead to."""
    return _film_walks(item, store, put_turn)


def empty(item: InteractionCase, store: FileStore) -> Deliverable:
    """Hand over nothing, in any turn."""
    return Deliverable()


def near_miss(item: InteractionCase, store: FileStore) -> KnownWork:
    """Return the right films, but for the last turn of either walk, which shows another state."""

    def film(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
        return (_film_other if tuple(path) in item.paths.values() else put_turn)(store, name, item, path)

    return _film_walks(item, store, film)


def freeze(item: InteractionCase, store: FileStore, spec: str) -> KnownWork:
    """Return the first film, and then in every turn its last picture, held: nothing ever comes of an answer."""

    def film(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
        return put_still(store, name, item, path[:1]) if len(path) > 1 else put_turn(store, name, item, path)

    return _film_walks(item, store, film)


def run_ahead(item: InteractionCase, store: FileStore, spec: str) -> KnownWork:
    """Return the first film, and then in every turn what follows another answer, mostly the right one."""

    def film(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
        return (_film_other if len(path) > 1 else put_turn)(store, name, item, path)

    return _film_walks(item, store, film)


# Generators with known faults, by the kinds that the card names; each takes what follows the colon.
PLANTED: Mapping[str, Callable[[InteractionCase, FileStore, str], KnownWork]] = {"frozen": freeze, "ahead": run_ahead}


def _film_walks(item: InteractionCase, store: FileStore, film: Film) -> KnownWork:
    """Return what a generator makes of every stretch of both walks, by what the viewer has said so far."""
    made: dict[str, Deliverable] = {}
    for user, path in item.paths.items():
        for turn in range(1, len(path) + 1):
            said = key_of_answers(item.feedback[user][: turn - 1])
            made[said] = made.get(said) or Deliverable(files=(film(store, film_name(turn), item, path[:turn]),))
    return made


def _film_other(store: FileStore, name: str, item: InteractionCase, path: Sequence[str]) -> FileRef:
    """Film what follows another answer to the film before, the last of them; where there is none, a state of before."""
    return put_turn(store, name, item, (*path[:-1], next(_other_states(item, path))))


def _other_states(item: InteractionCase, path: Sequence[str]) -> Iterator[str]:
    before = item.state(path[-2])
    yield from (way.next_state_id for way in reversed(before.transitions) if way.next_state_id != path[-1])
    yield from (state.state_id for state in item.states if state.state_id not in (path[0], path[-1]))
