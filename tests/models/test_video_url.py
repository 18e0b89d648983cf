"""Whole clips to an OpenAI-compatible server, over HTTP: what is on the wire, and what Inspect keeps of it."""

import asyncio
import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from inspect_ai.model import ChatMessageUser, ContentText, GenerateConfig, get_model

from cutscore.core.errors import BadInput, Stopped
from cutscore.core.files import FileRef
from cutscore.core.tally import Tally
from cutscore.media.audio import has_sound
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.models.ask import ask_model
from cutscore.models.boundary import Boundary
from cutscore.models.references import content_for
from cutscore.models.video_url import generate_with_clips, takes_video_url
from cutscore.store import Store

pytest.importorskip("openai", reason="Inspect's provider for OpenAI-compatible servers needs the package openai")

SOUND = Sound(np.sin(np.arange(48_000, dtype=np.float32) / 20), 48_000)


class Server:
    """A model server on loopback that keeps what it was sent; it answers with the statuses that it is given first."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.statuses: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append({"path": self.path, **json.loads(body)})
                status = outer.statuses.pop(0) if outer.statuses else 200
                usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "red"}}
                made = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                said = json.dumps({**made, "usage": usage} if status == 200 else {"error": {"message": "no"}}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts of the first message that was sent last."""
        return self.got[-1]["messages"][0]["content"]  # type: ignore[no-any-return]


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def clip(tmp_path: Path) -> tuple[Store, FileRef]:
    """One second of red with a tone."""
    red = np.broadcast_to(np.uint8([200, 0, 0]), (18, 34, 3))
    write_clip(tmp_path / "c.mp4", [red] * 10, rate=Fraction(10), sound=SOUND)
    store = Store(tmp_path / "store")
    return store, store.put(tmp_path / "c.mp4", name="c.mp4", media_type="video/mp4")


def model_at(server: Server, name: str = "openai-api/local/m", **options: Any) -> Any:
    return get_model(name, base_url=server.url, api_key="none", memoize=False, **options)


def ask(server: Server, boundary: Boundary, *content: Any, model: Any = None) -> str:
    message = ChatMessageUser(content=list(content))
    config = GenerateConfig(max_retries=2)
    asked = model or model_at(server)
    return asyncio.run(ask_model([message], boundary, model=asked, config=config)).completion


def sent_bytes(part: dict[str, Any]) -> bytes:
    assert list(part) == ["type", "video_url"]
    assert part["type"] == "video_url"
    assert list(part["video_url"]) == ["url"]
    head, _, data = part["video_url"]["url"].partition(",")
    assert head == "data:video/mp4;base64"
    return base64.b64decode(data, validate=True)


def test_a_whole_clip_is_a_video_url_with_its_very_bytes(server: Server, clip: tuple[Store, FileRef]) -> None:
    store, ref = clip
    tally = Tally()
    boundary = Boundary(path=store.path, tally=tally, frames="", takes="video")
    assert ask(server, boundary, ContentText(text="What colour?"), content_for(ref), ContentText(text="Well?")) == "red"
    (request,) = server.got
    assert (request["path"], request["model"]) == ("/v1/chat/completions", "m")
    text, video, last = server.parts
    assert (text, last) == ({"type": "text", "text": "What colour?"}, {"type": "text", "text": "Well?"})
    assert hashlib.sha256(sent_bytes(video)).hexdigest() == ref.sha256
    assert [(seen.clip, seen.plan, seen.sent_as) for seen in tally.seen] == [(ref, "whole", "video")]


