"""All gates of all tasks, and the card that is left in the pack."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path

import cutscore
from cutscore.atomic import replace_file
from cutscore.authoring.faults import try_author_code
from cutscore.authoring.gates.asset import check_asset
from cutscore.authoring.gates.authoring import check_authoring
from cutscore.authoring.gates.expert import check_expert, read_signoffs
from cutscore.authoring.gates.shortcuts import judge_shortcuts, shortcut_scores
from cutscore.authoring.gates.verifier import check_verifier
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.cells.scoring_code import code_digest
from cutscore.core.bundle import Bundle
from cutscore.core.errors import NoRoom, RunBroken
from cutscore.core.gate import GATES_FILE, Gate, GateCard, GateName, ItemGates, make_gate
from cutscore.engines import Job, run_jobs
from cutscore.media.frames import decoder_version
from cutscore.registry import benchmark
from cutscore.store import Store

Tell = Callable[[ItemGates], None]


def has_gates(bench: LoadedBenchmark) -> bool:
    """Return whether its items are tasks that travel; other benchmarks have promises and no gates."""
    return bool(bench.items) and all(isinstance(item, Bundle) for item in bench.items)


def check_item(bench: LoadedBenchmark, item: Bundle) -> tuple[ItemGates, dict[str, float]]:
    """Put one task through its four gates; beside it, what shortcut solvers get for it."""
    signoffs = read_signoffs(bench.data) if bench.data else ()
    verified, bug = try_author_code(partial(check_verifier, bench, item), bench.found.folder)
    gate, trials, noise = verified or (make_gate("verifier", [bug]), (), {})
    scores, bug = try_author_code(partial(shortcut_scores, bench, item), bench.found.folder)
    if bug:
        gate = make_gate("verifier", [*gate.faults, bug])
    gates = (
        _try_gate("authoring", check_authoring, bench, item),
        _try_gate("asset", check_asset, bench, item),
        check_expert(item, signoffs),
        gate,
    )
    checked = ItemGates(item=item.id, content=item.digest(), gates=gates, trials=trials, noise=noise)
    return checked, scores or {}


def _try_gate(
    name: GateName, check: Callable[[LoadedBenchmark, Bundle], Gate], bench: LoadedBenchmark, item: Bundle
) -> Gate:
    """Put a task through one gate; an exception in the author's code closes it."""
    gate, bug = try_author_code(partial(check, bench, item), bench.found.folder)
    return gate or make_gate(name, [bug])


def check_all(
    bench: LoadedBenchmark, *, engine: str = "inline", workers: int | None = None, tell: Tell | None = None
) -> GateCard:
    """Put every task through its gates, `inline` or in `processes`, tell each as it is done, and sum up."""
    if bench.data:
        read_signoffs(bench.data)  # a sheet that cannot be read is said once, and before an hour of marking
    done: dict[str, tuple[ItemGates, dict[str, float]]] = {}
    for item, result in _check_each(bench, engine, workers):
        done[item] = result
        if tell is not None:
            tell(result[0])
    ordered = [done[item.id] for item in bench.items]
    return GateCard(
        benchmark=bench.found.name,
        version=bench.found.card.version,
        scoring=code_digest(bench.found),
        cutscore=cutscore.__version__,
        decoder=decoder_version(),
        items=tuple(each for each, _ in ordered),
        shortcuts=judge_shortcuts(bench, [scores for _, scores in ordered]),
    )


def _check_each(
    bench: LoadedBenchmark, engine: str, workers: int | None
) -> Iterator[tuple[str, tuple[ItemGates, dict[str, float]]]]:
    if engine == "inline" or not isinstance(bench.store, Store):
        for item in bench.items:
            assert isinstance(item, Bundle)
            yield item.id, check_item(bench, item)
        return
    jobs = (Job(item.id, _check_one, (bench.found.name, bench.data, item.id, bench.store.root)) for item in bench.items)
    for outcome in run_jobs(jobs, engine=engine, workers=workers):
        if outcome.error:
            raise RunBroken(f"item '{outcome.key}'", f"could not be checked: {outcome.error}", "run the command again")
        yield outcome.key, outcome.value


def _check_one(name: str, data: Path | None, item: str, root: Path) -> tuple[ItemGates, dict[str, float]]:
    """Check one task in another process."""
    bench, items = _load_once(name, data, root)
    return check_item(bench, items[item])


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
