"""A benchmark folder and a subject → an Inspect task. Every `task.py` hands its settings on to `make_task`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from cutscore.bridge.conditions import generate_config
from cutscore.bridge.handover import answer_in_words, hand_over
from cutscore.bridge.places import DATA
from cutscore.bridge.resume import resumable
from cutscore.bridge.rows import JOURNAL_FILE
from cutscore.bridge.score import CellMarker, make_scorer
from cutscore.cells.admission import AdmittedItems
from cutscore.cells.capacity import settle_at_once
from cutscore.cells.cell import Cell, data_digest, is_judge_prompt
from cutscore.cells.eligibility import count_left_out, sort_out
from cutscore.cells.inputs import UNCHANGED, ShownAsks, make_asks
from cutscore.cells.judge_record import JudgesByRole
from cutscore.cells.provider_breaker import ProviderBreaker
from cutscore.cells.request import CellRequest, request_from_settings
from cutscore.cells.run_context import RunContext
from cutscore.cells.scoring_code import code_digest, part_digest
from cutscore.cells.selection import EVERY_ITEM, ItemSelection
from cutscore.cells.world import SampleParts
from cutscore.core.ask import Ask
from cutscore.core.condition import CONDITIONS, FIRST_FAIL, STOP
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.item import Item
from cutscore.core.judgement import JUDGE_ROLE, CellJudge, JudgeSpec
from cutscore.core.subject import ParticularSubject, RemarkingSubject, Subject, SubjectSpec
from cutscore.media.plan import canonical_plan
from cutscore.prompts import Prompt, PromptedSubject, load_prompts
from cutscore.registry import Benchmark
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import ModelSettings, OwnPrice, load_settings

META, GATES, LEFT_OUT, REMARKS = "cutscore", "gates", "left_out", "remarks"
SERVICES = "services"
AT_ONCE = "at_once"

OpenSubject = Callable[[SubjectSpec, Benchmark, Mapping[str, Item]], Subject]
OpenJudge = Callable[[JudgeSpec, Benchmark, Mapping[str, Item]], CellJudge]


def make_task(
    benchmark: str,
    *,
    open_subject: OpenSubject,
    open_judge: OpenJudge | None = None,
    request: CellRequest | None = None,
    context: RunContext | None = None,
    selection: ItemSelection = EVERY_ITEM,
    **settings: Any,
) -> Task:
    """Build the task that introduces a benchmark's items to a subject.

    The `task.py`, which stands above subjects and judges, says how they are opened. A request is made of the settings,
    as `inspect eval -T` gives them, when left out, and a context beside Inspect's own logs. Where a selection
    of the items is asked, all of them are in the cell's identity.
    """
    found = find_benchmark(benchmark)
    request = _check_request(found, request or request_from_settings(benchmark, settings))
    context = context or RunContext.beside_inspect_logs()
    items = context.items(found, request.data)
    for name in selection.items or ("",):
        items.check(name)
    picked = selection.choose(items.items, bench=benchmark, data=request.data)
    judge = _open_judges(request, open_judge, found, context, items)
    texts = _load_prompts(found, request, judge)
    spec = SubjectSpec.parse(request.subject)
    worker = request.worker or open_subject(spec, found, items.by_id)
    if isinstance(worker, PromptedSubject):
        worker = worker.with_prompts(texts)
    conditions = found.card.condition_values(request.conditions)
    if isinstance(worker, ParticularSubject):
        worker.check_conditions(request.model, conditions)
    _refuse_clocks(found, conditions)
    shown = make_asks(
        found,
        items.items,
        texts,
        frames=request.frames,
        input=request.input,
        only=picked,
        conditions=conditions if _has_own(request.conditions) else {},
    )
    cell = _cell(request, found, items=items, texts=texts, worker=worker, judge=judge)
    subject = _wrap(worker, found, conditions) if cell.around else worker
    refused = _sort_out({item.id: shown.asks[item.id] for item in picked}, subject, request, found)
    marker = CellMarker(
        found, items, context, request.mode, request.options, judge, subject=cell.subject, model=cell.model
    )
    own = load_settings()
    breaker = ProviderBreaker(own.provider_failures_max, own.provider_failures_window, found.card.stop_by)
    work = _work(subject, shown, marker, prompts=texts, conditions=conditions, breaker=breaker)
    asked = [to_sample(item, shown.asks[item.id]) for item in picked if item.id not in refused]
    remarks = worker.remarks([str(sample.id) for sample in asked]) if isinstance(worker, RemarkingSubject) else ()
    return Task(
        dataset=MemoryDataset(asked, name=benchmark),
        solver=resumable(work, marker.endings, marker.handovers),
        scorer=make_scorer(marker),
        name=benchmark,
        version=found.card.version,
        config=generate_config(conditions),
        metadata={
            **_metadata(cell, items, request.data),
            **_plan_notes(refused, len(picked), remarks),
            **_services(worker),
            **_at_once(worker, found, context, own.models.get(request.model)),
        },
    )


def _sort_out(asks: Mapping[str, Ask], worker: Subject, request: CellRequest, found: Benchmark) -> dict[str, str]:
    """Return the items that a subject cannot work on, each with the reason."""
    label = SubjectSpec.parse(request.subject).without_place().label
    who = f"model '{request.model}'" if request.model else f"subject '{label}'"
    return sort_out(asks, worker, found.card, who=who)


def _plan_notes(refused: Mapping[str, str], picked: int, remarks: Sequence[str]) -> dict[str, object]:
    """Return what readers of a plan should know, where there is something."""
    left_out = [each.as_json() for each in count_left_out(refused, of=picked)]
    return {**({LEFT_OUT: left_out} if left_out else {}), **({REMARKS: list(remarks)} if remarks else {})}


def _check_request(found: Benchmark, request: CellRequest) -> CellRequest:
    """Return a request with mode, frame plan, options and conditions as the card has them."""
    try:
        SubjectSpec.parse(request.subject)
        return replace(
            request,
            mode=found.card.mode(request.mode or None),
            frames=canonical_plan(request.frames, found.card.frames) if request.frames else found.card.frames,
            options=found.card.changed_options(request.options),
            conditions=found.card.changed_conditions(request.conditions),
        )
    except ValueError as error:
        raise BadInput(f"benchmark '{found.name}'", str(error)) from error


def _open_judges(
    request: CellRequest, open_judge: OpenJudge | None, found: Benchmark, context: RunContext, items: AdmittedItems
) -> JudgesByRole | None:
    """Open the judge and whoever sits in the further roles of the card; None when nobody is asked."""
    named = {JUDGE_ROLE: request.judge, **{role: request.roles.get(role, "") for role in found.card.judge.roles}}
    if not any(named.values()):
        return None
    if open_judge is None:
        raise BadInput(f"benchmark '{found.name}'", "asks nobody for an opinion", "leave out the judge")
    files = {name: Path(file) for name, file in request.prompts.items()}
    spec = JudgeSpec("", request.votes, files, context.run / JOURNAL_FILE, own_data=bool(request.data))
    return JudgesByRole(
        {role: open_judge(spec.in_role(role, name), found, items.by_id) for role, name in named.items() if name}
    )


def _cell(
    request: CellRequest,
    found: Benchmark,
    *,
    items: AdmittedItems,
    texts: Mapping[str, Prompt],
    worker: Subject,
    judge: JudgesByRole | None,
) -> Cell:
    return Cell(
        benchmark=found.name,
        version=found.card.version,
        mode=request.mode,
        data=data_digest(items.items),
        subject=SubjectSpec.parse(request.subject).without_place(),
        model=getattr(worker, "answered_by", ""),
        prompts=prompt_digests({name: prompt.digest for name, prompt in texts.items()}, judge),
        frames=request.frames,
        input=request.input,
        options=dict(request.options),
        conditions=dict(request.conditions),
        around=_around_digest(found, request.conditions),
        judge=judge.name if judge else "",
        judging=judge.terms if judge else {},
        scoring=code_digest(found),
        source_digest=getattr(worker, "source_digest", ""),
        chance=items.chance,
    )


def _refuse_clocks(found: Benchmark, conditions: Mapping[str, str]) -> None:
    """Raise where a judge would work on the subject's clock: what it takes between two turns is not the subject's."""
    clocks = [name for name in ("time_limit_s", "token_limit") if conditions.get(name)]
    if conditions.get(STOP) == FIRST_FAIL and clocks:
        fact = f"{STOP}={FIRST_FAIL} asks a judge between turns, whose work {clocks[0]} would count as the subject's"
        raise BadInput(f"benchmark '{found.name}'", fact, "leave out one of the two")


def _around_digest(found: Benchmark, conditions: Mapping[str, str]) -> str:
    """Return the digest of what the benchmark puts around a subject; empty where no condition of its own is set."""
    return part_digest(found, "around") if _has_own(conditions) and found.has_part("around") else ""


def _has_own(conditions: Mapping[str, str]) -> bool:
    """Return whether one of the conditions that are set is the card's own."""
    return any(name not in CONDITIONS for name in conditions)


