"""Who visits: logging in and out, and the accounts that addresses name."""

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.accounts import enter, leave, matches_password
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def find_self(visit: Visit) -> int:
    """Return the id of who visits; 0 where nobody is logged in."""
    row = visit.row("SELECT id FROM account WHERE name = ?", visit.account)
    return int(row["id"]) if row else 0


def require_self(visit: Visit) -> int:
    """Return the id of who visits; whoever is not logged in is sent to log in."""
    visit.require_account()
    return find_self(visit)


def find_person(visit: Visit) -> Row:
    """Return the account that the address names."""
    found = visit.row("SELECT * FROM account WHERE name = ?", visit.path["name"])
    return found or visit.missing("user")


def require_own(visit: Visit) -> Row:
    """Return the account that the address names, which must be the visitor's."""
    me, person = require_self(visit), find_person(visit)
    return person if person["id"] == me else visit.forbid("These are the settings of somebody else.")


def show_login(visit: Visit) -> Response:
    return visit.page("login.html", failed=False, back=visit.query.get("back", "/"))


def log_in(visit: Visit) -> Response:
    name = visit.form.get("_username", "").strip()
    found = visit.row("SELECT * FROM account WHERE name = ?", name)
    # Salted by the id: a name can be changed.
    if found is None or not matches_password(visit.form.get("_password", ""), str(found["id"]), found["password"]):
        return visit.page("login.html", status=403, failed=True, back=visit.form.get("back", "/"))
    enter(visit, found["name"])
    return visit.back()


def log_out(visit: Visit) -> Response:
    leave(visit)
    return visit.redirect("/", notice="You are logged out.")
