"""The page of a product, its picture, its reviews, and comparing products."""

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture, draw_picture
from cutscore.benchmarks.videowebarena.websites.shop.catalogue_pages import show_category
from cutscore.benchmarks.videowebarena.websites.shop.layout import field, find_customer, owner, show, whole_number
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.shop.seeding_reviews import APPROVED, PENDING
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_PICTURE_SIDE, _RELATED = 500, 4


def show_product(visit: Visit) -> Response:
    """Show what an address `….html` names: a product, or else a category."""
    path = f"{visit.path['path']}.html"
    product = visit.row("SELECT * FROM listed WHERE path = ?", path)
    if product is None:
        return show_category(visit, path)
    related = visit.rows(
        "SELECT * FROM listed WHERE id != ? AND id IN (SELECT product FROM product_category"
        " WHERE category = (SELECT MAX(category) FROM product_category WHERE product = ?)) ORDER BY id LIMIT ?",
        product["id"],
        product["id"],
        _RELATED,
    )
    return show(
        visit,
        "product.html",
        product=product,
        words=DrawnPicture.model_validate_json(product["picture"]).words,
        categories=visit.rows(
            "SELECT category.* FROM category JOIN product_category ON category = id WHERE product = ? ORDER BY id",
            product["id"],
        ),
        attributes=visit.rows("SELECT * FROM attribute WHERE product = ? ORDER BY position", product["id"]),
        options=read_options(visit, product["id"]),
        reviews=visit.rows(
            "SELECT * FROM review WHERE product = ? AND status = ? ORDER BY id DESC", product["id"], APPROVED
        ),
        related=related,
    )


def show_picture(visit: Visit) -> Response:
    """Return the picture of a product; what the back office has put in its place goes first."""
    product = find_product(visit, visit.path["product"])
    uploaded = visit.row("SELECT * FROM upload WHERE name = ?", f"product/{product['id']}")
    if uploaded:
        return Response(uploaded["content"], media_type=uploaded["media_type"])
    picture = DrawnPicture.model_validate_json(product["picture"])
    return Response(draw_picture(picture, _PICTURE_SIDE, _PICTURE_SIDE), media_type="image/png")


def find_product(visit: Visit, number: int) -> Row:
    """Return a product that is sold; a page that says so where there is none."""
    return visit.row("SELECT * FROM listed WHERE id = ?", number) or visit.missing("product")


def read_options(visit: Visit, product: int) -> list[tuple[Row, list[Row]]]:
    """Return the options of a product, each with its values."""
    options = visit.rows("SELECT * FROM option WHERE product = ? ORDER BY position", product)
    values = "SELECT * FROM option_value WHERE option = ? ORDER BY position"
    return [(option, visit.rows(values, option["id"])) for option in options]


def write_review(visit: Visit) -> Response:
    """Keep a review; it is shown when the back office has approved it."""
    product = find_product(visit, visit.path["product"])
    customer = find_customer(visit)
    insert(
        visit.db,
        "review",
        product=product["id"],
        nickname=field(visit, "nickname", "Nickname", most=128),
        title=field(visit, "title", "Summary"),
        detail=field(visit, "detail", "Review", most=5000),
        stars=whole_number(visit, "rating", usual="0", most=5),
        status=PENDING,
        customer=customer["id"] if customer else None,
        created=visit.now.isoformat(),
    )
    return visit.redirect(f"/{product['path']}", notice="You submitted your review for moderation.")


def show_own_reviews(visit: Visit) -> Response:
    """Show what the customer has written."""
    visit.require_account()
    reviews = visit.rows(
        "SELECT review.*, product.name, product.path FROM review JOIN product ON product.id = product"
        " JOIN customer ON customer.id = review.customer WHERE email = ? ORDER BY review.id DESC",
        visit.account,
    )
    return show(visit, "own_reviews.html", reviews=reviews)


def show_comparison(visit: Visit) -> Response:
    """Show the chosen products side by side."""
    products = visit.rows(
        "SELECT listed.* FROM listed JOIN comparison ON listed.id = product WHERE owner = ? ORDER BY comparison.rowid",
        owner(visit),
    )
    known = {
        row["id"]: dict(
            tuple(pair) for pair in visit.rows("SELECT name, value FROM attribute WHERE product = ?", row["id"])
        )
        for row in products
    }
    names = list(dict.fromkeys(name for values in known.values() for name in values))
    return show(visit, "compare.html", products=products, known=known, names=names)


def add_to_comparison(visit: Visit) -> Response:
    """Put a product beside others."""
    product = find_product(visit, whole_number(visit, "product", usual="", most=10**7))
    visit.db.execute("INSERT OR IGNORE INTO comparison VALUES (?, ?)", (owner(visit), product["id"]))
    return visit.back(f"/{product['path']}", notice=f"You added product {product['name']} to the comparison list.")


def remove_from_comparison(visit: Visit) -> Response:
    """Take one product, or all, out of the comparison."""
    number = whole_number(visit, "product", usual="0", least=0, most=10**7)
    visit.db.execute("DELETE FROM comparison WHERE owner = ? AND ? IN (0, product)", (owner(visit), number))
    return visit.redirect("/catalog/product_compare/", notice="The comparison list was changed.")
