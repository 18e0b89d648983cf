"""What the provider sees, what the log keeps, and what is counted in between."""

import asyncio
import base64
import json
from fractions import Fraction
from pathlib import Path

import anyio
import numpy as np
import pytest
from inspect_ai.model import ChatMessageUser, ContentText, GenerateConfig, ModelOutput, ModelUsage, get_model
from tenacity import RetryCallState

from cutscore.cells.work_journal import WorkJournal
from cutscore.core.errors import BadInput, BrokenData, BudgetReached, Unscored
from cutscore.core.files import FileRef
from cutscore.core.tally import NoPurse, Tally
from cutscore.core.usage import Usage
from cutscore.media import frame_cache
from cutscore.media.frames import read_frames
from cutscore.media.render import write_clip
from cutscore.models import scripted  # noqa: F401  registers the provider
from cutscore.models.ask import ask_model, bound_model
from cutscore.models.boundary import OTHER_WORDS, Boundary, is_same_model, usage_from
from cutscore.models.faults import fault_class
from cutscore.models.references import content_for, read_reference, reference_uri
from cutscore.store import Store


@pytest.fixture
def clip(tmp_path: Path) -> tuple[Store, FileRef]:
    """Two seconds at 25 frames a second: red to 1.0 s, then blue."""
    red, blue = np.zeros((90, 160, 3), np.uint8), np.zeros((90, 160, 3), np.uint8)
    red[..., 0], blue[..., 2] = 255, 255
    write_clip(tmp_path / "c.mp4", [red] * 25 + [blue] * 25, rate=Fraction(25))
    store = Store(tmp_path / "store")
    return store, store.put(tmp_path / "c.mp4", name="c.mp4", media_type="video/mp4")


def ask(
    script: dict[str, object], content: list[object], boundary: Boundary, tmp_path: Path
) -> tuple[ModelOutput, list]:
    """Ask a scripted model; give its answer and the messages that its provider got."""
    file = tmp_path / "script.json"
    file.write_text(json.dumps(script))
    model = get_model(f"scripted/{file}", memoize=False)
    got: list[object] = []
    inner = model.api.generate

    async def watch(input, tools, tool_choice, config):
        got.extend(input)
        return await inner(input, tools, tool_choice, config)

    model.api.generate = watch
    model.config = GenerateConfig(max_retries=5)
    return asyncio.run(ask_model([ChatMessageUser(content=content)], boundary, model=model)), got


def test_frames_reach_the_provider_and_are_recorded(clip, tmp_path):
    store, ref = clip
    tally = Tally()
    boundary = Boundary(path=store.path, tally=tally, frames="uniform=4")
    _, got = ask({}, [ContentText(text="look"), content_for(ref)], boundary, tmp_path)

    parts = got[0].content
    assert [part.type for part in parts] == ["text"] + ["text", "image"] * 4
    assert [part.text for part in parts[1::2]] == [f"c.mp4 at {at:.3f} s" for at in (0.24, 0.72, 1.24, 1.72)]
    assert all(base64.b64decode(part.image.partition(",")[2])[:2] == b"\xff\xd8" for part in parts[2::2])
    (seen,) = tally.seen
    assert (seen.clip, seen.plan, seen.sent_as, len(seen.frames)) == (ref, "uniform=4", "frames", 4)


def test_a_clip_is_decoded_once_for_all_who_look_at_it(clip, tmp_path, monkeypatch):
    store, ref = clip
    decoded = []
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(frame_cache, "read_frames", lambda *a, **k: decoded.append(a) or read_frames(*a, **k))
    shown = []
    for _ in range(3):
        tally = Tally()
        _, got = ask({}, [content_for(ref)], Boundary(path=store.path, tally=tally, frames="uniform=4"), tmp_path)
        shown.append((tally.seen, [part.model_dump() for part in got[0].content]))
    assert shown[0] == shown[1] == shown[2]
    assert len(decoded) == 1


def test_shuffled_frames_have_the_times_of_their_places_and_the_record_has_their_own(clip, tmp_path):
    store, ref = clip
    tallies, shown = [Tally(), Tally()], []
    for tally, frames in zip(tallies, ("uniform=6", "shuffled:uniform=6"), strict=True):
        _, got = ask({}, [content_for(ref)], Boundary(path=store.path, tally=tally, frames=frames), tmp_path)
        shown.append(got[0].content)
    (plain,), (mixed,) = tallies[0].seen, tallies[1].seen
    assert mixed.plan == "shuffled:uniform=6"
    assert mixed.frames != plain.frames
    assert sorted(mixed.frames, key=lambda frame: frame.at_s) == list(plain.frames), "each with its own time and hash"
    assert [part.text for part in shown[1][::2]] == [part.text for part in shown[0][::2]], "no label tells the order"
    sent = [[base64.b64decode(part.image.partition(",")[2]) for part in parts[1::2]] for parts in shown]
    by_time = dict(zip([frame.at_s for frame in plain.frames], sent[0], strict=True))
    assert sent[1] == [by_time[frame.at_s] for frame in mixed.frames], "the record says which picture was where"


