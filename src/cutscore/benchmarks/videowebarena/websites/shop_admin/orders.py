"""Orders: the list, one order with its history, and where it is sent."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

import json
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.shop.seeding_orders import ADDRESS_FIELDS
from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import dollars, long_time
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.shop_admin.order_steps import (
    CARRIERS,
    STEPS,
    order_address,
    possible_steps,
)
from cutscore.benchmarks.videowebarena.websites.visit import Visit

STATUSES = {
    "canceled": "Canceled",
    "closed": "Closed",
    "complete": "Complete",
    "fraud": "Suspected Fraud",
    "holded": "On Hold",
    "pending": "Pending",
    "processing": "Processing",
}
GRID = AdminGrid(
    source="purchase",
    columns=(
        GridColumn("id", "ID", "printf('%09d', id)"),
        GridColumn("created", "Purchase Date", "created", "time"),
        GridColumn("customer", "Customer Name", "customer_name"),
        GridColumn("email", "Customer Email", "email"),
        GridColumn("ship_to", "Ship-to City", "json_extract(shipping_address, '$.city')"),
        GridColumn("total", "Grand Total", "total", "money"),
        GridColumn("status", "Status", "status", "choice", STATUSES),
    ),
    link="/admin/sales/order/view/order_id/{}/",
    link_words="View",
    order="created DESC, id DESC",
    keyword="printf('%09d', id) || ' ' || customer_name || ' ' || email || ' ' || billing_address",
)


def find_order(visit: Visit) -> Row:
    """Return the order of the address."""
    return visit.row("SELECT * FROM purchase WHERE id = ?", visit.path["order"]) or visit.missing("order")


def show_orders(visit: Visit) -> Response:
    """List all orders."""
    return visit.page("list.html", heading="Orders", view=read_grid(visit, GRID), add=None)


def show_order(visit: Visit) -> Response:
    """Show one order."""
    order = find_order(visit)
    items = visit.rows("SELECT * FROM purchase_item WHERE purchase = ? ORDER BY id", order["id"])
    return visit.page(
        "order.html",
        order=order,
        status_words=STATUSES[order["status"]],
        customer=visit.row("SELECT * FROM customer WHERE id = ?", order["customer"]),
        items=[{**item, "options": json.loads(item["options"])} for item in map(dict, items)],
        addresses=_addresses(order),
        possible=possible_steps(order["status"], items),
        steps=STEPS,
        carriers=CARRIERS,
        notes=_notes(visit, order["id"]),
        tracking=visit.rows("SELECT * FROM tracking WHERE purchase = ? ORDER BY id", order["id"]),
        dollars=dollars,
        long_time=long_time,
    )


def show_history(visit: Visit) -> Response:
    """Show all that happened to an order: comments and parcels, the latest first."""
    order = find_order(visit)
    tracked = visit.rows("SELECT * FROM tracking WHERE purchase = ?", order["id"])
    parcels = [
        (each["created"], f"Tracking number {each['number']} for {each['carrier']} assigned") for each in tracked
    ]
    comments = [(each["created"], each["text"]) for each in _notes(visit, order["id"])]
    events = [(long_time(time), words) for time, words in sorted([*parcels, *comments], reverse=True)]
    return visit.page("history.html", order=order, events=events)


def add_comment(visit: Visit) -> Response:
    """Write a comment into the history of an order, and tell the customer where asked to."""
    order = find_order(visit)
    text = visit.form.get("history[comment]", "").strip()
    if not text:
        visit.refuse("A comment needs words.")
    insert(
        visit.db,
        "purchase_comment",
        purchase=order["id"],
        text=text,
        status=order["status"],
        notified=int("history[is_customer_notified]" in visit.form),
        visible=int("history[is_visible_on_front]" in visit.form),
        created=visit.now.isoformat(),
    )
    return visit.redirect(order_address(order["id"]), notice="The comment was added.")


def edit_address(visit: Visit) -> Response:
    """Show an address of an order."""
    order, column, words = _find_address(visit)
    return visit.page("address.html", order=order, words=words, address=json.loads(order[column]))


def save_address(visit: Visit) -> Response:
    """Keep another address of an order; the customer's own stays as it is."""
    order, column, words = _find_address(visit)
    told = {name: visit.form.get(name, "").strip() for name in ADDRESS_FIELDS}
    if lacking := [name for name, value in told.items() if not value]:
        visit.refuse(f"The address needs a {lacking[0].replace('_', ' ')}.")
    visit.db.execute(f"UPDATE purchase SET {column} = ? WHERE id = ?", (json.dumps(told), order["id"]))
    return visit.redirect(order_address(order["id"]), notice=f"You updated the {words} address.")


def _notes(visit: Visit, order: int) -> list[Row]:
    return visit.rows("SELECT * FROM purchase_comment WHERE purchase = ? ORDER BY id DESC", order)


def _addresses(order: Row) -> list[tuple[str, int, dict[str, str]]]:
    """Return the addresses of an order: in words, by number, by field. The shipping address of order 7 is number 13."""
    billing, shipping = json.loads(order["billing_address"]), json.loads(order["shipping_address"])
    return [("Billing", 2 * order["id"], billing), ("Shipping", 2 * order["id"] - 1, shipping)]


def _find_address(visit: Visit) -> tuple[Row, str, str]:
    number = visit.path["address"]
    order = visit.row("SELECT * FROM purchase WHERE id = ?", (number + 1) // 2) or visit.missing("address")
    words = "shipping" if number % 2 else "billing"
    return order, f"{words}_address", words
