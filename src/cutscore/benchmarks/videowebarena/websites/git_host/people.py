"""People: logging in and out, profiles, following, one's own profile."""

import sqlite3

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.accounts import enter, leave, matches_password
from cutscore.benchmarks.videowebarena.websites.git_host.access import SEEN, seen_by
from cutscore.benchmarks.videowebarena.websites.git_host.members import find_group, list_members
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_text, show
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PROFILE_FIELDS = {"website": 200, "location": 100, "status": 100, "bio": 1000}
_FOLLOWERS = "SELECT account.* FROM follow JOIN account ON name = follower WHERE followed = ? ORDER BY name"
_FOLLOWING = "SELECT account.* FROM follow JOIN account ON name = followed WHERE follower = ? ORDER BY name"


def show_sign_in(visit: Visit) -> Response:
    """Ask for name and password."""
    return show(visit, "sign_in.html", fault="", back=visit.query.get("back", "/"))


def sign_in(visit: Visit) -> Response:
    """Log somebody in."""
    row = visit.row("SELECT * FROM account WHERE name = ?", visit.form.get("login", "").strip())
    if row is None or not matches_password(visit.form.get("password", ""), row["name"], row["password"]):
        return show(visit, "sign_in.html", fault="Name or password is wrong.", back=visit.form.get("back", "/"))
    enter(visit, row["name"])
    return visit.back()


def sign_out(visit: Visit) -> Response:
    """Log out."""
    leave(visit)
    return visit.redirect("/users/sign_in")


def show_namespace(visit: Visit) -> Response:
    """Show a user or a group, whichever has this name."""
    if visit.row("SELECT 1 FROM account WHERE name = ?", visit.path["name"]):
        return show_profile(visit)
    group = find_group(visit)
    projects = _projects(visit, "namespace = ?", group["path"])
    return show(visit, "group.html", group=group, projects=projects, members=list_members(visit, group["path"]))


def show_profile(visit: Visit) -> Response:
    """Show a user: the overview, or the tab that the address names."""
    person = _find_person(visit)
    tab = visit.path.get("tab", "projects")
    values: dict[str, object] = {"people": [], "projects": []}
    if tab == "projects":
        values["projects"] = _projects(visit, "namespace = ?", person["name"])
    elif tab == "starred":
        values["projects"] = _projects(visit, "id IN (SELECT project FROM star WHERE account = ?)", person["name"])
    elif tab in ("followers", "following"):
        values["people"] = visit.rows(_FOLLOWERS if tab == "followers" else _FOLLOWING, person["name"])
    else:
        visit.missing("page")
    follows = visit.row("SELECT 1 FROM follow WHERE follower = ? AND followed = ?", visit.account, person["name"])
    counts = {
        "followers": visit.count("SELECT COUNT(*) FROM follow WHERE followed = ?", person["name"]),
        "following": visit.count("SELECT COUNT(*) FROM follow WHERE follower = ?", person["name"]),
    }
    return show(visit, "profile.html", person=person, tab=tab, follows=bool(follows), counts=counts, **values)


def toggle_follow(visit: Visit) -> Response:
    """Follow somebody, or stop."""
    account = visit.require_account()
    person = _find_person(visit)
    if person["name"] == account:
        visit.refuse("You cannot follow yourself.")
    pair = (account, person["name"])
    if not visit.db.execute("DELETE FROM follow WHERE follower = ? AND followed = ?", pair).rowcount:
        visit.db.execute("INSERT INTO follow VALUES (?, ?)", pair)
    return visit.redirect(f"/{person['name']}")


def show_own_profile(visit: Visit) -> Response:
    """Offer one's own profile to be changed."""
    account = visit.require_account()
    return show(visit, "profile_edit.html", person=visit.row("SELECT * FROM account WHERE name = ?", account))


def update_own_profile(visit: Visit) -> Response:
    """Keep what the form tells of oneself."""
    account = visit.require_account()
    values = [read_text(visit, "full_name", what="name", most=100)]
    for field, most in PROFILE_FIELDS.items():
        written = visit.form.get(field, "").strip()
        values.append(written if len(written) <= most else visit.refuse(f"The {field} is too long."))
    columns = ", ".join(f"{field} = ?" for field in ("full_name", *PROFILE_FIELDS))
    visit.db.execute(f"UPDATE account SET {columns} WHERE name = ?", (*values, account))  # noqa: S608
    return visit.redirect("/-/profile", notice="Your profile is changed.")


def _find_person(visit: Visit) -> sqlite3.Row:
    return visit.row("SELECT * FROM account WHERE name = ?", visit.path["name"]) or visit.missing("user")


def _projects(visit: Visit, condition: str, value: str) -> list[sqlite3.Row]:
    return visit.rows(
        f"""SELECT project.*, (SELECT COUNT(*) FROM star WHERE project = project.id) AS stars
        FROM project WHERE {condition} AND {SEEN} ORDER BY updated DESC""",  # noqa: S608
        value, *seen_by(visit.account),
    )  # fmt: skip
