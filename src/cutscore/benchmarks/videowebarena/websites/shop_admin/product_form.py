"""One product: its fields, its categories, its variants."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.shop.seeding_catalogue import url_key
from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import (
    BadFigure,
    plain_price,
    read_cents,
    read_pieces,
)
from cutscore.benchmarks.videowebarena.websites.shop_admin.products import STATUS, STOCK
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_NAME_CHARS = 255
# Values that the published shop has for colours and sizes, which tasks check.
COLOURS = {
    "Black": "49", "Blue": "50", "Brown": "51", "Grey": "52", "Green": "53", "Cyan": "54", "Pink": "55", "Orange": "56",
    "Purple": "57", "Red": "58", "White": "59", "Yellow": "60",
}  # fmt: skip
SIZES = {
    "XS": "166", "S": "167", "M": "168", "L": "169", "XL": "170", "28": "171", "29": "172", "30": "173", "31": "174",
    "32": "175", "33": "176", "34": "177", "36": "178", "38": "179",
}  # fmt: skip
_PLAIN = DrawnPicture(kind="crate", colour="brown")  # of a product that nobody took a picture of


def edit_product(visit: Visit) -> Response:
    """Show the fields of a product."""
    product = visit.row("SELECT * FROM product WHERE id = ?", visit.path["product"]) or visit.missing("product")
    categories = visit.rows(
        "SELECT category.* FROM category JOIN product_category ON category = category.id WHERE product = ? ORDER BY id",
        product["id"],
    )
    variants = visit.rows("SELECT * FROM product WHERE parent = ? ORDER BY id", product["id"])
    return _show(visit, dict(product), categories, variants)


def new_product(visit: Visit) -> Response:
    """Show the fields of a product that is not there yet."""
    empty = {"id": 0, "name": "", "sku": "", "price": 0, "quantity": 0, "in_stock": 1, "enabled": 1, "on_sale": 0}
    empty |= {"colour": "", "size": "", "short_description": "", "description": "", "parent": None}
    return _show(visit, empty, [], [])


def _show(visit: Visit, product: dict[str, object], categories: list[Row], variants: list[Row]) -> Response:
    return visit.page(
        "product.html",
        product=product,
        price=plain_price(int(str(product["price"]))),
        categories=categories,
        all_categories=visit.rows("SELECT * FROM category ORDER BY id"),
        variants=variants,
        plain_price=plain_price,
        statuses=STATUS,
        stocks=STOCK,
        colours=COLOURS,
        sizes=SIZES,
    )


def save_product(visit: Visit) -> Response:
    """Keep the fields of a product, or make one of them."""
    values = _read_fields(visit)
    product = visit.path.get("product", 0)
    if product:
        if visit.row("SELECT 1 FROM product WHERE sku = ? AND id != ?", values.get("sku"), product):
            visit.refuse("Another product has this SKU.")
        visit.row("SELECT 1 FROM product WHERE id = ?", product) or visit.missing("product")
        changes = ", ".join(f"{name} = ?" for name in values)
        visit.db.execute(f"UPDATE product SET {changes} WHERE id = ?", (*values.values(), product))
    else:
        product = _add(visit, values)
    kept = [value for name, value in visit.fields if name == "product[category_ids][]" and value.isdecimal()]
    visit.db.execute("DELETE FROM product_category WHERE product = ?", (product,))
    for category in visit.rows("SELECT id FROM category ORDER BY id"):
        if str(category["id"]) in kept:
            visit.db.execute("INSERT INTO product_category VALUES (?, ?)", (product, category["id"]))
    return visit.redirect(f"/admin/catalog/product/edit/id/{product}/", notice="You saved the product.")


def add_variant(visit: Visit) -> Response:
    """Make a variant of a product: its name, a size and a colour."""
    parent = visit.row("SELECT * FROM product WHERE id = ?", visit.path["product"]) or visit.missing("product")
    size, colour = _known(SIZES, visit.form.get("size", "")), _known(COLOURS, visit.form.get("color", ""))
    if not size and not colour:
        visit.refuse("A variant needs a size or a colour.")
    try:
        quantity = read_pieces(visit.form.get("qty", "") or "0")
    except BadFigure as fault:
        visit.refuse(str(fault))
    ending = "".join(f"-{part}" for part in (size, colour) if part)
    _add(
        visit,
        {
            "name": parent["name"] + ending,
            "sku": parent["sku"] + ending,
            "price": parent["price"],
            "quantity": quantity,
            "in_stock": int(quantity > 0),
            "parent": parent["id"],
            "colour": colour or parent["colour"],
            "size": size,
            "picture": parent["picture"],
        },
    )
    option = visit.row("SELECT id FROM option WHERE product = ? AND name = 'Size'", parent["id"])
    if size and option:
        _offer(visit, option["id"], size)
    address = f"/admin/catalog/product/edit/id/{parent['id']}/"
    return visit.redirect(address, notice=f"You added the variant {parent['name']}{ending}.")


def _offer(visit: Visit, option: int, value: str) -> None:
    """Let buyers choose a value, where they could not yet."""
    known = [row["value"] for row in visit.rows("SELECT value FROM option_value WHERE option = ?", option)]
    if value not in known:
        insert(visit.db, "option_value", option=option, position=len(known), value=value)


def _read_fields(visit: Visit) -> dict[str, object]:
    """Return the columns that a form asks to keep."""

    def field(name: str, usual: str = "") -> str:
        return visit.form.get(f"product{name}", usual).strip()

    name = field("[name]")
    if not 0 < len(name) <= MOST_NAME_CHARS:
        visit.refuse(f"A product needs a name of at most {MOST_NAME_CHARS} characters.")
    try:
        numbers = {"price": read_cents(field("[price]")), "quantity": read_pieces(field(f"{_STOCK}[qty]") or "0")}
    except BadFigure as fault:
        visit.refuse(str(fault))
    return {
        "name": name,
        **numbers,
        "in_stock": int(field(f"{_STOCK}[is_in_stock]") == "1"),
        "enabled": int(field("[status]") != "2"),
        # A tick comes with the value of before, and nothing comes without one.
        "on_sale": int("product[sale]" in visit.form),
        "colour": _known(COLOURS, field("[color]")),
        "size": _known(SIZES, field("[size]")),
        "short_description": field("[short_description]"),
        "description": field("[description]"),
        **({"sku": field("[sku]")} if field("[sku]") else {}),
    }


_STOCK = "[quantity_and_stock_status]"


def _add(visit: Visit, values: dict[str, object]) -> int:
    """Insert a product; its SKU and its address come from its name where nobody told them."""
    name = str(values["name"])
    values = {"sku": url_key(name).upper() or "PRODUCT", "picture": _PLAIN.model_dump_json(), **values}
    path = f"{url_key(name) or 'product'}.html"
    if visit.row("SELECT 1 FROM product WHERE sku = ? OR path = ?", values["sku"], path):
        visit.refuse("There is a product with this name or SKU already.")
    return insert(visit.db, "product", path=path, created=visit.now.isoformat(), **values)


def _known(values: dict[str, str], chosen: str) -> str:
    """Return the words of a chosen value; none where there is no such value."""
    return next((words for words, value in values.items() if value == chosen), "")
