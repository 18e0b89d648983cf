"""Customers: the list, and one customer with orders and addresses."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.seeding import GROUPS
from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import dollars, long_time
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.shop_admin.orders import STATUSES
from cutscore.benchmarks.videowebarena.websites.visit import Visit

OWN_GROUPS = GROUPS[1:]  # whoever has an account is logged in
_NAME = "customer.first_name || ' ' || customer.last_name"
GRID = AdminGrid(
    source="customer LEFT JOIN address ON address.id = customer.billing",
    columns=(
        GridColumn("id", "ID", "customer.id", "number"),
        GridColumn("name", "Name", _NAME),
        GridColumn("email", "Email", "email"),
        GridColumn("group", "Group", "customer_group", "choice", {each: each for each in OWN_GROUPS}),
        GridColumn("phone", "Phone", "telephone"),
        GridColumn("zip", "ZIP", "postcode"),
        GridColumn("country", "Country", "country"),
        GridColumn("state", "State/Province", "region"),
        GridColumn("since", "Customer Since", "customer.created", "time"),
    ),
    key="customer.id",
    link="/admin/customer/index/edit/id/{}/",
    link_words="Edit",
    order="customer.id",
    keyword=f"{_NAME} || ' ' || email || ' ' || COALESCE(telephone, '')",
)


def show_customers(visit: Visit) -> Response:
    """List all customers."""
    return visit.page("list.html", heading="Customers", view=read_grid(visit, GRID), add=None)


def edit_customer(visit: Visit) -> Response:
    """Show one customer."""
    customer = visit.row("SELECT * FROM customer WHERE id = ?", visit.path["customer"]) or visit.missing("customer")
    return visit.page(
        "customer.html",
        customer=customer,
        groups=OWN_GROUPS,
        addresses=visit.rows("SELECT * FROM address WHERE customer = ? ORDER BY id", customer["id"]),
        orders=visit.rows("SELECT * FROM purchase WHERE customer = ? ORDER BY created DESC, id DESC", customer["id"]),
        statuses=STATUSES,
        dollars=dollars,
        long_time=long_time,
    )


def save_customer(visit: Visit) -> Response:
    """Keep the name and the group of a customer."""
    customer = visit.row("SELECT id FROM customer WHERE id = ?", visit.path["customer"]) or visit.missing("customer")
    first, last, group = (
        visit.form.get(f"customer[{name}]", "").strip() for name in ("firstname", "lastname", "group")
    )
    if not first or not last or group not in OWN_GROUPS:
        visit.refuse("A customer needs a first name, a last name and a group.")
    visit.db.execute(
        "UPDATE customer SET first_name = ?, last_name = ?, customer_group = ? WHERE id = ?",
        (first, last, group, customer["id"]),
    )
    return visit.redirect("/admin/customer/index/", notice="You saved the customer.")
