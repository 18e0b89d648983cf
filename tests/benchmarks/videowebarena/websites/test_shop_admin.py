"""The back office: who may enter, lists, forms that keep what they took, reports, and the hooks of released tasks."""

import json
import re
from collections.abc import Iterator
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from web_fixtures import live

from cutscore.benchmarks.videowebarena.environment.login import log_in
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites
from cutscore.benchmarks.videowebarena.websites.shop_admin.reports import write_filter
from cutscore.benchmarks.videowebarena.websites.shop_admin.site import SITE
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.locators import run_locator
from cutscore.environments.browser.settle import settle

PRODUCT, ORDERS = "/admin/catalog/product/edit/id/{}/", "/admin/sales/order/"
ORDER, HISTORY = "/admin/sales/order/view/order_id/{}/", "/admin/sales/order/commentsHistory/order_id/{}/"
REVIEW = "/admin/review/product/edit/id/{}/"
SHARE = 0.95  # of the uses of released selectors


class Office:
    """A visitor of the back office, by HTTP alone."""

    def __init__(self, served: ServedSites) -> None:
        self.served, self.cookie, self.token, self.page, self.location = served, "", "", "", ""

    def ask(self, path: str, form: dict[str, str] | None = None) -> int:
        """Ask for a page, or send a form with the latest token; keep what came back."""
        headers = {"Host": f"{SITE.host}:{self.served.port}", "Cookie": self.cookie}
        body = None
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({"csrf_token": self.token, **form})
        connection = HTTPConnection("127.0.0.1", self.served.port, timeout=30)
        connection.request("POST" if form is not None else "GET", path, body, headers)
        reply = connection.getresponse()
        text, self.location = reply.read().decode(), reply.headers.get("Location", "")
        self.cookie = (reply.headers.get("Set-Cookie") or self.cookie).partition(";")[0]
        connection.close()
        self.page = text
        if token := re.search(r'csrf_token" value="(\w+)"', text):
            self.token = token[1]
        return reply.status

    def enter(self) -> None:
        self.ask("/admin/")
        form = {"login[username]": SITE.account, "login[password]": SITE.password, "back": "/admin/"}
        assert self.ask("/admin/auth/login/", form) == 303
        assert self.ask("/admin/") == 200

    def fields(self) -> dict[str, str]:
        """Return the form of a product as a browser would send it."""
        made = dict(re.findall(r'<input [^>]*name="(product[^"]+)" type="text"[^>]*value="([^"]*)"', self.page))
        for name, options in re.findall(r'<select [^>]*name="(product[^"]+)">(.*?)</select>', self.page, re.S):
            chosen = re.search(r'value="(\d*)" selected', options) or re.search(r'value="(\d*)"', options)
            made[name] = chosen[1] if chosen else ""
        return {name: unescape(value) for name, value in made.items()}

    def rows(self, sql: str) -> list[Any]:
        return self.served.state.db(SITE.database).execute(sql).fetchall()


@pytest.fixture
def office(served: ServedSites) -> Office:
    """The back office as it is at the start, with its account logged in."""
    served.reset()
    made = Office(served)
    made.enter()
    return made


def test_every_page_asks_for_an_account_at_its_own_address(served: ServedSites) -> None:
    stranger = Office(served)
    assert stranger.ask("/admin") == 303
    assert stranger.ask(ORDER.format(5)) == 200
    assert "order_status" not in stranger.page
    assert "login[password]" in stranger.page
    wrong = {"login[username]": "admin", "login[password]": "x", "back": ORDER.format(5)}
    assert stranger.ask("/admin/auth/login/", wrong) == 401
    assert stranger.ask("/admin/auth/login/", wrong | {"login[password]": SITE.password}) == 303
    assert stranger.location == ORDER.format(5)


