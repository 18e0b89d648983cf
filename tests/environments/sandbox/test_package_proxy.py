"""The network `packages`: from inside a real box an index is reached, and nothing else is."""

import asyncio
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cutscore.core.errors import Stopped
from cutscore.environments.sandbox import package_index, relay
from cutscore.environments.sandbox.box import Box, BoxRun
from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.environments.sandbox.layout import PYTHON, SOCKETS
from cutscore.environments.sandbox.package_index import PUBLIC, PackageIndexes, choose_indexes, find_indexes
from cutscore.environments.sandbox.package_proxy import PORT, PackageProxy, proxy_env
from cutscore.environments.sandbox.tools import box_env, media_mounts
from cutscore.process import ProgramResult

real = pytest.mark.real
# Loopback as well, but no part of what programs in the box reach without the proxy.
HOST = "127.0.0.2"
WHEEL = "tiny_thing-1.0-py3-none-any.whl"
# Each way to get out without the proxy, and the one through it to somebody who is no index.
TRIES = """
import json, socket, sys, urllib.request
index, other = sys.argv[1], sys.argv[2]
def attempt(do):
    try:
        return str(do())
    except Exception as error:
        return str(getattr(error, "code", None) or type(error).__name__)
plain = urllib.request.build_opener(urllib.request.ProxyHandler({}))
host, port = other.removeprefix("http://").split(":")
print(json.dumps({
    "index": attempt(lambda: urllib.request.urlopen(index + "/simple/").status),
    "other": attempt(lambda: urllib.request.urlopen(other).status),
    "public": attempt(lambda: urllib.request.urlopen("https://example.com").status),
    "direct": attempt(lambda: plain.open(index + "/simple/", timeout=5).status),
    "socket": attempt(lambda: socket.create_connection((host, int(port)), 5)),
    "far": attempt(lambda: socket.create_connection(("1.1.1.1", 53), 5)),
    "names": attempt(lambda: socket.getaddrinfo("pypi.org", 443)),
}))
"""


