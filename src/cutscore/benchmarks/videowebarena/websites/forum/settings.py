"""What people set about themselves: front page, biography, username, whom they blocked."""

import re

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.forum.listing import SORTS
from cutscore.benchmarks.videowebarena.websites.forum.members import find_person, require_own, require_self
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_NAME = re.compile(r"\w{3,25}", re.ASCII)
MOST_BIOGRAPHY = 10_000


def show_settings(visit: Visit) -> Response:
    return visit.page("preferences.html", person=require_own(visit), sorts=SORTS)


def save_settings(visit: Visit) -> Response:
    person, sort = require_own(visit), visit.form.get("front_sort", "")
    if sort not in SORTS:
        visit.refuse("Choose one of the ways to sort.")
    visit.db.execute("UPDATE account SET front_sort = ? WHERE id = ?", (sort, person["id"]))
    return visit.redirect(f"/user/{person['name']}/preferences", notice="Your preferences are saved.")


def show_biography(visit: Visit) -> Response:
    return visit.page("biography.html", person=require_own(visit))


def save_biography(visit: Visit) -> Response:
    person, text = require_own(visit), visit.form.get("biography", "").strip()
    if len(text) > MOST_BIOGRAPHY:
        visit.refuse(f"A biography has at most {MOST_BIOGRAPHY:,} characters.")
    visit.db.execute("UPDATE account SET biography = ? WHERE id = ?", (text, person["id"]))
    return visit.redirect(f"/user/{person['name']}", notice="Your biography is saved.")


def show_account(visit: Visit) -> Response:
    return visit.page("account.html", person=require_own(visit))


def rename(visit: Visit) -> Response:
    """Change the name of the visitor; it must be free."""
    person, name = require_own(visit), visit.form.get("username", "").strip()
    if not _NAME.fullmatch(name):
        visit.refuse("A username has 3 to 25 letters, digits or underscores.")
    if visit.row("SELECT 1 FROM account WHERE name = ? AND id != ?", name, person["id"]):
        visit.refuse("Somebody else has this username.")
    visit.db.execute("UPDATE account SET name = ? WHERE id = ?", (name, person["id"]))
    visit.session.account = name
    return visit.redirect(f"/user/{name}", notice="Your username is changed.")


def show_blocks(visit: Visit) -> Response:
    person = require_own(visit)
    blocked = visit.rows(
        "SELECT name FROM block JOIN account ON account.id = blocked WHERE account = ? ORDER BY name", person["id"]
    )
    return visit.page("block_list.html", person=person, blocked=blocked)


def block(visit: Visit) -> Response:
    """Hide somebody's posts from the visitor, and take no messages of theirs."""
    me, person = require_self(visit), find_person(visit)
    if person["id"] == me:
        visit.refuse("You cannot block yourself.")
    visit.db.execute("INSERT OR IGNORE INTO block VALUES (?, ?)", (me, person["id"]))
    return visit.redirect(f"/user/{visit.account}/block_list", notice=f"You blocked {person['name']}.")


def unblock(visit: Visit) -> Response:
    me, person = require_self(visit), find_person(visit)
    visit.db.execute("DELETE FROM block WHERE account = ? AND blocked = ?", (me, person["id"]))
    return visit.redirect(f"/user/{visit.account}/block_list", notice=f"{person['name']} is not blocked any more.")
