"""A benchmark folder and a subject → an Inspect task. Every `task.py` hands what it is told on to `make_task`."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from cutscore.bridge.cell import Cell, data_digest, for_judges
from cutscore.bridge.conditions import LEFT_ALONE, ShownAsks, shown_asks
from cutscore.bridge.gates import admitted
from cutscore.bridge.handover import hand_over
from cutscore.bridge.progress import SampleDone
from cutscore.bridge.provider_breaker import ProviderBreaker
from cutscore.bridge.rows import JOURNAL_FILE
from cutscore.bridge.run_context import RunContext, here
from cutscore.bridge.score import marks, with_items
from cutscore.bridge.scoring_code import code_digest
from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput
from cutscore.core.item import Item
from cutscore.core.judgement import CellJudge, JudgeSpec
from cutscore.core.subject import Subject, SubjectSpec
from cutscore.media.plan import frames_of
from cutscore.prompts import load_prompts
from cutscore.registry import Benchmark
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import load_settings

META, GATES = "cutscore", "gates"

Choose = Callable[[SubjectSpec, Benchmark, Mapping[str, Item]], Subject]
Hire = Callable[[JudgeSpec, Benchmark, Mapping[str, Item]], CellJudge]


def make_task(
    benchmark: str,
    *,
    choose: Choose,
    subject: str | None = "model",
    mode: str = "",
    frames: str | int = "",
    input: str = "",
    data: str = "",
    prompts: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    hire: Hire | None = None,
    judge: str = "",
    votes: int = 0,
) -> Task:
    """Build the task that introduces a benchmark's items to a subject.

    Args:
        benchmark: Name of the benchmark.
        choose: Makes the subject from its spec; given by the `task.py`, which stands above subjects.
        subject: `[LABEL=]KIND[@VERSION][:SPEC]`.
        mode: Scoring mode; the card's default when empty.
        frames: Frame plan, or the number of frames that it is cut down to; the card's plan when empty.
        input: What of its input the subject is shown, one of `arms.inputs_of`; everything when empty.
        data: Folder with items of the user's own.
        prompts: Files that replace the benchmark's prompts, by name.
        options: Choices in scoring, by name; the card's defaults for the others.
        hire: Makes the judge from its name; given by the `task.py` of a benchmark that asks for opinions.
        judge: Who is asked for opinions; nobody when empty.
        votes: How often the judge is asked each question; what the card says when 0.
    """
    found, place, settings = find_benchmark(benchmark), here(), load_settings()
    if judge and hire is None:
        raise BadInput(f"benchmark '{benchmark}'", "asks nobody for an opinion", "leave out the judge")
    try:
        # `-T subject=null` reaches us as YAML's null.
        spec = SubjectSpec.parse("null" if subject is None else subject)
        mode = found.card.mode(mode or None)
        chosen = found.card.chosen(options or {})
    except ValueError as error:
        raise BadInput(f"benchmark '{benchmark}'", str(error)) from error
    plan = frames_of(str(frames), found.card.frames) if frames else found.card.frames
    pack = Path(data) if data else None
    gates = admitted(found, found.part("dataset").items(place.store, pack), pack)
    gates.check()
    items = gates.items
    by_id, flags = {item.id: item for item in items}, {name: Path(file) for name, file in (prompts or {}).items()}
    hired = None
    if judge and hire is not None:
        journal = place.run / JOURNAL_FILE
        hired = hire(JudgeSpec(judge, votes, flags, journal, own_data=bool(data)), found, by_id)
    texts = load_prompts(
        found.folder / "prompts",
        benchmark=benchmark,
        flags={name: file for name, file in flags.items() if not (hired and name in hired.prompts)},
        config=settings.prompts,
    )
    worker = choose(spec, found, by_id)
    shown = shown_asks(found, items, texts, frames=plan, arm=input)
    cell = Cell(
        benchmark=benchmark,
        version=found.card.version,
        mode=mode,
        data=data_digest(items),
        subject=spec,
        model=getattr(worker, "answered_by", ""),
        prompts=prompt_digests({name: prompt.digest for name, prompt in texts.items()}, hired),
        frames=plan,
        input=input,
        options=chosen,
        judge=hired.name if hired else "",
        judging=dict(hired.terms) if hired else {},
        scoring=code_digest(found),
        made_of=getattr(worker, "made_of", ""),
    )
    patience = ProviderBreaker(settings.provider_failures_max, settings.provider_failures_window, found.card.stop_by)
    with with_items(gates):
        scorer = marks(benchmark, mode, data, judge=hired, subject=spec, model=cell.model, options=chosen)
    return Task(
        dataset=MemoryDataset([to_sample(item, shown.asks[item.id]) for item in items], name=benchmark),
        solver=_work(worker, shown, str(spec), patience),
        scorer=scorer,
        name=benchmark,
        version=found.card.version,
        metadata={
            META: cell.model_dump(mode="json", by_alias=True),
            **({GATES: {"refused": gates.refused, "remarks": list(gates.remarks)}} if gates.remarks else {}),
        },
    )


def prompt_digests(known: Mapping[str, str], hired: CellJudge | None) -> dict[str, str]:
    """Return the digest of every prompt that somebody reads: the subject's, and the judge's when there is one."""
    asked = {name: digest for name, digest in known.items() if not for_judges(name)}
    return dict(sorted({**asked, **(hired.prompts if hired else {})}.items()))


def to_sample(item: Item, ask: Ask) -> Sample:
    """Return the sample of an item: its public half and its strata. A solver can read all of it, so no truth is here.

    The brief is the input; the rest of the ask is one string, because Inspect copies every node of a sample's metadata
    several times.
    """
    rest = ask.model_dump_json(exclude={"brief"}, exclude_defaults=True)
    metadata = {"cluster": item.cluster, "groups": item.groups, "ask": rest}
    return Sample(id=item.id, input=ask.brief, metadata=metadata)


def _work(subject: Subject, shown: ShownAsks, who: str, patience: ProviderBreaker) -> Solver:
    @solver(name="work")
    def work() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            place = here()
            try:
                ask = shown.asks[str(state.sample_id)]
                watch = patience.watch(state.metadata.get("groups", {}))
                made = await hand_over(
                    subject,
                    ask,
                    sample=state.uuid,
                    epoch=state.epoch,
                    who=who,
                    frames=shown.frames,
                    place=place,
                    watch=watch,
                    remarks=(LEFT_ALONE,) if ask.item in shown.alone else (),
                )
            except LimitExceededError:  # what it has left will be marked, and the marker tells that it is done
                raise
            except Exception as error:  # noqa: BLE001  raised again, without secrets
                place.tell(SampleDone(item=str(state.sample_id), epoch=state.epoch, failed=True))
                raise _without_secrets(error, place) from None
            state.output = ModelOutput.from_content(str(state.model), made.deliverable.text or _names(made))
            return state

        return solve

    return work()


def _names(made: Any) -> str:
    return made.deliverable.failure or ", ".join(file.name for file in made.deliverable.files)


def _without_secrets(error: Exception, place: RunContext) -> Exception:
    """Return the same error, or, when a secret shows in it, one that says as much without it."""
    text = "".join(traceback.format_exception(error))
    if place.redact.text(text) == text:
        return error
    return RuntimeError(place.redact.text(f"{type(error).__name__}: {error}"))
