"""What a site is: a name, a host, tables, a seed, and addresses that answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.responses import Response

    from cutscore.benchmarks.videowebarena.websites.visit import Visit

Handler = Callable[["Visit"], "Response"]


@dataclass(frozen=True)
class SeedContext:
    """What a database is filled with.

    Args:
        db: The empty tables.
        draw: Seeded by the world's seed and the name of the database, so that no site moves another's draw.
        folder: For what is no table: git repositories.
    """

    db: Connection
    draw: Random
    folder: Path


@dataclass(frozen=True)
class Database:
    """Tables that one site or more share, and what they hold at the start.

    Args:
        name: Of its file.
        schema: SQL that makes the tables.
        fill: Fills them; equal seeds give equal bytes of every row.
    """

    name: str
    schema: Path
    fill: Callable[[SeedContext], None]


@dataclass(frozen=True)
class Address:
    """An address of a site that answers.

    Args:
        path: In Starlette's words: `/f/{forum}/{post:int}`.
        post: It takes a form; the clock moves, and what the handler wrote is kept when it returns.
        checked: A form needs the token that its page was given; programs that log in otherwise have none.
    """

    path: str
    handler: Handler
    post: bool = False
    checked: bool = True


@dataclass(frozen=True)
class Website:
    """One site.

    Args:
        name: As tasks call it: `reddit`; its placeholder is `__REDDIT__`.
        title: As people see it.
        host: Where it is found: `forum.localhost`.
        folder: Where its templates are.
        base_path: Behind the host, in the address that tasks expand: `/admin`.
        account: Who is logged in for a task, and the password.
        login_path: Where a page sends whoever must log in first.
        mounts: ASGI applications below a path, for what is no page: git over HTTP. Each is made for a served folder.
    """

    name: str
    title: str
    host: str
    folder: Path
    database: Database
    addresses: Sequence[Address]
    base_path: str = ""
    account: str = ""
    password: str = ""
    login_path: str = "/login"
    mounts: Mapping[str, Callable[[Path], object]] = field(default_factory=dict)


def page(path: str, handler: Handler) -> Address:
    """Return an address that shows something."""
    return Address(path, handler)


def form(path: str, handler: Handler) -> Address:
    """Return an address that takes a form."""
    return Address(path, handler, post=True)


def call(path: str, handler: Handler) -> Address:
    """Return an address that takes a program's POST, without the token of a page."""
    return Address(path, handler, post=True, checked=False)
