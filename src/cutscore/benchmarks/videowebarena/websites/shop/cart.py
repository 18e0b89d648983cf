"""What is in a cart and what it costs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Row

from cutscore.benchmarks.videowebarena.websites.shop.layout import find_customer, owner
from cutscore.benchmarks.videowebarena.websites.shop.listing import cents
from cutscore.benchmarks.videowebarena.websites.shop.product_pages import read_options
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit

COUPON = "coupon"  # where the session keeps it


@dataclass(frozen=True)
class CartLine:
    """One line of a cart: a product with what was chosen; prices in cents."""

    id: int
    product: Row
    options: Mapping[str, str]
    price: int
    quantity: int

    @property
    def subtotal(self) -> int:
        """What the line costs."""
        return self.price * self.quantity


@dataclass(frozen=True)
class Totals:
    """What a cart costs, in cents."""

    subtotal: int
    shipping: int
    discount: int

    @property
    def total(self) -> int:
        """What is paid."""
        return self.subtotal + self.shipping - self.discount


def read_cart(visit: Visit) -> list[CartLine]:
    """Return what the visitor has in the cart; what is sold no more is left out."""
    rows = visit.rows(
        "SELECT cart_item.id AS line, cart_item.quantity AS count, options, product.* FROM cart_item"
        " JOIN product ON product.id = cart_item.product WHERE owner = ? AND enabled ORDER BY line",
        owner(visit),
    )
    lines = []
    for row in rows:
        options = json.loads(row["options"])
        lines.append(
            CartLine(row["line"], row, options, row["price"] + _extra(visit, row["id"], options), row["count"])
        )
    return lines


def add_up(visit: Visit, lines: Sequence[CartLine], *, shipping: int = 0) -> Totals:
    """Return what a cart costs with the price rules that hold for this visitor."""
    subtotal = sum(line.subtotal for line in lines)
    count = sum(line.quantity for line in lines)
    customer = find_customer(visit)
    group = customer["customer_group"] if customer else "NOT LOGGED IN"
    coupon = visit.session.data.get(COUPON, "")
    rules = visit.rows("SELECT * FROM price_rule WHERE active AND coupon IN ('', ?) ORDER BY id", coupon)
    discount = sum(_discount(rule, subtotal, count) for rule in rules if group in rule["customer_groups"])
    return Totals(subtotal, shipping, min(discount, subtotal))


def choose_options(visit: Visit, product: Row) -> dict[str, str]:
    """Return the options that a form chose, by name; those that it left open are absent."""
    chosen: dict[str, str] = {}
    for option, values in read_options(visit, product["id"]):
        written = visit.form.get(f"options[{option['id']}]", "")
        for value in values:
            if str(value["id"]) == written:
                chosen[option["name"]] = value["value"]
    return chosen


def lacks_options(visit: Visit, product: Row, options: Mapping[str, str]) -> bool:
    """Return whether something is still to be chosen."""
    return any(option["name"] not in options for option, _ in read_options(visit, product["id"]))


def find_variant(visit: Visit, product: Row, options: Mapping[str, str]) -> Row:
    """Return the product of its own that the options choose, where a product has such; else the product."""
    found = visit.row("SELECT * FROM product WHERE parent = ? AND size = ?", product["id"], options.get("Size", ""))
    return found or product


def put_into_cart(visit: Visit, product: Row, quantity: int, options: Mapping[str, str]) -> None:
    """Add to the line of the same product and options, or begin one; refused where the stock does not suffice."""
    kept = json.dumps(options)
    line = visit.row(
        "SELECT * FROM cart_item WHERE owner = ? AND product = ? AND options = ?", owner(visit), product["id"], kept
    )
    wanted = quantity + (line["quantity"] if line else 0)
    check_stock(visit, product, wanted, options)
    if line:
        visit.db.execute("UPDATE cart_item SET quantity = ? WHERE id = ?", (wanted, line["id"]))
    else:
        insert(visit.db, "cart_item", owner=owner(visit), product=product["id"], quantity=quantity, options=kept)


def check_stock(visit: Visit, product: Row, quantity: int, options: Mapping[str, str]) -> None:
    """Refuse more than there is."""
    variant = find_variant(visit, product, options)
    if not variant["in_stock"]:
        visit.refuse(f"{product['name']} is out of stock.")
    if quantity > variant["quantity"]:
        visit.refuse(f"The requested quantity of {product['name']} is not available.")


def _extra(visit: Visit, product: int, options: Mapping[str, str]) -> int:
    return sum(
        value["extra_price"]
        for option, values in read_options(visit, product)
        for value in values
        if options.get(option["name"]) == value["value"]
    )


def _discount(rule: Row, subtotal: int, count: int) -> int:
    amount = cents(rule["amount"])
    return {
        "by_percent": round(subtotal * amount / 10_000),
        "by_fixed": amount * count,
        "cart_fixed": amount,
    }.get(rule["action"], 0)
