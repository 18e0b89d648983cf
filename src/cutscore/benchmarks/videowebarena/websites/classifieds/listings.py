"""Listings as people see them: on the first page, alone with comments and a way to the seller."""

import sqlite3
from datetime import datetime
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.classifieds.photos import photo_address
from cutscore.benchmarks.videowebarena.websites.visit import Visit

LATEST = 12  # on the first page
MOST_TITLE, MOST_TEXT = 120, 5_000


def show_main(visit: Visit) -> Response:
    """Show the categories and what came last."""
    categories = visit.rows(
        "SELECT category.*, COUNT(listing.id) AS listings FROM category"
        " LEFT JOIN listing ON listing.category = category.id GROUP BY category.id ORDER BY category.id"
    )
    latest = show_cards(visit, "ORDER BY published DESC, id DESC LIMIT ?", LATEST)
    return visit.page("main.html", categories=categories, listings=latest)


def show_listing(visit: Visit) -> Response:
    """Show one listing."""
    listing = read_listing(visit, visit.number("id", 0))
    photos = visit.rows("SELECT name FROM photo WHERE listing = ? ORDER BY name", listing["id"])
    comments = visit.rows(
        "SELECT comment.*, member.name AS author_name, member.email AS author_email FROM comment"
        " JOIN member ON member.id = comment.author WHERE listing = ? ORDER BY written DESC, comment.id DESC",
        listing["id"],
    )
    return visit.page(
        "item.html",
        listing=listing,
        photos=[photo_address(listing["id"], photo["name"]) for photo in photos],
        comments=[{**comment, "day": write_day(comment["written"])} for comment in comments],
        heading=visit.row("SELECT * FROM category WHERE id = ?", listing["heading"]),
    )


def add_comment(visit: Visit) -> Response:
    """Keep a comment; whoever writes several is shown with several."""
    author, listing = read_member(visit), read_listing(visit, read_number(visit.form.get("id", "")))
    title, body = read_text(visit, "title", MOST_TITLE), read_text(visit, "body", MOST_TEXT)
    stars = read_number(visit.form.get("rating", ""))
    if not 1 <= stars <= 5:
        visit.refuse("Please choose between one and five stars.")
    visit.db.execute(
        "INSERT INTO comment (listing, author, title, stars, body, written) VALUES (?, ?, ?, ?, ?, ?)",
        (listing["id"], author["id"], title, stars, body, visit.now.isoformat()),
    )
    return visit.redirect(item_address(listing["id"]), notice="Your comment has been published.")


def delete_comment(visit: Visit) -> Response:
    """Remove a comment of one's own."""
    number = read_number(visit.form.get("id", ""))
    comment = visit.row("SELECT * FROM comment WHERE id = ?", number) or visit.missing("comment")
    if comment["author"] != read_member(visit)["id"]:
        visit.forbid("You can only delete your own comments.")
    visit.db.execute("DELETE FROM comment WHERE id = ?", (comment["id"],))
    return visit.redirect(item_address(comment["listing"]), notice="Your comment has been deleted.")


def contact_seller(visit: Visit) -> Response:
    """Send the seller a message, which both find among their messages."""
    sender, listing = read_member(visit), read_listing(visit, read_number(visit.form.get("id", "")))
    body = read_text(visit, "message", MOST_TEXT)
    if listing["seller"] == sender["id"]:
        visit.refuse("This is your own listing.")
    visit.db.execute(
        "INSERT INTO message (listing, sender, receiver, body, sent) VALUES (?, ?, ?, ?, ?)",
        (listing["id"], sender["id"], listing["seller"], body, visit.now.isoformat()),
    )
    notice = f"Your message to {listing['seller_name']} has been sent."
    return visit.redirect(item_address(listing["id"]), notice=notice)


def read_listing(visit: Visit, number: int) -> dict[str, Any]:
    """Return a listing as it is shown; the page says 404 where there is none, which tasks about deletion look for."""
    found = show_cards(visit, "WHERE id = ?", number)
    if not found:
        visit.refuse("Error 404: there is no such listing. It may have been deleted.", status=404)
    return found[0]


def show_cards(visit: Visit, which: str, *values: object) -> list[dict[str, Any]]:
    """Return listings as they are shown; `which` is the end of the query."""
    return [_card(row) for row in visit.rows(f"SELECT * FROM listing_card {which}", *values)]  # noqa: S608


def read_member(visit: Visit) -> sqlite3.Row:
    """Return who is logged in; whoever is not logs in first."""
    return visit.row("SELECT * FROM member WHERE email = ?", visit.require_account()) or visit.missing("account")


def read_text(visit: Visit, name: str, most: int) -> str:
    """Return a text of a form; refuse one that is empty or too long."""
    text = visit.form.get(name, "").strip()
    if not text:
        visit.refuse(f"Please fill in the {name}.")
    if len(text) > most:
        visit.refuse(f"The {name} is too long: at most {most:,} characters are taken.", status=413)
    return text


def read_number(written: str) -> int:
    """Return the number of a thing; 0, which nothing has, where it is none.

    >>> read_number("17"), read_number("-1"), read_number("9" * 99)
    (17, 0, 0)
    """
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 12 else 0


def item_address(listing: int) -> str:
    """Return where a listing is found."""
    return f"/index.php?page=item&id={listing}"


def write_price(cents: int) -> str:
    """Return a price as the published site writes it.

    >>> write_price(2500050)
    '25000.50 $'
    """
    return f"{cents / 100:.2f} $"


def write_day(moment: str) -> str:
    """Return the day of a moment in words.

    >>> write_day("2025-03-04T09:00:00+00:00")
    'March 4, 2025'
    """
    day = datetime.fromisoformat(moment)
    return f"{day:%B} {day.day}, {day.year}"


def _card(row: sqlite3.Row) -> dict[str, Any]:
    photo = photo_address(row["id"], row["photo"]) if row["photo"] else ""
    shown = {"price": write_price(row["price_cents"]), "day": write_day(row["published"])}
    return {**row, **shown, "photo": photo, "address": item_address(row["id"])}