def test_a_list_is_searched_filtered_sorted_and_paged(office: Office) -> None:
    office.ask("/admin/catalog/product/?search=umbrella&sort=price&dir=asc")
    prices = [float(each) for each in re.findall(r"<td>\$([\d.]+)</td>", office.page)]
    assert len(prices) == len(office.rows("SELECT 1 FROM product WHERE name LIKE '%umbrella%'"))
    assert prices == sorted(prices) != sorted(prices, reverse=True)

    office.ask(f"{ORDERS}?status=pending")
    (current,) = re.findall(r'<div class="admin__data-grid-filters-current">(.*?)</div>', office.page, re.S)
    assert "Status: Pending" in current
    pending = office.rows("SELECT id FROM purchase WHERE status = 'pending'")
    assert {int(each) for each in re.findall(r"view/order_id/(\d+)/", office.page)} == {row["id"] for row in pending}

    office.ask(ORDERS)
    first = set(re.findall(r"view/order_id/(\d+)/", office.page))
    office.ask(f"{ORDERS}?page=2")
    assert len(first) == 20
    assert first.isdisjoint(re.findall(r"view/order_id/(\d+)/", office.page))
    assert office.ask(f"{ORDERS}?created_from=soon") == 400
    assert office.ask(f"{ORDERS}?created_to=12/31/9999") == 400


def test_a_product_keeps_what_its_form_says_and_nothing_of_a_refused_one(office: Office) -> None:
    office.ask(PRODUCT.format(3))
    asked = office.fields() | {
        "product[price]": "24",
        "product[quantity_and_stock_status][qty]": "7",
        "product[quantity_and_stock_status][is_in_stock]": "0",
        "product[status]": "2",
        "product[color]": "50",
        "product[sale]": "0",
    }
    assert office.ask(PRODUCT.format(3), asked) == 303
    (kept,) = office.rows("SELECT price, quantity, in_stock, enabled, colour, on_sale FROM product WHERE id = 3")
    assert tuple(kept) == (2400, 7, 0, 0, "Blue", 1)
    office.ask(PRODUCT.format(3))
    assert 'name="product[price]" type="text" required value="24.00"' in office.page
    assert office.ask(PRODUCT.format(3), asked | {"product[name]": "Other", "product[price]": "cheap"}) == 400
    assert "is not a price" in office.page
    (taken,) = office.rows("SELECT sku FROM product WHERE id = 4")
    assert office.ask(PRODUCT.format(3), asked | {"product[name]": "Other", "product[sku]": taken["sku"]}) == 400
    assert not office.rows("SELECT 1 FROM product WHERE name = 'Other'")


def test_products_are_made_varied_and_deleted(office: Office) -> None:
    office.ask("/admin/catalog/product/new/")
    made = {"product[name]": "Rain Boots", "product[price]": "60", "product[color]": "60", "product[size]": "167"}
    assert office.ask("/admin/catalog/product/new/", made) == 303
    address = office.location
    office.ask(address)
    variant = {"size": "170", "color": "50", "qty": "3"}
    assert office.ask(address.replace("/edit/", "/addVariant/"), variant) == 303
    office.ask(address)
    assert "Rain Boots-XL-Blue" in office.page.partition('data-index="configurable"')[2]
    boots = [str(row["id"]) for row in office.rows("SELECT id FROM product WHERE name LIKE 'Rain Boots%' ORDER BY id")]
    assert office.ask("/admin/catalog/product/massaction/", {"action": "delete", "selected": boots[0]}) == 303
    assert not office.rows("SELECT 1 FROM product WHERE name LIKE 'Rain Boots%'")


