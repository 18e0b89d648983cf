"""Sites on a port of loopback, once for every task that runs: nothing of one task is seen by another.

All of them are served by one thread. It handles one request at a time, so that a reset never meets half of one.
"""

import asyncio
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.benchmarks.videowebarena.sites import Site, SiteAddresses
from cutscore.benchmarks.videowebarena.websites.catalogue import websites
from cutscore.benchmarks.videowebarena.websites.state import ServedState, Templates
from cutscore.core.errors import MissingExtra, RunBroken

if TYPE_CHECKING:
    import uvicorn

LOOPBACK = "127.0.0.1"
START_S = 30.0


@dataclass
class ServedSites:
    """Sites that answer: `http://forum.localhost:PORT` and so on."""

    port: int
    state: ServedState
    _server: "uvicorn.Server"

    @property
    def addresses(self) -> SiteAddresses:
        """Where they are, for whom they have an account, and the password, which no file keeps."""
        sites = {
            name: Site(
                address=f"http://{site.host}:{self.port}{site.base_path}",
                account=site.account,
                own_password=site.password,
                login_path=site.login_path,
            )
            for name, site in websites().items()
        }
        return SiteAddresses(sites=sites)

    def reset(self) -> None:
        """Put everything back to the start."""
        _thread().call(self.state.reset)

    def close(self) -> None:
        """End them and remove what they kept."""
        _thread().call(self._close)

    def _close(self) -> None:
        self._server.should_exit = True
        self.state.close()
        shutil.rmtree(self.state.folder, ignore_errors=True)


def serve(*, seed: int = 1, port: int = 0, folder: Path | None = None) -> ServedSites:
    """Serve all sites on a port of loopback, a free one where none is told, until they are closed.

    Args:
        seed: Of what they show at the start.
        port: Where they answer.
        folder: Where they keep their state; one of their own, removed at the end, where none is told.

    Raises:
        MissingExtra: What they are made with is not installed.
        RunBroken: The port is taken.
    """
    try:
        import python_multipart  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise MissingExtra.of("websites", "web") from error
    from cutscore.benchmarks.videowebarena.websites.application import make_application

    # Named, since asyncio sends small answers at once only over a socket that says it is TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
    except OSError as error:
        listening.close()
        raise RunBroken("sites", f"port {port} cannot be had: {error.strerror}", "name another port") from None
    home = folder or Path(tempfile.mkdtemp(prefix="cutscore-sites-"))
    state = ServedState(_templates(seed), home / "state")
    application = make_application(list(websites().values()), state)
    config = uvicorn.Config(application, log_config=None, access_log=False, lifespan="off", ws="none")
    server = uvicorn.Server(config)
    _thread().start(server, listening)
    return ServedSites(listening.getsockname()[1], state, server)


class SiteThread:
    """The thread in which all sites of a process are served."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="cutscore-sites", daemon=True).start()

    def start(self, server: "uvicorn.Server", listening: socket.socket) -> None:
        """Serve, and return when it answers."""
        asyncio.run_coroutine_threadsafe(self._start(server, listening), self.loop).result(START_S)

    def call(self, work: Callable[[], Any]) -> Any:
        """Do something between two requests."""

        async def do() -> Any:
            return work()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(START_S)

    async def _start(self, server: "uvicorn.Server", listening: socket.socket) -> None:
        self._task = self.loop.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.005)


@cache
def _thread() -> SiteThread:
    return SiteThread()


@cache
def _templates(seed: int) -> Templates:
    """Return the templates of a seed, kept as long as this process lives."""
    folder = tempfile.TemporaryDirectory(prefix="cutscore-templates-")
    _kept.append(folder)
    return Templates(Path(folder.name), seed)


_kept: list["tempfile.TemporaryDirectory[str]"] = []


def serves(names: Iterable[str]) -> bool:
    """Return whether there are sites of all these names."""
    return all(name in websites() for name in names)
