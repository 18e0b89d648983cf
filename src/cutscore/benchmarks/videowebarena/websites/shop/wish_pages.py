"""The wish list: products with quantities, options and comments."""

import json
from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.cart import (
    choose_options,
    lacks_options,
    put_into_cart,
    read_cart,
)
from cutscore.benchmarks.videowebarena.websites.shop.layout import optional_field, require_customer, show, whole_number
from cutscore.benchmarks.videowebarena.websites.shop.product_pages import find_product
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_LIST = "/wishlist/"


def show_wishes(visit: Visit) -> Response:
    """Show the wish list."""
    wishes = visit.rows(
        "SELECT wish.*, product.name, product.path, product.price FROM wish JOIN product ON product.id = product"
        " WHERE customer = ? AND enabled ORDER BY wish.id",
        require_customer(visit)["id"],
    )
    return show(visit, "wishes.html", wishes=[(wish, json.loads(wish["options"])) for wish in wishes])


def add_wish(visit: Visit) -> Response:
    """Put a product on the list, with the options that are chosen already."""
    customer = require_customer(visit)
    product = find_product(visit, whole_number(visit, "product", usual="", most=10**7))
    _add(visit, customer, product["id"], whole_number(visit, "qty"), choose_options(visit, product))
    notice = f"{product['name']} has been added to your Wish List."
    return visit.redirect(_LIST, notice=notice)


def move_from_cart(visit: Visit) -> Response:
    """Move a line of the cart to the list."""
    customer = require_customer(visit)
    number = whole_number(visit, "line", usual="", most=10**9)
    for line in read_cart(visit):
        if line.id == number:
            _add(visit, customer, line.product["id"], line.quantity, dict(line.options))
            visit.db.execute("DELETE FROM cart_item WHERE id = ?", (number,))
    return visit.redirect("/checkout/cart/", notice="The item has been moved to your wish list.")


def change_wishes(visit: Visit) -> Response:
    """Take the comments and quantities of the form."""
    for wish in visit.rows("SELECT * FROM wish WHERE customer = ?", require_customer(visit)["id"]):
        quantity = whole_number(visit, f"qty[{wish['id']}]", usual=str(wish["quantity"]))
        comment = optional_field(visit, f"description[{wish['id']}]", "A comment", most=2000)
        visit.db.execute("UPDATE wish SET quantity = ?, comment = ? WHERE id = ?", (quantity, comment, wish["id"]))
    return visit.redirect(_LIST, notice="The wish list was updated.")


def remove_wish(visit: Visit) -> Response:
    """Take a product off the list."""
    wish = _find(visit, whole_number(visit, "item", usual="", most=10**9))
    visit.db.execute("DELETE FROM wish WHERE id = ?", (wish["id"],))
    return visit.redirect(_LIST, notice="The item has been removed from your Wish List.")


def buy_wish(visit: Visit) -> Response:
    """Move a product of the list into the cart; where options are still to be chosen, show its page."""
    wish = _find(visit, whole_number(visit, "item", usual="", most=10**9))
    product = find_product(visit, wish["product"])
    options = json.loads(wish["options"])
    if lacks_options(visit, product, options):
        return visit.redirect(f"/{product['path']}", notice="You need to choose options for your item.")
    put_into_cart(visit, product, wish["quantity"], options)
    visit.db.execute("DELETE FROM wish WHERE id = ?", (wish["id"],))
    return visit.redirect(_LIST, notice=f"You added {product['name']} to your shopping cart.")


def _find(visit: Visit, number: int) -> Row:
    customer = require_customer(visit)
    found = visit.row("SELECT * FROM wish WHERE id = ? AND customer = ?", number, customer["id"])
    return found or visit.missing("item")


def _add(visit: Visit, customer: Row, product: int, quantity: int, options: dict[str, str]) -> None:
    same = {"customer": customer["id"], "product": product, "options": json.dumps(options)}
    there = visit.row("SELECT id FROM wish WHERE customer = ? AND product = ? AND options = ?", *same.values())
    if there:
        visit.db.execute("UPDATE wish SET quantity = quantity + ? WHERE id = ?", (quantity, there["id"]))
    else:
        insert(visit.db, "wish", quantity=quantity, added=visit.now.isoformat(), **same)
