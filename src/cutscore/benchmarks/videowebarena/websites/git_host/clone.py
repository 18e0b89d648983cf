"""`git clone` over HTTP, by git's smart protocol. Nothing is pushed: files are edited on the pages."""

import base64
import binascii
import sqlite3
import zlib
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import cast

from dulwich.protocol import ReceivableProtocol
from dulwich.server import BackendRepo, DictBackend, UploadPackHandler
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cutscore.benchmarks.videowebarena.websites.accounts import matches_password
from cutscore.benchmarks.videowebarena.websites.git_host.access import SEEN, seen_by
from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository
from cutscore.benchmarks.videowebarena.websites.state import connect

SERVICE = "git-upload-pack"
MOST_BYTES = 1_000_000  # of what a client wants and has


def make_clone_application(home: Path) -> Starlette:
    """Return the application below `/NAMESPACE/NAME.git`, on what the folder of the database holds."""

    async def advertise(request: Request) -> Response:
        if request.query_params.get("service") != SERVICE:
            return PlainTextResponse("Repositories are read here by git's smart protocol, and not written.", 403)
        return _serve(home, request, b"", advertise=True)

    async def send(request: Request) -> Response:
        packed = bytearray()
        async for part in request.stream():
            packed += part
            if len(packed) > MOST_BYTES:
                return PlainTextResponse("This request is too large.", 413)
        return _serve(home, request, _unpack(request, bytes(packed)), advertise=False)

    return Starlette(routes=[Route("/info/refs", advertise), Route(f"/{SERVICE}", send, methods=["POST"])])


def _serve(home: Path, request: Request, body: bytes, *, advertise: bool) -> Response:
    with closing(connect(home / "git.sqlite")) as db:
        account = _account(db, request.headers.get("authorization", ""))
        path = f"{request.path_params['namespace']}/{request.path_params['project']}"
        found = db.execute(f"SELECT * FROM project WHERE path = ? AND {SEEN}", (path, *seen_by(account)))  # noqa: S608
        project = found.fetchone()
        if project is None:
            # Whoever may not see a project is not told that it exists; git asks for a password once.
            wanted = {} if account else {"WWW-Authenticate": 'Basic realm="git"'}
            return PlainTextResponse("There is no such repository.", 404 if account else 401, wanted)
        served = Repository(db, project["id"]).served(project["default_branch"])
        sent = BytesIO()
        protocol = ReceivableProtocol(BytesIO(body).read, sent.write)
        handler = UploadPackHandler(
            DictBackend({"/": cast(BackendRepo, served)}), ["/"], protocol, stateless_rpc=True, advertise_refs=advertise
        )
        if advertise:
            protocol.write_pkt_line(f"# service={SERVICE}\n".encode())
            protocol.write_pkt_line(None)
        handler.handle()
    kind = "advertisement" if advertise else "result"
    headers = {"Cache-Control": "no-cache"}
    return Response(sent.getvalue(), headers=headers, media_type=f"application/x-{SERVICE}-{kind}")


def _unpack(request: Request, body: bytes) -> bytes:
    if request.headers.get("content-encoding") != "gzip":
        return body
    return zlib.decompressobj(wbits=31).decompress(body, MOST_BYTES)


def _account(db: sqlite3.Connection, authorization: str) -> str:
    """Return whose name and password a client sent; empty where there are none, or wrong ones."""
    try:
        name, _, password = (
            base64.b64decode(authorization.removeprefix("Basic "), validate=True).decode().partition(":")
        )
    except (binascii.Error, UnicodeDecodeError):
        return ""
    row = db.execute("SELECT * FROM account WHERE name = ?", (name,)).fetchone()
    return str(row["name"]) if row and matches_password(password, row["name"], row["password"]) else ""
