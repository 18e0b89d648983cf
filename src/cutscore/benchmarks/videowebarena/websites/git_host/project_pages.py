"""Projects: their home, stars, forks, new ones, settings."""

import re
import sqlite3
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import (
    VISIBILITIES,
    find_project,
    known_project,
    may,
    open_repository,
    require_role,
    signature,
)
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_text, show, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit

BLANK = "blank"
RESERVED = frozenset({"dashboard", "explore", "search", "users", "groups", "projects", "static", "-"})
_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
_MOST_NAME = 100


def show_home(visit: Visit) -> Response:
    """Show a project: what it is, its files, its README."""
    project = find_project(visit)
    repository = open_repository(visit, project)
    sha = repository.branches.get(project["default_branch"])
    files = repository.files(sha)
    readme = next((path for path in files if path.lower() == "readme.md"), "")
    history = repository.history(sha) if sha else []
    return show_project(
        visit,
        "project_home.html",
        project,
        **count_project(visit, project),
        entries=list_folder(files, ""),
        ref=project["default_branch"],
        readme=repository.read(files[readme]).decode(errors="replace") if readme else "",
        latest=history[0] if history else None,
        commits=len(history),
        branches=len(repository.branches),
        clone_address=f"{visit.request.url.scheme}://{visit.request.url.netloc}/{project['path']}.git",
        source=visit.row("SELECT path FROM project WHERE id = ?", project["forked_from"]),
    )


def count_project(visit: Visit, project: sqlite3.Row) -> dict[str, Any]:
    """Return what is counted of a project, and whether the visitor starred it."""
    starred = "SELECT COUNT(*) FROM star WHERE project = ? AND account = ?"
    return {
        "stars": visit.count("SELECT COUNT(*) FROM star WHERE project = ?", project["id"]),
        "forks": visit.count("SELECT COUNT(*) FROM project WHERE forked_from = ?", project["id"]),
        "is_starred": bool(visit.count(starred, project["id"], visit.account)),
    }


def list_folder(files: dict[str, str], folder: str) -> list[tuple[str, bool]]:
    """Return the names in a folder and whether each is a folder itself, folders first.

    >>> list_folder({"a.txt": "1", "css/b.css": "2", "css/c.css": "3"}, "")
    [('css', True), ('a.txt', False)]
    """
    prefix = f"{folder}/" if folder else ""
    parts = [path.removeprefix(prefix).partition("/") for path in files if path.startswith(prefix)]
    return sorted({(name, bool(slash)) for name, slash, _ in parts}, key=lambda entry: (not entry[1], entry[0]))


def toggle_star(visit: Visit) -> Response:
    """Star a project, or take the star back."""
    account = visit.require_account()
    project = find_project(visit)
    taken = visit.db.execute("DELETE FROM star WHERE project = ? AND account = ?", (project["id"], account)).rowcount
    if not taken:
        visit.db.execute("INSERT INTO star VALUES (?, ?)", (project["id"], account))
    return visit.back(f"/{project['path']}")


def show_starrers(visit: Visit) -> Response:
    """List who starred a project."""
    project = find_project(visit)
    people = visit.rows(
        "SELECT account.* FROM account JOIN star ON star.account = account.name WHERE star.project = ? ORDER BY name",
        project["id"],
    )
    return show_project(visit, "starrers.html", project, people=people)


def show_fork(visit: Visit) -> Response:
    """Ask how a fork shall be called."""
    visit.require_account()
    return show_project(visit, "fork.html", find_project(visit), spaces=_spaces(visit))


def fork(visit: Visit) -> Response:
    """Make a project with the same history in another namespace."""
    visit.require_account()
    source = find_project(visit)
    values = {"description": source["description"], "visibility": source["visibility"], "forked_from": source["id"]}
    made = _add_project(
        visit, visit.form.get("name", source["name"]), default_branch=source["default_branch"], **values
    )
    target = open_repository(visit, made)
    for name, sha in open_repository(visit, source).branches.items():
        target.set_branch(name, sha)
    return visit.redirect(f"/{made['path']}", notice="The fork is made.")


def show_new(visit: Visit) -> Response:
    """Offer a form for a new project."""
    visit.require_account()
    return show(visit, "project_new.html", spaces=_spaces(visit), templates=_project_templates())


def create(visit: Visit) -> Response:
    """Make a new project: blank, or from a template."""
    visit.require_account()
    name = read_text(visit, "name", what="name of the project", most=_MOST_NAME)
    template = _project_templates().get(visit.form.get("template", BLANK)) or visit.missing("template")
    description = visit.form.get("description", "").strip() or template["description"]
    project = _add_project(visit, name, description=description, visibility=_visibility(visit))
    files = {path: text.lstrip("\n").encode() for path, text in template["files"].items()}
    if visit.form.get("readme") and "README.md" not in files:
        files["README.md"] = f"# {name}\n".encode()
    if files:
        open_repository(visit, project).write(project["default_branch"], files, template["message"], signature(visit))
    return visit.redirect(f"/{project['path']}", notice=f"Project '{name}' is made.")


def show_settings(visit: Visit) -> Response:
    """Offer what can be changed of a project."""
    project = find_project(visit)
    require_role(visit, project["path"], "Maintainer")
    return show_project(visit, "project_settings.html", project)


def update(visit: Visit) -> Response:
    """Keep description and visibility of a project."""
    project = find_project(visit)
    require_role(visit, project["path"], "Maintainer")
    visit.db.execute(
        "UPDATE project SET description = ?, visibility = ? WHERE id = ?",
        (visit.form.get("description", "").strip(), _visibility(visit), project["id"]),
    )
    return visit.redirect(f"/{project['path']}", notice="The project is changed.")


def read_path(visit: Visit, name: str, *, what: str) -> str:
    """Return a name as a part of an address; spaces become hyphens."""
    path = "-".join(name.split())
    if not _NAME.fullmatch(path) or len(path) > _MOST_NAME or path.endswith(".git"):
        visit.refuse(f"'{name[:40]}' cannot be the name of a {what}: use letters, digits, '_', '-' and '.'.")
    return path


def _add_project(visit: Visit, name: str, **values: object) -> sqlite3.Row:
    namespace = visit.form.get("namespace") or visit.account
    if namespace != visit.account and not may(visit, namespace, "Developer"):
        visit.forbid(f"You are no member of {namespace}.")
    path = f"{namespace}/{read_path(visit, name, what='project')}"
    if visit.row("SELECT 1 FROM project WHERE path = ?", path):
        visit.refuse(f"There is a project {path} already.")
    known = {"path": path, "namespace": namespace, "name": path.partition("/")[2], **values}
    known |= dict.fromkeys(("created", "updated"), visit.now.isoformat())
    places = ", ".join("?" * len(known))
    written = f"INSERT INTO project ({', '.join(known)}) VALUES ({places})"  # noqa: S608  # names of our own columns
    visit.db.execute(written, tuple(known.values()))
    return known_project(visit, path) or visit.missing("project")


def _visibility(visit: Visit) -> str:
    wanted = visit.form.get("visibility", "private")
    return wanted if wanted in VISIBILITIES else visit.missing("visibility")


def _spaces(visit: Visit) -> list[str]:
    rows = visit.rows(
        "SELECT space FROM member WHERE account = ? AND instr(space, '/') = 0 ORDER BY space", visit.account
    )
    return [visit.account, *(row["space"] for row in rows)]


@cache
def _project_templates() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("project_templates.toml").read_text(encoding="utf-8"))