def _wrap(worker: Subject, found: Benchmark, conditions: Mapping[str, str]) -> Subject:
    """Return the subject with what the benchmark's conditions put around it.

    A world that it asks for, what it hands over and what it takes in stay its own where nothing else is said.
    """
    made = found.part("around").wrap(worker, conditions)
    if not callable(getattr(made, "work", None)):
        fact = f"around.py: wrap made a {type(made).__name__} without work(ask, context)"
        raise BrokenData(f"benchmark '{found.name}'", fact, "return a subject")
    kept = ("open_environment", "delivers", "takes")
    own = {name: getattr(made, name, None) or getattr(worker, name, None) for name in kept}
    return SimpleNamespace(work=made.work, **own)


def _load_prompts(found: Benchmark, request: CellRequest, judge: JudgesByRole | None) -> dict[str, Prompt]:
    mine = {name: Path(file) for name, file in request.prompts.items() if not (judge and name in judge.prompts)}
    folder, config = found.folder / "prompts", load_settings().prompts
    return load_prompts(folder, benchmark=found.name, flags=mine, config=config)


def _metadata(cell: Cell, items: AdmittedItems, data: str) -> dict[str, object]:
    gates = {GATES: {"refused": items.refused, "remarks": list(items.remarks)}} if items.remarks else {}
    return {META: cell.model_dump(mode="json", by_alias=True), **gates, **({DATA: data} if data else {})}


