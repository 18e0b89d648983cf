"""The cart: adding, changing, removing, and a coupon."""

import re

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.cart import (
    COUPON,
    add_up,
    check_stock,
    choose_options,
    lacks_options,
    put_into_cart,
    read_cart,
)
from cutscore.benchmarks.videowebarena.websites.shop.layout import owner, show, whole_number
from cutscore.benchmarks.videowebarena.websites.shop.product_pages import find_product
from cutscore.benchmarks.videowebarena.websites.shop.shipping import METHODS
from cutscore.benchmarks.videowebarena.websites.visit import Visit

CART = "/checkout/cart/"
_CHOOSE = "You need to choose options for your item."


def show_cart(visit: Visit) -> Response:
    """Show what is in the cart."""
    lines = read_cart(visit)
    shipping = METHODS["flatrate"].cost(sum(line.quantity for line in lines))
    totals = add_up(visit, lines, shipping=shipping)
    return show(visit, "cart.html", lines=lines, totals=totals, coupon=visit.session.data.get(COUPON, ""))


def add_to_cart(visit: Visit) -> Response:
    """Put a product into the cart; where options are still to be chosen, show its page."""
    product = find_product(visit, whole_number(visit, "product", usual="", most=10**7))
    options = choose_options(visit, product)
    if lacks_options(visit, product, options):
        return visit.redirect(f"/{product['path']}", notice=_CHOOSE)
    put_into_cart(visit, product, whole_number(visit, "qty"), options)
    return visit.back(f"/{product['path']}", notice=f"You added {product['name']} to your shopping cart.")


def change_cart(visit: Visit) -> Response:
    """Take the quantities of the form; none of a line removes it."""
    for line in read_cart(visit):
        quantity = whole_number(visit, f"cart[{line.id}][qty]", usual=str(line.quantity), least=0)
        check_stock(visit, line.product, quantity, line.options)
        visit.db.execute("UPDATE cart_item SET quantity = ? WHERE id = ?", (quantity, line.id))
    visit.db.execute("DELETE FROM cart_item WHERE owner = ? AND quantity = 0", (owner(visit),))
    return visit.redirect(CART, notice="The shopping cart was updated.")


def remove_from_cart(visit: Visit) -> Response:
    """Remove one line."""
    number = whole_number(visit, "line", usual="", most=10**9)
    visit.db.execute("DELETE FROM cart_item WHERE id = ? AND owner = ?", (number, owner(visit)))
    return visit.redirect(CART, notice="The item was removed from your shopping cart.")


def take_coupon(visit: Visit) -> Response:
    """Use a coupon, or none."""
    code = re.sub(r"\s", "", visit.form.get("coupon_code", ""))[:50] if "remove" not in visit.form else ""
    if code and not visit.row("SELECT 1 FROM price_rule WHERE active AND coupon = ?", code):
        return visit.back(CART, notice=f'The coupon code "{code}" is not valid.')
    visit.session.data[COUPON] = code
    return visit.back(CART, notice=f'You used coupon code "{code}".' if code else "You canceled the coupon code.")