def test_an_order_is_noted_held_shipped_and_not_canceled_afterwards(office: Office) -> None:
    (order,) = (row["id"] for row in office.rows("SELECT id FROM purchase WHERE status = 'pending' LIMIT 1"))
    office.ask(ORDER.format(order))
    office.ask(f"/admin/sales/order/addComment/order_id/{order}/", {"history[comment]": "First <b>note</b>"})
    office.ask(f"/admin/sales/order/addComment/order_id/{order}/", {"history[comment]": "Second note"})
    office.ask(ORDER.format(order))
    notes = re.findall(r'<div class="note-list-comment">(.*?)</div>', office.page)
    assert notes == ["Second note", "First &lt;b&gt;note&lt;/b&gt;"]

    for step, status in (("hold", "On Hold"), ("unhold", "Pending"), ("invoice", "Processing")):
        assert office.ask(f"/admin/sales/order/{step}/order_id/{order}/", {}) == 303
        office.ask(ORDER.format(order))
        assert f'<span id="order_status">{status}</span>' in office.page
    parcel = {"tracking[carrier_code]": "Federal Express", "tracking[number]": "8974568499"}
    assert office.ask(f"/admin/order_shipment/save/order_id/{order}/", parcel) == 303
    office.ask(HISTORY.format(order) + "active_tab/order_shipments/")
    assert "Tracking number 8974568499 for Federal Express assigned" in office.page
    office.ask(ORDER.format(order))
    assert '<span id="order_status">Complete</span>' in office.page
    assert office.ask(f"/admin/sales/order/cancel/order_id/{order}/", {}) == 400

    office.ask(f"/admin/sales/order/address/address_id/{2 * order - 1}/")
    where = dict.fromkeys(re.findall(r'name="(\w+)" type="text" required', office.page), "Dallas")
    assert office.ask(f"/admin/sales/order/address/address_id/{2 * order - 1}/", where) == 303
    (kept,) = office.rows(f"SELECT billing_address, shipping_address FROM purchase WHERE id = {order}")
    assert json.loads(kept["shipping_address"])["city"] == "Dallas" != json.loads(kept["billing_address"])["city"]


def test_a_canceled_order_gives_its_pieces_back(office: Office) -> None:
    (first, *_) = office.rows(
        "SELECT purchase, product, purchase_item.quantity, product.quantity AS stock FROM purchase_item"
        " JOIN purchase ON purchase.id = purchase JOIN product ON product.id = product WHERE status = 'pending'"
    )
    office.ask(ORDER.format(first["purchase"]))
    assert office.ask(f"/admin/sales/order/cancel/order_id/{first['purchase']}/", {}) == 303
    office.ask(ORDER.format(first["purchase"]))
    assert '<span id="order_status">Canceled</span>' in office.page
    (now,) = office.rows(f"SELECT quantity FROM product WHERE id = {first['product']}")
    assert now["quantity"] == first["stock"] + first["quantity"]


def test_a_review_is_approved_and_deleted(office: Office) -> None:
    (review,) = (row["id"] for row in office.rows("SELECT id FROM review WHERE status = 2 LIMIT 1"))
    office.ask(REVIEW.format(review))
    told = {"status_id": "1", "nickname": "Al", "title": "Fine", "detail": "It is fine."}
    assert office.ask(REVIEW.format(review), told) == 303
    office.ask(REVIEW.format(review))
    assert '<option value="1" selected>Approved</option>' in office.page
    assert office.ask(f"/admin/review/product/delete/id/{review}/", {}) == 303
    assert office.ask(REVIEW.format(review)) == 404
    assert "Rating isn't Available" in office.page


def test_rules_and_pages_are_kept(office: Office) -> None:
    office.ask("/admin/sales_rule/promo_quote/new/")
    rule = {"name": "Fall sale", "is_active": "1", "website_ids": "Main Website", "customer_group_ids": "General"}
    rule |= {"simple_action": "cart_fixed", "discount_amount": "15", "then": "edit"}
    assert office.ask("/admin/sales_rule/promo_quote/new/", rule) == 303
    office.ask(office.location)
    assert 'value="cart_fixed" selected' in office.page
    assert 'name="discount_amount" type="text" value="15"' in office.page
    office.ask("/admin/cms/page/edit/page_id/1/")
    title = "<script>alert(1)</script>'; DROP TABLE product; --"
    assert office.ask("/admin/cms/page/edit/page_id/1/", {"title": title, "is_active": "1"}) == 303
    office.ask("/admin/cms/page/")
    assert "<script>alert" not in office.page
    assert "&lt;script&gt;alert" in office.page


