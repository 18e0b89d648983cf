"""What issues and merge requests share: lists with filters, labels, people, comments."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from cutscore.benchmarks.videowebarena.websites.git_host.access import SEEN, seen_by
from cutscore.benchmarks.videowebarena.websites.git_host.showing import PAGE_SIZE, last_page
from cutscore.benchmarks.videowebarena.websites.visit import Visit


@dataclass(frozen=True)
class IssuableKind:
    """`issue` or `merge_request`; `path` is its word in addresses."""

    name: str
    path: str
    title: str


ISSUE = IssuableKind("issue", "issues", "Issue")
MERGE_REQUEST = IssuableKind("merge_request", "merge_requests", "Merge request")
SORTS = {
    "created_date": ("Newest first", "issuable.created DESC"),
    "created_asc": ("Oldest first", "issuable.created"),
    "updated_desc": ("Last updated first", "issuable.updated DESC"),
    "due_date": ("Due first", "issuable.due_date = '', issuable.due_date"),
    "title_asc": ("By title", "issuable.title COLLATE NOCASE"),
}
STATES = ("opened", "merged", "closed", "all")
NONE = "None"  # as a label: those without any
# In the order in which an address tells them.
FILTERS = (
    "scope", "sort", "state", "search", "author_username", "assignee_username", "reviewer_username", "milestone_title",
    "label_name[]", "page",
)  # fmt: skip
_PERSON = "EXISTS (SELECT 1 FROM participant WHERE issuable = issuable.id AND part = '{}' AND account = ?)"
_CONDITIONS = {
    "search": "(instr(lower(issuable.title), lower(?)) OR instr(lower(issuable.description), lower(?)))",
    "author_username": "issuable.author = ? COLLATE NOCASE",
    "assignee_username": _PERSON.format("assignee"),
    "reviewer_username": _PERSON.format("reviewer"),
    "milestone_title": "issuable.milestone IN (SELECT id FROM milestone WHERE title = ?)",
}
_LABELLED = """issuable.id IN (SELECT issuable_label.issuable FROM issuable_label
  JOIN label ON label.id = issuable_label.label WHERE label.name = ?)"""
_UNLABELLED = "issuable.id NOT IN (SELECT issuable FROM issuable_label)"


@dataclass(frozen=True)
class Line:
    """One line of a list."""

    row: sqlite3.Row
    labels: Sequence[sqlite3.Row]
    assignees: Sequence[sqlite3.Row]
    comments: int

    @property
    def address(self) -> str:
        return issuable_address(self.row["project_path"], self.row["kind"], self.row["number"])


@dataclass(frozen=True)
class IssuableListing:
    """One page of a list, with how many there are by state."""

    lines: Sequence[Line]
    counts: dict[str, int]
    state: str
    page: int
    last: int


def issuable_address(project_path: str, kind: str, number: int) -> str:
    """Return where an issue or merge request is."""
    return f"/{project_path}/-/{kind}s/{number}"


def list_issuables(visit: Visit, kind: IssuableKind, project: int | None = None) -> IssuableListing:
    """Return what the query of an address asks for: of one project, or of all that the visitor may see."""
    conditions = ["issuable.kind = ?", SEEN]
    values: list[object] = [kind.name, *seen_by(visit.account)]
    if project is not None:
        conditions, values = [*conditions, "issuable.project = ?"], [*values, project]
    for name, condition in _CONDITIONS.items():
        if wanted := visit.query.get(name, ""):
            conditions.append(condition)
            values += [wanted] * condition.count("?")
    for label in visit.query.getlist("label_name[]"):
        conditions.append(_UNLABELLED if label == NONE else _LABELLED)
        values += [] if label == NONE else [label]
    found = f"FROM issuable JOIN project ON project.id = issuable.project WHERE {' AND '.join(conditions)}"
    counted = visit.rows(f"SELECT state, COUNT(*) AS n {found} GROUP BY state", *values)
    counts = {row["state"]: row["n"] for row in counted}
    counts = {state: sum(counts.values()) if state == "all" else counts.get(state, 0) for state in STATES}
    state = visit.query.get("state", "opened")
    state = state if state in STATES else "opened"
    last = last_page(counts[state])
    page = min(max(1, visit.number("page")), last)
    order = SORTS.get(visit.query.get("sort", ""), SORTS["created_date"])[1]
    rows = visit.rows(
        f"""SELECT issuable.*, project.path AS project_path {found} AND ? IN (issuable.state, 'all')
        ORDER BY {order}, issuable.id DESC LIMIT ? OFFSET ?""",
        *values, state, PAGE_SIZE, PAGE_SIZE * (page - 1),
    )  # fmt: skip
    return IssuableListing([_line(visit, row) for row in rows], counts, state, page, last)


def find_issuable(visit: Visit, kind: IssuableKind, project: sqlite3.Row) -> sqlite3.Row:
    """Return the issue or merge request of an address."""
    found = visit.row(
        """SELECT issuable.*, account.full_name AS author_name, milestone.title AS milestone_title,
        milestone.number AS milestone_number FROM issuable JOIN account ON account.name = issuable.author
        LEFT JOIN milestone ON milestone.id = issuable.milestone
        WHERE issuable.project = ? AND issuable.kind = ? AND issuable.number = ?""",
        project["id"], kind.name, str(visit.path["number"]),
    )  # fmt: skip
    return found or visit.missing(kind.title.lower())


def labels_of(visit: Visit, issuable: int) -> list[sqlite3.Row]:
    """Return the labels of an issue or merge request."""
    return visit.rows(
        """SELECT label.* FROM label JOIN issuable_label ON issuable_label.label = label.id
        WHERE issuable_label.issuable = ? ORDER BY label.name""",
        issuable,
    )


def people_of(visit: Visit, issuable: int, part: str) -> list[sqlite3.Row]:
    """Return the assignees or reviewers of an issue or merge request."""
    return visit.rows(
        """SELECT account.* FROM account JOIN participant ON participant.account = account.name
        WHERE participant.issuable = ? AND participant.part = ? ORDER BY account.name""",
        issuable, part,
    )  # fmt: skip


def notes_of(visit: Visit, issuable: int) -> list[sqlite3.Row]:
    """Return the comments, the oldest first."""
    return visit.rows(
        """SELECT note.*, account.full_name FROM note JOIN account ON account.name = note.author
        WHERE note.issuable = ? ORDER BY note.id""",
        issuable,
    )


def set_people(visit: Visit, issuable: int, part: str, accounts: Sequence[str]) -> None:
    """Let these accounts, and no others, have a part in an issue or merge request."""
    visit.db.execute("DELETE FROM participant WHERE issuable = ? AND part = ?", (issuable, part))
    visit.db.executemany("INSERT INTO participant VALUES (?, ?, ?)", [(issuable, part, each) for each in accounts])


def set_labels(visit: Visit, project: int, issuable: int, names: Sequence[str]) -> None:
    """Set the labels of an issue or merge request to these, and no others."""
    visit.db.execute("DELETE FROM issuable_label WHERE issuable = ?", (issuable,))
    for name in dict.fromkeys(names):
        label = visit.row("SELECT id FROM label WHERE project = ? AND name = ?", project, name) or visit.missing(
            "label"
        )
        visit.db.execute("INSERT INTO issuable_label VALUES (?, ?)", (issuable, label["id"]))


def touch(visit: Visit, issuable: int) -> None:
    """Keep when an issue or merge request was last changed."""
    visit.db.execute("UPDATE issuable SET updated = ? WHERE id = ?", (visit.now.isoformat(), issuable))


def tidy_address(visit: Visit, path: str) -> str:
    """Return the address of a list without what its form left empty; empty where it is tidy already.

    A form sends all its fields and writes spaces as `+`. The published site's addresses name the sort and the state
    together, then what is filtered by.
    """
    sent = [(name, value) for name, value in visit.query.multi_items() if name in FILTERS]
    if all(value for _, value in sent) and "+" not in visit.request.url.query:
        return ""
    kept = [(name, value) for name, value in sent if value]
    if "sort" not in dict(kept):
        kept = [pair for pair in kept if pair != ("state", "opened")]
    return write_address(path, kept)


def write_address(path: str, filters: Sequence[tuple[str, Any]]) -> str:
    """Return the address of a list with filters, in the order of the published site."""
    ordered = sorted(filters, key=lambda pair: FILTERS.index(pair[0]))
    written = "&".join(f"{quote(name, safe='')}={quote(str(value), safe='')}" for name, value in ordered)
    return f"{path}?{written}" if written else path


def _line(visit: Visit, row: sqlite3.Row) -> Line:
    comments = visit.count("SELECT COUNT(*) FROM note WHERE issuable = ?", row["id"])
    return Line(row, labels_of(visit, row["id"]), people_of(visit, row["id"], "assignee"), comments)
