"""Everything that we lean on inside the pinned Inspect. When the pin moves, this file says what broke."""

import asyncio
import copy
import importlib.metadata
import math
from collections import Counter
from contextvars import ContextVar
from pathlib import Path

import pytest
from inspect_ai import Task, eval, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log, read_eval_log_samples
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
from cutscore.bridge.resume import OwedSamples
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


def run(folder: Path, made: Task | None = None, **options):
    worked.clear()
    settings = {
        "model": "none/none",
        "display": "none",
        "fail_on_error": True,
        "continue_on_fail": True,
        "log_realtime": False,
        "log_header_only": True,
    }
    (log,) = eval(made or contract(), log_dir=str(folder), **{**settings, **options})
    return log


@pytest.fixture(autouse=True)
def _nothing_broken():
    broken.clear()
    yield
    broken.clear()


def test_the_pin():
    assert importlib.metadata.version("inspect_ai") == PINNED


def test_errors_do_not_stop_the_rest_and_are_logged_with_their_message(tmp_path):
    broken.add("b")
    log = run(tmp_path)
    assert (log.status, log.samples) == ("error", None)
    assert sorted(worked) == ["a/1", "b/1", "c/1", "d/1"]
    (failed,) = [sample for sample in read_samples(Path(log.location)) if sample.get("error")]
    assert (failed["id"], failed["error"]["message"]) == ("b", "RuntimeError('planted failure')")


def test_samples_that_are_left_out_do_no_work_and_are_not_in_the_log(tmp_path):
    made = contract()
    made.early_stopping = OwedSamples({("a", 2), ("c", 1)})
    log = run(tmp_path, made, epochs=2)
    assert log.status == "success"
    assert sorted(worked) == ["a/2", "c/1"]
    assert sorted((each["id"], each["epoch"]) for each in read_samples(Path(log.location))) == [("a", 2), ("c", 1)]


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
