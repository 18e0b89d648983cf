"""Work whose marks we know beforehand: what scripts of a pack do, and what they nearly do."""

from collections.abc import Callable, Mapping

from cutscore.benchmarks.videowebarena.ask_parts import INTERMEDIATE
from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.judge_stage import judge_by_truth
from cutscore.benchmarks.videowebarena.recorded import find_recorded
from cutscore.benchmarks.videowebarena.scripts import ScriptedWork, TaskScripts
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import ActionScript
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore

__all__ = ["PLANTED", "empty", "judge_by_truth", "near_miss", "perfect", "recorded"]


def perfect(item: WebItem, store: FileStore) -> ActionScript:
    """Do the task as its author does it."""
    return _play(_scripts(item).perfect, store)


def empty(item: WebItem, store: FileStore) -> Deliverable:
    """Do nothing, and answer nothing."""
    return Deliverable()


def near_miss(item: WebItem, store: FileStore) -> ActionScript:
    """Do the first of the things that are nearly right."""
    return _play(_scripts(item).near_misses[0], store)


def play_near_miss(item: WebItem, store: FileStore, spec: str) -> ActionScript:
    """Do one of the things that are nearly right, by its number: `nearly:2`; the last where there are fewer."""
    if not (spec.isascii() and spec.isdecimal() and int(spec)):
        raise BadInput(f"subject 'nearly:{spec}'", "does not say which near miss it plays", "write nearly:1")
    known = _scripts(item).near_misses
    return _play(known[min(int(spec), len(known)) - 1], store)


def recorded(item: WebItem, known: ActionScript | Deliverable, store: FileStore) -> Evidence | None:
    """Return what was read when this work was done on the sites of a pack that ships; None where nobody kept it."""
    return find_recorded(item, known, store)


PLANTED: Mapping[str, Callable[[WebItem, FileStore, str], ActionScript]] = {"nearly": play_near_miss}


def _scripts(item: WebItem) -> TaskScripts:
    if item.scripts is None:
        raise Unscored(f"item '{item.id}'", "nobody wrote down how it is done", "add it to scripts.json of the folder")
    return item.scripts


def _play(work: ScriptedWork, store: FileStore) -> ActionScript:
    files = []
    if work.intermediate:
        files.append(store.put_bytes(work.intermediate.encode(), name=INTERMEDIATE, media_type="text/plain"))
    return ActionScript(actions=work.actions, deliverable=Deliverable(text=work.answer, files=tuple(files)))
