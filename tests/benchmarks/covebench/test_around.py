"""covebench: an editor that is asked edit by edit, each time with what came of the edit before."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from editor_server import VIDEO, editor_server

from cutscore.authoring.contract import subject_sees_no_truth
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.covebench.around import SequentialEditor, wrap
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.benchmarks.covebench.released import parse_tasks
from cutscore.bridge.rows import read_rows
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.subject import MemoryNotes, WorkContext
from cutscore.prompts import load_prompts
from cutscore.registry import benchmark
from cutscore.store import Store
from cutscore.subjects.command import open_command
from cutscore.subjects.http import open_http

STEP_BY_STEP = {"decompose": "sequential"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def item(store: Store) -> EditTask:
    return items(store)[0]


@pytest.fixture
def context(tmp_path: Path, store: Store) -> WorkContext:
    place = tmp_path / "work"
    place.mkdir()
    return WorkContext(store=store, make_workspace=lambda: place, epoch=1, seed=7, notes=MemoryNotes())


def ask_of(item: EditTask, **conditions: str) -> Ask:
    found = benchmark("covebench")
    prompts = load_prompts(found.folder / "prompts", benchmark="covebench")
    return found.ask(item, prompts, found.card.condition_values(conditions) if conditions else {})


@dataclass
class Writer:
    """Appends what it is told to the bytes that it is given; fails at the words that it is told to fail at."""

    fails_at: str = ""
    asked: list[Ask] = field(default_factory=list)

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        self.asked.append(ask)
        words, source = ask.part("instruction"), ask.part("source")
        assert words is not None
        assert source is not None
        file = ask.file(source.file)
        assert file is not None
        assert not list(context.workspace.iterdir())  # nothing of the edit before
        assert context.notes.get("job") is None
        context.notes.put("job", words.text)
        if words.text == self.fails_at:
            raise SubjectFailed("writer", "does not know how", failure_class="refused")
        made = context.store.path(file).read_bytes()[:4] + b" " + words.text.encode()
        (context.workspace / EDITED).write_bytes(context.store.path(file).read_bytes() + made)
        return Deliverable(files=(context.store.put(context.workspace / EDITED, name=EDITED),))


@pytest.mark.anyio
async def test_each_edit_is_asked_alone_of_what_the_one_before_has_made(
    item: EditTask, context: WorkContext, store: Store
) -> None:
    writer = Writer()
    made = await SequentialEditor(writer).work(ask_of(item, **STEP_BY_STEP), context)
    assert [ask.parts[0].text for ask in writer.asked] == list(item.edits)
    assert [ask.files[0].name for ask in writer.asked] == ["park.mp4", "edited-1.mp4", "edited-2.mp4"]
    for ask in writer.asked:
        assert ask.parts[0].text in ask.brief
        assert f"Edit the video {ask.files[0].name} " in ask.brief
        assert item.instruction not in ask.brief
        assert ask.parts[0].value is None  # nobody sees what comes next
    assert store.path(made.files[0]).read_bytes().endswith(item.edits[-1].encode())
    steps = context.steps.trajectory()
    assert steps is not None
    told = [step.did[0].arguments for step in steps]
    assert [(each["number"], each["of"], each["instruction"]) for each in told] == [
        (number, 3, text) for number, text in enumerate(item.edits, start=1)
    ]
    assert all(isinstance(each["seconds"], float) for each in told)
    assert [step.media[0].sha256 for step in steps] == [
        *(ask.files[0].sha256 for ask in writer.asked[1:]),
        made.files[0].sha256,
    ]


@pytest.mark.anyio
async def test_a_failure_names_its_edit_and_leaves_the_video_as_it_is_by_then(
    item: EditTask, context: WorkContext, store: Store
) -> None:
    writer = Writer(fails_at=item.edits[1])
    with pytest.raises(SubjectFailed, match=r"edit 2 of 3 \('Remove the bench\.'\) failed: .*know how") as failed:
        await SequentialEditor(writer).work(ask_of(item, **STEP_BY_STEP), context)
    assert failed.value.failure_class == "refused"
    assert len(writer.asked) == 2
    # Where a sample fails or is cut off, the wanted files in its folder are handed over.
    assert (context.workspace / EDITED).read_bytes().endswith(item.edits[0].encode())


@pytest.mark.anyio
async def test_an_edit_without_a_video_is_a_failure(item: EditTask, context: WorkContext) -> None:
    class Silent:
        async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
            return Deliverable(text="done")

    with pytest.raises(SubjectFailed, match=r"edit 1 of 3 .* handed over no edited.mp4"):
        await SequentialEditor(Silent()).work(ask_of(item, **STEP_BY_STEP), context)


@pytest.mark.real
@pytest.mark.anyio
async def test_a_service_gets_a_job_for_each_edit_and_none_twice(
    item: EditTask, context: WorkContext, tmp_path: Path
) -> None:
    ask = ask_of(item, **STEP_BY_STEP)
    with editor_server() as server:
        (tmp_path / "service.toml").write_text(f'url = "{server.url}"\n[poll]\nevery_s = 0.01\n')
        editor = SequentialEditor(open_http(str(tmp_path / "service.toml")))
        await editor.work(ask, context)
        assert len(server.jobs) == len(set(server.idempotency)) == 3
        for job, text in zip(server.jobs, item.edits, strict=True):
            assert text.encode() in job
        assert VIDEO in server.jobs[1]
        assert b'filename="edited-1.mp4"' in server.jobs[1]
        other = tmp_path / "after-a-kill"
        other.mkdir()
        await editor.work(ask, replace(context, make_workspace=lambda: other))
        assert len(server.jobs) == 3


@pytest.mark.real
@pytest.mark.anyio
async def test_a_program_is_run_for_each_edit(
    item: EditTask, context: WorkContext, tmp_path: Path, store: Store
) -> None:
    script = tmp_path / "edit.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        "Path(sys.argv[3]).write_bytes(Path(sys.argv[1]).read_bytes() + b'|' + sys.argv[2].encode())\n"
    )
    editor = open_command(f"python3 {script} {{source}} {{instruction}} {{output}}")
    made = await SequentialEditor(editor).work(ask_of(item, **STEP_BY_STEP), context)
    assert store.path(made.files[0]).read_bytes().endswith(("|" + "|".join(item.edits)).encode())


def test_asked_for_everything_nothing_is_put_around_and_nothing_is_told(item: EditTask) -> None:
    writer = Writer()
    assert wrap(writer, {"decompose": "whole", "input_rule": "none"}) is writer
    whole = ask_of(item)
    assert whole.part("instruction").value is None  # type: ignore[union-attr]
    assert ask_of(item, decompose="whole") == whole
    step_by_step = ask_of(item, **STEP_BY_STEP)
    assert (step_by_step.brief, step_by_step.files, step_by_step.wanted) == (whole.brief, whole.files, whole.wanted)


def test_a_released_checklist_may_bring_them(item: EditTask) -> None:
    group = {"target_element": "Ball", "questions": [{"id": "Q1", "type": "Single-TF", "question": "Blue?"}]}
    group["questions"][0] |= {"dimension": "Execution Accuracy", "expected_answer": "Yes"}  # type: ignore[index]
    entry = {"id": 1, "editing_instruction": "Paint it blue.", "videoA_path": "a.mp4", "evaluation_groups": [group]}
    assert parse_tasks([entry]).tasks[0].checklist.instructions == ()  # as released
    group["instruction"] = "Paint the ball blue."
    assert parse_tasks([entry]).tasks[0].checklist.instructions == ("Paint the ball blue.",)


def test_a_task_that_names_no_single_edits_cannot_be_asked_so(item: EditTask) -> None:
    with pytest.raises(BadInput, match=r"'park-1': does not say what asks for each of its edits alone"):
        ask_of(item.model_copy(update={"edits": ()}), **STEP_BY_STEP)


@pytest.mark.real
def test_what_is_asked_step_by_step_is_no_part_of_the_checklist(
    bench: Callable[[str], LoadedBenchmark], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = bench("covebench")
    loaded = replace(loaded, items=loaded.items[:2])
    assert subject_sees_no_truth(loaded) == []
    part, honest = loaded.found.part("ask"), loaded.found.part("ask").ask_under

    def leak(item: EditTask, prompts: Any, conditions: Any) -> Ask:
        told = tuple(point.target for point in item.checklist.edit_points)
        return honest(item.model_copy(update={"edits": told}), prompts, conditions)

    monkeypatch.setattr(part, "ask_under", leak)
    problems = subject_sees_no_truth(loaded)
    assert "condition 'decompose=sequential': item 'park-1': what the subject gets changes with checklist" in problems
    assert not any("decompose=whole" in each for each in problems)


FORGETFUL = """
from cutscore.authoring.starter import put_scene
from cutscore.benchmarks.covebench.staged.scripts import TASKS
from cutscore.core.deliverable import Deliverable