def test_a_report_counts_the_rows_between_its_dates(office: Office) -> None:
    fields = "period_type=day&from=01%2F1%2F2021&to=12%2F31%2F2023&show_empty_rows=0"
    # The address that a released task has for these answers.
    kept = "cGVyaW9kX3R5cGU9ZGF5JmZyb209MDElMkYxJTJGMjAyMSZ0bz0xMiUyRjMxJTJGMjAyMyZzaG93X2VtcHR5X3Jvd3M9MA=="
    office.ask(f"/admin/reports/report_sales/bestsellers/?{fields}")
    assert office.location == f"/admin/reports/report_sales/bestsellers/filter/{kept}/"

    year = write_filter("period_type=month&from=6%2F1%2F2024&to=07%2F31%2F24&show_empty_rows=1")
    office.ask(f"/admin/reports/report_sales/sales/filter/{year}/")
    table = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", office.page)]
    counted = [(row[0], int(row[1]), row[3]) for row in table if row]
    sql = (
        "SELECT COUNT(*), SUM(CASE status WHEN 'canceled' THEN 0 ELSE total END) FROM purchase WHERE created LIKE '{}%'"
    )
    for (interval, orders, total), month in zip(counted, ("2024-06", "2024-07"), strict=True):
        ((wanted, cents),) = office.rows(sql.format(month))
        assert (interval, orders, total) == (f"{int(month[5:])}/2024", wanted, f"${cents / 100:,.2f}")
    assert re.search(r'id="sales_report_from"[^>]* value="6/1/24"', office.page)
    for bad in ("bm8", "%FF", write_filter("from=7%2F1%2F2024&to=6%2F1%2F2024")):
        assert office.ask(f"/admin/reports/report_sales/sales/filter/{bad}/") == 400


@pytest.mark.real
def test_released_selectors_find_something_on_the_page_they_are_made_for(
    office: Office, shared: Path, open_browser: Any
) -> None:
    """At least 95 of 100 uses; the others are fields of things that this shop does not have."""
    office.ask(ORDER.format(1))
    office.ask("/admin/sales/order/addComment/order_id/1/", {"history[comment]": "Sorry"})
    sites = office.served.addresses
    home = sites.sites["shopping_admin"].address
    session = open_browser(guard=AddressGuard.of([home, sites.sites["shopping"].address]))
    live(log_in(session, sites, "shopping_admin", SITE.account))
    uses = list(_released_uses(shared / "data" / "videowebarena"))
    (product,) = office.rows("SELECT path FROM product WHERE id = 1")
    lost: list[tuple[str, str, object]] = []
    shown = ""
    for page, locator, prep in sorted((_page_like(address, product["path"]), *rest) for address, *rest in uses):
        if page != shown:
            live(session.open(sites.expand(page.replace("@", home))))
            live(settle(session))
            shown = page
        found: dict[str, Any] = live(run_locator(session, locator, prep))
        if found["raw"] is None or not all(each["ok"] for each in found["prep"]):
            lost.append((page, locator, found.get("thrown", "")))
    assert len(uses) > 150
    assert len(lost) <= (1 - SHARE) * len(uses), "\n".join(map(str, lost))


def _released_uses(folder: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield the address of a page of the back office, a locator that is read there, and what is done first."""
    for file in ("videowa/test_shopping_admin.raw.json", "wa/test_webarena.raw.json"):
        for task in json.loads((folder / file).read_text()):
            if task["sites"] != ["shopping_admin"]:
                continue
            for target in task["eval"].get("program_html") or []:
                address = task["eval"]["reference_url"] if target["url"] == "last" else target["url"]
                if target["locator"]:
                    yield address.replace("__SHOPPING_ADMIN__", "@"), target["locator"], target.get("prep_actions", [])


def _page_like(address: str, product: str) -> str:
    """Return a page of ours that is of the kind of a released address: another product, the same report."""
    address = address.replace("@/admin", "@")
    if "/reports/" in address:
        fields = write_filter("period_type=month&from=1%2F1%2F2024&to=12%2F31%2F2024&show_empty_rows=0")
        return f"{address.rstrip('/')}/filter/{fields}/"
    if "/../" in address:
        return "__SHOPPING__/" + product
    if address.endswith(("promo_quote", "catalog/product")):
        return f"{address}/edit/id/1/"
    return re.sub(r"(/id/|order_id/|page_id/)\d+", r"\g<1>1", address)
