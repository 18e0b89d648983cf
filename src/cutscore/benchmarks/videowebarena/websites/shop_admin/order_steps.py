"""What becomes of an order: canceled, held, invoiced, shipped."""

from collections.abc import Sequence
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit

CARRIERS = ("DHL", "Federal Express", "United Parcel Service", "United States Postal Service")
OPEN = ("pending", "processing")
STEPS = {  # step → words of its button, and what is said when it is done
    "cancel": ("Cancel", "You canceled the order."),
    "hold": ("Hold", "You put the order on hold."),
    "unhold": ("Unhold", "You released the order from holding status."),
    "invoice": ("Invoice", "The invoice has been created."),
}


def order_address(order: int) -> str:
    """Return where an order is shown."""
    return f"/admin/sales/order/view/order_id/{order}/"


def possible_steps(status: str, items: Sequence[Row]) -> list[str]:
    """Return what can be done with an order: `ship` and what STEPS names."""
    if status == "holded":
        return ["unhold"]
    if status not in OPEN:
        return []
    to_invoice = any(item["invoiced"] < item["quantity"] for item in items)
    to_ship = any(item["shipped"] < item["quantity"] for item in items)
    return [
        *(["cancel"] if to_invoice else []),
        "hold",
        *(["invoice"] if to_invoice else []),
        *(["ship"] if to_ship else []),
    ]


def take_step(visit: Visit) -> Response:
    """Cancel, hold, release or invoice an order."""
    step, order = visit.path["step"], visit.path["order"]
    if step not in STEPS:
        visit.missing("page")
    _require(visit, order, step)
    if step == "invoice":
        visit.db.execute("UPDATE purchase_item SET invoiced = quantity WHERE purchase = ?", (order,))
        _move_on(visit, order)
    elif step == "cancel":
        _put_back(visit, order)
        visit.db.execute("UPDATE purchase SET status = 'canceled' WHERE id = ?", (order,))
    else:
        begun = visit.count("SELECT COALESCE(SUM(invoiced + shipped), 0) FROM purchase_item WHERE purchase = ?", order)
        status = "holded" if step == "hold" else "processing" if begun else "pending"
        visit.db.execute("UPDATE purchase SET status = ? WHERE id = ?", (status, order))
    return visit.redirect(order_address(order), notice=STEPS[step][1])


def _put_back(visit: Visit, order: int) -> None:
    """Give what was not sent back to the stock, from which it was taken when it was ordered."""
    for item in visit.rows("SELECT product, quantity - shipped AS kept FROM purchase_item WHERE purchase = ?", order):
        visit.db.execute("UPDATE product SET quantity = quantity + ? WHERE id = ?", (item["kept"], item["product"]))


def new_shipment(visit: Visit) -> Response:
    """Show what is to be sent, and ask who carries it."""
    order = visit.path["order"]
    _require(visit, order, "ship")
    items = visit.rows("SELECT * FROM purchase_item WHERE purchase = ? AND shipped < quantity ORDER BY id", order)
    return visit.page("shipment.html", order=order, items=items, carriers=CARRIERS)


def ship(visit: Visit) -> Response:
    """Send everything that is left, with a tracking number where one is told."""
    order = visit.path["order"]
    _require(visit, order, "ship")
    if visit.form.get("tracking[number]", "").strip():
        _track(visit, order)
    visit.db.execute("UPDATE purchase_item SET shipped = quantity WHERE purchase = ?", (order,))
    _move_on(visit, order)
    return visit.redirect(order_address(order), notice="The shipment has been created.")


def add_tracking(visit: Visit) -> Response:
    """Write down one more tracking number of an order that was sent."""
    order = visit.path["order"]
    sent = visit.row("SELECT 1 FROM purchase_item WHERE purchase = ? AND shipped > 0", order)
    if not sent or not visit.form.get("tracking[number]", "").strip():
        visit.refuse("A tracking number belongs to an order that was shipped.")
    _track(visit, order)
    return visit.redirect(order_address(order), notice="The tracking number was added.")


def _track(visit: Visit, order: int) -> None:
    carrier = visit.form.get("tracking[carrier_code]", "")
    if carrier not in CARRIERS:
        visit.refuse("Choose who carries the parcel.")
    number = visit.form["tracking[number]"].strip()[:100]
    insert(visit.db, "tracking", purchase=order, carrier=carrier, number=number, created=visit.now.isoformat())


def _require(visit: Visit, order: int, step: str) -> None:
    """Refuse what cannot be done with an order as it is."""
    kept = visit.row("SELECT status FROM purchase WHERE id = ?", order) or visit.missing("order")
    items = visit.rows("SELECT * FROM purchase_item WHERE purchase = ?", order)
    if step not in possible_steps(kept["status"], items):
        visit.refuse("This cannot be done with the order as it is now.")


def _move_on(visit: Visit, order: int) -> None:
    """Set the status that follows from what was invoiced and shipped."""
    left = visit.count(
        "SELECT COUNT(*) FROM purchase_item WHERE purchase = ? AND (invoiced < quantity OR shipped < quantity)", order
    )
    status = "processing" if left else "complete"
    visit.db.execute("UPDATE purchase SET status = ? WHERE id = ?", (status, order))
