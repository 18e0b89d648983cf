"""Lists of products: which, in what order, and which page of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Row
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode

from cutscore.benchmarks.videowebarena.websites.visit import Visit

ORDERS = {"position": "id", "relevance": "id", "name": "name", "price": "price"}
LABELS = {"position": "Position", "relevance": "Relevance", "name": "Product Name", "price": "Price"}
LIMITS, MODES = (12, 24, 36), ("grid", "list")
_STEPS = ((0, 1000), (1000, 2500), (2500, 5000), (5000, 10_000), (10_000, 0))  # cents; 0 at the end: and above
_T = TypeVar("_T")


@dataclass(frozen=True)
class Choice:
    """A link that changes the list; the one that holds now is shown as text."""

    label: str
    address: str
    chosen: bool
    count: int = 0


@dataclass(frozen=True)
class ProductListing:
    """One page of a list, and the links around it."""

    products: Sequence[Row]
    total: int
    first: int
    page: int
    last: int
    address: str
    mode: str
    modes: Sequence[Choice]
    orders: Sequence[Choice]
    direction: Choice
    limits: Sequence[Choice]
    prices: Sequence[Choice]
    cleared: str


def list_products(visit: Visit, where: str, values: Sequence[object], *, orders: Sequence[str]) -> ProductListing:
    """Return the page of a list that the address asks for.

    Args:
        visit: Its query has page, order, number and prices.
        where: SQL condition of our own words.
        values: For the marks of the condition.
        orders: Names of orders offered; the first is the usual one.
    """
    low, high = _price_range(visit.query.get("price", ""))
    base = f"FROM listed WHERE ({where})"
    narrowed = f"{base} AND price >= ? AND (? = 0 OR price < ?)"
    bounds = (*values, low, high, high)
    total = visit.count(f"SELECT COUNT(*) {narrowed}", *bounds)
    order = _one_of(orders, visit.query.get("product_list_order", ""))
    down = visit.query.get("product_list_dir") == "desc"
    limit = _one_of(LIMITS, visit.number("product_list_limit", LIMITS[0]))
    mode = _one_of(MODES, visit.query.get("product_list_mode", ""))
    last = max(1, -(-total // limit))
    page = min(max(1, visit.number("p")), last)
    # Every sort ends with the id, so that equal prices keep their order from page to page.
    sort = f"{ORDERS[order]} {'DESC' if down else 'ASC'}, id"
    sql = f"SELECT * {narrowed} ORDER BY {sort} LIMIT ? OFFSET ?"
    turn = "Set Ascending Direction" if down else "Set Descending Direction"
    return ProductListing(
        products=visit.rows(sql, *bounds, limit, (page - 1) * limit),
        total=total,
        first=(page - 1) * limit,
        page=page,
        last=last,
        address=_address(visit, p=None, end=True),
        mode=mode,
        modes=[Choice(each.title(), _address(visit, product_list_mode=each), each == mode) for each in MODES],
        orders=[
            Choice(LABELS[each], _address(visit, product_list_order=each, p=None), each == order) for each in orders
        ],
        direction=Choice(turn, _address(visit, product_list_dir="asc" if down else "desc", p=None), chosen=False),
        limits=[
            Choice(str(each), _address(visit, product_list_limit=str(each), p=None), each == limit) for each in LIMITS
        ],
        prices=_price_choices(visit, base, values, (low, high)),
        cleared=_address(visit, price=None, p=None),
    )


def _one_of(offered: Sequence[_T], wanted: _T) -> _T:
    return wanted if wanted in offered else offered[0]


def _price_choices(visit: Visit, base: str, values: Sequence[object], now: tuple[int, int]) -> list[Choice]:
    made = []
    for low, high in _STEPS:
        count = visit.count(f"SELECT COUNT(*) {base} AND price >= ? AND (? = 0 OR price < ?)", *values, low, high, high)
        label = f"${low / 100:.2f} - ${(high - 1) / 100:.2f}" if high else f"${low / 100:.2f} and above"
        written = f"{low // 100}-{high // 100 or ''}"
        if count:
            made.append(Choice(label, _address(visit, price=written, p=None), (low, high) == now, count))
    return made


def _price_range(written: str) -> tuple[int, int]:
    """Return lowest and highest price in cents, 0 for none.

    >>> _price_range("25-50"), _price_range("100-"), _price_range("cheap")
    ((2500, 5000), (10000, 0), (0, 0))
    """
    low, _, high = written.partition("-")
    return cents(low), cents(high)


def cents(written: str) -> int:
    """Return an amount as somebody writes it, in cents; 0 for what is none.

    >>> cents("12.5"), cents("dear")
    (1250, 0)
    """
    whole, _, part = written.strip().partition(".")
    digits = whole + (part + "00")[:2]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 12 and whole else 0


def _address(visit: Visit, *, end: bool = False, **changes: str | None) -> str:
    """Return the address of this page with other entries in its query; with `end` one more can follow."""
    kept = [(name, value) for name, value in parse_qsl(visit.request.url.query) if name not in changes]
    query = urlencode([*kept, *((name, value) for name, value in changes.items() if value is not None)])
    return visit.request.url.path + (f"?{query}&" if query and end else f"?{query}" if query or end else "")
