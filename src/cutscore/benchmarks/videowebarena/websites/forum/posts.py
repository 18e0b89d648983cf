"""Posts: showing, writing, editing and deleting them."""

from sqlite3 import Row
from urllib.parse import urlsplit

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.address_parts import make_slug, read_number
from cutscore.benchmarks.videowebarena.websites.forum.comments import list_comments
from cutscore.benchmarks.videowebarena.websites.forum.forums import find_forum
from cutscore.benchmarks.videowebarena.websites.forum.listing import POSTS
from cutscore.benchmarks.videowebarena.websites.forum.members import find_self, require_self
from cutscore.benchmarks.videowebarena.websites.forum.pictures import keep_photo, own_picture
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_TITLE, MOST_BODY, MOST_URL = 300, 40_000, 2_000


def find_post(visit: Visit) -> Row:
    """Return the post that the address names."""
    found = visit.row(
        f"{POSTS} WHERE post.id = ? AND forum.name = ?",
        find_self(visit),
        read_number(visit, "post"),
        visit.path["forum"],
    )
    return found or visit.missing("post")


def show_post(visit: Visit) -> Response:
    """Show a post with its comments as a tree, or one after the other where the address ends in `linear`."""
    post, forum = find_post(visit), find_forum(visit)
    linear = visit.request.url.path.endswith("/linear")
    return visit.page("post.html", post=post, forum=forum, comments=list_comments(visit, post["id"], linear=linear))


def show_submit(visit: Visit) -> Response:
    require_self(visit)
    forums = visit.rows("SELECT name FROM forum ORDER BY name")
    chosen = find_forum(visit)["name"] if "forum" in visit.path else ""
    return visit.page("submit.html", forums=[forum["name"] for forum in forums], chosen=chosen)


def submit(visit: Visit) -> Response:
    """Take a new post: an address, a picture, a text, or several of them."""
    me = require_self(visit)
    forum = visit.row("SELECT * FROM forum WHERE name = ?", visit.form.get("forum", ""))
    if forum is None:
        visit.refuse("Choose the forum of your post.")
    title, body = _read_text(visit)
    url = _read_url(visit)
    photo = visit.uploads.get("image")
    image = keep_photo(visit, photo) if photo else own_picture(visit, url)
    now = int(visit.now.timestamp())
    made = visit.db.execute(
        "INSERT INTO post (forum, author, title, slug, url, image, body, made, active, score)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (forum["id"], me, title, make_slug(title), url, image, body, now, now),
    )
    visit.db.execute("INSERT INTO post_vote VALUES (?, ?, 1)", (me, made.lastrowid))
    return visit.redirect(f"/f/{forum['name']}/{made.lastrowid}/{make_slug(title)}")


def show_edit(visit: Visit) -> Response:
    return visit.page("edit_post.html", post=_require_own_post(visit), forum=find_forum(visit))


def edit(visit: Visit) -> Response:
    post = _require_own_post(visit)
    title, body = _read_text(visit)
    now = int(visit.now.timestamp())
    visit.db.execute("UPDATE post SET title = ?, body = ?, edited = ? WHERE id = ?", (title, body, now, post["id"]))
    return visit.redirect(f"/f/{post['forum_name']}/{post['id']}/{post['slug']}", notice="Your post is saved.")


def delete(visit: Visit) -> Response:
    post = _require_own_post(visit)
    visit.db.execute("DELETE FROM post WHERE id = ?", (post["id"],))
    return visit.redirect(f"/f/{post['forum_name']}", notice="Your post is deleted.")


def _require_own_post(visit: Visit) -> Row:
    me, post = require_self(visit), find_post(visit)
    return post if post["author"] == me else visit.forbid("This is the post of somebody else.")


def _read_text(visit: Visit) -> tuple[str, str]:
    title, body = visit.form.get("title", "").strip(), visit.form.get("body", "").strip()
    if not title:
        visit.refuse("A post needs a title.")
    if len(title) > MOST_TITLE or len(body) > MOST_BODY:
        visit.refuse(f"A title has at most {MOST_TITLE} characters, a text {MOST_BODY:,}.")
    return title, body


def _read_url(visit: Visit) -> str:
    url = visit.form.get("url", "").strip()
    try:
        sound = not url or (urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname))
    except ValueError:
        sound = False
    if not sound or len(url) > MOST_URL:
        visit.refuse("An address begins with http:// or https://.")
    return url
