"""Pages of issues and merge requests alike: lists, reading, writing, comments, closing."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import find_project, may, read_accounts
from cutscore.benchmarks.videowebarena.websites.git_host.issuables import (
    SORTS,
    IssuableKind,
    find_issuable,
    issuable_address,
    labels_of,
    list_issuables,
    notes_of,
    people_of,
    set_labels,
    set_people,
    tidy_address,
    touch,
    write_address,
)
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_day, read_text, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PARTS = ("assignee", "reviewer")


def show_list(kind: IssuableKind, visit: Visit) -> Response:
    """List those of a project."""
    project = find_project(visit)
    path = f"/{project['path']}/-/{kind.path}/"
    if tidy := tidy_address(visit, path):
        return visit.redirect(tidy)
    return show_project(
        visit,
        "issuable_list.html",
        project,
        kind=kind,
        listing=list_issuables(visit, kind, project["id"]),
        sorts=SORTS,
        labels=visit.rows("SELECT * FROM label WHERE project = ? ORDER BY name", project["id"]),
        milestones=visit.rows("SELECT * FROM milestone WHERE project = ? ORDER BY number", project["id"]),
        link=partial(link_with, visit, path),
        list_path=path,
    )


def link_with(visit: Visit, path: str, **changes: Any) -> str:
    """Return the address of this list with a filter changed; the page starts again."""
    kept = {name: value for name, value in visit.query.multi_items() if name not in ("page", "label_name[]")}
    kept |= {name: value for name, value in changes.items() if name != "label"}
    labels = [changes["label"]] if "label" in changes else visit.query.getlist("label_name[]")
    pairs = [(name, value) for name, value in kept.items() if value] + [("label_name[]", each) for each in labels]
    return write_address(path, pairs)


def show_issue(kind: IssuableKind, visit: Visit) -> Response:
    """Show an issue with its comments."""
    project = find_project(visit)
    issue = find_issuable(visit, kind, project)
    return show_project(visit, "issue.html", project, **describe(visit, kind, issue))


def describe(visit: Visit, kind: IssuableKind, issuable: sqlite3.Row) -> dict[str, Any]:
    """Return what the page of an issue or merge request tells."""
    return {
        "kind": kind,
        "issuable": issuable,
        "labels": labels_of(visit, issuable["id"]),
        "notes": notes_of(visit, issuable["id"]),
        **{f"{part}s": people_of(visit, issuable["id"], part) for part in PARTS},
    }


def show_new(kind: IssuableKind, visit: Visit) -> Response:
    """Offer a form for a new issue."""
    visit.require_account()
    return show_choices(visit, kind, find_project(visit))


def show_edit(kind: IssuableKind, visit: Visit) -> Response:
    """Offer a form to change what is there."""
    project = find_project(visit)
    issuable = find_issuable(visit, kind, project)
    require_editor(visit, project, issuable)
    return show_choices(visit, kind, project, issuable)


def create(kind: IssuableKind, visit: Visit) -> Response:
    """Open a new issue, and go to it."""
    author = visit.require_account()
    project = find_project(visit)
    number = open_issuable(visit, kind, project, author)
    return visit.redirect(issuable_address(project["path"], kind.name, number))


def open_issuable(visit: Visit, kind: IssuableKind, project: sqlite3.Row, author: str, **branches: str) -> int:
    """Write down what the form tells as a new issue or merge request, and return its number."""
    number = 1 + visit.count(
        "SELECT COALESCE(MAX(number), 0) FROM issuable WHERE project = ? AND kind = ?", project["id"], kind.name
    )
    values = {"source_branch": "", "target_branch": ""} | branches
    made = visit.db.execute(
        """INSERT INTO issuable (project, kind, number, title, author, created, updated, source_branch, target_branch)
        VALUES (?, ?, ?, '', ?, ?, ?, ?, ?)""",
        (project["id"], kind.name, number, author, *[visit.now.isoformat()] * 2, *values.values()),
    )
    _write_fields(visit, project, made.lastrowid or 0)
    return number


def update(kind: IssuableKind, visit: Visit) -> Response:
    """Keep what the form tells of an issue or merge request."""
    project = find_project(visit)
    issuable = find_issuable(visit, kind, project)
    require_editor(visit, project, issuable)
    _write_fields(visit, project, issuable["id"])
    return visit.redirect(issuable_address(project["path"], kind.name, issuable["number"]))


def comment(kind: IssuableKind, visit: Visit) -> Response:
    """Add a comment."""
    author = visit.require_account()
    project = find_project(visit)
    issuable = find_issuable(visit, kind, project)
    text = visit.form.get("note", "").strip() or visit.refuse("A comment needs words.")
    visit.db.execute(
        "INSERT INTO note (issuable, author, text, created) VALUES (?, ?, ?, ?)",
        (issuable["id"], author, text, visit.now.isoformat()),
    )
    touch(visit, issuable["id"])
    return visit.redirect(issuable_address(project["path"], kind.name, issuable["number"]))


def set_state(kind: IssuableKind, state: str, visit: Visit) -> Response:
    """Close or reopen; what is merged stays so."""
    project = find_project(visit)
    issuable = find_issuable(visit, kind, project)
    require_editor(visit, project, issuable)
    if issuable["state"] == "merged":
        visit.refuse("This merge request is merged. It cannot be closed or opened again.")
    visit.db.execute("UPDATE issuable SET state = ? WHERE id = ?", (state, issuable["id"]))
    touch(visit, issuable["id"])
    return visit.redirect(issuable_address(project["path"], kind.name, issuable["number"]))


def require_editor(visit: Visit, project: sqlite3.Row, issuable: sqlite3.Row) -> None:
    """Refuse whoever is neither the author nor at least a reporter."""
    if visit.require_account() != issuable["author"] and not may(visit, project["path"], "Reporter"):
        visit.forbid("Only its author and the project's members can change this.")


def show_choices(
    visit: Visit,
    kind: IssuableKind,
    project: sqlite3.Row,
    issuable: sqlite3.Row | None = None,
    *,
    branches: Sequence[str] = (),
) -> Response:
    """Offer the form of an issue or merge request; that of a new merge request asks for branches, too."""
    own = issuable["id"] if issuable else 0
    return show_project(
        visit,
        "issuable_form.html",
        project,
        kind=kind,
        issuable=issuable,
        branches=branches,
        labels=visit.rows("SELECT * FROM label WHERE project = ? ORDER BY name", project["id"]),
        milestones=visit.rows("SELECT * FROM milestone WHERE project = ? ORDER BY number", project["id"]),
        chosen={row["name"] for row in labels_of(visit, own)},
        people={part: ", ".join(row["name"] for row in people_of(visit, own, part)) for part in PARTS},
    )


def _write_fields(visit: Visit, project: sqlite3.Row, issuable: int) -> None:
    title = read_text(visit, "title", what="title")
    milestone = visit.form.get("milestone", "")
    if milestone and not visit.row("SELECT 1 FROM milestone WHERE project = ? AND id = ?", project["id"], milestone):
        visit.missing("milestone")
    visit.db.execute(
        "UPDATE issuable SET title = ?, description = ?, due_date = ?, milestone = ?, updated = ? WHERE id = ?",
        (
            title,
            visit.form.get("description", "").strip(),
            read_day(visit, "due_date"),
            milestone or None,
            visit.now.isoformat(),
            issuable,
        ),
    )
    for part in PARTS:
        set_people(visit, issuable, part, read_accounts(visit, f"{part}s"))
    set_labels(visit, project["id"], issuable, [value for name, value in visit.fields if name == "labels"])
