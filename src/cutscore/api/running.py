"""Run a benchmark from Python, as `cutscore run` does; the same call again resumes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cutscore.core.errors import BadInput, RunBroken
from cutscore.core.subject import SubjectSpec

if TYPE_CHECKING:
    from cutscore.api.reading import Results
    from cutscore.core.ask import Ask
    from cutscore.core.subject import Subject, WorkContext


class SubjectFunction(Protocol):
    """A subject as a plain or async function; see docs/subjects.md."""

    __name__: str

    def __call__(self, ask: Ask, context: WorkContext, /) -> Any:
        """Return the answer as text, paths of files in `context.workspace`, or a `Deliverable`."""
        ...


def run(
    benchmark: str,
    *,
    subject: str | SubjectFunction | Subject | Iterable[str | SubjectFunction | Subject] = (),
    model: str | Sequence[str] = (),
    roles: Mapping[str, str] | None = None,
    judge: str = "",
    votes: int = 0,
    prompts: Mapping[str, str | Path] | None = None,
    frames: str | int = "",
    data: str | Path | None = None,
    mode: str = "",
    options: Mapping[str, str] | None = None,
    conditions: Mapping[str, str | float] | None = None,
    ablate: Iterable[tuple[str, str]] = (),
    items: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    limit: int | None = None,
    draw: int | None = None,
    epochs: int = 1,
    engine: str = "inline",
    cost_limit_usd: float | None = None,
    log_dir: str | Path | None = None,
) -> Results:
    """Run subjects on a benchmark, or finish what was cut short, and return their results.

    Args:
        benchmark: Name of the benchmark.
        subject: Who works: `[LABEL=]KIND[@VERSION][:SPEC]` as on the command line, a function of (ask, context), or
            several of these. Left out, it is the model.
        model: `PROVIDER/NAME`, or several.
        roles: Other models by role.
        judge: Who is asked for opinions; the card's default when empty.
        votes: How often the judge is asked each question; what the card says when 0.
        prompts: Files that replace prompts, by name.
        frames: Frame plan, or the number of frames; the card's plan when empty.
        data: Folder with items of your own.
        mode: Scoring mode; the card's default when empty.
        options: Choices in scoring, by name.
        conditions: Conditions of work by name (`{"temperature": 0}`), those of every benchmark and of the card; see
            docs/conditions.md.
        ablate: (setting, value) pairs; each adds the same cells once more with that setting.
        items: Only these items, by id.
        where: Only items of these groups, by the group's name; all must hold.
        limit: Only the first of these items.
        draw: Seed of a draw: one item of each unit, where a benchmark's people did a part of it.
        epochs: Repeats of each item.
        engine: `inline`, `processes` or `ray` (on the cluster of the settings, else on one of this machine).
        cost_limit_usd: What may be spent in the run folder.
        log_dir: The run folder; what the settings say when left out.

    Raises:
        BadInput: Something does not fit together; nothing was asked yet.
        RunBroken: A cell could not be finished; the same call resumes.
        KeyboardInterrupt: Somebody pressed Ctrl-C; the same call resumes.
    """
    from cutscore.api.plans import RunScope, check_models, make_plans, run_plans
    from cutscore.api.reading import Results
    from cutscore.api.requests import cell_requests
    from cutscore.cells.request import CellRequest
    from cutscore.cells.selection import ItemSelection
    from cutscore.settings import load_settings

    settings = load_settings()
    names, workers = _subjects(subject)
    base = CellRequest(
        benchmark,
        mode=mode,
        frames=str(frames),
        data=str(Path(data)) if data is not None else "",
        prompts={name: str(file) for name, file in (prompts or {}).items()},
        roles=roles or {},
        options=options or {},
        conditions={name: str(value) for name, value in (conditions or {}).items()},
        judge=judge,
        votes=votes,
    )
    picked = ItemSelection((items,) if isinstance(items, str) else tuple(items), where or {}, limit, draw)
    scope = RunScope(Path(log_dir) if log_dir is not None else settings.log_dir, picked, epochs, cost_limit_usd)
    models = (model,) if isinstance(model, str) else tuple(model)
    requests = cell_requests(base, subjects=names, models=models, ablate=tuple(ablate), workers=workers)
    check_models(requests, scope, settings, dry=False)
    outcome = run_plans(make_plans(requests, scope), scope, settings=settings, engine=engine)
    if outcome.interrupted:
        raise KeyboardInterrupt
    if outcome.errors:
        raise outcome.errors[0]
    if missing := sum(each.missing for each in outcome.results):
        raise RunBroken(f"benchmark '{benchmark}'", f"{missing} samples are missing", "call the same again")
    return Results(outcome.results)


async def run_async(benchmark: str, **options: Any) -> Results:
    """Do as `run` without holding up a running event loop, for as long as it takes."""
    from anyio import to_thread

    return await to_thread.run_sync(partial(run, benchmark, **options))


def _subjects(
    given: str | SubjectFunction | Subject | Iterable[str | SubjectFunction | Subject],
) -> tuple[list[str], dict[str, Subject]]:
    """Return subjects as the command line names them, and those that are objects by their labels."""
    alone = isinstance(given, str) or callable(given) or callable(getattr(given, "work", None))
    names: list[str] = []
    workers: dict[str, Subject] = {}
    for each in [given] if alone else given:  # type: ignore[union-attr]
        if isinstance(each, str):
            names.append(each)
            continue
        worker, label = _worker(each), _label(each)
        if label in workers:
            raise BadInput(f"subject '{label}'", "is given twice", "give each function a name of its own")
        names.append(f"{label}=python:{label}")
        workers[label] = worker
    return names, workers


def _worker(given: Any) -> Subject:
    """Return a function as a subject; whoever has a `work` of its own is one."""
    if callable(getattr(given, "work", None)):
        return given  # type: ignore[no-any-return]
    if not callable(given):
        raise BadInput("subject", f"is a {type(given).__name__}", "give a name, or a function of (ask, context)")
    from cutscore.subjects.function import subject_from

    return subject_from(given, name=_label(given))


def _label(given: Any) -> str:
    name = str(getattr(given, "__name__", "") or getattr(given, "name", "") or type(given).__name__)
    label = "".join(letter if letter.isalnum() or letter in "_-." else "_" for letter in name).strip("_") or "function"
    return SubjectSpec.parse(f"{label}=python:{label}").label
