"""Labels and milestones of a project."""

import re

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import find_project, require_role
from cutscore.benchmarks.videowebarena.websites.git_host.showing import read_day, read_text, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def show_labels(visit: Visit) -> Response:
    """List the labels, with how many open issues have each."""
    project = find_project(visit)
    labels = visit.rows(
        """SELECT label.*, (SELECT COUNT(*) FROM issuable_label JOIN issuable ON issuable.id = issuable_label.issuable
        WHERE issuable_label.label = label.id AND issuable.state = 'opened' AND issuable.kind = 'issue') AS opened
        FROM label WHERE project = ? ORDER BY name""",
        project["id"],
    )
    return show_project(visit, "labels.html", project, labels=labels)


def create_label(visit: Visit) -> Response:
    """Make a label."""
    project = find_project(visit)
    require_role(visit, project["path"], "Reporter")
    name = read_text(visit, "name", what="name of the label", most=60)
    colour = visit.form.get("colour", "")
    if not _COLOUR.fullmatch(colour):
        visit.refuse("A colour is written as #2557a7.")
    if visit.row("SELECT 1 FROM label WHERE project = ? AND name = ?", project["id"], name):
        visit.refuse(f"There is a label '{name}' already.")
    visit.db.execute("INSERT INTO label (project, name, colour) VALUES (?, ?, ?)", (project["id"], name, colour))
    return visit.redirect(f"/{project['path']}/-/labels")


def show_milestones(visit: Visit) -> Response:
    """List the milestones, with how much of each is done."""
    project = find_project(visit)
    milestones = visit.rows(
        """SELECT milestone.*,
        (SELECT COUNT(*) FROM issuable WHERE milestone = milestone.id) AS total,
        (SELECT COUNT(*) FROM issuable WHERE milestone = milestone.id AND state <> 'opened') AS done
        FROM milestone WHERE project = ? ORDER BY due_date = '', due_date, number""",
        project["id"],
    )
    return show_project(visit, "milestones.html", project, milestones=milestones)


def show_milestone(visit: Visit) -> Response:
    """Show a milestone with its issues and merge requests."""
    project = find_project(visit)
    milestone = visit.row(
        "SELECT * FROM milestone WHERE project = ? AND number = ?", project["id"], str(visit.path["number"])
    ) or visit.missing("milestone")
    held = visit.rows("SELECT * FROM issuable WHERE milestone = ? ORDER BY kind, number", milestone["id"])
    return show_project(visit, "milestone.html", project, milestone=milestone, held=held)


def show_new_milestone(visit: Visit) -> Response:
    """Offer a form for a new milestone."""
    project = find_project(visit)
    require_role(visit, project["path"], "Reporter")
    return show_project(visit, "milestone_new.html", project)


def create_milestone(visit: Visit) -> Response:
    """Make a milestone, and go to it."""
    project = find_project(visit)
    require_role(visit, project["path"], "Reporter")
    title = read_text(visit, "title", what="title")
    start, due = read_day(visit, "start_date"), read_day(visit, "due_date")
    if start and due and due < start:
        visit.refuse("A milestone cannot end before it starts.")
    number = 1 + visit.count("SELECT COALESCE(MAX(number), 0) FROM milestone WHERE project = ?", project["id"])
    visit.db.execute(
        "INSERT INTO milestone (project, number, title, description, start_date, due_date) VALUES (?, ?, ?, ?, ?, ?)",
        (project["id"], number, title, visit.form.get("description", "").strip(), start, due),
    )
    return visit.redirect(f"/{project['path']}/-/milestones/{number}")
