"""All gates of all tasks, and the card that is left in the pack."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import cutscore
from cutscore.atomic import replace_file
from cutscore.authoring.contract import Bench, open_bench
from cutscore.authoring.gates.asset import asset
from cutscore.authoring.gates.authoring import authoring
from cutscore.authoring.gates.expert import expert, read_signoffs
from cutscore.authoring.gates.shortcuts import judged, shortcut_scores
from cutscore.authoring.gates.verifier import verifier
from cutscore.bridge.scoring_code import code_digest
from cutscore.core.bundle import Bundle
from cutscore.core.errors import NoRoom, RunBroken
from cutscore.core.gate import GATES_FILE, Checked, GateCard
from cutscore.engines import Job, run_jobs
from cutscore.media.frames import decoder
from cutscore.registry import benchmark
from cutscore.store import Store

Tell = Callable[[Checked], None]


def has_gates(bench: Bench) -> bool:
    """Return whether its items are tasks that travel; other benchmarks have promises and no gates."""
    return bool(bench.items) and all(isinstance(item, Bundle) for item in bench.items)


def checked(bench: Bench, item: Bundle) -> tuple[Checked, dict[str, float]]:
    """Put one task through its four gates; beside it, what shortcut solvers get for it."""
    signoffs = read_signoffs(bench.data) if bench.data else ()
    gate, trials, noise = verifier(bench, item)
    gates = (authoring(bench, item), asset(bench, item), expert(item, signoffs), gate)
    return Checked(item=item.id, content=item.digest(), gates=gates, trials=trials, noise=noise), shortcut_scores(
        bench, item
    )


def check_all(
    bench: Bench, *, engine: str = "inline", workers: int | None = None, tell: Tell | None = None
) -> GateCard:
    """Put every task through its gates and sum up.

    Args:
        bench: A family, or a pack for one.
        engine: Where tasks are checked: `inline` or `processes`.
        workers: Processes at one time.
        tell: Is told each task as it is done.
    """
    if bench.data:
        read_signoffs(bench.data)  # a sheet that cannot be read is said once, and before an hour of marking
    done: dict[str, tuple[Checked, dict[str, float]]] = {}
    for item, result in _results(bench, engine, workers):
        done[item] = result
        if tell is not None:
            tell(result[0])
    ordered = [done[item.id] for item in bench.items]
    return GateCard(
        benchmark=bench.found.name,
        version=bench.found.card.version,
        scoring=code_digest(bench.found),
        cutscore=cutscore.__version__,
        decoder=decoder(),
        items=tuple(each for each, _ in ordered),
        shortcuts=judged(bench, [scores for _, scores in ordered]),
    )


def _results(bench: Bench, engine: str, workers: int | None) -> Iterator[tuple[str, tuple[Checked, dict[str, float]]]]:
    if engine == "inline" or not isinstance(bench.store, Store):
        for item in bench.items:
            assert isinstance(item, Bundle)
            yield item.id, checked(bench, item)
        return
    jobs = (Job(item.id, _check_one, (bench.found.name, bench.data, item.id, bench.store.root)) for item in bench.items)
    for outcome in run_jobs(jobs, engine=engine, workers=workers):
        if outcome.error:
            raise RunBroken(f"item '{outcome.key}'", f"could not be checked: {outcome.error}", "run the command again")
        yield outcome.key, outcome.value


def _check_one(name: str, data: Path | None, item: str, root: Path) -> tuple[Checked, dict[str, float]]:
    """Check one task in another process."""
    bench, items = _opened(name, data, root)
    return checked(bench, items[item])


@lru_cache(maxsize=1)
def _opened(name: str, data: Path | None, root: Path) -> tuple[Bench, Mapping[str, Bundle]]:
    bench = open_bench(benchmark(name), Store(root), data=data)
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