def test_a_whole_clip_cannot_be_shuffled(clip, tmp_path):
    store, ref = clip
    boundary = Boundary(path=store.path, tally=Tally(), frames="shuffled:uniform=4", takes="video")
    with pytest.raises(BadInput, match='is sent whole clips; set takes = "frames" for it'):
        ask({}, [content_for(ref)], boundary, tmp_path)


def test_whole_clip_reaches_a_provider_that_takes_video(clip, tmp_path):
    store, ref = clip
    tally = Tally()
    _, got = ask({}, [content_for(ref)], Boundary(path=store.path, tally=tally, frames="", takes="video"), tmp_path)
    assert base64.b64decode(got[0].content[0].video.partition(",")[2]) == store.path(ref).read_bytes()
    assert tally.seen[0].sent_as == "video"


def test_a_model_that_takes_text_is_told_so_and_the_row_warns(clip, tmp_path):
    store, ref = clip
    tally = Tally()
    _, got = ask({}, [content_for(ref)], Boundary(path=store.path, tally=tally, frames="", takes="text"), tmp_path)
    assert got[0].content[0].text == "c.mp4: not shown"
    assert tally.warnings == ["'c.mp4' was not shown: the model takes text only"]


@pytest.mark.parametrize("kind", ["429", "503", "timeout", "half"])
def test_faults_are_retried_and_counted_by_class(kind, clip, tmp_path):
    tally = Tally()
    script = {"faults": [{"kind": kind, "times": 2}], "backoff_s": 0.001, "otherwise": ["blue"]}
    output, _ = ask(script, [ContentText(text="x")], Boundary(path=clip[0].path, tally=tally, frames=""), tmp_path)
    assert output.completion == "blue"
    assert dict(tally.retries) == {kind: 2}
    assert tally.calls == 1, "only the answered call is booked"


@pytest.mark.parametrize(("timeout_s", "faults"), [(60, {}), (0.25, {"timeout": 1})])
def test_an_attempt_that_ends_with_the_run_is_no_timeout(timeout_s, faults, clip, tmp_path):
    (tmp_path / "script.json").write_text(json.dumps({"latency_s": 60, "otherwise": ["blue"]}))
    model = get_model(f"scripted/{tmp_path / 'script.json'}", memoize=False)
    tally = Tally()

    async def end_early() -> None:
        async with anyio.create_task_group() as work:
            work.start_soon(call)
            if not faults:
                await anyio.sleep(0.1)
                work.cancel_scope.cancel()

    async def call() -> None:
        with anyio.move_on_after(timeout_s):  # as Inspect does for each attempt
            boundary = Boundary(path=clip[0].path, tally=tally, frames="")
            await ask_model([ChatMessageUser(content="x")], boundary, model=model)

    asyncio.run(end_early())
    assert dict(tally.retries) == faults


