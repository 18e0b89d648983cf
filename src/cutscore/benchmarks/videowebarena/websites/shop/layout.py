"""What every page of the shop has: the menu, the cart's count, and who visits."""

from sqlite3 import Row
from typing import Any

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.visit import LoginNeeded, Visit


def show(visit: Visit, template: str, **values: Any) -> Response:
    """Return a page of the shop."""
    rows = visit.rows("SELECT * FROM category ORDER BY position")
    menu = [(top, [row for row in rows if row["parent"] == top["id"]]) for top in rows if top["parent"] is None]
    count = visit.count("SELECT COALESCE(SUM(quantity), 0) FROM cart_item WHERE owner = ?", owner(visit))
    return visit.page(template, menu=menu, cart_count=count, customer=find_customer(visit), **values)


def owner(visit: Visit) -> str:
    """Return whose cart and comparison these are: a customer's, or those of a guest's session."""
    return visit.account or f"session:{visit.session.token}"


def find_customer(visit: Visit) -> Row | None:
    """Return the customer who is logged in."""
    return visit.row("SELECT * FROM customer WHERE email = ?", visit.account) if visit.account else None


def require_customer(visit: Visit) -> Row:
    """Return the customer who is logged in; others are sent to log in."""
    customer = find_customer(visit)
    if customer is None:
        raise LoginNeeded
    return customer


def field(visit: Visit, name: str, label: str, *, most: int = 255) -> str:
    """Return a field of the form that must be filled in."""
    written = optional_field(visit, name, label, most=most)
    return written or visit.refuse(f"{label} is a required field.")


def optional_field(visit: Visit, name: str, label: str, *, most: int = 255) -> str:
    """Return a field of the form that may be empty."""
    written = visit.form.get(name, "").strip()
    return (
        written if len(written) <= most else visit.refuse(f"{label} is too long: at most {most} characters are taken.")
    )


def whole_number(visit: Visit, name: str, *, usual: str = "1", least: int = 1, most: int = 10_000) -> int:
    """Return a number of the form, such as a quantity."""
    written = visit.form.get(name, usual).strip()
    if not (written.isascii() and written.isdecimal() and len(written) < 8 and least <= int(written) <= most):
        visit.refuse(f"Please enter a whole number from {least} to {most:,}.")
    return int(written)
