"""Orders of a customer: the list, one of them, and the same again."""

import json
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.cart import put_into_cart
from cutscore.benchmarks.videowebarena.websites.shop.layout import require_customer, show
from cutscore.benchmarks.videowebarena.websites.shop.product_pages import find_product
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE = 10
STATES = {
    "pending": "Pending",
    "processing": "Processing",
    "complete": "Complete",
    "canceled": "Canceled",
    "closed": "Closed",
    "holded": "On Hold",
}


def show_history(visit: Visit) -> Response:
    """Show the orders, the newest first."""
    customer = require_customer(visit)
    total = visit.count("SELECT COUNT(*) FROM purchase WHERE customer = ?", customer["id"])
    last = max(1, -(-total // PAGE))
    page = min(max(1, visit.number("p")), last)
    return show(
        visit,
        "history.html",
        orders=newest_orders(visit, customer, PAGE, (page - 1) * PAGE),
        states=STATES,
        total=total,
        page=page,
        last=last,
    )


def newest_orders(visit: Visit, customer: Row, count: int, skipped: int = 0) -> list[Row]:
    """Return some orders of a customer, the newest first."""
    sql = "SELECT * FROM purchase WHERE customer = ? ORDER BY created DESC, id DESC LIMIT ? OFFSET ?"
    return visit.rows(sql, customer["id"], count, skipped)


def show_order(visit: Visit) -> Response:
    """Show one order."""
    order = _find(visit)
    items = visit.rows("SELECT * FROM purchase_item WHERE purchase = ? ORDER BY id", order["id"])
    return show(
        visit,
        "order.html",
        order=order,
        state=STATES.get(order["status"], order["status"]),
        items=[(item, json.loads(item["options"])) for item in items],
        billing=json.loads(order["billing_address"]),
        shipping=json.loads(order["shipping_address"]),
        comments=visit.rows("SELECT * FROM purchase_comment WHERE purchase = ? AND visible ORDER BY id", order["id"]),
        tracking=visit.rows("SELECT * FROM tracking WHERE purchase = ? ORDER BY id", order["id"]),
    )


def reorder(visit: Visit) -> Response:
    """Put everything of an order into the cart again."""
    order = _find(visit)
    for item in visit.rows("SELECT * FROM purchase_item WHERE purchase = ? ORDER BY id", order["id"]):
        put_into_cart(visit, find_product(visit, item["product"]), item["quantity"], json.loads(item["options"]))
    return visit.redirect("/checkout/cart/")


def _find(visit: Visit) -> Row:
    customer = require_customer(visit)
    found = visit.row("SELECT * FROM purchase WHERE id = ? AND customer = ?", visit.path["order"], customer["id"])
    return found or visit.missing("order")
