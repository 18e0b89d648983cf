"""The first page: what was earned, the latest orders, what sells and what is searched for."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import dollars
from cutscore.benchmarks.videowebarena.websites.visit import Visit

SHOWN = 5
_COUNTED = "status != 'canceled'"


def show_dashboard(visit: Visit) -> Response:
    """Show how the shop is doing."""
    earned = visit.count(f"SELECT COALESCE(SUM(total), 0) FROM purchase WHERE {_COUNTED}")
    orders = visit.count(f"SELECT COUNT(*) FROM purchase WHERE {_COUNTED}")
    return visit.page(
        "dashboard.html",
        earned=earned,
        average=earned // max(1, orders),
        last_orders=visit.rows(
            "SELECT purchase.id, customer_name, total, SUM(quantity) AS items FROM purchase"
            " LEFT JOIN purchase_item ON purchase = purchase.id GROUP BY purchase.id"
            " ORDER BY created DESC, purchase.id DESC LIMIT ?",
            SHOWN,
        ),
        best_sellers=visit.rows(
            "SELECT purchase_item.name, MAX(price) AS price, SUM(quantity) AS sold FROM purchase_item"
            f" JOIN purchase ON purchase.id = purchase WHERE {_COUNTED}"
            " GROUP BY purchase_item.name ORDER BY sold DESC, purchase_item.name LIMIT ?",
            SHOWN,
        ),
        search_terms=visit.rows("SELECT * FROM search_term ORDER BY uses DESC, text LIMIT ?", SHOWN),
        pending_reviews=visit.count("SELECT COUNT(*) FROM review WHERE status = 2"),
        dollars=dollars,
    )
