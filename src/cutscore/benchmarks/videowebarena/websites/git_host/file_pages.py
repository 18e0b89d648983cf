"""Files of a repository: folders, contents, and editing, where each change is a commit."""

import sqlite3
from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import (
    find_project,
    open_repository,
    require_role,
    signature,
)
from cutscore.benchmarks.videowebarena.websites.git_host.project_pages import list_folder
from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_text, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_SHOWN = 200_000  # bytes of a file on a page


@dataclass(frozen=True)
class FilePlace:
    """Where an address leads in a repository: a ref, a path, and the files of the commit."""

    project: sqlite3.Row
    repository: Repository
    ref: str
    path: str
    files: dict[str, str]

    @property
    def content(self) -> bytes:
        return self.repository.read(self.files[self.path])


def show_tree(visit: Visit) -> Response:
    """Show a folder; that of an empty repository is its home."""
    project = find_project(visit)
    if not open_repository(visit, project).branches:
        return visit.redirect(f"/{project['path']}")
    place = _find(visit)
    entries = list_folder(place.files, place.path)
    if place.path and not entries:
        visit.missing("folder")
    latest = next(iter(place.repository.history(_commit(place), place.path)))
    return show_project(visit, "tree.html", place.project, entries=entries, latest=latest, **_where(place))


def show_blob(visit: Visit) -> Response:
    """Show a file."""
    place = _find(visit, file=True)
    try:
        text = place.content[:MOST_SHOWN].decode()
    except UnicodeDecodeError:
        text = "This file is no text."
    return show_project(visit, "blob.html", place.project, text=text, size=len(place.content), **_where(place))


def show_raw(visit: Visit) -> Response:
    """Return a file as it is; always as plain text, whatever it holds."""
    return Response(_find(visit, file=True).content, media_type="text/plain; charset=utf-8")


def show_edit(visit: Visit) -> Response:
    """Offer a file to be changed."""
    place = _find(visit, file=True, edit=True)
    text = place.content.decode(errors="replace")
    return show_project(visit, "file_form.html", place.project, text=text, is_new=False, **_where(place))


def show_new(visit: Visit) -> Response:
    """Offer a form for a new file in a folder."""
    place = _find(visit, edit=True)
    return show_project(visit, "file_form.html", place.project, text="", is_new=True, **_where(place))


def update(visit: Visit) -> Response:
    """Commit what the form makes of a file."""
    place = _find(visit, file=True, edit=True)
    return _commit_file(visit, place, place.path, f"Update {place.path}")


def create(visit: Visit) -> Response:
    """Commit a new file."""
    place = _find(visit, edit=True)
    name = read_text(visit, "file_name", what="name of the file")
    path = "/".join(part for part in (place.path, name.strip("/")) if part)
    if any(part in ("", ".", "..", ".git") for part in path.split("/")):
        visit.refuse(f"'{path[:80]}' cannot be the name of a file.")
    if path in place.files or any(each.startswith(f"{path}/") for each in place.files):
        visit.refuse(f"There is a '{path[:80]}' already.")
    if any("/".join(path.split("/")[:end]) in place.files for end in range(1, path.count("/") + 1)):
        visit.refuse(f"A part of '{path[:80]}' is a file, and no folder.")
    return _commit_file(visit, place, path, f"Add {path}")


def _commit_file(visit: Visit, place: FilePlace, path: str, usual: str) -> Response:
    content = visit.form.get("content", "").encode()
    message = visit.form.get("message", "").strip() or usual
    place.repository.write(place.ref, {path: content}, message, signature(visit))
    visit.db.execute("UPDATE project SET updated = ? WHERE id = ?", (visit.now.isoformat(), place.project["id"]))
    address = f"/{place.project['path']}/-/blob/{place.ref}/{quote(path)}"
    return visit.redirect(address, notice="Your change is committed.")


def _find(visit: Visit, *, file: bool = False, edit: bool = False) -> FilePlace:
    """Return where the address leads; to edit, it must be the end of a branch, by somebody who may."""
    project = find_project(visit)
    if edit:
        require_role(visit, project["path"], "Developer")
    repository = open_repository(visit, project)
    found = repository.split(visit.path["where"])
    if found is None and edit and not repository.branches:
        found = project["default_branch"], ""  # the first file of an empty repository
    ref, path = found or visit.missing("branch or commit")
    if edit and repository.branches and ref not in repository.branches:
        visit.refuse("Only the end of a branch can be changed.")
    files = repository.files(repository.find(ref))
    if file and path not in files:
        visit.missing("file")
    return FilePlace(project, repository, ref, path, files)


def _commit(place: FilePlace) -> str:
    sha = place.repository.find(place.ref)
    assert sha is not None
    return sha


def _where(place: FilePlace) -> dict[str, object]:
    parts = place.path.split("/") if place.path else []
    steps = [(name, "/".join(parts[: number + 1])) for number, name in enumerate(parts)]
    return {"ref": place.ref, "path": place.path, "steps": steps, "branches": list(place.repository.branches)}
