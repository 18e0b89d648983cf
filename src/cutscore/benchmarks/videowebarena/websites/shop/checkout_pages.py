"""Checkout in two steps, shipping and payment, and the order that comes of it."""

import json
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.address_pages import find_address, save_address
from cutscore.benchmarks.videowebarena.websites.shop.cart import (
    COUPON,
    CartLine,
    add_up,
    check_stock,
    find_variant,
    read_cart,
)
from cutscore.benchmarks.videowebarena.websites.shop.cart_pages import CART
from cutscore.benchmarks.videowebarena.websites.shop.layout import owner, require_customer, show
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.shop.seeding_orders import ADDRESS_FIELDS
from cutscore.benchmarks.videowebarena.websites.shop.shipping import METHODS, PAYMENTS
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_STEP = "checkout"  # where the session keeps the address and the way of shipping
NEW = "new"


def show_checkout(visit: Visit) -> Response:
    """Show the step that is to be done: shipping, or payment once that is told."""
    customer = require_customer(visit)
    lines = read_cart(visit)
    if not lines:
        return visit.redirect(CART)
    told = visit.session.data.get(_STEP)
    if told and visit.query.get("step") != "shipping":
        method = METHODS[told["shipping"]]
        totals = add_up(visit, lines, shipping=method.cost(_count(lines)))
        address = find_address(visit, customer, told["address"])
        coupon = visit.session.data.get(COUPON, "")
        return show(
            visit,
            "payment.html",
            lines=lines,
            totals=totals,
            address=address,
            method=method,
            payments=PAYMENTS,
            coupon=coupon,
        )
    addresses = visit.rows("SELECT * FROM address WHERE customer = ? ORDER BY id", customer["id"])
    totals = add_up(visit, lines)
    costs = {code: method.cost(_count(lines)) for code, method in METHODS.items()}
    return show(visit, "shipping.html", lines=lines, totals=totals, addresses=addresses, methods=METHODS, costs=costs)


def take_shipping(visit: Visit) -> Response:
    """Keep where the order goes and how; a new address goes into the address book."""
    customer = require_customer(visit)
    chosen = visit.form.get("address", NEW)
    number = save_address(visit, customer) if chosen == NEW else int(chosen) if chosen.isdecimal() else 0
    find_address(visit, customer, number)
    method = visit.form.get("shipping_method", "")
    if method not in METHODS:
        visit.refuse("The shipping method is missing. Select the shipping method and try again.")
    visit.session.data[_STEP] = {"address": number, "shipping": method}
    return visit.redirect("/checkout/#payment")


def place_order(visit: Visit) -> Response:
    """Make an order of the cart, take it out of the stock, and show its number."""
    customer = require_customer(visit)
    lines = read_cart(visit)
    told = visit.session.data.get(_STEP)
    payment = PAYMENTS.get(visit.form.get("payment[method]", ""))
    if not lines or not told:
        return visit.redirect("/checkout/")
    if not payment:
        visit.refuse("Please specify a payment method.")
    address = find_address(visit, customer, told["address"])
    order = _add_order(visit, customer, lines, address=address, shipping=told["shipping"], payment=payment)
    for line in lines:
        _add_line(visit, order, line)
    visit.db.execute("DELETE FROM cart_item WHERE owner = ?", (owner(visit),))
    visit.session.data = {"order": order}
    return visit.redirect("/checkout/onepage/success/")


def show_success(visit: Visit) -> Response:
    """Show the number of the order that was just placed."""
    order = visit.session.data.get("order")
    return show(visit, "success.html", order=order) if order else visit.redirect(CART)


def _add_order(visit: Visit, customer: Row, lines: list[CartLine], *, address: Row, shipping: str, payment: str) -> int:
    method = METHODS[shipping]
    totals = add_up(visit, lines, shipping=method.cost(_count(lines)))
    kept = json.dumps({name: address[name] for name in ADDRESS_FIELDS})
    return insert(
        visit.db,
        "purchase",
        customer=customer["id"],
        email=customer["email"],
        customer_name=f"{customer['first_name']} {customer['last_name']}",
        status="pending",
        created=visit.now.isoformat(),
        shipping_method=method.label,
        payment_method=payment,
        subtotal=totals.subtotal,
        shipping=totals.shipping,
        discount=totals.discount,
        total=totals.total,
        coupon=visit.session.data.get(COUPON, ""),
        billing_address=kept,
        shipping_address=kept,
    )


def _add_line(visit: Visit, order: int, line: CartLine) -> None:
    check_stock(visit, line.product, line.quantity, line.options)
    variant = find_variant(visit, line.product, line.options)
    visit.db.execute(
        "UPDATE product SET quantity = quantity - ?, in_stock = quantity > ? WHERE id = ?",
        (line.quantity, line.quantity, variant["id"]),
    )
    insert(
        visit.db,
        "purchase_item",
        purchase=order,
        product=line.product["id"],
        sku=variant["sku"],
        name=line.product["name"],
        price=line.price,
        quantity=line.quantity,
        options=json.dumps(line.options),
    )


def _count(lines: list[CartLine]) -> int:
    return sum(line.quantity for line in lines)
