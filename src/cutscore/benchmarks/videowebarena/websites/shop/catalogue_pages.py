"""The first page, categories, search and advanced search."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.layout import show
from cutscore.benchmarks.videowebarena.websites.shop.listing import cents, list_products
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_MOST_WORDS = 12
_SHOWCASE = 12


def show_home(visit: Visit) -> Response:
    """Show some products."""
    products = visit.rows("SELECT * FROM listed ORDER BY id * 83 % 241 LIMIT ?", _SHOWCASE)
    return show(visit, "home.html", products=products)


def show_category(visit: Visit, path: str) -> Response:
    """Show the products of a category; its subcategories at the side."""
    category = visit.row("SELECT * FROM category WHERE path = ?", path) or visit.missing("page")
    where = "id IN (SELECT product FROM product_category WHERE category = ?)"
    listing = list_products(visit, where, [category["id"]], orders=("position", "name", "price"))
    parent = visit.row("SELECT * FROM category WHERE id = ?", category["parent"])
    children = visit.rows("SELECT * FROM category WHERE parent = ? ORDER BY position", category["id"])
    return show(visit, "category.html", category=category, parent=parent, children=children, listing=listing)


def search(visit: Visit) -> Response:
    """Show the products that have all words; where there are none, those that have any."""
    written = visit.query.get("q", "").strip()[:200]
    words = written.lower().split()[:_MOST_WORDS]
    if not words:
        return show(visit, "search.html", query=written, listing=None)
    has = "(name LIKE ? ESCAPE '!' OR short_description LIKE ? ESCAPE '!' OR sku = ?)"
    values = [value for word in words for value in (_pattern(word), _pattern(word), word.upper())]
    orders = ("relevance", "name", "price")
    listing = list_products(visit, " AND ".join([has] * len(words)), values, orders=orders)
    if not listing.total:
        listing = list_products(visit, " OR ".join([has] * len(words)), values, orders=orders)
    return show(visit, "search.html", query=written, listing=listing)


def show_advanced_search(visit: Visit) -> Response:
    """Show the form of the advanced search."""
    return show(visit, "advanced_search.html")


def search_advanced(visit: Visit) -> Response:
    """Show the products that fit every field of the advanced search."""
    where, values = ["1"], list[object]()
    for name in ("name", "sku", "description", "short_description"):
        if written := visit.query.get(name, "").strip()[:200]:
            where.append(f"{name} LIKE ? ESCAPE '!'")
            values.append(_pattern(written))
    for name, compared in (("price[from]", ">="), ("price[to]", "<=")):
        if written := visit.query.get(name, "").strip():
            where.append(f"price {compared} ?")
            values.append(cents(written))
    if not values:
        return visit.redirect("/catalogsearch/advanced/", notice="Enter a search term and try again.")
    listing = list_products(visit, " AND ".join(where), values, orders=("name", "price"))
    return show(visit, "search.html", query="Advanced Search", listing=listing)


def _pattern(word: str) -> str:
    """Return what LIKE looks for; a plural finds the singular, too."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
    return "%" + stem.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%"
