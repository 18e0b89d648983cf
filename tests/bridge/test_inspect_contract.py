"""Everything that we lean on inside the pinned Inspect. When the pin moves, this file says what broke."""

import asyncio
import contextvars
import copy
import importlib.metadata
import inspect
import math
from collections import Counter
from contextvars import ContextVar
from pathlib import Path

import pytest
from inspect_ai import Task, eval_set, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log, read_eval_log_samples
from inspect_ai.log._recover import _reconstruct
from inspect_ai.model import (
    ChatMessageUser,
    ContentAudio,
    ContentImage,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    get_model,
)
from inspect_ai.scorer import Score, mean, scorer
from inspect_ai.solver import solver

from cutscore.bridge.logfile import read_samples
from cutscore.core.files import FileRef
from cutscore.models import scripted  # noqa: F401  registers the provider
from cutscore.models.references import reference_uri

PINNED = "0.3.285"
worked: Counter[str] = Counter()
broken: set[str] = set()
around: ContextVar[str] = ContextVar("around", default="nowhere")


@solver
def work():
    async def solve(state, generate):
        worked[f"{state.sample_id}/{state.epoch}"] += 1
        if state.sample_id in broken:
            raise RuntimeError("planted failure")
        state.store.set("made", {"place": around.get(), "exact": "1001/24000"})
        return state

    return solve


@scorer(metrics=[mean()])
def half_marked():
    async def score(state, target):
        if state.sample_id == "c":
            return Score.unscored(reason="no judge", metadata={"why": "no judge"})
        return Score(value=1.0, metadata={"place": around.get()})

    return score


@task
def contract() -> Task:
    samples = [Sample(id=name, input="x", metadata={"cluster": name}) for name in "abcd"]
    return Task(dataset=MemoryDataset(samples), solver=work(), scorer=half_marked(), metadata={"cutscore": {"a": 1}})


def run(folder: Path, **options):
    worked.clear()
    settings = {
        "model": "none/none",
        "display": "none",
        "fail_on_error": True,
        "continue_on_fail": True,
        "retry_attempts": 0,
        "retry_immediate": False,
        "retry_cleanup": False,
    }
    _, logs = eval_set(contract(), log_dir=str(folder), **{**settings, **options})
    return logs[0]


@pytest.fixture(autouse=True)
def _nothing_broken():
    broken.clear()
    yield
    broken.clear()


def test_the_pin():
    assert importlib.metadata.version("inspect_ai") == PINNED


def test_errors_do_not_stop_the_rest_and_are_tried_again_by_the_same_command(tmp_path):
    broken.add("b")
    first = run(tmp_path)
    assert first.status == "error"
    assert sorted(worked) == ["a/1", "b/1", "c/1", "d/1"]
    broken.clear()
    second = run(tmp_path)
    assert second.status == "success"
    assert dict(worked) == {"b/1": 1}, "finished samples are taken over, the failed one is tried again"


def test_a_finished_set_does_no_work(tmp_path):
    run(tmp_path)
    run(tmp_path)
    assert not worked


def test_more_items_and_more_epochs_reuse_what_is_there(tmp_path):
    run(tmp_path, limit=2)
    assert sorted(worked) == ["a/1", "b/1"]
    run(tmp_path)
    assert sorted(worked) == ["c/1", "d/1"]
    run(tmp_path, epochs=2)
    assert sorted(worked) == ["a/2", "b/2", "c/2", "d/2"]


def test_fewer_items_do_no_work(tmp_path):
    run(tmp_path)
    run(tmp_path, limit=1)
    assert not worked


def test_context_reaches_solver_and_scorer_and_the_store_survives_the_log(tmp_path):
    token = around.set("here")
    try:
        log = run(tmp_path)
    finally:
        around.reset(token)
    lean = {"events", "messages", "attachments", "output", "events_data", "timelines"}
    samples = list(read_eval_log_samples(log.location, all_samples_required=False, exclude_fields=lean))
    assert {sample.id for sample in samples} == set("abcd")
    assert samples[0].store == {"made": {"place": "here", "exact": "1001/24000"}}
    assert samples[0].scores["half_marked"].metadata == {"place": "here"}
    assert samples[0].metadata == {"cluster": samples[0].id}
    assert not samples[0].events
    assert read_eval_log(log.location, header_only=True).eval.metadata == {"cutscore": {"a": 1}}


def test_unscored_is_kept_apart_from_the_mean(tmp_path):
    log = run(tmp_path)
    (result,) = log.results.scores
    assert result.metrics["mean"].value == 1.0
    assert (result.scored_samples, result.unscored_samples) == (3, 1)
    kept = next(sample for sample in read_eval_log_samples(log.location) if sample.id == "c")
    assert math.isnan(kept.scores["half_marked"].value)
    assert kept.scores["half_marked"].metadata == {"why": "no judge"}