def test_a_bad_request_is_not_retried(clip, tmp_path):
    tally = Tally()
    with pytest.raises(Exception, match="scripted fault 400"):
        ask({"faults": [{"kind": "400"}]}, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
    assert not tally.retries
    assert tally.calls == 0


def test_patience_ends(clip, tmp_path):
    tally = Tally()
    script = {"faults": [{"kind": "503", "times": 99}], "backoff_s": 0.001}
    with pytest.raises(Unscored, match="gave up after 6 attempts, the last one ended in HTTP 503; run the same"):
        ask(script, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
    assert tally.retries["503"] == 6, "one try and five retries"


def test_missing_usage_is_unknown_and_never_zero(clip, tmp_path):
    booked = []

    class Purse(NoPurse):
        def pay(self, call, model, usage):
            booked.append(usage)

    tally = Tally(purse=Purse())
    ask({"faults": [{"kind": "no_usage"}]}, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
    assert tally.usage is None
    assert booked == [None]
    assert tally.warnings == ["a model call came back without usage; its cost is unknown"]


def test_an_answer_from_another_model_is_noticed(clip, tmp_path):
    tally = Tally()
    ask({"faults": [{"kind": "wrong_model"}]}, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
    assert tally.warnings[0].endswith("answered by 'somebody-else'")


def test_no_call_is_made_when_the_money_is_spent(clip, tmp_path):
    def spent() -> None:
        raise BudgetReached("run", "spent $1.00 of $1.00")

    tally = Tally(before_call=spent)
    with pytest.raises(BudgetReached, match="spent"):
        ask({}, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
    assert tally.calls == 0


def test_a_secret_that_the_model_echoes_does_not_come_back(clip, tmp_path):
    boundary = Boundary(clip[0].path, Tally(), "", clean=lambda text: text.replace("sk-canary-0001", "[redacted]"))
    output, _ = ask({"otherwise": ["the key is sk-canary-0001"]}, [ContentText(text="x")], boundary, tmp_path)
    assert output.completion == "the key is [redacted]"


def test_a_reply_about_a_live_page_is_used_again_and_other_words_are_told(tmp_path):
    store, notes = Store(tmp_path / "store"), WorkJournal(tmp_path).notes("a", 1)

    def visit(look: bytes, *pages: str) -> tuple[list[bool], bool]:
        """Say for each page whether the provider was asked, and whether the row warns."""
        tally, picture = Tally(), store.put_bytes(look, name="page.jpg", media_type="image/jpeg")
        boundary = Boundary(store.path, tally, frames="fps=1", takes="text", notes=notes, in_order=True)
        asked = [ask({}, [content_for(picture), ContentText(text=words)], boundary, tmp_path)[1] for words in pages]
        assert tally.calls == len(pages)
        return [bool(each) for each in asked], OTHER_WORDS in tally.warnings

    assert visit(b"a look", "a shop", "a cup") == ([True, True], False)
    assert visit(b"another look", "a shop", "a cup", "a cup") == ([False, False, True], False)
    assert visit(b"a look", "a forum") == ([False], True)


def test_usage_buckets_follow_inspect_s_definition():
    usage = ModelUsage(
        input_tokens=10, output_tokens=9, input_tokens_cache_read=3, input_tokens_cache_write=2, reasoning_tokens=4
    )
    assert usage_from(usage, "mistral").usage == Usage(input=10, cached=3, cache_write=2, output=5, reasoning=4)
    assert usage_from(ModelUsage(input_tokens=10, output_tokens=9), "mistral").usage.reasoning is None


def test_absent_cache_counts_are_zero_only_where_inspect_reads_them():
    plain = ModelUsage(input_tokens=10, output_tokens=9)
    assert usage_from(plain, "openai").usage.cached == 0
    assert usage_from(plain, "mistral").usage.cached is None


def test_numbers_that_cannot_be_are_unknown():
    odd = usage_from(ModelUsage(input_tokens=-5, output_tokens=3, reasoning_tokens=9), "mistral")
    assert (odd.usage.input, odd.usage.output, odd.usage.reasoning) == (None, None, None)
    assert len(odd.warnings) == 2


def test_references_are_small_and_read_back_equal():
    ref = FileRef(name="a/b.mp4", sha256="0" * 64, size_bytes=5_000_000, media_type="video/mp4")
    uri = reference_uri(ref, "video")
    assert len(uri) < 300
    assert read_reference(uri) == ref
    assert read_reference("https://example.org/a.mp4") is None
    with pytest.raises(BrokenData, match="media reference: cannot be read"):
        read_reference(uri[:-8])


def test_only_media_can_be_shown():
    with pytest.raises(BrokenData, match="is 'text/plain'; only media can be shown"):
        content_for(FileRef(name="a.txt", sha256="0" * 64, size_bytes=1, media_type="text/plain"))


def test_fault_classes_of_real_clients():
    class WithStatus(Exception):
        status_code = 529

    class WithResponse(Exception):
        response = type("R", (), {"status_code": 502})()

    class ReadTimeout(Exception):
        pass

    assert [fault_class(error) for error in (WithStatus(), WithResponse(), ReadTimeout())] == ["529", "502", "timeout"]
    assert fault_class(json.JSONDecodeError("Expecting value", "{", 1)) == "half"


def test_half_an_answer_is_asked_for_again_whatever_the_client_thinks(clip, tmp_path):
    class Client:
        """Gives half of a JSON text once, and would not ask again."""

        halves = 1

        async def generate(self, input, **_):
            self.halves -= 1
            return json.loads('{"choices": [') if self.halves >= 0 else ModelOutput.from_content("m", "blue")

    tally = Tally()
    model = get_model("scripted/hello", memoize=False)
    model.api.generate = Client().generate
    model.api.client = type("Sdk", (), {"max_retries": 2})()
    boundary = Boundary(path=clip[0].path, tally=tally, frames="", takes="text")
    assert asyncio.run(ask_model([ChatMessageUser(content="x")], boundary, model=model)).completion == "blue"
    assert dict(tally.retries) == {"half": 1}
    assert model.api.client.max_retries == 0, "a client that asks again by itself is not counted"


def test_pauses_are_as_long_as_the_settings_say(clip, tmp_path, monkeypatch):
    monkeypatch.setenv("CUTSCORE_BACKOFF_S", "0.001")
    provider = type(get_model("scripted/hello").api)
    monkeypatch.setattr(provider, "retry_wait", lambda api: pytest.fail("the pauses are the provider's"))
    tally = Tally()
    script = {"faults": [{"kind": "503", "times": 3}]}
    output, _ = ask(script, [ContentText(text="x")], Boundary(path=clip[0].path, tally=tally, frames=""), tmp_path)
    assert (output.completion, dict(tally.retries)) == ("hello", {"503": 3})


@pytest.mark.parametrize(("asked", "waits_s"), [("20", 20), ("86400", 600), ("0", 0.001), ("soon", 0.001)])
def test_a_pause_is_as_long_as_the_server_asks_up_to_ten_minutes(clip, monkeypatch, asked, waits_s):
    monkeypatch.setenv("CUTSCORE_BACKOFF_S", "0.001")
    error = ConnectionError()
    error.response = type("Response", (), {"status_code": 429, "headers": {"retry-after": asked}})()
    state = RetryCallState(None, None, (), {})
    state.set_exception((type(error), error, None))
    tally = Tally()
    model = bound_model(get_model("scripted/hello", memoize=False), Boundary(path=clip[0].path, tally=tally, frames=""))
    assert model.api.retry_wait()(state) == pytest.approx(waits_s, abs=0.002)
    said = "model 'scripted/hello': its server asked to wait 86,400 s; the longest wait is 600 s"
    assert tally.warnings == ([said] if asked == "86400" else [])


def test_calls_that_are_given_up_are_told(clip, tmp_path):
    for kind in ("503", "400"):
        told = []
        tally = Tally(on_failure=lambda told=told: told.append(1))
        script = {"faults": [{"kind": kind, "times": 99}], "backoff_s": 0.001}
        with pytest.raises(Exception, match=kind):
            ask(script, [ContentText(text="x")], Boundary(clip[0].path, tally, ""), tmp_path)
        assert told == [1]


def test_model_names_with_dates_and_prefixes_are_the_same_model():
    assert is_same_model("anthropic/claude-x", "claude-x-20260101")
    assert is_same_model("openrouter/vendor/m", "vendor/m")
    assert not is_same_model("google/gemini-3-pro", "gemini-3-flash")


@pytest.mark.parametrize("takes", ["frames", "video"])
def test_a_strangers_clip_is_shown_alike_and_a_broken_one_is_told(clip, tmp_path, takes):
    store, ref = clip
    fake = store.put_bytes(b"ffconcat version 1.0\nfile c.mp4\n", name="fake.mp4", media_type="video/mp4")
    content = [content_for(ref), content_for(fake)]
    ours = Boundary(path=store.path, tally=Tally(), frames="uniform=2", takes=takes)
    theirs = Boundary(path=store.path, tally=Tally(), frames="uniform=2", takes=takes, strangers=True)
    _, trusted = ask({}, content[:1], ours, tmp_path)
    _, got = ask({}, content, theirs, tmp_path)
    assert got[0].content[:-1] == trusted[0].content
    assert got[0].content[-1].text == "fake.mp4: cannot be decoded as a clip"
    assert [seen.sent_as for seen in theirs.tally.seen] == [takes, "nothing"]


def test_a_script_repeats_what_it_was_told_and_may_refuse(tmp_path):
    boundary = Boundary(path=Store(tmp_path).path, tally=Tally(), frames="", takes="text")
    rules = [{"when": r"seal (?P<seal>\w+)", "say": r"the seal is \g<seal>, not \1"}]
    content = [ContentText(text="seal abc")]
    assert ask({"rules": rules}, content, boundary, tmp_path)[0].completion == r"the seal is abc, not \1"
    refused = ask({"rules": rules, "faults": [{"kind": "refusal"}]}, content, boundary, tmp_path)[0]
    assert (refused.stop_reason, refused.completion) == ("content_filter", ""), "a refusal is no answer"
    assert refused.usage is not None
    assert str(boundary.tally.unanswered).endswith("refused to answer: I cannot help with that.")
