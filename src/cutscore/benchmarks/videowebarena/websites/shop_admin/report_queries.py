"""What each report counts. `{period}` is the interval of an order: its day, month or year."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from collections.abc import Mapping
from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.websites.shop_admin.grid import Kind

BEST = 5  # of each interval
_ITEMS = "purchase_item JOIN purchase ON purchase.id = purchase_item.purchase"
_BETWEEN = "purchase.created >= :first AND purchase.created < :after"
_KEPT = "status != 'canceled'"
_ITEM_SUM = "(SELECT SUM({}) FROM purchase_item WHERE purchase = purchase.id)"


@dataclass(frozen=True)
class ReportQuery:
    """A table that is computed from the rows of the shop.

    Args:
        columns: Title and kind of each; the first is the interval where the report asks for dates.
        sql: Takes `:first` and `:after`, the day behind the last one, where it asks for dates.
        dated: It asks for dates first.
    """

    title: str
    columns: Mapping[str, Kind]
    sql: str
    dated: bool = True


def _by_interval(what: str, where: str = "1", group: str = "interval") -> str:
    return f"""SELECT {{period}} AS interval, {what} FROM purchase WHERE {_BETWEEN} AND {where}
  GROUP BY {group} ORDER BY {group}"""


REPORTS: Mapping[str, ReportQuery] = {
    "report_sales/sales": ReportQuery(
        "Orders Report",
        {
            "Interval": "text",
            "Orders": "number",
            "Sales Items": "number",
            "Sales Total": "money",
            "Invoiced": "money",
            "Refunded": "money",
            "Sales Shipping": "money",
            "Sales Discount": "money",
            "Canceled": "money",
        },
        _by_interval(f"""COUNT(*), SUM({_ITEM_SUM.format("quantity")}), SUM(CASE WHEN {_KEPT} THEN total ELSE 0 END),
  SUM({_ITEM_SUM.format("price * invoiced")}), SUM({_ITEM_SUM.format("price * refunded")}),
  SUM(shipping), SUM(discount), SUM(CASE WHEN {_KEPT} THEN 0 ELSE total END)"""),
    ),
    "report_sales/tax": ReportQuery(
        "Tax Report",
        {"Interval": "text", "Orders": "number", "Tax Amount": "money"},
        _by_interval("COUNT(*), SUM(tax)", f"{_KEPT} AND tax > 0"),
    ),
    "report_sales/invoiced": ReportQuery(
        "Invoice Report",
        {"Interval": "text", "Invoiced Orders": "number", "Total Invoiced": "money"},
        _by_interval(f"COUNT(*), SUM({_ITEM_SUM.format('price * invoiced')})", f"{_ITEM_SUM.format('invoiced')} > 0"),
    ),
    "report_sales/shipping": ReportQuery(
        "Shipping Report",
        {"Interval": "text", "Carrier/Method": "text", "Orders": "number", "Total Sales Shipping": "money"},
        _by_interval("shipping_method, COUNT(*), SUM(shipping)", _KEPT, "interval, shipping_method"),
    ),
    "report_sales/refunded": ReportQuery(
        "Refunds Report",
        {"Interval": "text", "Refunded Orders": "number", "Total Refunded": "money"},
        _by_interval(f"COUNT(*), SUM({_ITEM_SUM.format('price * refunded')})", f"{_ITEM_SUM.format('refunded')} > 0"),
    ),
    "report_sales/coupons": ReportQuery(
        "Coupons Report",
        {"Interval": "text", "Coupon Code": "text", "Uses": "number", "Subtotal": "money", "Discount": "money"},
        _by_interval("coupon, COUNT(*), SUM(subtotal), SUM(discount)", f"{_KEPT} AND coupon != ''", "interval, coupon"),
    ),
    "report_sales/bestsellers": ReportQuery(
        "Bestsellers Report",
        {"Interval": "text", "Product": "text", "Price": "price", "Order Quantity": "number"},
        f"""SELECT interval, name, price, sold FROM (
  SELECT interval, name, price, sold, ROW_NUMBER() OVER (PARTITION BY interval ORDER BY sold DESC, name) AS place
  FROM (SELECT {{period}} AS interval, name, MAX(price) AS price, SUM(quantity) AS sold FROM {_ITEMS}
    WHERE {_BETWEEN} AND {_KEPT} GROUP BY interval, name))
  WHERE place <= {BEST} ORDER BY interval, place""",
    ),
    "report_product/sold": ReportQuery(
        "Ordered Products Report",
        {"Interval": "text", "Product": "text", "SKU": "text", "Ordered Quantity": "number"},
        f"""SELECT {{period}} AS interval, name, sku, SUM(quantity) AS sold FROM {_ITEMS} WHERE {_BETWEEN} AND {_KEPT}
  GROUP BY interval, name, sku ORDER BY interval, sold DESC, name""",
    ),
    "report_customer/orders": ReportQuery(
        "Order Count Report",
        {"Interval": "text", "Customer": "text", "Orders": "number", "Average": "price", "Total": "money"},
        _by_interval("customer_name, COUNT(*), AVG(total), SUM(total)", _KEPT, "interval, email"),
    ),
    "report_product/lowstock": ReportQuery(
        "Low Stock Report",
        {"Product": "text", "SKU": "text", "Stock Quantity": "number"},
        "SELECT name, sku, quantity FROM product WHERE quantity < 10 ORDER BY quantity, name",
        dated=False,
    ),
    "report_review/customer": ReportQuery(
        "Customer Reviews Report",
        {"Customer": "text", "Reviews": "number"},
        """SELECT first_name || ' ' || last_name AS name, COUNT(*) AS written FROM review
  JOIN customer ON customer.id = review.customer GROUP BY customer.id ORDER BY written DESC, name""",
        dated=False,
    ),
    "report_review/product": ReportQuery(
        "Product Reviews Report",
        {"Product": "text", "Reviews": "number", "Average Rating": "text", "Last Review": "time"},
        """SELECT name, COUNT(*) AS written, printf('%.1f', AVG(stars)), MAX(review.created) FROM review
  JOIN product ON product.id = review.product GROUP BY product.id ORDER BY written DESC, name""",
        dated=False,
    ),
}