def test_references_pass_inspect_s_check_of_inline_media_and_stay_what_they_are():
    """The check looks at the `family/` prefix of the data URI only."""
    ref = FileRef(name="c.mp4", sha256="0" * 64, size_bytes=1, media_type="video/mp4")
    content = [
        ContentVideo(video=reference_uri(ref, "video"), format="mp4"),
        ContentImage(image=reference_uri(ref, "image")),
        ContentAudio(audio=reference_uri(ref, "audio"), format="wav"),
    ]
    model = get_model("scripted/hello", memoize=False)
    got = []
    inner = model.api.generate

    async def watch(input, tools, tool_choice, config):
        got.extend(input)
        return await inner(input, tools, tool_choice, config)

    model.api.generate = watch
    asyncio.run(model.generate([ChatMessageUser(content=content)]))
    assert [part.model_dump() for part in got[0].content] == [part.model_dump() for part in content]


def test_a_path_in_a_message_is_refused():
    model = get_model("scripted/hello", memoize=False)
    content = [ContentVideo(video="/tmp/clip.mp4", format="mp4")]
    with pytest.raises(Exception, match=r"(?i)media"):
        asyncio.run(model.generate([ChatMessageUser(content=content)]))


def test_a_copied_model_with_another_api_keeps_its_name_and_calls_by_keyword():
    model = get_model("scripted/hello", memoize=False)
    api, twin = copy.copy(model.api), copy.copy(model)
    names: list[set[str]] = []

    async def generate(**given):
        names.append(set(given))
        return await model.api.generate(**given)

    api.generate, twin.api = generate, api
    asyncio.run(twin.generate("hi"))
    assert names == [{"input", "tools", "tool_choice", "config"}]
    assert str(twin) == str(model) == "scripted/hello"
    assert model.api is not api


def test_a_provider_may_set_its_own_backoff_and_classify_its_faults():
    assert callable(ModelAPI.retry_wait)
    assert callable(ModelAPI.should_retry)
    assert GenerateConfig(max_retries=3, attempt_timeout=5).max_retries == 3


def test_the_scripted_model_counts_tokens_without_a_download():
    model = get_model("scripted/hello", memoize=False)
    assert asyncio.run(model.api.count_text_tokens("eight ch")) == 2


def test_our_reader_of_logs_sees_what_inspect_s_does(tmp_path):
    log = run(tmp_path, epochs=2)
    ours = {(each["id"], each["epoch"]): each for each in read_samples(Path(log.location))}
    theirs = list(read_eval_log_samples(log.location))
    assert len(ours) == len(theirs) == 8
    for sample in theirs:
        mine = ours[sample.id, sample.epoch]
        assert mine["store"] == sample.store
        assert mine["metadata"] == sample.metadata
        assert mine["scores"]["half_marked"]["metadata"] == sample.scores["half_marked"].metadata


def test_recovery_after_a_kill_keeps_scores_and_forgets_the_store():
    """Why a score carries the handover. When this fails, `logfile.whole` may be simplified."""
    source = inspect.getsource(_reconstruct.reconstruct_eval_sample)
    assert "scores=" in source
    assert "store=" not in source


def test_get_model_reads_the_two_context_variables_that_the_door_sets() -> None:
    from inspect_ai.model._model import _model_roles, active_model_context_var

    mine, helper = (get_model("scripted/hello", memoize=False) for _ in range(2))

    def look() -> None:
        active_model_context_var.set(mine)
        _model_roles.set({"helper": helper, "panel": [helper, mine]})
        assert get_model() is mine
        assert get_model(role="helper") is get_model(role="panel") is helper
        assert get_model(role="nobody") is mine

    contextvars.copy_context().run(look)


def test_hooks_hear_of_a_call_in_its_own_task_and_get_the_usage_that_the_provider_gave() -> None:
    from inspect_ai.hooks import Hooks, hooks

    heard: list[tuple[object, str]] = []

    @hooks(name="contract_usage", description="for this test")
    class Listen(Hooks):
        def enabled(self) -> bool:
            return around.get() == "in the call"

        async def on_model_usage(self, data) -> None:
            heard.append((data.usage, data.model_name))

    async def ask():
        around.set("in the call")
        return await get_model("scripted/hello", memoize=False).generate("x")

    output = asyncio.run(ask())
    ((usage, name),) = heard
    assert usage is output.usage
    assert name == "scripted/hello"
