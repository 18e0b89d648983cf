"""What draws buyers: cart price rules, and the words that they search for."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.shop.seeding import GROUPS
from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import BadFigure, plain_price, read_cents
from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import AdminGrid, GridColumn, read_grid
from cutscore.benchmarks.videowebarena.websites.visit import Visit

RULES = "/admin/sales_rule/promo_quote/"
WEBSITES = ("Main Website",)
ACTIONS = {
    "by_percent": "Percent of product price discount",
    "by_fixed": "Fixed amount discount",
    "cart_fixed": "Fixed amount discount for whole cart",
}
STATUSES = {"1": "Active", "0": "Inactive"}
RULE_GRID = AdminGrid(
    source="price_rule",
    columns=(
        GridColumn("id", "ID", "id", "number"),
        GridColumn("name", "Rule", "name"),
        GridColumn("coupon", "Coupon Code", "coupon"),
        GridColumn("action", "Apply", "action", "choice", ACTIONS),
        GridColumn("amount", "Discount Amount", "amount"),
        GridColumn("status", "Status", "CAST(active AS TEXT)", "choice", STATUSES),
    ),
    link="/admin/sales_rule/promo_quote/edit/id/{}/",
    link_words="Edit",
    order="id",
    keyword="name || ' ' || coupon",
)
TERM_GRID = AdminGrid(
    source="search_term",
    columns=(
        GridColumn("text", "Search Query", "text"),
        GridColumn("results", "Results", "results", "number"),
        GridColumn("uses", "Uses", "uses", "number"),
    ),
    key="text",
    link="",
    link_words="",
    order="uses DESC, text",
    keyword="text",
)


def show_rules(visit: Visit) -> Response:
    """List the cart price rules."""
    add = ("Add New Rule", "/admin/sales_rule/promo_quote/new/")
    return visit.page("list.html", heading="Cart Price Rules", view=read_grid(visit, RULE_GRID), add=add)


def show_terms(visit: Visit) -> Response:
    """List what buyers searched for."""
    return visit.page("list.html", heading="Search Terms", view=read_grid(visit, TERM_GRID), add=None)


def edit_rule(visit: Visit) -> Response:
    """Show a rule."""
    rule = visit.row("SELECT * FROM price_rule WHERE id = ?", visit.path["rule"]) or visit.missing("rule")
    chosen = (rule["websites"].split(", "), rule["customer_groups"].split(", "))
    return _show(visit, dict(rule), *chosen)


def new_rule(visit: Visit) -> Response:
    """Show the fields of a rule that is not there yet."""
    empty = {"id": 0, "name": "", "active": 1, "coupon": "", "action": "by_percent", "amount": ""}
    return _show(visit, empty, [], [])


def _show(visit: Visit, rule: dict[str, object], websites: list[str], groups: list[str]) -> Response:
    return visit.page(
        "rule.html",
        rule=rule,
        websites=websites,
        groups=groups,
        all_websites=WEBSITES,
        all_groups=GROUPS,
        actions=ACTIONS,
        statuses=STATUSES,
    )


def save_rule(visit: Visit) -> Response:
    """Keep a rule, or make one."""
    values = _read_rule(visit)
    if rule := visit.path.get("rule", 0):
        visit.row("SELECT 1 FROM price_rule WHERE id = ?", rule) or visit.missing("rule")
        changes = ", ".join(f"{name} = ?" for name in values)
        visit.db.execute(f"UPDATE price_rule SET {changes} WHERE id = ?", (*values.values(), rule))
    else:
        rule = insert(visit.db, "price_rule", created=visit.now.isoformat(), **values)
    stay = visit.form.get("then") == "edit"
    return visit.redirect(f"{RULES}edit/id/{rule}/" if stay else RULES, notice="You saved the rule.")


def delete_rule(visit: Visit) -> Response:
    """Remove a rule."""
    visit.db.execute("DELETE FROM price_rule WHERE id = ?", (visit.path["rule"],))
    return visit.redirect(RULES, notice="You deleted the rule.")


def _read_rule(visit: Visit) -> dict[str, object]:
    def chosen(field: str, known: tuple[str, ...]) -> str:
        told = [value for name, value in visit.fields if name == field]
        return ", ".join(each for each in known if each in told)

    name, amount, action = (visit.form.get(field, "").strip() for field in ("name", "discount_amount", "simple_action"))
    websites, groups = chosen("website_ids", WEBSITES), chosen("customer_group_ids", GROUPS)
    if not name or not websites or not groups or action not in ACTIONS:
        visit.refuse("A rule needs a name, a website, a customer group and an action.")
    try:
        cents = read_cents(amount)
    except BadFigure as fault:
        visit.refuse(str(fault))
    return {
        "name": name,
        "active": int(visit.form.get("is_active") == "1"),
        "websites": websites,
        "customer_groups": groups,
        "coupon": visit.form.get("coupon_code", "").strip(),
        "action": action,
        "amount": plain_price(cents).removesuffix(".00"),
    }
