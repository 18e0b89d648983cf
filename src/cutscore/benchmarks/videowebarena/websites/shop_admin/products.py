"""The list of products, and what is done with several of them at once."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture, draw_picture
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.visit import Visit

LIST = "/admin/catalog/product/"
THUMB = 160
STATUS = {"1": "Enabled", "2": "Disabled"}
STOCK = {"1": "In Stock", "0": "Out of Stock"}
TYPES = {"simple": "Simple Product", "configurable": "Configurable Product"}
_TYPE = """CASE WHEN EXISTS (SELECT 1 FROM product AS variant WHERE variant.parent = product.id)
  THEN 'configurable' ELSE 'simple' END"""
_ACTIONS = {
    "delete": "Delete",
    "enable": "Enable",
    "disable": "Disable",
    "in_stock": "Mark as in stock",
    "out_of_stock": "Mark as out of stock",
}
_CHANGES = {
    "enable": "enabled = 1",
    "disable": "enabled = 0",
    "in_stock": "in_stock = 1",
    "out_of_stock": "in_stock = 0",
}
GRID = AdminGrid(
    source="product",
    columns=(
        GridColumn("id", "ID", "product.id", "number"),
        GridColumn("thumbnail", "Thumbnail", "product.id", "picture"),
        GridColumn("name", "Name", "name"),
        GridColumn("type", "Type", _TYPE, "choice", TYPES),
        GridColumn("sku", "SKU", "sku"),
        GridColumn("price", "Price", "price", "money"),
        GridColumn("qty", "Quantity", "quantity", "number"),
        GridColumn("stock", "Stock", "CAST(in_stock AS TEXT)", "choice", STOCK),
        GridColumn("status", "Status", "CASE enabled WHEN 1 THEN '1' ELSE '2' END", "choice", STATUS),
    ),
    key="product.id",
    link="/admin/catalog/product/edit/id/{}/",
    link_words="Edit",
    order="product.id DESC",
    keyword="name || ' ' || sku || ' ' || short_description",
    actions=_ACTIONS,
)


def show_products(visit: Visit) -> Response:
    """List all products, variants among them."""
    add = ("Add Product", "/admin/catalog/product/new/")
    return visit.page("list.html", heading="Products", view=read_grid(visit, GRID), add=add)


def change_products(visit: Visit) -> Response:
    """Delete the chosen products, or change their status or stock."""
    action = visit.form.get("action", "")
    chosen = [
        int(value) for name, value in visit.fields if name == "selected" and value.isdecimal() and len(value) < 12
    ]
    if not chosen or action not in _ACTIONS:
        return visit.back(LIST, notice="Choose products and an action first.")
    for product in chosen:
        if action == "delete":
            delete_product(visit, product)
        else:
            visit.db.execute(f"UPDATE product SET {_CHANGES[action]} WHERE id = ?", (product,))
    done = "deleted" if action == "delete" else "updated"
    return visit.back(LIST, notice=f"A total of {len(chosen)} products have been {done}.")


def remove_product(visit: Visit) -> Response:
    """Remove the product of the address."""
    visit.row("SELECT 1 FROM product WHERE id = ?", visit.path["product"]) or visit.missing("product")
    delete_product(visit, visit.path["product"])
    return visit.redirect(LIST, notice="The product has been deleted.")


def delete_product(visit: Visit, product: int) -> None:
    """Remove a product and its variants; what was bought of it stays in its orders."""
    for variant in visit.rows("SELECT id FROM product WHERE parent = ?", product):
        delete_product(visit, variant["id"])
    visit.db.execute("UPDATE purchase_item SET product = NULL WHERE product = ?", (product,))
    visit.db.execute("DELETE FROM option_value WHERE option IN (SELECT id FROM option WHERE product = ?)", (product,))
    for table in ("option", "product_category", "attribute", "cart_item", "wish", "comparison", "review"):
        visit.db.execute(f"DELETE FROM {table} WHERE product = ?", (product,))
    visit.db.execute("DELETE FROM product WHERE id = ?", (product,))


def show_picture(visit: Visit) -> Response:
    """Return the picture of a product."""
    kept = visit.row("SELECT picture FROM product WHERE id = ?", visit.path["product"]) or visit.missing("picture")
    png = draw_picture(DrawnPicture.model_validate_json(kept["picture"]), THUMB, THUMB)
    return Response(png, media_type="image/png")
