"""Votes on posts and comments: up, down, or taken back."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.address_parts import read_number
from cutscore.benchmarks.videowebarena.websites.forum.members import require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def vote_on_post(visit: Visit) -> Response:
    return _vote(visit, "post", read_number(visit, "post"))


def vote_on_comment(visit: Visit) -> Response:
    return _vote(visit, "comment", read_number(visit, "comment"))


def _vote(visit: Visit, kind: str, number: int) -> Response:
    """Set the visitor's vote to what the form says; the score moves by the difference."""
    me, wanted = require_self(visit), visit.form.get("choice", "")
    if wanted not in ("-1", "0", "1"):
        visit.refuse("A vote is up, down, or taken back.")
    if not visit.row(f"SELECT 1 FROM {kind} WHERE id = ?", number):  # noqa: S608
        visit.missing(kind)
    before = visit.row(f"SELECT choice FROM {kind}_vote WHERE account = ? AND thing = ?", me, number)  # noqa: S608
    moved = int(wanted) - (before["choice"] if before else 0)
    visit.db.execute(f"DELETE FROM {kind}_vote WHERE account = ? AND thing = ?", (me, number))  # noqa: S608
    if wanted != "0":
        visit.db.execute(f"INSERT INTO {kind}_vote VALUES (?, ?, ?)", (me, number, int(wanted)))  # noqa: S608
    visit.db.execute(f"UPDATE {kind} SET score = score + ? WHERE id = ?", (moved, number))  # noqa: S608
    return visit.back()
