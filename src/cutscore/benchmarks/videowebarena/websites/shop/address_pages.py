"""The address book."""

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.layout import field, optional_field, require_customer, show
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_BOOK = "/customer/address/"
_LABELS = {
    "first_name": "First Name",
    "last_name": "Last Name",
    "street": "Street Address",
    "city": "City",
    "region": "State/Province",
    "postcode": "Zip/Postal Code",
    "country": "Country",
    "telephone": "Phone Number",
}


def show_addresses(visit: Visit) -> Response:
    """Show the default addresses, and the others below."""
    customer = require_customer(visit)
    rows = visit.rows("SELECT * FROM address WHERE customer = ? ORDER BY id", customer["id"])
    known = {row["id"]: row for row in rows}
    others = [row for row in rows if row["id"] not in (customer["billing"], customer["shipping"])]
    return show(
        visit,
        "addresses.html",
        billing=known.get(customer["billing"]),
        shipping=known.get(customer["shipping"]),
        others=others,
    )


def show_new_address(visit: Visit) -> Response:
    """Show the form of an address, filled with the customer's name."""
    require_customer(visit)
    return show(visit, "address_form.html", address=None)


def show_address(visit: Visit) -> Response:
    """Show the form of an address."""
    customer = require_customer(visit)
    return show(visit, "address_form.html", address=find_address(visit, customer, visit.path["address"]))


def take_address(visit: Visit) -> Response:
    """Keep an address, a new one or one that is there."""
    customer = require_customer(visit)
    number = save_address(visit, customer, visit.path.get("address"))
    if "default_billing" in visit.form or customer["billing"] is None:
        visit.db.execute("UPDATE customer SET billing = ? WHERE id = ?", (number, customer["id"]))
    if "default_shipping" in visit.form or customer["shipping"] is None:
        visit.db.execute("UPDATE customer SET shipping = ? WHERE id = ?", (number, customer["id"]))
    return visit.redirect(_BOOK, notice="You saved the address.")


def delete_address(visit: Visit) -> Response:
    """Delete an address that is no default."""
    customer = require_customer(visit)
    number = find_address(visit, customer, visit.path["address"])["id"]
    if number in (customer["billing"], customer["shipping"]):
        visit.refuse("A default address cannot be deleted. Make another one the default first.")
    visit.db.execute("DELETE FROM address WHERE id = ?", (number,))
    return visit.redirect(_BOOK, notice="You deleted the address.")


def save_address(visit: Visit, customer: Row, number: int | None = None) -> int:
    """Write the address of the form and return its number."""
    values = {name: field(visit, name, label) for name, label in _LABELS.items()}
    if second := optional_field(visit, "street_2", "Street Address: Line 2"):
        values["street"] += f"\n{second}"
    if number is None:
        return insert(visit.db, "address", customer=customer["id"], **values)
    find_address(visit, customer, number)
    changes = ", ".join(f"{name} = ?" for name in values)
    visit.db.execute(f"UPDATE address SET {changes} WHERE id = ?", (*values.values(), number))  # noqa: S608 (own words)
    return number


def find_address(visit: Visit, customer: Row, number: int) -> Row:
    """Return an address of the customer's own."""
    found = visit.row("SELECT * FROM address WHERE id = ? AND customer = ?", number, customer["id"])
    return found or visit.missing("address")
