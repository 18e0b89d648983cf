"""Evidence by a plan that the subject never saw: one recorder for runs, `score`, `rescore` and the contract tests.

A benchmark's `evidence.py` compiles an item into reads (`plan(item)`). When the subject has stopped, the benchmark's
world makes them; where it has none, `evidence.read(read, deliverable, store)` does. Without a plan the evidence is what
was handed over.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from anyio import CancelScope, current_time, fail_after, run, to_thread
from pydantic import JsonValue

from cutscore.core.bundle import UnscorableBundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment, EvidencePlan, EvidenceRead, ReadResult
from cutscore.core.errors import CutscoreError, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import digest_of
from cutscore.core.item import Item
from cutscore.core.turn import Turn
from cutscore.registry import Benchmark

# For all reads of a sample together: a page that never settles must not hold up a run.
READS_S = 120.0


def evidence_plan(found: Benchmark, item: Item) -> EvidencePlan:
    """Return what is to be read for an item; nothing where there is no plan, or nobody told the item's truth."""
    if not found.has_part("evidence") or isinstance(item, UnscorableBundle):
        return EvidencePlan()
    plan: EvidencePlan = found.part("evidence").plan(item)
    return plan


async def record_evidence(
    found: Benchmark,
    item: Item,
    deliverable: Deliverable,
    *,
    store: FileStore,
    environment: Environment | None = None,
    turns: Sequence[Turn] = (),
    strict: bool = False,
) -> Evidence:
    """Record what marking may read: what was handed over, in every turn, and what the plan of the item reads.

    The environment is the benchmark's own, not yet closed. Reads are shielded from cancellation and have a clock of
    their own. One that fails is an error of its own, or passes on (`strict`); one that nobody here can make is not
    recorded, and marking names it.
    """
    facts: dict[str, JsonValue] = {}
    errors: dict[str, str] = {}
    reads: dict[str, str] = {}
    recorded: list[FileRef] = []
    live: list[str] = []
    with CancelScope(shield=True):
        until_s = current_time() + READS_S
        for read in evidence_plan(found, item).reads:
            if environment is None and not hasattr(found.part("evidence"), "read"):
                continue
            left_s = until_s - current_time()
            made = await _read(found, read, deliverable, store, environment, left_s=left_s, strict=strict)
            reads[read.name] = digest_of(read)
            if twice := _known(made.files, recorded):
                made = ReadResult(error=f"file '{twice}' was recorded before")
            recorded += made.files
            live += [read.name, *(file.name for file in made.files)] if made.is_live else []
            if made.error:
                errors[read.name] = made.error
            else:
                facts[read.name] = made.fact
    files = _gather_files(deliverable, turns, recorded)
    return Evidence(files=files, facts=facts, errors=errors, reads=reads, turns=tuple(turns), live=tuple(live))


def record_without_world(found: Benchmark, item: Item, deliverable: Deliverable, store: FileStore) -> Evidence:
    """Record what can be read of a deliverable alone, for callers without an event loop."""
    if not evidence_plan(found, item).reads:
        return Evidence(files=deliverable.files)

    async def record() -> Evidence:
        return await record_evidence(found, item, deliverable, store=store)

    return run(record)


def join_deliverable(recorded: Evidence, deliverable: Deliverable) -> Evidence:
    """Return evidence that was taken before, with the files of a deliverable among it."""
    return recorded.model_copy(update={"files": _gather_files(deliverable, recorded.turns, recorded.files)})


def require_reads(found: Benchmark, item: Item, evidence: Evidence) -> None:
    """Raise Unscored when the plan of an item, as it is today, has a read that was not recorded as it is now."""
    lacking = [read for read in evidence_plan(found, item).reads if evidence.reads.get(read.name) != digest_of(read)]
    if not lacking:
        return
    names = ", ".join(f"'{read.name}'" for read in lacking)
    changed = any(read.name in evidence.reads for read in lacking)
    fact = "was read in another way: the plan has changed" if changed else "was not recorded"
    raise Unscored(f"evidence {names}", fact, "run the cell again: it is read when the subject has stopped")


async def _read(
    found: Benchmark,
    read: EvidenceRead,
    deliverable: Deliverable,
    store: FileStore,
    environment: Environment | None,
    *,
    left_s: float,
    strict: bool,
) -> ReadResult:
    """Return what one read gives, or its error in words; it ends when the time is over."""
    if left_s <= 0:
        return ReadResult(error=f"was not read: the reads before it took the {READS_S:g} s for all")
    try:
        with fail_after(left_s):
            if environment is not None:
                return await environment.read(read, store)
            return await to_thread.run_sync(
                found.part("evidence").read, read, deliverable, store, abandon_on_cancel=True
            )
    except TimeoutError:
        return ReadResult(error=f"did not end within the {READS_S:g} s that all reads have")
    except Exception as error:  # whatever it is, it is this read's alone
        if strict and not isinstance(error, CutscoreError):
            raise
        said = str(error) if isinstance(error, CutscoreError) else f"{type(error).__name__}: {error}"
        return ReadResult(error=f"could not be read: {said}")


def _gather_files(deliverable: Deliverable, turns: Sequence[Turn], recorded: Sequence[FileRef]) -> tuple[FileRef, ...]:
    """Return recorded files, those of every turn and the delivered ones; nobody can deliver what we recorded."""
    of_turns = (_in_turn(turn.number, ref) for turn in turns for ref in turn.deliverable.files)
    files: dict[str, FileRef] = {}
    for ref in (*recorded, *of_turns, *deliverable.files):
        files.setdefault(_folded(ref.name), ref)
    delivered = [name for ref in deliverable.files if files[name := _folded(ref.name)] is ref]
    return tuple(files.pop(name) for name in delivered) + tuple(files.values())


def _in_turn(number: int, ref: FileRef) -> FileRef:
    return ref.model_copy(update={"name": f"turn-{number}/{ref.name}"})


def _known(new: Iterable[FileRef], recorded: Iterable[FileRef]) -> str:
    taken = {_folded(ref.name) for ref in recorded}
    return next((ref.name for ref in new if _folded(ref.name) in taken), "")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
