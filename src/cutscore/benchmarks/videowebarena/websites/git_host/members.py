"""Members of projects and groups: inviting, changing roles, removing; and new groups."""

import sqlite3

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import (
    GIVEN,
    VISIBILITIES,
    find_project,
    read_accounts,
    require_role,
    role_in,
)
from cutscore.benchmarks.videowebarena.websites.git_host.project_pages import RESERVED, read_path
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_text, show, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def show_project_members(visit: Visit) -> Response:
    """List who has a role in a project."""
    project = find_project(visit)
    members = list_members(visit, project["path"])
    return show_project(
        visit, "members.html", project, members=members, roles=GIVEN, address=f"/{project['path']}/-/project_members"
    )


def change_project_members(visit: Visit) -> Response:
    """Invite people to a project, or change or end what one of them is there."""
    project = find_project(visit)
    return _change(visit, project["path"], f"/{project['path']}/-/project_members")


def show_group_members(visit: Visit) -> Response:
    """List who has a role in a group."""
    group = find_group(visit)
    members = list_members(visit, group["path"])
    return show(
        visit, "group_members.html", group=group, members=members, roles=GIVEN, address=_group_members(group["path"])
    )


def change_group_members(visit: Visit) -> Response:
    """Invite people to a group, or change or end what one of them is there."""
    group = find_group(visit)
    return _change(visit, group["path"], _group_members(group["path"]))


def show_new_group(visit: Visit) -> Response:
    """Offer a form for a new group."""
    visit.require_account()
    return show(visit, "group_new.html")


def create_group(visit: Visit) -> Response:
    """Make a group; whoever makes it owns it."""
    account = visit.require_account()
    title = read_text(visit, "name", what="name of the group", most=100)
    path = read_path(visit, title, what="group")
    taken = "SELECT 1 FROM account WHERE name = ? UNION SELECT 1 FROM user_group WHERE path = ?"
    if path.lower() in RESERVED or visit.row(taken, path, path):
        visit.refuse(f"The name {path} is taken.")
    wanted = visit.form.get("visibility", "private")
    visibility = wanted if wanted in VISIBILITIES else visit.missing("visibility")
    now = visit.now.isoformat()
    visit.db.execute("INSERT INTO user_group VALUES (?, ?, ?, ?)", (path, title, visibility, now))
    visit.db.execute("INSERT INTO member VALUES (?, ?, 'Owner', ?)", (path, account, now))
    return visit.redirect(f"/{path}", notice=f"Group '{title}' is made.")


def find_group(visit: Visit) -> sqlite3.Row:
    """Return the group of an address; a private one does not exist for others."""
    group = visit.row("SELECT * FROM user_group WHERE path = ?", visit.path["name"]) or visit.missing("group")
    if group["visibility"] != "public" and not role_in(visit.db, visit.account, group["path"]):
        visit.missing("group")
    return group


def list_members(visit: Visit, space: str) -> list[dict[str, object]]:
    """Return the members of a project or group; the owner of a namespace and the members of its group are, too."""
    namespace = space.partition("/")[0]
    rows = visit.rows(
        """SELECT account.name, account.full_name, member.role, member.since, member.space = ? AS direct
        FROM member JOIN account ON account.name = member.account
        WHERE member.space IN (?, ?) ORDER BY account.name""",
        space, space, namespace,
    )  # fmt: skip
    owner = visit.row(
        "SELECT name, full_name, 'Owner' AS role, joined AS since, 0 AS direct FROM account WHERE name = ?", namespace
    )
    return [dict(row) for row in ([owner] if owner else []) + rows]


def _change(visit: Visit, space: str, address: str) -> Response:
    require_role(visit, space, "Maintainer")
    names = read_accounts(visit, "accounts") or visit.refuse("Nobody is named.")
    role = visit.form.get("role", "")
    if visit.form.get("remove"):
        for name in names:
            visit.db.execute("DELETE FROM member WHERE space = ? AND account = ? AND role <> 'Owner'", (space, name))
        return visit.redirect(address, notice=f"{', '.join(names)} is no member any more.")
    if role not in GIVEN:
        visit.refuse("Choose a role.")
    for name in names:
        if role_in(visit.db, name, space) == "Owner":
            visit.refuse(f"{name} is the owner.")
        visit.db.execute(
            "INSERT OR REPLACE INTO member VALUES (?, ?, ?, ?)", (space, name, role, visit.now.isoformat())
        )
    return visit.redirect(address, notice=f"{', '.join(names)}: now {role}.")


def _group_members(path: str) -> str:
    return f"/groups/{path}/-/group_members"
