"""Merge requests: asking for a merge, what it would change, and merging."""

import sqlite3
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import (
    find_project,
    open_repository,
    require_role,
    signature,
)
from cutscore.benchmarks.videowebarena.websites.git_host.issuable_pages import describe, open_issuable, show_choices
from cutscore.benchmarks.videowebarena.websites.git_host.issuables import (
    MERGE_REQUEST,
    find_issuable,
    issuable_address,
    touch,
)
from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository
from cutscore.benchmarks.videowebarena.websites.git_host.showing import show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def show(visit: Visit) -> Response:
    """Show a merge request: what is said about it, and whether it can be merged."""
    return _show(visit, "overview")


def show_commits(visit: Visit) -> Response:
    """Show the commits that a merge brings."""
    return _show(visit, "commits")


def show_changes(visit: Visit) -> Response:
    """Show the lines that a merge changes."""
    return _show(visit, "changes")


def show_new(visit: Visit) -> Response:
    """Offer a form for a new merge request."""
    project = find_project(visit)
    require_role(visit, project["path"], "Developer")
    return show_choices(visit, MERGE_REQUEST, project, branches=list(open_repository(visit, project).branches))


def create(visit: Visit) -> Response:
    """Ask for a merge, and go to its page."""
    project = find_project(visit)
    author = require_role(visit, project["path"], "Developer")
    repository = open_repository(visit, project)
    source, target = visit.form.get("source_branch", ""), visit.form.get("target_branch", "")
    branches = repository.branches
    if source not in branches or target not in branches:
        visit.missing("branch")
    if not repository.ahead(branches[target], branches[source]):
        visit.refuse(f"There is nothing to merge: {target} has all commits of {source}.")
    number = open_issuable(visit, MERGE_REQUEST, project, author, source_branch=source, target_branch=target)
    return visit.redirect(issuable_address(project["path"], MERGE_REQUEST.name, number))


def merge(visit: Visit) -> Response:
    """Merge, or tell which files are in conflict."""
    project = find_project(visit)
    require_role(visit, project["path"], "Developer")
    request = find_issuable(visit, MERGE_REQUEST, project)
    if request["state"] != "opened":
        visit.refuse("Only an open merge request can be merged.")
    repository = open_repository(visit, project)
    source, target = request["source_branch"], request["target_branch"]
    branches = repository.branches
    merged = repository.try_merge(branches[target], branches[source])
    if merged.conflicts:
        visit.refuse(f"This cannot be merged: both sides changed {', '.join(merged.conflicts)}.", status=409)
    message = f"Merge branch '{source}' into '{target}'\n\n{request['title']}"
    sha = repository.write(target, merged.changes, message, signature(visit), merged=branches[source])
    visit.db.execute("UPDATE issuable SET state = 'merged', merge_commit = ? WHERE id = ?", (sha, request["id"]))
    touch(visit, request["id"])
    address = issuable_address(project["path"], MERGE_REQUEST.name, request["number"])
    return visit.redirect(address, notice=f"Merged into {target}.")


def _show(visit: Visit, tab: str) -> Response:
    project = find_project(visit)
    request = find_issuable(visit, MERGE_REQUEST, project)
    repository = open_repository(visit, project)
    target, source = _sides(repository, request)
    values: dict[str, Any] = {"tab": tab, "conflicts": []}
    if tab == "overview" and request["state"] == "opened":
        values["conflicts"] = repository.try_merge(target, source).conflicts
    if tab == "commits":
        values["commits"] = repository.ahead(target, source)
    if tab == "changes":
        values["diffs"] = repository.compare(target, source)
    return show_project(visit, "merge_request.html", project, **describe(visit, MERGE_REQUEST, request), **values)


def _sides(repository: Repository, request: sqlite3.Row) -> tuple[str, str]:
    """Return the commits of target and source; of a merge that was done, those before it."""
    if request["merge_commit"]:
        before, source = repository.commit(request["merge_commit"]).parents
        return before, source
    return repository.branches[request["target_branch"]], repository.branches[request["source_branch"]]
