"""Private messages: threads between two people."""

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.address_parts import read_number
from cutscore.benchmarks.videowebarena.websites.forum.members import find_person, require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_CHARS = 10_000
_THREADS = """
SELECT thread.*, other.name AS other_name, message.body, MAX(message.id) AS newest,
  strftime('%Y-%m-%dT%H:%M:%SZ', message.made, 'unixepoch') AS made_iso
FROM thread JOIN message ON message.thread = thread.id
JOIN account other ON other.id = CASE thread.sender WHEN ? THEN thread.receiver ELSE thread.sender END
WHERE ? IN (thread.sender, thread.receiver) GROUP BY thread.id ORDER BY newest DESC
"""
_MESSAGES = """
SELECT message.*, account.name AS author_name, strftime('%Y-%m-%dT%H:%M:%SZ', message.made, 'unixepoch') AS made_iso
FROM message JOIN account ON account.id = author WHERE thread = ? ORDER BY message.id
"""


def show_messages(visit: Visit) -> Response:
    """List the visitor's threads, each by its newest message."""
    me = require_self(visit)
    return visit.page("messages.html", threads=visit.rows(_THREADS, me, me))


def show_thread(visit: Visit) -> Response:
    thread, _ = _require_thread(visit)
    return visit.page("thread.html", thread=thread, said=visit.rows(_MESSAGES, thread["id"]))


def reply(visit: Visit) -> Response:
    thread, me = _require_thread(visit)
    _say(visit, thread["id"], me, thread["receiver"] if me == thread["sender"] else thread["sender"])
    return visit.redirect(f"/messages/thread/{thread['id']}", notice="Your message is sent.")


def show_compose(visit: Visit) -> Response:
    require_self(visit)
    return visit.page("compose.html", person=find_person(visit))


def compose(visit: Visit) -> Response:
    """Begin a thread with somebody."""
    me, person = require_self(visit), find_person(visit)
    if person["id"] == me:
        visit.refuse("You cannot write to yourself.")
    made = visit.db.execute("INSERT INTO thread (sender, receiver) VALUES (?, ?)", (me, person["id"]))
    _say(visit, int(made.lastrowid or 0), me, person["id"])
    return visit.redirect(f"/messages/thread/{made.lastrowid}", notice="Your message is sent.")


def _say(visit: Visit, thread: int, me: int, other: int) -> None:
    text = visit.form.get("body", "").strip()
    if not text or len(text) > MOST_CHARS:
        visit.refuse(f"A message has 1 to {MOST_CHARS:,} characters.")
    if visit.row("SELECT 1 FROM block WHERE account = ? AND blocked = ?", other, me):
        visit.forbid("This person takes no messages from you.")
    now = int(visit.now.timestamp())
    visit.db.execute("INSERT INTO message (thread, author, body, made) VALUES (?, ?, ?, ?)", (thread, me, text, now))


def _require_thread(visit: Visit) -> tuple[Row, int]:
    me = require_self(visit)
    found = visit.row("SELECT * FROM thread WHERE id = ? AND ? IN (sender, receiver)", read_number(visit, "thread"), me)
    return found or visit.missing("message"), me
