"""One application for all sites: the host of a request says which site answers."""

from functools import cache, partial
from pathlib import Path

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
from jinja2 import Environment as TemplateEnvironment
from starlette.applications import Starlette
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Host, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from cutscore.benchmarks.videowebarena.websites.state import ServedState
from cutscore.benchmarks.videowebarena.websites.visit import (
    TOKEN_FIELD,
    LoginNeeded,
    PageError,
    Upload,
    Visit,
    begin_write,
    check_form,
    login_address,
    open_session,
    read_uploads,
    save_session,
)
from cutscore.benchmarks.videowebarena.websites.website import Address, Website

HERE = Path(__file__).parent
MOST_BYTES = 12_000_000  # of one form with its files
COOKIE = "session"
# A page's scripts are our own files; whatever a visitor wrote into a page is never one. Posts may show pictures of our
# other sites.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: http://*.localhost:*",
        "style-src 'self' 'unsafe-inline'",
        "object-src 'none'",
        "base-uri 'none'",
    )
)


def make_application(sites: list[Website], state: ServedState) -> ASGIApp:
    """Return the application that serves these sites on what `state` keeps."""
    return Starlette(routes=[Host(site.host, _site_application(site, state), name=site.name) for site in sites])


def _site_application(site: Website, state: ServedState) -> ASGIApp:
    routes: list[Mount | Route] = [Mount("/static/common", StaticFiles(directory=HERE / "static"))]
    if (site.folder / "static").is_dir():
        routes.append(Mount("/static/site", StaticFiles(directory=site.folder / "static")))
    for path, make in site.mounts.items():
        routes.append(Mount(path, _mounted(site, state, make(state.home(site.database)))))  # type: ignore[arg-type]
    for address in site.addresses:
        endpoint = partial(_answer, site, state, address)
        routes.append(Route(address.path, endpoint, methods=["POST" if address.post else "GET"]))
    missing = Address("/{path:path}", lambda visit: visit.missing("page"))
    routes.append(Route(missing.path, partial(_answer, site, state, missing), methods=["GET", "POST"]))
    return Starlette(routes=routes)


async def _answer(site: Website, state: ServedState, address: Address, request: Request) -> Response:
    """Answer one request. Handlers are plain functions: a page takes milliseconds, and nobody meets half of a write."""
    fields: list[tuple[str, str]] = []
    uploads: dict[str, Upload] = {}
    fault = None
    if request.method == "POST":
        try:
            fields, uploads = await _read_form(request)
        except PageError as error:
            fault = error
    db = state.db(site.database)
    session = open_session(db, site, request.cookies.get(COOKIE, ""))
    visit = Visit(request, site, db, _templates(site.folder), state.home(site.database), session)
    visit.form, visit.fields, visit.uploads = dict(fields), fields, uploads
    if address.post:
        begin_write(db)
    try:
        if fault:
            raise fault
        if address.post and address.checked:
            check_form(session, visit.form)
        answer = address.handler(visit)
    except (PageError, LoginNeeded) as error:
        _roll_back(visit)
        answer = _tell(visit, error)
    except OverflowError:  # a number in the address that no table can have
        _roll_back(visit)
        answer = _tell(visit, PageError(404, "This page does not exist."))
    except BaseException:
        _roll_back(visit)
        raise
    save_session(db, visit.session)
    if db.in_transaction:
        db.execute("COMMIT")
    answer.set_cookie(COOKIE, session.token, httponly=True, samesite="lax")
    answer.headers["Content-Security-Policy"] = _POLICY
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer


def _mounted(site: Website, state: ServedState, application: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        state.db(site.database)  # a reset has removed its folder until somebody asks for it
        await application(scope, receive, send)

    return answer


def _roll_back(visit: Visit) -> None:
    """Keep nothing of a form that was refused; who visits stays known."""
    if visit.db.in_transaction:
        visit.db.execute("ROLLBACK")
    visit.session = open_session(visit.db, visit.site, visit.session.token)


def _tell(visit: Visit, error: PageError | LoginNeeded) -> Response:
    if isinstance(error, LoginNeeded):
        back = visit.here if visit.request.method == "GET" else visit.form.get("back", "/")
        return RedirectResponse(login_address(visit.site, back), 303)
    return visit.page("error.html", status=error.status, code=error.status, message=error.message)


async def _read_form(request: Request) -> tuple[list[tuple[str, str]], dict[str, Upload]]:
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        raise PageError(413, f"This is too large: at most {MOST_BYTES // 1_000_000} MB are taken.")
    try:
        async with request.form(max_fields=500, max_files=20, max_part_size=MOST_BYTES) as data:
            return await read_uploads(data)
    except (MultiPartException, ClientDisconnect, ValueError):
        raise PageError(400, "This form cannot be read.") from None


@cache
def _templates(folder: Path) -> TemplateEnvironment:
    loader = ChoiceLoader([FileSystemLoader(folder / "templates"), FileSystemLoader(HERE / "templates")])
    made = TemplateEnvironment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.globals["token_field"] = TOKEN_FIELD
    return made
