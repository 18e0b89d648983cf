"""What a site helper makes of what was read: facts of a page, or a reply of the shop, to the value of the call.

The facts are plain JSON; whoever reads a live page gathers them in one evaluation:

    query      {"text": outerText of the first match | null}
    members    [{"account": "@ann", "role": "Owner"}, …]                     rows of GitLab's table of members
    thread     {"post": {"author"}, "comments": [{"author", "time": ISO, "content", "parent": index | null}, …]}
    orders     [{"name", "sku", "quantity": text, "options": {name: value}}] rows of #my-orders-table
    product    {"price": text, "reviews": text, "attributes": [[header, value], …]}

What is missing or has another shape is what the reference makes of a page error: an empty text, or 0.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HelperCall
from cutscore.benchmarks.videowebarena.released import OR

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)")
Value = str | int | float


def helper_value(call: HelperCall, facts: Any) -> Value:
    """Return the value of a call on what was read for it; of `reddit_get_post_url` nothing is read."""
    if call.name == "reddit_get_post_url":
        return post_url(call.arguments[0])
    return _VALUES[call.name](facts, *call.arguments)


def post_url(url: str) -> str:
    """Return the address of the post that an address is about, in its short form; any other address as it is.

    >>> post_url("http://r:9999/f/books/123/title"), post_url("http://r:9999/user/x/1/2")
    ('http://r:9999/f/books/123/', 'http://r:9999/user/x/1/2')
    """
    parts = urlsplit(url)
    names = parts.path.split("/")
    if len(names) < 4 or names[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{names[2]}/{names[3]}/"


def query_text(facts: Any) -> str:
    """Return the text of the element that a selector found."""
    return _text(_entry(facts, "text"))


def member_role(facts: Any, account: str) -> str:
    """Return the role of the first member whose account is named so."""
    wanted = f"@{account}"
    return next((_text(row.get("role")) for row in _rows(facts) if _text(row.get("account")).strip() == wanted), "")


def latest_comment(facts: Any, author: str) -> str:
    """Return the newest comment of an author."""
    found = _latest(_rows(_entry(facts, "comments")), author)
    return _text(found.get("content")) if found else ""


def parent_of_latest_comment(facts: Any, author: str) -> str:
    """Return whose comment the newest comment of an author replies to.

    Below a comment of the author's own nothing is looked for, as in the reference.
    """
    rows = _rows(_entry(facts, "comments"))
    outer = [row for row in rows if not _is_below_own(rows, row, author)]
    found = _latest(outer, author)
    if found is None:
        return ""
    parent = found.get("parent")
    if isinstance(parent, int) and 0 <= parent < len(rows):
        return _text(rows[parent].get("author"))
    return _text(_entry(_entry(facts, "post"), "author"))


def order_quantity(facts: Any, skus: str) -> Value:
    """Return how many were ordered of the first product whose SKU is in the list; 0 where there is none."""
    wanted = skus.split(OR)
    for row in _rows(facts):
        if _text(row.get("sku")).strip() in wanted:
            said = re.search(r"Ordered\s*(\d+)", _text(row.get("quantity")))
            return int(said[1]) if said else 0
    return 0


def order_option(facts: Any, sku: str, option: str) -> str:
    """Return the option of a name that was chosen for a product."""
    for row in _rows(facts):
        options = row.get("options")
        if _text(row.get("sku")).strip() == sku and isinstance(options, Mapping):
            return _text(options.get(option))
    return ""


def order_names(facts: Any) -> str:
    """Return the names of all products of an order."""
    return OR.join(_text(row.get("name")) for row in _rows(facts))


def product_price(facts: Any) -> Value:
    """Return the price after its sign; a thousands separator ends the number, as in the reference.

    >>> product_price({"price": "$59.99"}), product_price({"price": "$1,234.56"})
    (59.99, 1)
    """
    return _leading_number(_text(_entry(facts, "price"))[1:])


def review_count(facts: Any) -> Value:
    """Return the number in the title of the reviews."""
    said = re.search(r"\d+", _text(_entry(facts, "reviews")))
    return int(said[0]) if said else 0


def product_attributes(facts: Any, headers: str) -> str:
    """Return the values of all rows whose header contains one of the terms, whatever their case."""
    terms = [term.lower() for term in headers.split(OR)]
    rows = _entry(facts, "attributes")
    pairs = [row for row in rows if isinstance(row, Sequence) and len(row) == 2] if isinstance(rows, Sequence) else []
    return ", ".join(_text(value) for header, value in pairs if any(term in _text(header).lower() for term in terms))


def latest_review(facts: Any, field: str) -> Value:
    """Return a field of the newest review of a product, by the shop's reply: `nickname`, `detail` or `rating`."""
    reviews = _rows(facts)
    if not reviews:
        return ""
    if field != "rating":
        return _text(reviews[-1].get(field))
    ratings = _rows(reviews[-1].get("ratings"))
    percent = ratings[0].get("percent") if ratings else ""
    return str(percent) if isinstance(percent, int | float) else _text(percent)


def latest_order_url(facts: Any) -> str:
    """Return the address of the newest order: `shop`, the address of the site, and the id in the shop's reply."""
    items = _rows(_entry(_entry(facts, "orders"), "items"))
    order = str(items[0].get("increment_id")) if items else ""
    if not re.fullmatch(r"[0-9]{1,18}", order):
        return ""
    return f"{_text(_entry(facts, 'shop')).rstrip('/')}/sales/order/view/order_id/{int(order)}/"


def _latest(rows: Sequence[Mapping[str, Any]], author: str) -> Mapping[str, Any] | None:
    own = [row for row in rows if _text(row.get("author")) == author]
    return max(own, key=lambda row: _text(row.get("time")), default=None)


def _is_below_own(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any], author: str) -> bool:
    for _ in range(len(rows)):  # a chain of parents that goes round must end, too
        parent = row.get("parent")
        if not isinstance(parent, int) or not 0 <= parent < len(rows):
            return False
        row = rows[parent]
        if _text(row.get("author")) == author:
            return True
    return False


def _leading_number(text: str) -> Value:
    said = _NUMBER.match(text)
    value = float(said[0]) if said else 0.0
    return int(value) if value.is_integer() else value


def _rows(facts: Any) -> list[Mapping[str, Any]]:
    return [row for row in facts if isinstance(row, Mapping)] if isinstance(facts, list | tuple) else []


def _entry(facts: Any, name: str) -> Any:
    return facts.get(name) if isinstance(facts, Mapping) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


_VALUES: dict[str, Callable[..., Value]] = {
    "get_query_text": lambda facts, selector: query_text(facts),
    "gitlab_get_project_memeber_role": member_role,
    "reddit_get_latest_comment_content_by_username": latest_comment,
    "reddit_get_parent_comment_username_of_latest_comment_by_username": parent_of_latest_comment,
    "shopping_get_latest_order_url": latest_order_url,
    "shopping_get_num_reviews": review_count,
    "shopping_get_order_product_name_list": order_names,
    "shopping_get_order_product_option": order_option,
    "shopping_get_order_product_quantity": order_quantity,
    "shopping_get_product_attributes": product_attributes,
    "shopping_get_product_price": product_price,
    "shopping_get_sku_latest_review_author": lambda facts, sku: latest_review(facts, "nickname"),
    "shopping_get_sku_latest_review_rating": lambda facts, sku: latest_review(facts, "rating"),
    "shopping_get_sku_latest_review_text": lambda facts, sku: latest_review(facts, "detail"),
}
