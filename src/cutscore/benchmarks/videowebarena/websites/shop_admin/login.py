"""Who works here: every page asks for account and password where nobody is logged in, at its own address."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.accounts import enter, leave, matches_password
from cutscore.benchmarks.videowebarena.websites.visit import Visit
from cutscore.benchmarks.videowebarena.websites.website import Address, Handler, form, page

HOME = "/admin/"


def staff_page(path: str, handler: Handler) -> Address:
    """Return an address that shows something to whoever is logged in."""
    return page(path, _for_staff(handler))


def staff_form(path: str, handler: Handler) -> Address:
    """Return an address that takes a form of whoever is logged in."""
    return form(path, _for_staff(handler))


def _for_staff(handler: Handler) -> Handler:
    return lambda visit: handler(visit) if visit.account else _ask(visit)


def _ask(visit: Visit, fault: str = "", *, status: int = 200) -> Response:
    asked = visit.here if visit.request.method == "GET" else visit.form.get("back", HOME)
    return visit.page("login.html", fault=fault, asked=asked, status=status)


def log_in(visit: Visit) -> Response:
    """Let somebody in, and go on to the page that they had asked for."""
    name = visit.form.get("login[username]", "").strip()
    known = visit.row("SELECT name, password FROM administrator WHERE name = ?", name)
    if known is None or not matches_password(visit.form.get("login[password]", ""), known["name"], known["password"]):
        fault = "This account or password is not known."
        return _ask(visit, fault, status=401)
    enter(visit, known["name"])
    return visit.back(HOME)


def log_out(visit: Visit) -> Response:
    """Log out."""
    leave(visit)
    return visit.redirect(HOME, notice="You have logged out.")
