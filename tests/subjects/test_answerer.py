"""The model that answers: what it is shown, what it hands over, and what is its own failing."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ContentText, ContentVideo, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.solver import Generate, Solver, TaskState, solver

import cutscore.models.scripted  # noqa: F401  registers the provider
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.media.render import write_clip
from cutscore.models.references import read_reference
from cutscore.models.refusals import FAILURES
from cutscore.subjects.answerer import LONGEST_TEXT_BYTES, ModelSubject, user_message

Answer = Callable[..., tuple[Deliverable | None, EvalLog]]


@pytest.fixture
def clip(context: WorkContext, tmp_path: Path) -> FileRef:
    """Two seconds of red."""
    red = np.zeros((16, 32, 3), np.uint8)
    red[..., 0] = 255
    write_clip(tmp_path / "red.mp4", [red] * 50, rate=Fraction(25))
    return context.store.put(tmp_path / "red.mp4", name="red.mp4", media_type="video/mp4")


@pytest.fixture
def answer(tmp_path: Path, context: WorkContext) -> Answer:
    """Let the answerer work inside a real evaluation; give what it handed over, and the log."""

    def run(
        ask: Ask, model: str, *, frames: str = "uniform=2", **options: object
    ) -> tuple[Deliverable | None, EvalLog]:
        made: list[Deliverable] = []
        place = WorkContext(
            store=context.store,
            make_workspace=context.make_workspace,
            epoch=1,
            seed=1,
            frames=frames,
            tally=context.tally,
        )

        @solver
        def work() -> Solver:
            async def solve(state: TaskState, generate: Generate) -> TaskState:
                made.append(await ModelSubject(**options).work(ask, place))  # type: ignore[arg-type]
                return state

            return solve

        task = Task(dataset=[Sample(input="x")], solver=work())
        (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none", max_retries=1)
        return (made[0] if made else None), log

    return run


def script(tmp_path: Path, **content: object) -> str:
    file = tmp_path / "script.json"
    file.write_text(json.dumps({"backoff_s": 0.001, **content}))
    return f"scripted/{file}"


def test_its_words_are_the_deliverable_and_the_log_has_no_media(
    answer: Answer, clip: FileRef, tmp_path: Path, context: WorkContext
) -> None:
    ask = Ask(item="a", brief="Which colour at 1 second?", files=(clip,))
    made, log = answer(ask, script(tmp_path, rules=[{"when": "red.mp4 at", "say": "red"}]))
    assert made == Deliverable(text="red"), "the provider saw the names of the frames"
    assert [len(seen.frames) for seen in context.tally.seen] == [2]
    assert context.tally.calls == 1
    assert log.status == "success"
    kept = Path(log.location).read_bytes()
    assert len(kept) < 30_000
    assert (
        clip.sha256.encode() in log.model_dump_json().encode() or b"vnd.cutscore.ref" in log.model_dump_json().encode()
    )


def test_a_model_that_takes_text_is_told_that_it_saw_nothing(
    answer: Answer, clip: FileRef, tmp_path: Path, context: WorkContext
) -> None:
    model = script(tmp_path, rules=[{"when": "red.mp4: not shown", "say": "I saw nothing"}])
    made, _ = answer(Ask(item="a", brief="Which?", files=(clip,)), model, media_inputs={model: "text"})
    assert made == Deliverable(text="I saw nothing")
    assert context.tally.warnings == ["'red.mp4' was not shown: the model takes text only"]


def test_files_come_in_order_then_the_brief(context: WorkContext, clip: FileRef) -> None:
    notes = context.store.put_bytes("Grüße".encode(), name="notes.md", media_type="text/markdown")
    parts = user_message(Ask(item="a", brief="Do it.", files=(notes, clip)), context).content
    assert isinstance(parts, list)
    assert isinstance(parts[0], ContentText)
    assert parts[0].text == "notes.md:\nGrüße"
    assert isinstance(parts[1], ContentVideo)
    assert read_reference(parts[1].video) == clip
    assert isinstance(parts[2], ContentText)
    assert parts[2].text == "Do it."


def test_what_cannot_be_shown_or_is_too_long_is_said_in_the_row(context: WorkContext) -> None:
    blob = context.store.put_bytes(b"\0", name="project.aep", media_type="application/octet-stream")
    long = context.store.put_bytes(b"x" * (LONGEST_TEXT_BYTES + 1), name="long.txt", media_type="text/plain")
    parts = user_message(Ask(item="a", brief="Do it.", files=(blob, long)), context).content
    assert isinstance(parts, list)
    assert len(parts) == 2
    assert context.tally.warnings == [
        "'project.aep' was not shown: it is neither media nor text",
        "'long.txt' was cut off after 200,000 bytes",
    ]


@modelapi(name="stopping")
class Stopping(ModelAPI):
    """Stops for the reason that its name gives."""

    async def generate(self, input, tools, tool_choice, config: GenerateConfig) -> ModelOutput:  # type: ignore[no-untyped-def]
        return ModelOutput.from_content(self.model_name, "half an", stop_reason=self.model_name)  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", [*FAILURES, "stop"])
def test_a_refusal_or_a_cut_is_a_failure_of_the_subject(answer: Answer, reason: str) -> None:
    made, _ = answer(Ask(item="a", brief="Which?"), f"stopping/{reason}")
    failed, failure = FAILURES.get(reason, (None, ""))
    if reason in ("content_filter", "model_length"):  # what a filter let through, or an error in words, is no answer
        assert made == Deliverable(failure=f"{failure}: half an", failure_class=failed)
    else:
        assert made == Deliverable(text="half an", failure=failure, failure_class=failed)
    assert failed == {"content_filter": "refused", "stop": None}.get(reason, "limit")


def test_no_model_is_said_plainly(answer: Answer) -> None:
    made, log = answer(Ask(item="a", brief="Which?"), "none/none")
    assert made is None
    assert log.error is not None
    assert log.error.message == "subject 'model': was given no model; add --model PROVIDER/NAME"


def test_a_provider_that_keeps_failing_is_not_the_subjects_fault(answer: Answer, tmp_path: Path) -> None:
    made, log = answer(Ask(item="a", brief="Which?"), script(tmp_path, faults=[{"kind": "503", "times": 9}]))
    assert made is None
    assert log.error is not None
    assert re.fullmatch(
        r"model 'scripted/.*': gave up after \d attempts, the last one ended in HTTP 503; run the same command again",
        log.error.message,
    )