def test_a_clip_without_sound_is_a_clean_copy_made_once(
    server: Server, clip: tuple[Store, FileRef], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cutscore.media import silent

    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    made: list[Path] = []
    write = silent.write_clip
    monkeypatch.setattr(silent, "write_clip", lambda path, *a, **k: made.append(path) or write(path, *a, **k))
    store, ref = clip
    for strangers in (True, False):
        tally = Tally()
        boundary = Boundary(path=store.path, tally=tally, frames="", takes="video", strangers=strangers)
        ask(server, boundary, content_for(ref, sound=False))
        copy = tmp_path / f"copy-{strangers}.mp4"
        copy.write_bytes(sent_bytes(server.parts[0]))
        assert not has_sound(copy)
        assert [(seen.plan, seen.sent_as) for seen in tally.seen] == [("whole, without sound", "video")]
    assert len(made) == 1
    assert has_sound(store.path(ref))


def test_a_clip_that_has_no_sound_goes_out_as_it_is(server: Server, tmp_path: Path) -> None:
    write_clip(tmp_path / "s.mp4", [np.zeros((16, 16, 3), np.uint8)] * 5, rate=Fraction(5))
    store = Store(tmp_path / "store")
    ref = store.put(tmp_path / "s.mp4", name="s.mp4", media_type="video/mp4")
    ask(server, Boundary(store.path, Tally(), "", takes="video", strangers=True), content_for(ref, sound=False))
    assert hashlib.sha256(sent_bytes(server.parts[0])).hexdigest() == ref.sha256


@pytest.mark.parametrize("sound", [True, False])
def test_a_stranger_s_file_that_is_no_clip_is_told_and_not_sent(server: Server, tmp_path: Path, sound: bool) -> None:
    store = Store(tmp_path / "store")
    fake = store.put_bytes(b"ffconcat version 1.0\nfile c.mp4\n", name="fake.mp4", media_type="video/mp4")
    boundary = Boundary(path=store.path, tally=Tally(), frames="", takes="video", strangers=True)
    ask(server, boundary, content_for(fake, sound=sound))
    assert server.parts == [{"type": "text", "text": "fake.mp4: cannot be decoded as a clip"}]


def test_an_attempt_that_failed_is_sent_again_with_the_clip(
    server: Server, clip: tuple[Store, FileRef], monkeypatch: Any
) -> None:
    monkeypatch.setenv("CUTSCORE_BACKOFF_S", "0.001")
    store, ref = clip
    server.statuses = [503]
    ask(server, Boundary(store.path, Tally(), "", takes="video"), content_for(ref))
    assert len(server.got) == 2
    assert [sent_bytes(each["messages"][0]["content"][0]) for each in server.got] == [store.path(ref).read_bytes()] * 2


def test_what_inspect_keeps_of_a_request_has_no_clip(
    server: Server, clip: tuple[Store, FileRef], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests that failed are logged in any case."""
    from inspect_ai.model._providers import openai_compatible

    kept: list[str] = []
    keep = openai_compatible.set_active_model_event_call

    def watch(request: Any, *rest: Any) -> Any:
        kept.append(str(request))
        return keep(request, *rest)

    monkeypatch.setattr(openai_compatible, "set_active_model_event_call", watch)
    store, ref = clip
    server.statuses = [400]
    with pytest.raises(Exception, match="400"):
        ask(server, Boundary(store.path, Tally(), "", takes="video"), content_for(ref))
    assert sent_bytes(server.parts[0])
    assert len(kept) == 1
    assert "base64" not in kept[0]


def test_words_that_look_like_a_stand_in_stay_words(server: Server, clip: tuple[Store, FileRef]) -> None:
    store, ref = clip
    hostile = "clip 00000000000000000000000000000000"
    boundary = Boundary(store.path, Tally(), "", takes="video")
    ask(server, boundary, ContentText(text=hostile), content_for(ref))
    assert [part["type"] for part in server.parts] == ["text", "video_url"]


def test_clips_of_calls_side_by_side_do_not_mix(server: Server, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    refs = []
    for number in range(6):
        write_clip(tmp_path / "n.mp4", [np.full((16, 16, 3), 40 * number, np.uint8)] * 3, rate=Fraction(5))
        refs.append(store.put(tmp_path / "n.mp4", name=f"{number}.mp4", media_type="video/mp4"))
    model = model_at(server)

    async def ask_all() -> None:
        await asyncio.gather(
            *(
                ask_model(
                    [ChatMessageUser(content=[ContentText(text=ref.sha256), content_for(ref)])],
                    Boundary(store.path, Tally(), "", takes="video"),
                    model=model,
                )
                for ref in refs
            )
        )

    asyncio.run(ask_all())
    sent = [request["messages"][0]["content"] for request in server.got]
    assert sorted(text["text"] for text, _ in sent) == sorted(ref.sha256 for ref in refs)
    assert all(hashlib.sha256(sent_bytes(video)).hexdigest() == text["text"] for text, video in sent)


def test_frames_are_as_ever(server: Server, clip: tuple[Store, FileRef]) -> None:
    store, ref = clip
    ask(server, Boundary(store.path, Tally(), "uniform=2", takes="frames"), content_for(ref, sound=False))
    assert [part["type"] for part in server.parts] == ["text", "image_url"] * 2


def test_the_responses_api_has_no_such_part(server: Server, clip: tuple[Store, FileRef]) -> None:
    store, ref = clip
    model = model_at(server, responses_api=True)
    with pytest.raises(BadInput, match=r"the Responses API takes no whole clips; leave out responses_api"):
        ask(server, Boundary(store.path, Tally(), "", takes="video"), content_for(ref), model=model)
    assert server.got == []


def test_the_pinned_inspect_sends_as_we_know_it(server: Server) -> None:
    """vLLM's and SGLang's providers derive from the one that is asked here."""
    from inspect_ai.model._providers.openai_compatible import OpenAICompatibleAPI
    from inspect_ai.model._providers.sglang import SGLangAPI
    from inspect_ai.model._providers.vllm import VLLMAPI

    for provider in (SGLangAPI, VLLMAPI):
        assert issubclass(provider, OpenAICompatibleAPI)
        assert provider._generate_completion is OpenAICompatibleAPI._generate_completion
    assert takes_video_url(model_at(server).api)
    assert not takes_video_url(get_model("mockllm/model").api)
    api = model_at(server).api
    api._generate_completion = None
    with pytest.raises(Stopped, match="sends requests in another way; install the pinned one"):
        generate_with_clips(api)


def test_a_run_sends_whole_clips_to_subject_and_judge(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("LOCAL_BASE_URL", server.url)
    name = "openai-api/local/m"
    (tmp_path / "cutscore.toml").write_text(f'[models."{name}"]\ntakes = "video"\n', encoding="utf-8")
    called("run", "colorbars", "--model", name, "--judge", name, "--limit", 1, "--log-dir", "logs")
    kinds = [[part["type"] for part in each["messages"][-1]["content"]] for each in server.got]
    assert len(kinds) >= 2, "the subject and, at least once, the judge"
    assert all(each.count("video_url") == 1 and "image_url" not in each for each in kinds)
    (log,) = (tmp_path / "logs").rglob("*.eval")
    with ZipFile(log) as parts:
        assert not [part for part in parts.namelist() if b"data:video/mp4" in parts.read(part)], "no clip is in the log"
