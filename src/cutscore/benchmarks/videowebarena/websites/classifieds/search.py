"""Finding listings: what the address of a search asks for, and the query that answers it.

/index.php?page=search&sOrder=dt_pub_date&iOrderType=desc&sPattern=lamp&sCategory=4&sPriceMax=40&sShowAs=gallery&iPage=2
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from urllib.parse import urlencode

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.classifieds.listings import read_number, show_cards
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE_SIZE = 12
MOST_WORDS = 12
_ORDERS = {"dt_pub_date": "published", "i_price": "price_cents"}
_NAMES = (
    *("sOrder", "iOrderType", "sPattern", "sCategory", "sRegion", "sCity", "sPriceMin", "sPriceMax", "bPic"),
    *("sShowAs", "iPage"),
)
SORTS = (
    ("Newest first", "dt_pub_date", "desc"),
    ("Lowest price first", "i_price", "asc"),
    ("Highest price first", "i_price", "desc"),
)


def read_price(written: str) -> int | None:
    """Return a price in cents; None where it is no amount from 0 to 100 million.

    >>> read_price("1,250.50"), read_price("$7"), read_price("-1"), read_price("nan"), read_price("")
    (125050, 700, None, None, None)
    """
    try:
        dollars = float(written.strip().removeprefix("$").replace(",", ""))
    except ValueError:
        return None
    return round(dollars * 100) if isfinite(dollars) and 0 <= dollars <= 100_000_000 else None


# What a part asks of a listing, and how it is read; one that cannot be read asks for nothing.
_TESTS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "sCategory": ("? IN (category, heading)", read_number),
    "sRegion": ("region = ?", read_number),
    "sCity": ("city = ? COLLATE NOCASE", str.strip),
    "sPriceMin": ("price_cents >= ?", read_price),
    "sPriceMax": ("price_cents <= ?", read_price),
}


@dataclass(frozen=True)
class ListingSearch:
    """What an address asks for: its parts that say something, in the order in which they were added."""

    asked: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, query: Iterable[tuple[str, str]]) -> "ListingSearch":
        """Return the search of an address; a part that is empty or unknown asks for nothing.

        >>> ListingSearch.of([("page", "search"), ("sPattern", "cup"), ("sCity", ""), ("x", "1")]).asked
        (('sPattern', 'cup'),)
        """
        return cls(tuple({name: value for name, value in query if name in _NAMES and value.strip()}.items()))

    def get(self, name: str) -> str:
        """Return a part; empty where the address has none."""
        return dict(self.asked).get(name, "")

    def address(self, **changes: object) -> str:
        """Return the address of this search with changes; a part that changes keeps its place.

        It leads to the first page, which is not written, unless another is told.

        >>> ListingSearch((("sOrder", "i_price"), ("sCity", "Erie"), ("iPage", "3"))).address(sOrder="dt_pub_date")
        '/index.php?page=search&sOrder=dt_pub_date&sCity=Erie'
        """
        parts = {**dict(self.asked), "iPage": "", **{name: str(value) for name, value in changes.items()}}
        told = [(name, value) for name, value in parts.items() if value and (name, value) != ("iPage", "1")]
        return "/index.php?" + urlencode([("page", "search"), *told])

    @property
    def order(self) -> tuple[str, str]:
        """By what it is sorted, and the direction; the newest first where nobody asked."""
        by, way = self.get("sOrder"), self.get("iOrderType").lower()
        return by if by in _ORDERS else "dt_pub_date", way if way in ("asc", "desc") else "desc"

    @property
    def sql(self) -> tuple[str, list[object]]:
        """The conditions that a listing has to meet, and their values."""
        words = self.get("sPattern").lower().split()[:MOST_WORDS]
        tests = ["TRUE", *("instr(lower(title || ' ' || description), ?)" for _ in words)]
        values: list[object] = list(words)
        for name, (test, read) in _TESTS.items():
            value = read(self.get(name)) if self.get(name) else None
            if value is not None:
                tests.append(test)
                values.append(value)
        if self.get("bPic"):
            tests.append("photo IS NOT NULL")
        return " AND ".join(tests), values


def show_search(visit: Visit) -> Response:
    """Show what was found; a form's empty fields are dropped from the address first."""
    search = ListingSearch.of(visit.query.multi_items())
    if any(not value.strip() for value in visit.query.values()):
        return visit.redirect(search.address(iPage=search.get("iPage")))
    tests, values = search.sql
    by, way = search.order
    found = visit.count(f"SELECT COUNT(*) FROM listing_card WHERE {tests}", *values)  # noqa: S608
    last = max(1, -(-found // PAGE_SIZE))
    now = min(max(1, visit.number("iPage")), last)
    which = f"WHERE {tests} ORDER BY {_ORDERS[by]} {way}, id {way} LIMIT ? OFFSET ?"
    return visit.page(
        "search.html",
        search=search,
        found=found,
        listings=show_cards(visit, which, *values, PAGE_SIZE, (now - 1) * PAGE_SIZE),
        now=now,
        last=last,
        sorts=SORTS,
        categories=visit.rows("SELECT * FROM category ORDER BY id"),
        regions=visit.rows("SELECT * FROM region ORDER BY name"),
        cities=visit.rows("SELECT * FROM city ORDER BY name"),
    )
