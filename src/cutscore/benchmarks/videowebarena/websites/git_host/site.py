"""The git host: its addresses."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cutscore.benchmarks.videowebarena.websites.git_host import (
    commit_pages,
    dashboards,
    file_pages,
    issuable_pages,
    members,
    merge_request_pages,
    people,
    planning,
    project_pages,
)
from cutscore.benchmarks.videowebarena.websites.git_host.clone import make_clone_application
from cutscore.benchmarks.videowebarena.websites.git_host.issuables import ISSUE, MERGE_REQUEST, IssuableKind
from cutscore.benchmarks.videowebarena.websites.git_host.seeding import ACCOUNT, PASSWORD, fill
from cutscore.benchmarks.videowebarena.websites.website import Address, Database, Handler, Website, form, page

HERE = Path(__file__).parent
PROJECT = "/{namespace}/{project}"


def _with_slash(path: str, handler: Handler) -> tuple[Address, Address]:
    """Return an address that is written with and without a slash at its end."""
    return page(path, handler), page(f"{path}/", handler)


def _issuable_addresses(kind: IssuableKind) -> Iterator[Address]:
    path = f"{PROJECT}/-/{kind.path}"
    yield from _with_slash(path, partial(issuable_pages.show_list, kind))
    yield page(path + "/{number:int}/edit", partial(issuable_pages.show_edit, kind))
    yield form(path + "/{number:int}", partial(issuable_pages.update, kind))
    yield form(path + "/{number:int}/notes", partial(issuable_pages.comment, kind))
    yield form(path + "/{number:int}/close", partial(issuable_pages.set_state, kind, "closed"))
    yield form(path + "/{number:int}/reopen", partial(issuable_pages.set_state, kind, "opened"))


SITE = Website(
    name="gitlab",
    title="GitHost",
    host="git.localhost",
    folder=HERE,
    database=Database("git", HERE / "schema.sql", fill),
    account=ACCOUNT,
    password=PASSWORD,
    login_path="/users/sign_in",
    mounts={f"{PROJECT}.git": make_clone_application},
    addresses=(
        page("/", dashboards.show_start),
        *_with_slash("/dashboard/projects", dashboards.show_own_projects),
        page("/dashboard/projects/starred", dashboards.show_starred),
        *_with_slash("/dashboard/issues", partial(dashboards.show_issuables, ISSUE)),
        *_with_slash("/dashboard/merge_requests", partial(dashboards.show_issuables, MERGE_REQUEST)),
        page("/dashboard/todos", dashboards.show_todos),
        form("/dashboard/todos/done", dashboards.finish_todo),
        page("/explore", dashboards.show_explore),
        page("/explore/projects", dashboards.show_explore),
        page("/search", dashboards.search),
        page("/users/sign_in", people.show_sign_in),
        form("/users/sign_in", people.sign_in),
        form("/users/sign_out", people.sign_out),
        page("/users/{name}/{tab}", people.show_profile),
        form("/users/{name}/follow", people.toggle_follow),
        page("/-/profile", people.show_own_profile),
        form("/-/profile", people.update_own_profile),
        page("/projects/new", project_pages.show_new),
        form("/projects", project_pages.create),
        page("/groups/new", members.show_new_group),
        form("/groups", members.create_group),
        page("/groups/{name}/-/group_members", members.show_group_members),
        form("/groups/{name}/-/group_members", members.change_group_members),
        *_with_slash("/groups/{name}", people.show_namespace),
        *_with_slash("/{name}", people.show_namespace),
        *_with_slash(PROJECT, project_pages.show_home),
        page(f"{PROJECT}/edit", project_pages.show_settings),
        form(f"{PROJECT}/edit", project_pages.update),
        form(f"{PROJECT}/toggle_star", project_pages.toggle_star),
        page(f"{PROJECT}/-/starrers", project_pages.show_starrers),
        page(f"{PROJECT}/-/forks/new", project_pages.show_fork),
        form(f"{PROJECT}/-/forks", project_pages.fork),
        page(f"{PROJECT}/-/tree/{{where:path}}", file_pages.show_tree),
        page(f"{PROJECT}/-/blob/{{where:path}}", file_pages.show_blob),
        page(f"{PROJECT}/-/raw/{{where:path}}", file_pages.show_raw),
        page(f"{PROJECT}/-/edit/{{where:path}}", file_pages.show_edit),
        form(f"{PROJECT}/-/edit/{{where:path}}", file_pages.update),
        page(f"{PROJECT}/-/new/{{where:path}}", file_pages.show_new),
        form(f"{PROJECT}/-/new/{{where:path}}", file_pages.create),
        *_with_slash(f"{PROJECT}/-/commits", commit_pages.show_commits),
        page(f"{PROJECT}/-/commits/{{where:path}}", commit_pages.show_commits),
        page(f"{PROJECT}/-/commit/{{sha}}", commit_pages.show_commit),
        page(f"{PROJECT}/-/branches", commit_pages.show_branches),
        page(f"{PROJECT}/-/graphs/{{where:path}}", commit_pages.show_contributors),
        *_issuable_addresses(ISSUE),
        page(f"{PROJECT}/-/issues/new", partial(issuable_pages.show_new, ISSUE)),
        form(f"{PROJECT}/-/issues", partial(issuable_pages.create, ISSUE)),
        page(f"{PROJECT}/-/issues/{{number:int}}", partial(issuable_pages.show_issue, ISSUE)),
        *_issuable_addresses(MERGE_REQUEST),
        page(f"{PROJECT}/-/merge_requests/new", merge_request_pages.show_new),
        form(f"{PROJECT}/-/merge_requests", merge_request_pages.create),
        page(f"{PROJECT}/-/merge_requests/{{number:int}}", merge_request_pages.show),
        page(f"{PROJECT}/-/merge_requests/{{number:int}}/commits", merge_request_pages.show_commits),
        page(f"{PROJECT}/-/merge_requests/{{number:int}}/diffs", merge_request_pages.show_changes),
        form(f"{PROJECT}/-/merge_requests/{{number:int}}/merge", merge_request_pages.merge),
        page(f"{PROJECT}/-/labels", planning.show_labels),
        form(f"{PROJECT}/-/labels", planning.create_label),
        *_with_slash(f"{PROJECT}/-/milestones", planning.show_milestones),
        page(f"{PROJECT}/-/milestones/new", planning.show_new_milestone),
        form(f"{PROJECT}/-/milestones", planning.create_milestone),
        page(f"{PROJECT}/-/milestones/{{number:int}}", planning.show_milestone),
        page(f"{PROJECT}/-/project_members", members.show_project_members),
        form(f"{PROJECT}/-/project_members", members.change_project_members),
    ),
)