def _wheel() -> bytes:
    made = io.BytesIO()
    info = "tiny_thing-1.0.dist-info"
    with zipfile.ZipFile(made, "w") as wheel:
        wheel.writestr("tiny_thing.py", "WORDS = 'it is here'\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-thing\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return made.getvalue()


class _Index(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        files = {"/simple/": b"<a href='tiny-thing/'>tiny-thing</a>", f"/{WHEEL}": _wheel()}
        body = files.get(self.path, f"<a href='/{WHEEL}'>{WHEEL}</a>".encode())
        self.send_response(200)
        self.send_header("content-type", "application/octet-stream" if self.path.endswith("whl") else "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _server(host: str) -> Iterator[str]:
    server = ThreadingHTTPServer((host, 0), _Index)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _run(folder: Path, indexes: PackageIndexes, command: list[str]) -> tuple[BoxRun, PackageProxy]:
    """Run a command in a box with a way to some indexes."""
    try:
        isolation = find_isolation()
    except Stopped as lacks:
        pytest.skip(str(lacks))
    sockets, proxy = folder / "sockets", PackageProxy(indexes.allowed)
    sockets.mkdir()
    mounts = (*media_mounts(), Mount(Path(relay.__file__), "/opt/relay.py"), Mount(sockets, SOCKETS))
    box = Box(folder / "box", isolation, mounts=mounts)
    argv = [f"{PYTHON}/bin/python3", "/opt/relay.py", str(PORT), f"{SOCKETS}/packages.sock", "--", *command]
    env = {**box_env(), **proxy_env(indexes)}

    async def run() -> BoxRun:
        async with proxy.serve(sockets / "packages.sock"):
            return await asyncio.to_thread(lambda: box.run(argv, name="try", env=env, wall_s=120))

    return asyncio.run(run()), proxy


@real
def test_an_index_answers_and_everybody_else_is_out_of_reach(tmp_path: Path) -> None:
    with _server(HOST) as index, _server("127.0.0.3") as other:
        indexes = choose_indexes([("index-url", f"{index}/simple")], "")
        ended, proxy = _run(tmp_path, indexes, [f"{PYTHON}/bin/python3", "-c", TRIES, index, other])
    tried = json.loads(ended.logs[0].read_text())
    assert tried["index"] == "200"
    assert tried["other"] == "403"
    assert tried["public"] != "200"
    # Without the proxy there is nobody: another network, whose loopback is its own.
    assert {tried[name] for name in ("direct", "socket", "far", "names")} <= {
        "URLError",
        "ConnectionRefusedError",
        "OSError",
        "gaierror",
    }
    assert proxy.refused == {other.removeprefix("http://"): 1, "example.com:443": 1}


@real
def test_pip_installs_from_the_index_of_the_machine(tmp_path: Path) -> None:
    with _server(HOST) as index:
        indexes = choose_indexes([("index-url", f"{index}/simple")], "")
        install = (
            "pip install -q --trusted-host 127.0.0.2 tiny-thing && python3 -c 'import tiny_thing as t; print(t.WORDS)'"
        )
        install = install.replace("pip", "python3 -m pip", 1)
        ended, proxy = _run(tmp_path, indexes, ["/bin/bash", "-c", install])
    assert "it is here" in ended.logs[0].read_text(), ended.logs[1].read_text()
    assert proxy.refused == {}


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n", b"CONNECT host HTTP/1.1\r\n\r\n", b"x" * 200_000]
)
def test_what_is_no_request_to_a_proxy_is_turned_away(head: bytes, tmp_path: Path) -> None:
    async def ask() -> bytes:
        proxy = PackageProxy(frozenset({("host", 443)}))
        async with proxy.serve(tmp_path / "s"):
            reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
            writer.write(head)
            said = await reader.read()
            writer.close()
            return said

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 400")


def test_refused_hosts_are_counted_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutscore.environments.sandbox.package_proxy.MOST_HOSTS", 2)

    async def ask() -> PackageProxy:
        proxy = PackageProxy(frozenset())
        async with proxy.serve(tmp_path / "s"):
            for number in (1, 2, 3, 4, 1):
                reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
                writer.write(b"CONNECT host-%d:443 HTTP/1.1\r\n\r\n" % number)
                assert (await reader.read()).startswith(b"HTTP/1.1 403")
                writer.close()
        return proxy

    assert asyncio.run(ask()).refused == {"host-1:443": 2, "host-2:443": 1, "others": 2}


def test_the_boxs_own_loopback_leads_to_the_socket_behind_it(tmp_path: Path) -> None:
    async def ask() -> bytes:
        model, proxy = PackageProxy(frozenset()), PackageProxy(frozenset(), {("127.0.0.1", 8099): tmp_path / "model"})
        async with model.serve(tmp_path / "model"), proxy.serve(tmp_path / "s"):
            reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
            writer.write(b"CONNECT 127.0.0.1:8099 HTTP/1.1\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            writer.write(b"hello\r\n\r\n")
            return await reader.read()

    assert b"this is a proxy for package indexes" in asyncio.run(ask())


def _asked(monkeypatch: pytest.MonkeyPatch, answer: Callable[[list[str]], str]) -> PackageIndexes:
    def run(argv: list[str], **_: object) -> ProgramResult:
        return ProgramResult(tuple(argv), 0, answer(argv).encode(), b"", "exited", 0.1)

    monkeypatch.setattr(package_index, "run", run)
    find_indexes.cache_clear()
    try:
        return find_indexes()
    finally:
        find_indexes.cache_clear()


def test_the_indexes_are_those_of_this_machines_pip_and_npm(monkeypatch: pytest.MonkeyPatch) -> None:
    pip = (
        "global.index-url='http://mirror:8080/simple'\nglobal.extra-index-url='https://a/s file:///opt/s\\nhttps://b'\n"
    )
    found = _asked(monkeypatch, lambda argv: pip if "pip" in argv else "https://me:pass@npm.example/\n")
    assert found.allowed == {*choose_indexes([], "").allowed, ("mirror", 8080), ("a", 443), ("b", 443)}
    assert dict(found.env) == {
        "PIP_INDEX_URL": "http://mirror:8080/simple",
        "PIP_EXTRA_INDEX_URL": "https://a/s https://b",
    }
    assert found.left_out == 1
    assert "pass" not in str(found)


def test_the_public_indexes_are_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _asked(monkeypatch, lambda _: "")
    assert sorted(found.allowed) == sorted((url.removeprefix("https://"), 443) for url in PUBLIC)
    assert (found.env, found.left_out) == ((), 0)
