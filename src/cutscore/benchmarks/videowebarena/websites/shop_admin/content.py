"""The pages of the shop's own words."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.visit import Visit

STATUSES = {"1": "Enabled", "0": "Disabled"}
GRID = AdminGrid(
    source="content_page",
    columns=(
        GridColumn("id", "ID", "id", "number"),
        GridColumn("title", "Title", "title"),
        GridColumn("path", "URL Key", "path"),
        GridColumn("status", "Status", "CAST(active AS TEXT)", "choice", STATUSES),
    ),
    link="/admin/cms/page/edit/page_id/{}/",
    link_words="Edit",
    order="id",
    keyword="title || ' ' || content",
)


def show_pages(visit: Visit) -> Response:
    """List the pages."""
    return visit.page("list.html", heading="Pages", view=read_grid(visit, GRID), add=None)


def edit_page(visit: Visit) -> Response:
    """Show one page to be changed."""
    shown = visit.row("SELECT * FROM content_page WHERE id = ?", visit.path["page"]) or visit.missing("page")
    return visit.page("content.html", shown=shown, statuses=STATUSES)


def save_page(visit: Visit) -> Response:
    """Keep what was changed of a page."""
    shown = visit.row("SELECT id FROM content_page WHERE id = ?", visit.path["page"]) or visit.missing("page")
    title = visit.form.get("title", "").strip()
    if not title:
        visit.refuse("A page needs a title.")
    visit.db.execute(
        "UPDATE content_page SET title = ?, content = ?, active = ? WHERE id = ?",
        (title, visit.form.get("content", ""), int(visit.form.get("is_active") == "1"), shown["id"]),
    )
    return visit.redirect(f"/admin/cms/page/edit/page_id/{shown['id']}/", notice="You saved the page.")
