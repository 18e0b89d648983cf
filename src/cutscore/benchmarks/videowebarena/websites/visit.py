"""What a page has to work with: the request, the form, the visitor's session, the database, the clock.

Two handlers, one behind `page(…)` and one behind `form(…)`, where the token is checked and the clock has moved:

```python
def show_post(visit: Visit) -> Response:
    post = visit.row("SELECT * FROM post WHERE id = ?", visit.path["post"]) or visit.missing("post")
    return visit.page("post.html", post=post)


def vote(visit: Visit) -> Response:
    account = visit.require_account()
    visit.db.execute("INSERT …", (account, visit.now.isoformat()))
    return visit.back(notice="Your vote was counted.")
```
"""

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

from jinja2 import Environment as TemplateEnvironment
from starlette.datastructures import FormData, QueryParams, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from cutscore.benchmarks.videowebarena.websites.state import move_clock, read_clock
from cutscore.benchmarks.videowebarena.websites.website import Website

TOKEN_FIELD = "csrf_token"  # noqa: S105
MOST_FIELD_CHARS = 200_000


class PageError(Exception):
    """A page that tells of a fault of the visitor's: 400, 403, 404, 413."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class LoginNeeded(Exception):
    """A page that wants somebody to be logged in."""


@dataclass(frozen=True)
class Upload:
    """A file that a form brought."""

    name: str
    media_type: str
    content: bytes


@dataclass
class Session:
    """Who visits, as a cookie tells; `data` is what the site keeps for them."""

    token: str
    csrf: str
    account: str = ""
    notice: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Visit:
    """One request to one site.

    Args:
        path: Parts of the address by name.
        form: Fields of a form; of a field that comes several times the last, see `fields`.
        home: Folder of the site's database, for what is no table.
    """

    request: Request
    site: Website
    db: sqlite3.Connection
    templates: TemplateEnvironment
    home: Path
    session: Session
    form: Mapping[str, str] = field(default_factory=dict)
    fields: Sequence[tuple[str, str]] = ()
    uploads: Mapping[str, Upload] = field(default_factory=dict)

    @property
    def path(self) -> Mapping[str, Any]:
        return self.request.path_params

    @property
    def query(self) -> QueryParams:
        return self.request.query_params

    @property
    def now(self) -> datetime:
        """The time on this site."""
        return read_clock(self.db)

    @property
    def account(self) -> str:
        """Who is logged in; empty where nobody is."""
        return self.session.account

    def require_account(self) -> str:
        """Return who is logged in; whoever is not is sent to log in, and back again."""
        if not self.account:
            raise LoginNeeded
        return self.account

    def missing(self, what: str) -> NoReturn:
        """Show that there is no such thing."""
        raise PageError(404, f"This {what} does not exist.")

    def refuse(self, message: str, *, status: int = 400) -> NoReturn:
        """Show why something is not done; nothing of it is kept."""
        raise PageError(status, message)

    def forbid(self, message: str = "You are not allowed to do this.") -> NoReturn:
        """Show that this is for others."""
        raise PageError(403, message)

    def row(self, sql: str, *values: object) -> sqlite3.Row | None:
        """Return the first row of a query."""
        return self.db.execute(sql, values).fetchone()  # type: ignore[no-any-return]

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        return self.db.execute(sql, values).fetchall()

    def count(self, sql: str, *values: object) -> int:
        """Return the first value of the first row."""
        return int(self.db.execute(sql, values).fetchone()[0])

    def number(self, name: str, usual: int = 1, *, most: int = 1_000_000) -> int:
        """Return a whole number of the address's query (`?page=2`), the usual one where it is none."""
        written = self.query.get(name, "")
        return min(int(written), most) if written.isascii() and written.isdecimal() and len(written) < 12 else usual

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """Return a page of the site; a notice that waits is shown once."""
        notice, self.session.notice = self.session.notice, ""
        text = self.templates.get_template(template).render(visit=self, site=self.site, notice=notice, **values)
        return HTMLResponse(text, status)

    def redirect(self, address: str, *, notice: str = "") -> Response:
        """Send the visitor to another page of the site, where the notice is shown."""
        if notice:
            self.session.notice = notice
        return RedirectResponse(address, 303)

    def back(self, usual: str = "/", *, notice: str = "") -> Response:
        """Send the visitor back to the page of the form, by its field `back`; never to another site."""
        wanted = self.form.get("back", "")
        own = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
        return self.redirect(wanted if own else usual, notice=notice)

    def json(self, value: Any, *, status: int = 200) -> Response:
        """Return what a program asked for."""
        return JSONResponse(value, status)

    def save_upload(self, upload: Upload, name: str) -> None:
        """Keep a file in the database under a name."""
        self.db.execute("INSERT OR REPLACE INTO upload VALUES (?, ?, ?)", (name, upload.media_type, upload.content))

    @property
    def here(self) -> str:
        """The address of this page, to come back to."""
        query = f"?{self.request.url.query}" if self.request.url.query else ""
        return self.request.url.path + query


def open_session(db: sqlite3.Connection, site: Website, token: str) -> Session:
    """Return the session of a cookie, or a new one.

    Its tokens are drawn from the database's own secret and the number of the session, so equal visits get equal pages.
    """
    kept = db.execute("SELECT * FROM session WHERE token = ? AND site = ?", (token, site.name)).fetchone()
    if kept is not None:
        return Session(kept["token"], kept["csrf"], kept["account"], kept["notice"], json.loads(kept["data"]))
    (number,) = db.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM session").fetchone()
    made = Session(_token(site, number, "session"), _token(site, number, "form"))
    db.execute(
        "INSERT INTO session (number, token, site, csrf) VALUES (?, ?, ?, ?)",
        (number, made.token, site.name, made.csrf),
    )
    return made


def save_session(db: sqlite3.Connection, session: Session) -> None:
    """Keep what a visit has changed of its session."""
    db.execute(
        "UPDATE session SET account = ?, notice = ?, data = ? WHERE token = ?",
        (session.account, session.notice, json.dumps(session.data), session.token),
    )


def check_form(session: Session, form: Mapping[str, str]) -> None:
    """Refuse a form that does not come from a page of this session."""
    if not hmac.compare_digest(form.get(TOKEN_FIELD, "").encode(), session.csrf.encode()):
        raise PageError(403, "This form has expired. Go back, load the page again, and send it once more.")


async def read_uploads(data: FormData) -> tuple[list[tuple[str, str]], dict[str, Upload]]:
    """Return the fields and the files of a form; a file that nobody chose is left out."""
    fields: list[tuple[str, str]] = []
    files: dict[str, Upload] = {}
    for name, value in data.multi_items():
        if not isinstance(value, UploadFile):
            if len(value) > MOST_FIELD_CHARS:
                raise PageError(413, f"This is too long: at most {MOST_FIELD_CHARS:,} characters are taken.")
            fields.append((name, value.replace("\r\n", "\n")))
        elif value.filename:
            files[name] = Upload(value.filename, value.content_type or "", await value.read())
    return fields, files


def begin_write(db: sqlite3.Connection) -> None:
    """Begin what a form does: it is kept whole or not at all."""
    db.execute("BEGIN IMMEDIATE")
    move_clock(db)


def login_address(site: Website, back: str) -> str:
    """Return where somebody logs in, to come back to a page."""
    joint = "&" if "?" in site.login_path else "?"
    return f"{site.login_path}{joint}back={quote(back, safe='/')}"


def _token(site: Website, number: int, use: str) -> str:
    return hashlib.sha256(f"{site.name} {use} {number}".encode()).hexdigest()[:40]
