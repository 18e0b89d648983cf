"""A WSGI application on loopback, whose state is put back by a POST: databases and folders, copied from a seed."""

import argparse
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

ACCOUNT, PASSWORD = "kim", "starter-pack-9471"
MAIL = "kim@example.org"
READY = "serving at "
RESET_PATH = "/put-back"
PICTURES = Path(__file__).parents[2] / "software" / "images" / "pictures"
# 2024-05-06 10:00 UTC, a Monday: what is seeded has this date, whenever it is seeded.
SEEDED_AT = 1_714_989_600


@dataclass(frozen=True)
class SiteState:
    """What a site keeps: a database and a folder of files, and both as they were seeded."""

    database: Path
    files: Path

    def keep(self) -> None:
        """Remember the state as it is now; it is what `put_back` returns to."""
        _copy_database(self.database, _seed_of(self.database))
        self.files.mkdir(exist_ok=True)
        shutil.copytree(self.files, _seed_of(self.files), dirs_exist_ok=True)

    def put_back(self) -> None:
        """Return to what was kept. It is copied into the open database, so whoever has it open sees it."""
        _copy_database(_seed_of(self.database), self.database)
        shutil.rmtree(self.files, ignore_errors=True)
        shutil.copytree(_seed_of(self.files), self.files)

    @property
    def is_kept(self) -> bool:
        """Whether there is something to return to."""
        return _seed_of(self.database).is_file() and _seed_of(self.files).is_dir()


def _seed_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seed")


def _copy_database(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target, timeout=30)) as other:
        one.backup(other)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class _Handler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def serve(application: Application, state: SiteState, port: int) -> None:
    """Serve until the process is ended; a POST to `/put-back` returns to the seed."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == RESET_PATH and environ["REQUEST_METHOD"] == "POST":
            state.put_back()
            start_response("204 No Content", [])
            return []
        return application(environ, start_response)

    with make_server("127.0.0.1", port, answer, server_class=_Server, handler_class=_Handler) as server:
        sys.stdout.write(f"{READY}http://127.0.0.1:{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()


def run_site(make: Callable[[Path], tuple[Application, SiteState]], argv: Sequence[str] | None = None) -> None:
    """Seed a site in a folder where that was not done yet, and serve it: `shop.py FOLDER [--port N]`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="Where the site keeps its state.")
    parser.add_argument("--port", type=int, default=0, help="A free one when none is named.")
    given = parser.parse_args(argv)
    given.folder.mkdir(parents=True, exist_ok=True)
    os.environ["TZ"] = "UTC"
    application, state = make(given.folder.resolve())
    if state.is_kept:
        state.put_back()
    else:
        state.keep()
    serve(application, state, given.port)


if __name__ == "__main__":
    sys.exit("start shop.py, forum.py or tracker.py")
