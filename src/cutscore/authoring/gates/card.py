"""All gates of all tasks, and the card that is left in the pack."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

import cutscore
from cutscore.atomic import replace_file
from cutscore.authoring.faults import try_author_code
from cutscore.authoring.gates.asset import check_asset
from cutscore.authoring.gates.authoring import check_authoring
from cutscore.authoring.gates.expert import Signoff, check_expert, read_signoffs
from cutscore.authoring.gates.journal import CheckedItem, open_gate_journal
from cutscore.authoring.gates.shortcuts import judge_shortcuts, shortcut_scores
from cutscore.authoring.gates.tried import TellTried, hear_tried, send_tried
from cutscore.authoring.gates.verifier import check_verifier
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.cells.progress import Listener, SampleDone
from cutscore.cells.scoring_code import code_digest
from cutscore.core.bundle import Bundle
from cutscore.core.errors import CutscoreError, NoRoom, RunBroken
from cutscore.core.gate import GATES_FILE, Gate, GateCard, GateName, ItemGates, make_gate
from cutscore.core.tally import ignore
from cutscore.engines import Job, run_jobs
from cutscore.media.frames import decoder_version
from cutscore.media.kept_decodes import keep_decodes
from cutscore.registry import benchmark
from cutscore.store import Store


def has_gates(bench: LoadedBenchmark) -> bool:
    """Return whether its items are tasks that travel; other benchmarks have promises and no gates."""
    return bool(bench.items) and all(isinstance(item, Bundle) for item in bench.items)


def check_item(bench: LoadedBenchmark, item: Bundle, tell: TellTried = ignore) -> CheckedItem:
    """Put one task through its four gates; beside it, what shortcut solvers get for it."""
    with keep_decodes():  # every submission is made of the same clips, and compared with them
        verified, bug = try_author_code(partial(check_verifier, bench, item, tell), bench.found.folder)
        gate, trials, noise = verified or (make_gate("verifier", [bug]), (), {})
        scores, bug = try_author_code(partial(shortcut_scores, bench, item), bench.found.folder)
        if bug:
            gate = make_gate("verifier", [*gate.faults, bug])
        gates = (
            _try_gate("authoring", check_authoring, bench, item),
            _try_gate("asset", check_asset, bench, item),
            check_expert(item, read_signoffs(bench.data) if bench.data else ()),
            gate,
        )
    checked = ItemGates(
        item=item.id,
        source=item.source_names if bench.data else "",
        content=item.digest(),
        gates=gates,
        trials=trials,
        noise=noise,
    )
    return CheckedItem(gates=checked, shortcuts=scores or {})


def _try_gate(
    name: GateName, check: Callable[[LoadedBenchmark, Bundle], Gate], bench: LoadedBenchmark, item: Bundle
) -> Gate:
    """Put a task through one gate; an exception in the author's code closes it."""
    gate, bug = try_author_code(partial(check, bench, item), bench.found.folder)
    return gate or make_gate(name, [bug])


def check_all(
    bench: LoadedBenchmark,
    *,
    engine: str = "inline",
    workers: int | None = None,
    again: bool = False,
    tell: Listener = ignore,
) -> GateCard:
    """Put every task through its gates, `inline` or in `processes`, tell what is tried and each that is done, sum up.

    A task of a pack whose result is in its journal is not checked again, unless `again` is true. A fault of one task
    is raised when all others are through.
    """
    signoffs = read_signoffs(bench.data) if bench.data else ()  # what cannot be read is said before an hour of marking
    journal = open_gate_journal(bench)
    items = [item for item in bench.items if isinstance(item, Bundle)]
    known = {item.id: journal.find(item) for item in items} if journal and not again else {}
    done = {name: _sign_again(each, items, signoffs) for name, each in known.items() if each}
    for name in done:
        tell(SampleDone(item=name, epoch=1))
    broken: CutscoreError | None = None
    for item, result in _check_each(bench, [item for item in items if item.id not in done], engine, workers, tell):
        if isinstance(result, CutscoreError):
            broken = broken or result
            continue
        if journal:
            journal.put(item, result)
        done[item.id] = result
        tell(SampleDone(item=item.id, epoch=1))
    if broken:
        raise broken
    ordered = [done[item.id] for item in items]
    return GateCard(
        benchmark=bench.found.name,
        version=bench.found.card.version,
        scoring=code_digest(bench.found),
        cutscore=cutscore.__version__,
        decoder=decoder_version(),
        items=tuple(each.gates for each in ordered),
        shortcuts=judge_shortcuts(bench, [each.shortcuts for each in ordered]),
    )


def _sign_again(checked: CheckedItem, items: Sequence[Bundle], signoffs: Sequence[Signoff]) -> CheckedItem:
    """Return an earlier result with the sign-offs of today."""
    item = next(item for item in items if item.id == checked.gates.item)
    gates = tuple(check_expert(item, signoffs) if gate.name == "expert" else gate for gate in checked.gates.gates)
    return checked.model_copy(update={"gates": checked.gates.model_copy(update={"gates": gates})})


def _check_each(
    bench: LoadedBenchmark, items: Sequence[Bundle], engine: str, workers: int | None, tell: Listener
) -> Iterator[tuple[Bundle, CheckedItem | CutscoreError]]:
    """Yield the result of each task, or the fault for which there is none."""
    if engine == "inline" or not isinstance(bench.store, Store):
        for item in items:
            try:
                yield item, check_item(bench, item, tell)
            except CutscoreError as error:
                yield item, error
        return
    by_name = {item.id: item for item in items}
    with hear_tried(tell) as address:
        given = (bench.found.name, bench.data, bench.store.root, address)
        jobs = (Job(item.id, _check_one, (item.id, *given)) for item in items)
        for outcome in run_jobs(jobs, engine=engine, workers=workers):
            fact = f"could not be checked: {outcome.error}"
            broken = RunBroken(f"item '{outcome.key}'", fact, "run the command again: what is done stays done")
            yield by_name[outcome.key], broken if outcome.error else outcome.value


def _check_one(item: str, name: str, data: Path | None, root: Path, address: str) -> CheckedItem:
    """Check one task in another process."""
    bench, items = _load_once(name, data, root)
    return check_item(bench, items[item], partial(send_tried, address))


@lru_cache(maxsize=1)
def _load_once(name: str, data: Path | None, root: Path) -> tuple[LoadedBenchmark, Mapping[str, Bundle]]:
    bench = load_benchmark(benchmark(name), Store(root), data=data)
    return bench, {item.id: item for item in bench.items if isinstance(item, Bundle)}


def write_card(folder: Path, card: GateCard) -> Path:
    """Leave the card in a pack."""
    file = folder / GATES_FILE
    try:
        with replace_file(file) as draft:
            draft.write_text(card.model_dump_json(by_alias=True, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise NoRoom(f"file '{file}'", error.strerror or str(error), "make the pack writable, or copy it") from error
    return file
