"""Reviews: those that wait, all of them, and one to be approved, changed or deleted."""

from sqlite3 import Row

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import long_time
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.visit import Visit

LIST = "/admin/review/product/index/"
STATUSES = {"1": "Approved", "2": "Pending", "3": "Not Approved"}
_ACTIONS = {"delete": "Delete"} | {f"status_{value}": f"Update Status: {words}" for value, words in STATUSES.items()}
GRID = AdminGrid(
    source="review JOIN product ON product.id = review.product",
    columns=(
        GridColumn("id", "ID", "review.id", "number"),
        GridColumn("created", "Created", "review.created", "time"),
        GridColumn("status", "Status", "CAST(status AS TEXT)", "choice", STATUSES),
        GridColumn("title", "Title", "title"),
        GridColumn("nickname", "Nickname", "nickname"),
        GridColumn("detail", "Review", "detail"),
        GridColumn("stars", "Rating", "stars", "number"),
        GridColumn("product", "Product", "product.name"),
        GridColumn("sku", "SKU", "sku"),
    ),
    key="review.id",
    link="/admin/review/product/edit/id/{}/",
    link_words="Edit",
    order="review.created DESC, review.id DESC",
    keyword="title || ' ' || nickname || ' ' || detail || ' ' || product.name",
    actions=_ACTIONS,
)


def show_reviews(visit: Visit) -> Response:
    """List all reviews."""
    return visit.page("list.html", heading="Reviews", view=read_grid(visit, GRID), add=None)


def show_pending(visit: Visit) -> Response:
    """List the reviews that wait to be approved."""
    return visit.page("list.html", heading="Pending Reviews", view=read_grid(visit, GRID, "status = 2"), add=None)


def change_reviews(visit: Visit) -> Response:
    """Delete the chosen reviews, or set their status."""
    action = visit.form.get("action", "")
    chosen = [value for name, value in visit.fields if name == "selected"]
    if not chosen or action not in _ACTIONS:
        return visit.back(LIST, notice="Choose reviews and an action first.")
    for review in chosen:
        if action == "delete":
            visit.db.execute("DELETE FROM review WHERE id = ?", (review,))
        else:
            visit.db.execute("UPDATE review SET status = ? WHERE id = ?", (int(action[-1]), review))
    done = "deleted" if action == "delete" else "updated"
    return visit.back(LIST, notice=f"A total of {len(chosen)} reviews have been {done}.")


def edit_review(visit: Visit) -> Response:
    """Show one review; of one that is gone, that its rating is."""
    if review := _find(visit):
        return visit.page("review.html", review=review, statuses=STATUSES, long_time=long_time)
    return visit.page("review_missing.html", status=404)


def save_review(visit: Visit) -> Response:
    """Keep what was changed of a review."""
    review = _find(visit) or visit.missing("review")
    status, stars = visit.form.get("status_id", ""), visit.form.get("ratings", str(review["stars"]))
    told = [visit.form.get(name, "").strip() for name in ("nickname", "title", "detail")]
    if status not in STATUSES or stars not in tuple("12345") or not all(told):
        visit.refuse("A review needs a status, a nickname, a title and words.")
    visit.db.execute(
        "UPDATE review SET status = ?, stars = ?, nickname = ?, title = ?, detail = ? WHERE id = ?",
        (int(status), int(stars), *told, review["id"]),
    )
    return visit.redirect(LIST, notice="You saved the review.")


def delete_review(visit: Visit) -> Response:
    """Remove a review."""
    review = _find(visit) or visit.missing("review")
    visit.db.execute("DELETE FROM review WHERE id = ?", (review["id"],))
    return visit.redirect(LIST, notice="The review has been deleted.")


def _find(visit: Visit) -> Row | None:
    return visit.row(
        "SELECT review.*, product.name AS product_name FROM review JOIN product ON product.id = review.product"
        " WHERE review.id = ?",
        visit.path["review"],
    )
