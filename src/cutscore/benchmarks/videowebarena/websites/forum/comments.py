"""Comments: trees below posts, replying, editing and deleting."""

from dataclasses import dataclass, field
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.address_parts import read_number
from cutscore.benchmarks.videowebarena.websites.forum.forums import find_forum
from cutscore.benchmarks.videowebarena.websites.forum.members import find_self, require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_CHARS = 10_000
DEEPEST = 8  # levels of one page; what is below is on the page of its comment
COMMENTS = """
SELECT comment.*, account.name AS author_name, forum.name AS forum_name, post.title AS post_title,
  COALESCE(comment_vote.choice, 0) AS choice, strftime('%Y-%m-%dT%H:%M:%SZ', comment.made, 'unixepoch') AS made_iso
FROM comment JOIN account ON account.id = comment.author
JOIN post ON post.id = comment.post JOIN forum ON forum.id = post.forum
LEFT JOIN comment_vote ON comment_vote.thing = comment.id AND comment_vote.account = ?
"""


@dataclass
class Node:
    """A comment and the replies to it; `more` says that there are some deeper than a page goes."""

    comment: Row
    depth: int = 0
    replies: list["Node"] = field(default_factory=list)
    more: bool = False


def list_comments(visit: Visit, post: int, *, linear: bool = False) -> list[Node]:
    """Return the comments of a post, the best first: as trees, or the oldest first in one row."""
    rows = visit.rows(
        f"{COMMENTS} WHERE comment.post = ? ORDER BY comment.score DESC, comment.id", find_self(visit), post
    )
    if linear:
        return [Node(row) for row in sorted(rows, key=lambda row: int(row["id"]))]
    return build_trees(rows, None)


def build_trees(rows: list[Row], root: int | None) -> list[Node]:
    """Return the comments that reply to `root`, each with its own replies down to the deepest level of a page."""
    by_parent: dict[int | None, list[Row]] = {}
    for row in rows:
        by_parent.setdefault(row["parent"], []).append(row)
    top = [Node(row) for row in by_parent.get(root, [])]
    waiting = list(top)
    while waiting:
        node = waiting.pop()
        below = by_parent.get(node.comment["id"], [])
        if node.depth + 1 < DEEPEST:
            node.replies = [Node(row, node.depth + 1) for row in below]
            waiting += node.replies
        else:
            node.more = bool(below)
    return top


def comment_address(comment: Row) -> str:
    """Return where a comment is shown by itself."""
    return f"/f/{comment['forum_name']}/{comment['post']}/-/comment/{comment['id']}"


def show_comment(visit: Visit) -> Response:
    """Show one comment with the replies to it, and a form to reply."""
    comment, forum = _find_comment(visit), find_forum(visit)
    node = Node(comment, replies=build_trees(_comments_of(visit, comment["post"]), comment["id"]))
    return visit.page("comment.html", node=node, forum=forum)


def reply_to_post(visit: Visit) -> Response:
    return _add(visit, read_number(visit, "post"), None)


def reply_to_comment(visit: Visit) -> Response:
    comment = _find_comment(visit)
    if comment["removed"]:
        visit.refuse("This comment is deleted: nobody can reply to it.")
    return _add(visit, comment["post"], comment["id"])


def show_edit_comment(visit: Visit) -> Response:
    return visit.page("edit_comment.html", comment=_require_own_comment(visit), forum=find_forum(visit))


def edit_comment(visit: Visit) -> Response:
    comment, text = _require_own_comment(visit), _read_text(visit)
    now = int(visit.now.timestamp())
    visit.db.execute("UPDATE comment SET body = ?, edited = ? WHERE id = ?", (text, now, comment["id"]))
    return visit.redirect(comment_address(comment), notice="Your comment is saved.")


def delete_comment(visit: Visit) -> Response:
    """Delete a comment; where others replied to it, its place stays and its words go."""
    comment = _require_own_comment(visit)
    if visit.count("SELECT COUNT(*) FROM comment WHERE parent = ?", comment["id"]):
        visit.db.execute("UPDATE comment SET body = '', removed = 1 WHERE id = ?", (comment["id"],))
    else:
        visit.db.execute("DELETE FROM comment WHERE id = ?", (comment["id"],))
    return visit.redirect(f"/f/{comment['forum_name']}/{comment['post']}/-", notice="Your comment is deleted.")


def _comments_of(visit: Visit, post: int) -> list[Row]:
    best_first = "WHERE comment.post = ? ORDER BY comment.score DESC, comment.id"
    return visit.rows(COMMENTS + best_first, find_self(visit), post)


def _find_comment(visit: Visit) -> Row:
    found = visit.row(
        f"{COMMENTS} WHERE comment.id = ? AND comment.post = ? AND forum.name = ?",
        find_self(visit),
        read_number(visit, "comment"),
        read_number(visit, "post"),
        visit.path["forum"],
    )
    return found or visit.missing("comment")


def _require_own_comment(visit: Visit) -> Row:
    me, comment = require_self(visit), _find_comment(visit)
    if comment["author"] != me or comment["removed"]:
        visit.forbid("This is no comment of yours.")
    return comment


def _read_text(visit: Visit) -> str:
    text = visit.form.get("comment", "").strip()
    if not text:
        visit.refuse("A comment needs words.")
    if len(text) > MOST_CHARS:
        visit.refuse(f"A comment has at most {MOST_CHARS:,} characters.")
    return text


def _add(visit: Visit, post: int, parent: int | None) -> Response:
    me, text = require_self(visit), _read_text(visit)
    forum = find_forum(visit)
    if not visit.row("SELECT 1 FROM post WHERE id = ? AND forum = ?", post, forum["id"]):
        visit.missing("post")
    made = visit.db.execute(
        "INSERT INTO comment (post, parent, author, body, made, score) VALUES (?, ?, ?, ?, ?, 1)",
        (post, parent, me, text, int(visit.now.timestamp())),
    )
    visit.db.execute("INSERT INTO comment_vote VALUES (?, ?, 1)", (me, made.lastrowid))
    return visit.redirect(f"/f/{forum['name']}/{post}/-/comment/{made.lastrowid}")