def _services(worker: Subject) -> dict[str, object]:
    """Return what the services cost that a subject asks, by name; nothing where it asks none."""
    prices: Mapping[str, OwnPrice | None] = getattr(worker, "service_prices", {})
    plain = {name: price and price.model_dump(mode="json", exclude_defaults=True) for name, price in prices.items()}
    return {SERVICES: plain} if plain else {}


def _at_once(worker: Subject, found: Benchmark, context: RunContext, model: ModelSettings | None) -> dict[str, object]:
    """Settle how many samples work at once, for the record, too; nothing where a provider alone decides."""
    chosen = settle_at_once(worker, found, context.run, connections=model.max_connections if model else None)
    return {AT_ONCE: chosen} if chosen else {}


def prompt_digests(known: Mapping[str, str], judges: JudgesByRole | None) -> dict[str, str]:
    """Return the digest of every prompt that somebody reads: the subject's, and the judges' when there are any."""
    asked = {name: digest for name, digest in known.items() if not is_judge_prompt(name)}
    return dict(sorted({**asked, **(judges.prompts if judges else {})}.items()))


def to_sample(item: Item, ask: Ask) -> Sample:
    """Return the sample of an item: its public half and its strata. A solver can read all of it, so no truth is here.

    The brief is the input; the rest of the ask is one string, because Inspect copies every node of a sample's metadata
    several times.
    """
    rest = ask.model_dump_json(exclude={"brief"}, exclude_defaults=True)
    metadata = {"cluster": item.cluster, "groups": item.groups, "ask": rest}
    return Sample(id=item.id, input=ask.brief, metadata=metadata)


def read_ask(sample: Sample) -> Ask:
    """Read the ask back from a sample."""
    return Ask.model_validate({**json.loads((sample.metadata or {})["ask"]), "brief": sample.input})


def _work(
    subject: Subject,
    shown: ShownAsks,
    marker: CellMarker,
    *,
    prompts: Mapping[str, Prompt],
    conditions: Mapping[str, str],
    breaker: ProviderBreaker,
) -> Solver:
    """Return the solver that lets a subject work, and leaves what it handed over for the marker."""

    @solver(name="work")
    def work() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            ask = shown.asks[str(state.sample_id)]
            made = await hand_over(
                subject,
                ask,
                parts=SampleParts(marker.found, marker.items.by_id[ask.item], prompts),
                epoch=state.epoch,
                name=str(marker.subject),
                frames=shown.frames,
                conditions=conditions,
                context=marker.context,
                calls=breaker.calls_of(state.metadata.get("groups", {})),
                leave=lambda handover: marker.handovers.__setitem__(state.uuid, handover),
                remarks=(UNCHANGED,) if ask.item in shown.unchanged else (),
                decide_stop=marker.stop_rule(state) if conditions.get(STOP) == FIRST_FAIL else None,
            )
            state.output = ModelOutput.from_content(str(state.model), answer_in_words(made))
            return state

        return solve

    return work()
