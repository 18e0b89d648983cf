"""Forums: finding, subscribing, making and editing them."""

import re
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.members import find_self, require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE = 15
MOST = {"title": 100, "description": 300, "sidebar": 1_500}
_NAME = re.compile(r"\w{3,25}", re.ASCII)
# A forum with its owner's name, how many subscribed, and whether the visitor did: the one value is who visits.
FORUMS = """
SELECT forum.*, account.name AS owner_name,
  (SELECT COUNT(*) FROM subscription WHERE forum = forum.id) AS subscribers,
  EXISTS (SELECT 1 FROM subscription WHERE forum = forum.id AND account = ?) AS subscribed
FROM forum JOIN account ON account.id = forum.owner
"""


def find_forum(visit: Visit) -> Row:
    """Return the forum that the address names, in whatever case."""
    found = visit.row(f"{FORUMS} WHERE forum.name = ?", find_self(visit), visit.path["forum"])
    return found or visit.missing("forum")


def list_subscribed(visit: Visit) -> list[str]:
    """Return the names of the forums that the visitor subscribed to."""
    rows = visit.rows(
        "SELECT name FROM forum JOIN subscription ON subscription.forum = forum.id WHERE account = ? ORDER BY name",
        find_self(visit),
    )
    return [row["name"] for row in rows]


def show_forums(visit: Visit) -> Response:
    """List forums, those with most subscribers first."""
    last = -(-visit.count("SELECT COUNT(*) FROM forum") // PAGE)
    now = max(1, visit.number("page", most=last))
    found = visit.rows(
        f"{FORUMS} ORDER BY subscribers DESC, forum.name LIMIT ? OFFSET ?", find_self(visit), PAGE, (now - 1) * PAGE
    )
    return visit.page("forums.html", forums=found, now=now, last=last)


def show_all_forums(visit: Visit) -> Response:
    """List all forums by name."""
    return visit.page("all_forums.html", forums=visit.rows("SELECT name, title FROM forum ORDER BY name"))


def subscribe(visit: Visit) -> Response:
    me, forum = require_self(visit), find_forum(visit)
    visit.db.execute("INSERT OR IGNORE INTO subscription VALUES (?, ?)", (me, forum["id"]))
    return visit.back(f"/f/{forum['name']}")


def unsubscribe(visit: Visit) -> Response:
    me, forum = require_self(visit), find_forum(visit)
    visit.db.execute("DELETE FROM subscription WHERE account = ? AND forum = ?", (me, forum["id"]))
    return visit.back(f"/f/{forum['name']}")


def show_create(visit: Visit) -> Response:
    require_self(visit)
    return visit.page("edit_forum.html", forum=None)


def create(visit: Visit) -> Response:
    """Make a forum; who makes it owns it and is subscribed to it."""
    me, name = require_self(visit), visit.form.get("name", "").strip()
    if not _NAME.fullmatch(name):
        visit.refuse("The name of a forum has 3 to 25 letters, digits or underscores.")
    if visit.row("SELECT 1 FROM forum WHERE name = ?", name):
        visit.refuse("There is a forum of this name.")
    texts = _read_texts(visit)
    made = visit.db.execute(
        "INSERT INTO forum (name, title, description, sidebar, owner, made) VALUES (?, ?, ?, ?, ?, ?)",
        (name, *texts, me, int(visit.now.timestamp())),
    )
    visit.db.execute("INSERT INTO subscription VALUES (?, ?)", (me, made.lastrowid))
    return visit.redirect(f"/f/{name}")


def show_edit_forum(visit: Visit) -> Response:
    return visit.page("edit_forum.html", forum=_require_own_forum(visit))


def edit_forum(visit: Visit) -> Response:
    forum = _require_own_forum(visit)
    visit.db.execute(
        "UPDATE forum SET title = ?, description = ?, sidebar = ? WHERE id = ?", (*_read_texts(visit), forum["id"])
    )
    return visit.redirect(f"/f/{forum['name']}", notice="The forum is saved.")


def _require_own_forum(visit: Visit) -> Row:
    me, forum = require_self(visit), find_forum(visit)
    return forum if forum["owner"] == me else visit.forbid("Only its owner edits a forum.")


def _read_texts(visit: Visit) -> list[str]:
    texts = [visit.form.get(name, "").strip() for name in MOST]
    if not all(texts):
        visit.refuse("A forum needs a title, a description and a sidebar.")
    for text, (name, most) in zip(texts, MOST.items(), strict=True):
        if len(text) > most:
            visit.refuse(f"The {name} has at most {most:,} characters.")
    return texts
