"""A benchmark folder and a subject → an Inspect task. Every `task.py` hands its settings on to `make_task`."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from cutscore.bridge.admission import AdmittedItems
from cutscore.bridge.cell import Cell, data_digest, is_judge_prompt
from cutscore.bridge.conditions import UNCHANGED, ShownAsks, make_asks
from cutscore.bridge.handover import Handover, hand_over
from cutscore.bridge.progress import SampleDone
from cutscore.bridge.provider_breaker import ProviderBreaker
from cutscore.bridge.rows import JOURNAL_FILE
from cutscore.bridge.run_context import RunContext
from cutscore.bridge.score import CellMarker, make_scorer
from cutscore.bridge.scoring_code import code_digest
from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput
from cutscore.core.item import Item
from cutscore.core.judgement import CellJudge, JudgeSpec
from cutscore.core.subject import Subject, SubjectSpec
from cutscore.media.plan import canonical_plan
from cutscore.prompts import Prompt, load_prompts
from cutscore.registry import Benchmark
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import Settings, load_settings

META, GATES, DATA = "cutscore", "gates", "data"

ChooseSubject = Callable[[SubjectSpec, Benchmark, Mapping[str, Item]], Subject]
OpenJudge = Callable[[JudgeSpec, Benchmark, Mapping[str, Item]], CellJudge]


def make_task(
    benchmark: str,
    *,
    open_subject: ChooseSubject,
    subject: str | None = "model",
    worker: Subject | None = None,
    mode: str = "",
    frames: str | int = "",
    input: str = "",
    data: str = "",
    prompts: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    open_judge: OpenJudge | None = None,
    judge: str = "",
    votes: int = 0,
    limit: int | None = None,
    context: RunContext | None = None,
) -> Task:
    """Build the task that introduces a benchmark's items to a subject.

    Args:
        benchmark: Name of the benchmark.
        open_subject: Makes the subject from its spec; given by the `task.py`, which stands above subjects.
        subject: `[LABEL=]KIND[@VERSION][:SPEC]`.
        worker: Who works, where it is an object of the caller's; `subject` is then its name and no more.
        mode: Scoring mode; the card's default when empty.
        frames: Frame plan, or the number of frames that it is cut down to; the card's plan when empty.
        input: What of its input the subject is shown, one of `conditions.inputs_of`; everything when empty.
        data: Folder with items of the user's own.
        prompts: Files that replace the benchmark's prompts, by name.
        options: Choices in scoring, by name; the card's defaults for the others.
        open_judge: Makes the judge from its name; given by the `task.py` of a benchmark that asks for opinions.
        judge: Who is asked for opinions; nobody when empty.
        votes: How often the judge is asked each question; what the card says when 0.
        limit: Only the first items are asked; all of them are in the cell's identity.
        context: Where it runs; beside Inspect's own logs when left out.
    """
    found, settings = find_benchmark(benchmark), load_settings()
    context = context or RunContext.beside_inspect_logs()
    if judge and open_judge is None:
        raise BadInput(f"benchmark '{benchmark}'", "asks nobody for an opinion", "leave out the judge")
    chosen = _read_settings(found, subject=subject, mode=mode, frames=str(frames), options=options or {})
    items = context.items(found, data)
    items.check()
    flags = {name: Path(file) for name, file in (prompts or {}).items()}
    cell_judge = None
    if judge and open_judge is not None:
        spec = JudgeSpec(judge, votes, flags, context.run / JOURNAL_FILE, own_data=bool(data))
        cell_judge = open_judge(spec, found, items.by_id)
    texts = _load_prompts(found, flags, cell_judge, settings)
    worker = worker or open_subject(chosen.subject, found, items.by_id)
    shown = make_asks(found, items.items, texts, frames=chosen.frames, condition=input, limit=limit)
    cell = Cell(
        benchmark=benchmark,
        version=found.card.version,
        mode=chosen.mode,
        data=data_digest(items.items),
        subject=chosen.subject,
        model=getattr(worker, "answered_by", ""),
        prompts=prompt_digests({name: prompt.digest for name, prompt in texts.items()}, cell_judge),
        frames=chosen.frames,
        input=input,
        options=chosen.options,
        judge=cell_judge.name if cell_judge else "",
        judging=dict(cell_judge.terms) if cell_judge else {},
        scoring=code_digest(found),
        source_digest=getattr(worker, "source_digest", ""),
    )
    marker = CellMarker(
        found,
        items,
        context,
        mode=chosen.mode,
        options=chosen.options,
        judge=cell_judge,
        subject=chosen.subject,
        model=cell.model,
    )
    breaker = ProviderBreaker(settings.provider_failures_max, settings.provider_failures_window, found.card.stop_by)
    asked = [to_sample(item, shown.asks[item.id]) for item in items.items[:limit]]
    return Task(
        dataset=MemoryDataset(asked, name=benchmark),
        solver=_work(worker, shown, str(chosen.subject), breaker=breaker, context=context, handovers=marker.handovers),
        scorer=make_scorer(marker),
        name=benchmark,
        version=found.card.version,
        metadata=_metadata(cell, items, data),
    )


@dataclass(frozen=True)
class _Settings:
    """Settings of a task after they were checked against the card."""

    subject: SubjectSpec
    mode: str
    frames: str
    options: dict[str, str]


def _read_settings(
    found: Benchmark, *, subject: str | None, mode: str, frames: str, options: Mapping[str, str]
) -> _Settings:
    try:
        return _Settings(
            # `-T subject=null` reaches us as YAML's null.
            subject=SubjectSpec.parse("null" if subject is None else subject),
            mode=found.card.mode(mode or None),
            frames=canonical_plan(frames, found.card.frames) if frames else found.card.frames,
            options=found.card.changed_options(options),
        )
    except ValueError as error:
        raise BadInput(f"benchmark '{found.name}'", str(error)) from error


def _load_prompts(
    found: Benchmark, flags: Mapping[str, Path], cell_judge: CellJudge | None, settings: Settings
) -> dict[str, Prompt]:
    mine = {name: file for name, file in flags.items() if not (cell_judge and name in cell_judge.prompts)}
    return load_prompts(found.folder / "prompts", benchmark=found.name, flags=mine, config=settings.prompts)


def _metadata(cell: Cell, items: AdmittedItems, data: str) -> dict[str, object]:
    gates = {GATES: {"refused": items.refused, "remarks": list(items.remarks)}} if items.remarks else {}
    return {META: cell.model_dump(mode="json", by_alias=True), **gates, **({DATA: data} if data else {})}


def prompt_digests(known: Mapping[str, str], cell_judge: CellJudge | None) -> dict[str, str]:
    """Return the digest of every prompt that somebody reads: the subject's, and the judge's when there is one."""
    asked = {name: digest for name, digest in known.items() if not is_judge_prompt(name)}
    return dict(sorted({**asked, **(cell_judge.prompts if cell_judge else {})}.items()))


def to_sample(item: Item, ask: Ask) -> Sample:
    """Return the sample of an item: its public half and its strata. A solver can read all of it, so no truth is here.

    The brief is the input; the rest of the ask is one string, because Inspect copies every node of a sample's metadata
    several times.
    """
    rest = ask.model_dump_json(exclude={"brief"}, exclude_defaults=True)
    metadata = {"cluster": item.cluster, "groups": item.groups, "ask": rest}
    return Sample(id=item.id, input=ask.brief, metadata=metadata)


def _work(
    subject: Subject,
    shown: ShownAsks,
    name: str,
    *,
    breaker: ProviderBreaker,
    context: RunContext,
    handovers: dict[str, Handover],
) -> Solver:
    """Return the solver that lets a subject work, and leaves what it handed over for the marker."""

    @solver(name="work")
    def work() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            ask = shown.asks[str(state.sample_id)]
            try:
                made = await hand_over(
                    subject,
                    ask,
                    epoch=state.epoch,
                    name=name,
                    frames=shown.frames,
                    context=context,
                    calls=breaker.calls_of(state.metadata.get("groups", {})),
                    leave=lambda handover: handovers.__setitem__(state.uuid, handover),
                    remarks=(UNCHANGED,) if ask.item in shown.unchanged else (),
                )
            except LimitExceededError:  # what it has left will be marked, and the marker reports that it is done
                raise
            except Exception as error:  # noqa: BLE001  raised again, without secrets
                context.listener(SampleDone(item=str(state.sample_id), epoch=state.epoch, failed=True))
                raise _without_secrets(error, context) from None
            names = ", ".join(file.name for file in made.deliverable.files)
            said = made.deliverable.text or made.deliverable.failure or names
            state.output = ModelOutput.from_content(str(state.model), said)
            return state

        return solve

    return work()


def _without_secrets(error: Exception, context: RunContext) -> Exception:
    """Return the same error, or, when a secret shows in it, one that says as much without it."""
    text = "".join(traceback.format_exception(error))
    if context.redact.text(text) == text:
        return error
    return RuntimeError(context.redact.text(f"{type(error).__name__}: {error}"))
