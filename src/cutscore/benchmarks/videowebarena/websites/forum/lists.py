"""Pages that list posts: the front page, subscriptions, a forum, a search, a profile."""

from sqlite3 import Row
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.comments import COMMENTS, Node
from cutscore.benchmarks.videowebarena.websites.forum.forums import find_forum, list_subscribed
from cutscore.benchmarks.videowebarena.websites.forum.listing import POSTS, SORTS, SPANS_DAYS, TIMED, list_posts
from cutscore.benchmarks.videowebarena.websites.forum.members import find_person, find_self, require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

FOUND = 25
MOST_WORDS = 10


def show_front(visit: Visit) -> Response:
    """Show posts of all forums, sorted as the address says, or else as the visitor likes it."""
    mine = visit.row("SELECT front_sort FROM account WHERE name = ?", visit.account)
    listing = list_posts(visit, "", visit.path.get("sort", mine["front_sort"] if mine else "hot"))
    return _show_list(visit, "front.html", listing=listing, subscribed=list_subscribed(visit))


def show_subscribed(visit: Visit) -> Response:
    me = require_self(visit)
    where = "post.forum IN (SELECT forum FROM subscription WHERE account = ?)"
    listing = list_posts(visit, "/subscribed", visit.path.get("sort", "hot"), where, me)
    return _show_list(visit, "front.html", listing=listing, subscribed=list_subscribed(visit))


def show_forum(visit: Visit) -> Response:
    forum = find_forum(visit)
    listing = list_posts(visit, f"/f/{forum['name']}", visit.path.get("sort", "hot"), "post.forum = ?", forum["id"])
    return _show_list(visit, "forum.html", listing=listing, forum=forum)


def search(visit: Visit) -> Response:
    """Show posts in whose title or text all words stand, those first that have most of them in the title."""
    asked = visit.query.get("q", "").strip()[:200]
    words = asked.lower().split()[:MOST_WORDS]
    if not words:
        return visit.page("search.html", asked=asked, posts=[], found=0, now=1, last=1)
    where = " AND ".join("instr(lower(post.title || ' ' || post.body), ?) > 0" for _ in words)
    in_title = " + ".join("(instr(lower(post.title), ?) > 0)" for _ in words)
    found = visit.count(f"SELECT COUNT(*) FROM post WHERE {where}", *words)  # noqa: S608
    last = max(1, -(-found // FOUND))
    now = max(1, visit.number("page", most=last))
    posts = visit.rows(
        f"{POSTS} WHERE {where} ORDER BY {in_title} DESC, post.ranking DESC LIMIT ? OFFSET ?",
        *(find_self(visit), *words, *words, FOUND, (now - 1) * FOUND),
    )
    return visit.page("search.html", asked=asked, posts=posts, found=found, now=now, last=last)


def show_profile(visit: Visit) -> Response:
    """Show what somebody wrote, the newest first: posts and comments, or one of them."""
    person, kind = find_person(visit), visit.path.get("kind", "all")
    if kind not in ("all", "submissions", "comments"):
        visit.missing("page")
    now = max(1, visit.number("page", most=40))
    wrote = _list_written(visit, person["id"], kind, now * FOUND + 1)
    return visit.page(
        "profile.html",
        person=person,
        wrote=wrote[(now - 1) * FOUND : now * FOUND],
        kind=kind,
        now=now,
        last=now + 1 if len(wrote) > now * FOUND else now,
        blocked=visit.row("SELECT 1 FROM block WHERE account = ? AND blocked = ?", find_self(visit), person["id"]),
    )


def _list_written(visit: Visit, author: int, kind: str, most: int) -> list[tuple[int, str, Row | Node]]:
    """Return what somebody wrote: when, whether it is a post or a comment, and the thing itself."""
    wrote: list[tuple[int, str, Row | Node]] = []
    if kind != "comments":
        newest = "WHERE post.author = ? ORDER BY post.made DESC LIMIT ?"
        wrote += [(row["made"], "post", row) for row in visit.rows(POSTS + newest, find_self(visit), author, most)]
    if kind != "submissions":
        newest = "WHERE comment.author = ? AND NOT removed ORDER BY comment.made DESC LIMIT ?"
        found = visit.rows(COMMENTS + newest, find_self(visit), author, most)
        wrote += [(row["made"], "comment", Node(row)) for row in found]
    return sorted(wrote, key=lambda each: each[:2], reverse=True)


def _show_list(visit: Visit, template: str, **values: Any) -> Response:
    return visit.page(template, sorts=SORTS, spans=list(SPANS_DAYS), timed=TIMED, **values)
