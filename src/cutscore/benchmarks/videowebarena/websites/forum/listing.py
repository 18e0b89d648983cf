"""Lists of posts: how they are sorted, since when, and what comes after the last one shown."""

from dataclasses import dataclass
from sqlite3 import Row
from urllib.parse import urlencode

from cutscore.benchmarks.videowebarena.websites.forum.members import find_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE = 25
DAY_S = 86_400
SPANS_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "all": 36_500}
# A post with the names of its forum and author, and how the visitor voted: the one value is who visits.
POSTS = """
SELECT post.*, forum.name AS forum_name, account.name AS author_name, COALESCE(post_vote.choice, 0) AS choice,
  strftime('%Y-%m-%dT%H:%M:%SZ', post.made, 'unixepoch') AS made_iso
FROM post JOIN forum ON forum.id = post.forum JOIN account ON account.id = post.author
LEFT JOIN post_vote ON post_vote.thing = post.id AND post_vote.account = ?
"""


@dataclass(frozen=True)
class Sort:
    """A way to sort posts: by a column, which the address of the next page calls `field`."""

    label: str
    column: str
    field: str
    rising: bool = False


SORTS = {
    "hot": Sort("Hot", "post.ranking", "ranking"),
    "new": Sort("New", "post.made", "timestamp"),
    "active": Sort("Active", "post.active", "lastActive"),
    "top": Sort("Top", "post.score", "netScore"),
    "controversial": Sort("Controversial", "post.score", "netScore", rising=True),
    "most_commented": Sort("Most commented", "post.comments", "commentCount"),
}
TIMED = ("top", "controversial", "most_commented")


@dataclass(frozen=True)
class PostListing:
    """Posts of one page.

    Args:
        base: Address of the list in its usual order; a way to sort is added to it.
        more: Query of the next page; empty where this is the last.
    """

    posts: list[Row]
    base: str
    sort: str
    span: str
    more: str

    @property
    def address(self) -> str:
        """Address of this list as it is sorted now."""
        return f"{self.base}/{self.sort}"


def list_posts(visit: Visit, base: str, sort: str, where: str = "1", *values: object) -> PostListing:
    """Return the posts for which `where` holds, without those of people whom the visitor blocked."""
    by = SORTS.get(sort) or visit.missing("page")
    span = visit.query.get("t", "all")
    if span not in SPANS_DAYS or sort not in TIMED:
        span = "all"
    me = find_self(visit)
    since = int(visit.now.timestamp()) - SPANS_DAYS[span] * DAY_S
    where += " AND post.made >= ? AND post.author NOT IN (SELECT blocked FROM block WHERE account = ?)"
    given: list[object] = [me, *values, since, me]
    after, number = visit.query.get(f"next[{by.field}]", ""), visit.query.get("next[id]", "")
    if _is_number(after) and _is_number(number):
        where += f" AND ({by.column}, post.id) {'>' if by.rising else '<'} (?, ?)"
        given += [int(after), int(number)]
    way = "ASC" if by.rising else "DESC"
    found = visit.rows(
        f"{POSTS} WHERE {where} ORDER BY {by.column} {way}, post.id {way} LIMIT {PAGE + 1}",
        *given,
    )
    more = ""
    if len(found) > PAGE:
        last = found[PAGE - 1]
        kept = {"t": span} if sort in TIMED else {}
        more = urlencode({**kept, f"next[{by.field}]": last[by.column.split(".")[1]], "next[id]": last["id"]})
    return PostListing(found[:PAGE], base, sort, span, more)


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 16
