"""Who may see and do what: projects by their address, and roles."""

import sqlite3

from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository, Signature
from cutscore.benchmarks.videowebarena.websites.visit import Visit

ROLES = ("Guest", "Reporter", "Developer", "Maintainer", "Owner")
GIVEN = ROLES[:-1]  # what an invitation can say
VISIBILITIES = {
    "private": "Private: only members can see it.",
    "internal": "Internal: everybody who is logged in can see it.",
    "public": "Public: everybody can see it.",
}
MAIL_HOST = "example.org"


def find_project(visit: Visit) -> sqlite3.Row:
    """Return the project of an address; one that the visitor may not see does not exist."""
    return known_project(visit, f"{visit.path['namespace']}/{visit.path['project']}") or visit.missing("project")


def known_project(visit: Visit, path: str) -> sqlite3.Row | None:
    """Return a project that the visitor may see, by its path."""
    return visit.row(f"SELECT * FROM project WHERE path = ? AND {SEEN}", path, *seen_by(visit.account))  # noqa: S608


# Of projects that somebody may see; `seen_by` gives the values.
SEEN = """(visibility = 'public' OR (visibility = 'internal' AND ? <> '') OR namespace = ?
  OR EXISTS (SELECT 1 FROM member WHERE member.account = ? AND member.space IN (project.path, project.namespace)))"""


def seen_by(account: str) -> tuple[str, ...]:
    """Return the values for `SEEN`."""
    return (account,) * SEEN.count("?")


def role_in(db: sqlite3.Connection, account: str, space: str) -> str:
    """Return the role of an account in a project or group, empty without one; a group's counts for its projects."""
    namespace = space.partition("/")[0]
    if not account:
        return ""
    if namespace.lower() == account.lower():
        return "Owner"
    rows = db.execute("SELECT role FROM member WHERE account = ? AND space IN (?, ?)", (account, space, namespace))
    return max((row["role"] for row in rows), key=ROLES.index, default="")


def may(visit: Visit, space: str, least: str) -> bool:
    """Return whether the visitor has at least a role in a project or group."""
    role = role_in(visit.db, visit.account, space)
    return bool(role) and ROLES.index(role) >= ROLES.index(least)


def require_role(visit: Visit, space: str, least: str) -> str:
    """Return who is logged in; refused to whoever has a lesser role."""
    account = visit.require_account()
    if not may(visit, space, least):
        visit.forbid(f"You need to be at least {least} of {space} to do this.")
    return account


def open_repository(visit: Visit, project: sqlite3.Row) -> Repository:
    """Return the repository of a project."""
    return Repository(visit.db, project["id"])


def signature(visit: Visit) -> Signature:
    """Return the visitor as the author of a commit."""
    account = visit.require_account()
    row = visit.row("SELECT name, full_name FROM account WHERE name = ?", account)
    assert row is not None
    return Signature(row["full_name"], f"{row['name']}@{MAIL_HOST}", visit.now)


def read_accounts(visit: Visit, field: str) -> list[str]:
    """Return the accounts that a field of the form names: `@ann, bob`; refused where one does not exist."""
    written = [each.strip().removeprefix("@") for each in visit.form.get(field, "").replace("\n", ",").split(",")]
    found = []
    for name in dict.fromkeys(each for each in written if each):
        row = visit.row("SELECT name FROM account WHERE name = ?", name)
        found.append(
            row["name"] if row else visit.refuse(f"There is no user '{name}'. Write user names, such as @vinta.")
        )
    return found
