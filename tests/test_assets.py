"""Pinned files over a real loopback server: whole, cut off, resumed, wrong, redirected, endless."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import threading
import urllib.request
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cutscore import assets
from cutscore.assets import check_asset, fetch_asset, open_url
from cutscore.core.card import Asset
from cutscore.core.errors import BadInput, BrokenData, Busy, CutscoreError, NoRoom, RunBroken, Stopped

BODY = bytes(range(256)) * 4096  # 1 MiB, four chunks


class Server(ThreadingHTTPServer):
    """Serves `body`. What it does wrong is set by the test; every request's Range is kept in `ranges`."""

    daemon_threads = True
    body = BODY
    resumes = True
    status = 200
    cut_after: int | None = None
    endless = False
    wrong_part = False
    redirect = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.ranges: list[str | None] = []
        self.sent_bytes = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/scene.wav?token=secret"

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is part of the game."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        server, asked = self.server, self.headers["Range"]
        server.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and server.resumes else 0
        if server.redirect:
            self.answer(302, {"Location": server.redirect})
        elif server.status != 200:
            self.answer(server.status, {})
        elif start and start >= len(server.body):
            self.answer(416, {})
        elif server.endless:
            self.answer(200, {})
            while True:
                server.sent_bytes += self.wfile.write(bytes(65536))
        else:
            told = {"Content-Length": str(len(server.body) - start)}
            if start:
                told["Content-Range"] = f"bytes {start + server.wrong_part}-{len(server.body) - 1}/{len(server.body)}"
            self.answer(206 if start else 200, told)
            self.wfile.write(server.body[start : server.cut_after])

    def answer(self, code: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is all that these tests reach."""
    monkeypatch.delenv("CUTSCORE_OFFLINE", raising=False)


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def asset(url: str = "", **other: object) -> Asset:
    pinned = {"sha256": hashlib.sha256(BODY).hexdigest(), "size_bytes": len(BODY), "licence": "CC-BY-4.0"}
    return Asset.model_validate({"name": "films/scene.wav", "url": url, **pinned, **other})


def leftovers(into: Path) -> list[str]:
    return sorted(file.name for file in into.rglob("*.part"))


def source_told(path: Path) -> str:
    told = json.loads(path.with_name(f"{path.name}.licence.json").read_text())
    return str(told["source"])


def fails(kind: type[CutscoreError], said: str, wanted: Asset, into: Path, **options: object) -> None:
    with pytest.raises(kind) as caught:
        fetch_asset(wanted, into=into, benchmark="repair", **options)  # type: ignore[arg-type]
    assert type(caught.value) is kind
    assert str(caught.value) == said
    assert "secret" not in said


# --- the good way


def test_a_file_arrives_whole_with_its_licence(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = fetch_asset(asset(server.url), into=tmp_path, progress=lambda have, size: seen.append((have, size)))
    assert path == tmp_path / "films/scene.wav"
    assert path.read_bytes() == BODY
    assert [have for have, _ in seen] == sorted({have for have, _ in seen})
    assert seen[-1] == (len(BODY), len(BODY))
    assert json.loads((tmp_path / "films/scene.wav.licence.json").read_text()) == {
        "name": "films/scene.wav",
        "sha256": hashlib.sha256(BODY).hexdigest(),
        "licence": "CC-BY-4.0",
        "source": server.url,
    }
    assert leftovers(tmp_path) == []


def test_what_is_there_is_not_fetched_twice(server: Server, tmp_path: Path) -> None:
    for again in (False, False, True):
        fetch_asset(asset(server.url), into=tmp_path, again=again)
    assert server.ranges == [None]


def test_an_empty_file_can_be_pinned(server: Server, tmp_path: Path) -> None:
    server.body = b""
    wanted = asset(server.url, sha256=hashlib.sha256(b"").hexdigest(), size_bytes=0)
    assert fetch_asset(wanted, into=tmp_path).read_bytes() == b""


def test_a_file_of_the_users_own_is_copied(tmp_path: Path) -> None:
    mine = tmp_path / "download.wav"
    mine.write_bytes(BODY)
    path = fetch_asset(asset(recipe="film it"), into=tmp_path / "data", source=mine, offline=True)
    assert path.read_bytes() == BODY
    assert mine.exists()
    assert source_told(path) == "given by hand"
    fetch_asset(asset("https://example.org/a"), into=tmp_path / "data", offline=True)
    assert source_told(path) == "given by hand"


def test_a_file_put_there_by_hand_gets_its_note(tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "films/scene.wav").write_bytes(BODY)
    path = fetch_asset(asset(recipe="film it"), into=tmp_path)
    assert source_told(path) == "found in place"
    assert '"licence":"CC-BY-4.0"' in path.with_name("scene.wav.licence.json").read_text()


def test_a_right_file_is_used_where_no_note_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "films/scene.wav.licence.json").mkdir(parents=True)
    (tmp_path / "films/scene.wav").write_bytes(BODY)
    assert fetch_asset(asset(), into=tmp_path) == tmp_path / "films/scene.wav"


# --- cut off and resumed


@pytest.mark.parametrize("cut_after", [1, len(BODY) // 2, len(BODY) - 1])
def test_a_download_that_broke_off_is_resumed(server: Server, tmp_path: Path, cut_after: int) -> None:
    server.cut_after = cut_after
    said = f"broke off after {cut_after} of {len(BODY)} bytes; run the same command again to resume"
    fails(RunBroken, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
    assert not (tmp_path / "films/scene.wav").exists()
    server.cut_after = None
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY
    assert server.ranges == [None, f"bytes={cut_after}-"]
    assert leftovers(tmp_path) == []


def test_a_server_that_cannot_resume_sends_everything(server: Server, tmp_path: Path) -> None:
    server.cut_after, server.resumes = 1000, False
    with pytest.raises(RunBroken):
        fetch_asset(asset(server.url), into=tmp_path)
    server.cut_after = None
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY
    assert server.ranges == [None, "bytes=1000-"]


def partial(into: Path, data: bytes) -> Path:
    """What an attempt that was killed leaves behind."""
    file = into / f"films/.scene.wav.{hashlib.sha256(BODY).hexdigest()[:12]}.part"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    return file


def test_a_complete_partial_file_needs_no_server(tmp_path: Path) -> None:
    """Killed between the last byte and the move; port 9 answers nobody."""
    partial(tmp_path, BODY)
    assert fetch_asset(asset("http://127.0.0.1:9/"), into=tmp_path).read_bytes() == BODY


def test_a_partial_file_that_is_too_long_is_begun_again(server: Server, tmp_path: Path) -> None:
    partial(tmp_path, BODY + b"!")
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY
    assert server.ranges == [None]


def test_a_partial_file_that_is_wrong_costs_one_attempt(server: Server, tmp_path: Path) -> None:
    partial(tmp_path, b"?" * 1000)
    with pytest.raises(BrokenData, match="has sha256"):
        fetch_asset(asset(server.url), into=tmp_path)
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY


def test_a_partial_file_of_another_version_is_not_continued(server: Server, tmp_path: Path) -> None:
    other = partial(tmp_path, BODY[:1000]).rename(tmp_path / "films/.scene.wav.000000000000.part")
    fetch_asset(asset(server.url), into=tmp_path)
    assert server.ranges == [None]
    assert other.exists()


def test_a_server_with_less_than_pinned(server: Server, tmp_path: Path) -> None:
    server.body = BODY[:1000]
    partial(tmp_path, BODY[:1000])
    said = f"http://127.0.0.1 has fewer bytes than the {len(BODY)} that the card pins; tell the author of the benchmark"
    fails(BrokenData, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
    assert leftovers(tmp_path) == []


def test_a_server_that_sends_another_part(server: Server, tmp_path: Path) -> None:
    server.wrong_part = True
    kept = partial(tmp_path, BODY[:1000])
    said = "asset 'films/scene.wav': http://127.0.0.1 sends another part than we asked for; try again later"
    fails(RunBroken, said, asset(server.url), tmp_path)
    assert kept.read_bytes() == BODY[:1000]


def test_a_broken_connection_keeps_what_arrived(server: Server, tmp_path: Path) -> None:
    class Stalling:
        """The first chunk arrives, and then nothing for as long as we care to wait."""

        def __init__(self, request: urllib.request.Request) -> None:
            self.response, self.reads = open_url(request), 0
            self.status, self.headers = self.response.status, self.response.headers

        def __enter__(self) -> "Stalling":
            return self

        def __exit__(self, *_: object) -> None:
            self.response.close()

        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads > 1:
                raise TimeoutError
            return self.response.read(size)

    said = "asset 'films/scene.wav': the download broke off; run the same command again to resume"
    fails(RunBroken, said, asset(server.url), tmp_path, opener=Stalling)
    fetch_asset(asset(server.url), into=tmp_path)
    assert server.ranges == [None, f"bytes={assets.CHUNK_BYTES}-"]


# --- wrong content


def test_wrong_content_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.body = bytes(len(BODY))
    got, pinned = hashlib.sha256(server.body).hexdigest(), hashlib.sha256(BODY).hexdigest()
    fact = f"scene.wav has sha256 {got[:4]}…, card pins {pinned[:4]}…"
    said = f"asset 'films/scene.wav': {fact}; run 'cutscore fetch repair --again'"
    fails(BrokenData, said, asset(server.url), tmp_path)
    assert list(tmp_path.rglob("*")) == [tmp_path / "films"]


def test_a_wrong_file_is_refused_and_replaced_when_asked(server: Server, tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "films/scene.wav").write_bytes(b"short")
    said = f"scene.wav has 5 bytes, card pins {len(BODY)}; run 'cutscore fetch repair --again'"
    fails(BrokenData, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
    assert fetch_asset(asset(server.url), into=tmp_path, again=True).read_bytes() == BODY


def test_a_body_without_end_is_cut_off(server: Server, tmp_path: Path) -> None:
    server.endless = True
    said = f"is longer than the {len(BODY)} bytes that the card pins; tell the card's author"
    fails(BrokenData, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
    assert leftovers(tmp_path) == []
    assert server.sent_bytes < 100 * len(BODY)


def test_the_users_own_file_may_be_another(tmp_path: Path) -> None:
    mine = tmp_path / "mine.wav"
    mine.write_bytes(b"other")
    said = f"scene.wav has 5 bytes, card pins {len(BODY)}; give the right file, {mine} is another"
    fails(BrokenData, f"asset 'films/scene.wav': {said}", asset(), tmp_path / "data", source=mine)
    gone = tmp_path / "gone.wav"
    said = f"asset 'films/scene.wav': {gone} cannot be read; check the path"
    fails(BadInput, said, asset(), tmp_path / "data", source=gone)
    assert leftovers(tmp_path) == []


def test_check_alone(tmp_path: Path) -> None:
    file = tmp_path / "a"
    with pytest.raises(
        Stopped, match=f"^asset 'films/scene.wav': {re.escape(str(file))} is not there; run 'cutscore fe"
    ):
        check_asset(asset(), file)
    file.write_bytes(BODY)
    check_asset(asset(), file)
    near = asset(sha256=hashlib.sha256(BODY).hexdigest()[:5] + "0" * 59)
    with pytest.raises(BrokenData, match=r"has sha256 [0-9a-f]{8}…, card pins [0-9a-f]{5}000…; run 'cutscore fetch B"):
        check_asset(near, file)


# --- where from


def test_a_recipe_is_told(tmp_path: Path) -> None:
    place = tmp_path / "films/scene.wav"
    said = f"has no address to download from; sign the form and download it; then put it at {place}"
    fails(Stopped, f"asset 'films/scene.wav': {said}", asset(recipe="sign the form and download it"), tmp_path)
    said = f"has no address to download from; ask the author of the benchmark for it; then put it at {place}"
    fails(Stopped, f"asset 'films/scene.wav': {said}", asset(), tmp_path)


@pytest.mark.parametrize(("offline", "variable"), [(True, ""), (None, "1"), (None, "true")])
def test_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offline: bool | None, variable: str) -> None:
    monkeypatch.setenv("CUTSCORE_OFFLINE", variable)
    target = tmp_path / "films/scene.wav"
    said = (
        "asset 'films/scene.wav': is not here and the network is switched off; "
        f"put it at {target}, or go online and run 'cutscore fetch repair'"
    )
    fails(Stopped, said, asset("https://example.org/x"), tmp_path, offline=offline)
    target.parent.mkdir()
    target.write_bytes(BODY)
    assert fetch_asset(asset("https://example.org/x"), into=tmp_path, offline=offline) == target


def test_online_when_the_variable_says_no(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_OFFLINE", "0")
    fetch_asset(asset(server.url), into=tmp_path)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a",
        "http://127.0.0.1.example.org/a",
        "http://10.0.0.1/a",
        "http://[fe80::1]/a",
        "ftp://localhost/a",
        "file:///etc/passwd",
        "/etc/passwd",
        "https:///a",
        "http://[::1/a",
    ],
)
def test_other_addresses_are_refused(tmp_path: Path, url: str) -> None:
    said = "asset 'films/scene.wav': its address is neither https nor on this machine; correct it in the card"
    fails(BrokenData, said, asset(url), tmp_path)


@pytest.mark.parametrize(
    "url", ["https://example.org/a", "http://localhost:1/a", "http://[::1]:1/a", "http://127.9.9.9/a"]
)
def test_these_addresses_are_opened(tmp_path: Path, url: str) -> None:
    opened: list[str] = []

    def opener(request: urllib.request.Request) -> object:
        opened.append(request.full_url)
        raise urllib.error.URLError(ConnectionRefusedError(111, "Connection refused"))

    place = "://".join((url.partition(":")[0], urllib.request.urlparse(url).hostname or ""))
    said = f"{place} cannot be reached (Connection refused); check the network and try again"
    fails(RunBroken, f"asset 'films/scene.wav': {said}", asset(url), tmp_path, opener=opener)
    assert opened == [url]
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("aim", ["http://example.org/a?secret", "http://10.0.0.1/a", "ftp://localhost/a"])
def test_a_redirect_to_elsewhere_is_refused(server: Server, tmp_path: Path, aim: str) -> None:
    server.redirect = aim
    place = re.match(r"\w+://[^/]+", aim)[0]  # type: ignore[index]
    fact = f"http://127.0.0.1: sends us on to {place}, where no download may come from; correct the address in the card"
    fails(BrokenData, fact, asset(server.url), tmp_path)


def test_a_redirect_to_a_file_is_refused(server: Server, tmp_path: Path) -> None:
    server.redirect = "file:///etc/passwd"
    later = "run the same command later, or tell the author of the benchmark"
    said = f"asset 'films/scene.wav': http://127.0.0.1 answers 302 Found; {later}"
    fails(RunBroken, said, asset(server.url), tmp_path)


def test_a_far_server_may_not_point_at_this_machine() -> None:
    far = urllib.request.Request("https://example.org/a")
    with pytest.raises(BrokenData, match=r"^https://example.org: sends us on to http://127.0.0.1, where no download"):
        assets._Redirects().redirect_request(far, None, 302, "", {}, "http://127.0.0.1:80/a")  # type: ignore[arg-type]
    assert assets._Redirects().redirect_request(far, None, 302, "", {}, "https://example.com/a")  # type: ignore[arg-type]


def test_a_redirect_on_this_machine_is_followed_past_any_proxy(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with serving() as second:
        server.redirect = second.url
        assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY


@pytest.mark.parametrize(("status", "words"), [(404, "404 Not Found"), (503, "503 Service Unavailable"), (599, "599")])
def test_a_server_that_refuses(server: Server, tmp_path: Path, status: int, words: str) -> None:
    server.status = status
    later = "run the same command later, or tell the author of the benchmark"
    fails(RunBroken, f"asset 'films/scene.wav': http://127.0.0.1 answers {words}; {later}", asset(server.url), tmp_path)


# --- the disk


def test_a_second_fetch_waits_its_turn(server: Server, tmp_path: Path) -> None:
    with partial(tmp_path, b"").open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        said = "asset 'films/scene.wav': is being fetched by another process; wait until it is done"
        fails(Busy, said, asset(server.url), tmp_path)
    fetch_asset(asset(server.url), into=tmp_path)


def test_a_file_that_was_moved_while_we_opened_it_is_left_alone(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process finishes between our open and our lock: our handle is then the finished file itself."""
    part, finished = partial(tmp_path, BODY[:1000]), tmp_path / "finished"
    flock = fcntl.flock

    def moved(stream: object, how: int) -> None:
        if not finished.exists():
            part.rename(finished)
        flock(stream, how)  # type: ignore[arg-type]

    monkeypatch.setattr(assets.fcntl, "flock", moved)
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY
    assert finished.read_bytes() == BODY[:1000]


def test_a_link_in_place_of_the_partial_file_is_not_followed(server: Server, tmp_path: Path) -> None:
    part = partial(tmp_path, b"")
    part.unlink()
    (tmp_path / "precious").write_text("keep")
    part.symlink_to(tmp_path / "precious")
    with pytest.raises(NoRoom, match="cannot be written to"):
        fetch_asset(asset(server.url), into=tmp_path)
    assert (tmp_path / "precious").read_text() == "keep"


def test_a_full_disk_is_noticed_before_the_download(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(free=10))
    said = f"needs {len(BODY)} bytes, the disk has 10; make room or choose another folder"
    fails(NoRoom, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)


def test_a_disk_that_fails_while_writing(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        why = f"{tmp_path / 'films'} (No space left on device)"
        said = f"cannot be written to {why}; make room there or choose another folder"
        fails(NoRoom, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
    assert fetch_asset(asset(server.url), into=tmp_path).read_bytes() == BODY
    assert server.ranges == [None]


def test_a_folder_that_cannot_be_made(server: Server, tmp_path: Path) -> None:
    (tmp_path / "films").write_text("a file where the folder should be")
    said = f"cannot be written to {tmp_path / 'films'} (File exists); make room there or choose another folder"
    fails(NoRoom, f"asset 'films/scene.wav': {said}", asset(server.url), tmp_path)
