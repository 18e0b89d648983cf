"""What somebody comes to first: their projects, issues, merge requests and to-dos; exploring and searching all."""

from functools import partial

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import SEEN, seen_by
from cutscore.benchmarks.videowebarena.websites.git_host.issuable_pages import link_with
from cutscore.benchmarks.videowebarena.websites.git_host.issuables import (
    ISSUE,
    MERGE_REQUEST,
    SORTS,
    IssuableKind,
    list_issuables,
    tidy_address,
)
from cutscore.benchmarks.videowebarena.websites.git_host.showing import PAGE_SIZE, last_page, show
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PROJECT_SORTS = {
    "stars_desc": ("Most stars", "stars DESC, path"),
    "latest_activity_desc": ("Last updated", "updated DESC"),
    "name_asc": ("Name", "name COLLATE NOCASE"),
    "created_desc": ("Newest", "created DESC"),
}
_OWN = """(namespace = ? OR EXISTS
  (SELECT 1 FROM member WHERE member.account = ? AND member.space IN (project.path, project.namespace)))"""
_STARRED = "id IN (SELECT project FROM star WHERE account = ?)"
SCOPES = ("projects", "issues", "merge_requests", "users")


def show_start(visit: Visit) -> Response:
    """Show one's own projects, or all public ones to whoever is not logged in."""
    return show_own_projects(visit) if visit.account else show_explore(visit)


def show_own_projects(visit: Visit) -> Response:
    """List the projects that one owns or is a member of."""
    account = visit.require_account()
    return _show_projects(visit, "yours", _OWN, account, account, usual="latest_activity_desc")


def show_starred(visit: Visit) -> Response:
    """List the projects that one starred."""
    return _show_projects(visit, "starred", _STARRED, visit.require_account(), usual="latest_activity_desc")


def show_explore(visit: Visit) -> Response:
    """List all projects."""
    return _show_projects(visit, "explore", "1", usual="stars_desc")


def show_issuables(kind: IssuableKind, visit: Visit) -> Response:
    """List issues or merge requests of all projects; at first those that are one's own to do."""
    account = visit.require_account()
    path = f"/dashboard/{kind.path}"
    if tidy := tidy_address(visit, path):
        return visit.redirect(tidy)
    if not visit.query:
        return visit.redirect(f"{path}?assignee_username={account}")
    listing = list_issuables(visit, kind)
    return show(
        visit, "dashboard_issuables.html", kind=kind, listing=listing, link=partial(link_with, visit, path), sorts=SORTS
    )


def show_todos(visit: Visit) -> Response:
    """List what waits for one."""
    account = visit.require_account()
    todos = visit.rows(
        """SELECT todo.*, issuable.kind, issuable.number, issuable.title, project.path, account.full_name
        FROM todo JOIN issuable ON issuable.id = todo.issuable JOIN project ON project.id = issuable.project
        JOIN account ON account.name = todo.by WHERE todo.account = ? AND todo.done = ? ORDER BY todo.id DESC""",
        account, visit.query.get("state") == "done",
    )  # fmt: skip
    return show(visit, "todos.html", todos=todos)


def finish_todo(visit: Visit) -> Response:
    """Mark a to-do as done."""
    account = visit.require_account()
    done = visit.db.execute("UPDATE todo SET done = 1 WHERE id = ? AND account = ?", (visit.form.get("todo"), account))
    return visit.redirect("/dashboard/todos") if done.rowcount else visit.missing("to-do")


def search(visit: Visit) -> Response:
    """Search projects, issues, merge requests or users."""
    scope = visit.query.get("scope", "projects")
    if scope not in SCOPES:
        visit.missing("page")
    words = visit.query.get("search", "").strip()
    if scope == "projects":
        return _show_projects(visit, "search", "1", usual="stars_desc")
    if scope == "users":
        people = visit.rows(
            "SELECT * FROM account WHERE instr(lower(name || ' ' || full_name), lower(?)) ORDER BY name", words
        )
        return show(visit, "search_users.html", people=people, words=words, scope=scope)
    kind = {"issues": ISSUE, "merge_requests": MERGE_REQUEST}[scope]
    return show(visit, "search_issuables.html", listing=list_issuables(visit, kind), words=words, scope=scope)


def _show_projects(visit: Visit, tab: str, condition: str, *values: str, usual: str) -> Response:
    words = visit.query.get("name", "") or visit.query.get("search", "")
    named = "(instr(lower(path), lower(?)) OR instr(lower(description), lower(?)))"
    found = f"FROM project WHERE {condition} AND {named} AND {SEEN}"
    given = (*values, words.strip(), words.strip(), *seen_by(visit.account))
    last = last_page(visit.count(f"SELECT COUNT(*) {found}", *given))
    page = min(max(1, visit.number("page")), last)
    sort = visit.query.get("sort", usual)
    sort = sort if sort in PROJECT_SORTS else usual
    projects = visit.rows(
        f"""SELECT *, (SELECT COUNT(*) FROM star WHERE project = project.id) AS stars,
        (SELECT COUNT(*) FROM project AS f WHERE f.forked_from = project.id) AS forks,
        (SELECT COUNT(*) FROM issuable WHERE project = project.id AND kind = 'issue' AND state = 'opened') AS issues,
        (SELECT COUNT(*) FROM issuable WHERE project = project.id AND kind = 'merge_request' AND state = 'opened')
        AS merge_requests {found} ORDER BY {PROJECT_SORTS[sort][1]} LIMIT ? OFFSET ?""",  # noqa: S608
        *given, PAGE_SIZE, PAGE_SIZE * (page - 1),
    )  # fmt: skip
    lists = {"tab": tab, "projects": projects, "page": page, "last": last, "sort": sort, "sorts": PROJECT_SORTS}
    return show(visit, "projects.html", words=words, scope="projects", **lists)