TASK = next(task for task in TASKS if task.name == "park-1")
DONE = {}  # by film: the edits that it has


def edit(ask, context):
    done = DONE.get(ask.files[0].sha256, ())
    words = ask.part("instruction").text
    first = next(number for number, edit in enumerate(TASK.edits) if words.startswith(edit.clause))
    film = put_scene(context.store, "edited.mp4", TASK.film({*done, first}))
    DONE[film.sha256] = (*done, first)
    return Deliverable(files=(film,))
"""


@pytest.mark.real
def test_who_forgets_all_but_the_first_edit_does_better_step_by_step(cli, tmp_path, monkeypatch) -> None:
    """The editor does the first thing it is told, perfectly, and forgets the rest: 1 of 3 edits, or all."""
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    monkeypatch.syspath_prepend(tmp_path)
    run = ["run", "covebench", "--subject", "mine=python:forgetful:edit", "--item", "park-1", "--set", "metrics=none"]
    ran = cli(*run, "--ablate", "decompose=sequential", "--json")
    assert ran.code == 0, ran.err
    scores = {row.conditions.get("decompose", "whole"): row.ending for row in read_rows(Path("logs"))}
    assert {name: each.scores["uas@reference"] for name, each in scores.items()} == pytest.approx(
        {"whole": 100 / 3, "sequential": 100}
    )
    (paired,) = [each for each in ran.json["differences"] if each["second"] == "mine"]
    assert paired["estimate"]["value"] == pytest.approx(200 / 3)
    told = cli("run", "covebench", "--subject", "oracle", "--ablate", "decompose=sequential", "--dry-run")
    assert "it means nothing to any of the subjects (oracle)" in told.err


@pytest.mark.real
def test_the_price_says_that_a_sample_may_be_several_jobs(cli) -> None:
    Path("service.toml").write_text('url = "http://127.0.0.1:9/edits"\nper_call_usd = 0.5\n')
    run = ["run", "covebench", "--subject", "x=http:service.toml", "--item", "park-1", "--dry-run", "--json"]
    whole, one_by_one = (json.dumps(cli(*run, *words).json) for words in ((), ("--set", "decompose=sequential")))
    assert "may ask for more" not in whole
    assert "calls: one a sample; the conditions put something around the subject that may ask for more" in one_by_one
