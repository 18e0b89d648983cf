"""Publishing, editing and deleting one's own listings."""

import sqlite3
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.classifieds.listings import (
    MOST_TEXT,
    MOST_TITLE,
    item_address,
    read_listing,
    read_member,
    read_number,
    read_text,
)
from cutscore.benchmarks.videowebarena.websites.classifieds.photos import MOST_PHOTOS, add_photos, photo_address
from cutscore.benchmarks.videowebarena.websites.classifieds.search import read_price
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def show_new(visit: Visit) -> Response:
    """Show the form for a new listing."""
    read_member(visit)
    return _show_form(visit, listing=None, photos=[])


def show_edit(visit: Visit) -> Response:
    """Show the form for a listing of one's own."""
    listing = _read_own(visit, visit.query.get("id", ""))
    photos = visit.rows("SELECT name FROM photo WHERE listing = ? ORDER BY name", listing["id"])
    return _show_form(visit, listing=listing, photos=photos)


def publish(visit: Visit) -> Response:
    """Keep a new listing with its photos, and show it."""
    seller = read_member(visit)
    made = visit.db.execute(
        "INSERT INTO listing (category, title, description, price_cents, city, seller, published)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*_read_form(visit), seller["id"], visit.now.isoformat()),
    ).lastrowid
    assert made is not None
    add_photos(visit, made)
    return visit.redirect(item_address(made), notice="Your listing has been published.")


def change(visit: Visit) -> Response:
    """Keep what was changed of a listing; photos that were ticked go, others come."""
    listing = _read_own(visit, visit.form.get("id", ""))
    visit.db.execute(
        "UPDATE listing SET category = ?, title = ?, description = ?, price_cents = ?, city = ? WHERE id = ?",
        (*_read_form(visit), listing["id"]),
    )
    for gone in [value for name, value in visit.fields if name == "remove"]:
        visit.db.execute("DELETE FROM photo WHERE listing = ? AND name = ?", (listing["id"], gone))
    add_photos(visit, listing["id"])
    return visit.redirect(item_address(listing["id"]), notice="Your listing has been updated.")


def delete(visit: Visit) -> Response:
    """Remove a listing with all that belongs to it."""
    listing = _read_own(visit, visit.form.get("id", ""))
    visit.db.execute("DELETE FROM listing WHERE id = ?", (listing["id"],))
    return visit.redirect("/index.php?page=user&action=items", notice="Your listing has been deleted.")


def _show_form(visit: Visit, *, listing: dict[str, Any] | None, photos: list[sqlite3.Row]) -> Response:
    return visit.page(
        "item_form.html",
        listing=listing,
        photos=[(photo["name"], photo_address(listing["id"], photo["name"])) for photo in photos] if listing else [],
        room=MOST_PHOTOS - len(photos),
        categories=visit.rows("SELECT * FROM category ORDER BY id"),
        regions=visit.rows("SELECT * FROM region ORDER BY name"),
        cities=visit.rows("SELECT * FROM city ORDER BY name"),
    )


def _read_own(visit: Visit, written: str) -> dict[str, Any]:
    member = read_member(visit)
    listing = read_listing(visit, read_number(written))
    if listing["seller"] != member["id"]:
        visit.forbid("This is somebody else's listing.")
    return listing


def _read_form(visit: Visit) -> tuple[int, str, str, int, str]:
    title = read_text(visit, "title", MOST_TITLE)
    category = visit.row(
        "SELECT id FROM category WHERE id = ? AND parent IS NOT NULL", visit.form.get("category", "")
    ) or visit.refuse("Please choose a category.")
    price_cents = read_price(visit.form.get("price", ""))
    if price_cents is None:
        visit.refuse("Please tell the price as a number.")
    city = visit.row("SELECT name FROM city WHERE name = ?", visit.form.get("city", "")) or visit.refuse(
        "Please choose a city."
    )
    return category["id"], title, read_text(visit, "description", MOST_TEXT), price_cents, city["name"]
