"""A page of this machine in which a person works: served on loopback, under an address that only its user knows."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.errors import MissingExtra

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.responses import Response

LOOPBACK = "127.0.0.1"
TEMPLATES = Path(__file__).parent / "templates"


@asynccontextmanager
async def serve_desk(make_application: Callable[[str], "Starlette"], *, what: str) -> AsyncIterator[str]:
    """Serve an application while the context is open, and tell its address.

    Args:
        make_application: Called with the key that its paths begin with.
        what: Who needs it, for the error where something is not installed.
    """
    try:
        import python_multipart  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise MissingExtra.of(what, "web") from error
    key = secrets.token_urlsafe(12)
    listening = socket.create_server((LOOPBACK, 0))
    config = uvicorn.Config(make_application(key), log_config=None, access_log=False, lifespan="off", ws="none")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield f"http://{LOOPBACK}:{listening.getsockname()[1]}/{key}/"
    finally:
        server.should_exit = True
        await task
        listening.close()


def render_page(template: str, *folders: Path, **values: object) -> "Response":
    """Return a page; templates of other folders stand on `base.html`, too."""
    from jinja2 import Environment, FileSystemLoader
    from starlette.responses import HTMLResponse

    templates = Environment(autoescape=True, loader=FileSystemLoader([*folders, TEMPLATES]))
    return HTMLResponse(templates.get_template(template).render(**values))
