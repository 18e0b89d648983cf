"""Lists that are searched, filtered, sorted and paged by their address: `?status=pending&price_from=5&sort=id`."""

# ruff: noqa: S608 (queries are made of words of our own; a visitor's are parameters)

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from sqlite3 import Row
from typing import Literal
from urllib.parse import urlencode

from cutscore.benchmarks.videowebarena.websites.shop_admin.figures import (
    BadFigure,
    dollars,
    long_time,
    read_cents,
    read_date,
    read_pieces,
)
from cutscore.benchmarks.videowebarena.websites.visit import Visit

PAGE_SIZE = 20
Kind = Literal["text", "number", "money", "price", "time", "choice", "picture"]  # a price is no amount to be summed up


@dataclass(frozen=True)
class GridColumn:
    """One column of a list.

    Args:
        name: In the address.
        sql: What is shown, and what filters and sorting look at.
        choices: Of a `choice`: the words of each kept value.
    """

    name: str
    title: str
    sql: str
    kind: Kind = "text"
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_range(self) -> bool:
        """Whether it is filtered from one value to another."""
        return self.kind in ("number", "money", "time")

    def show(self, value: object) -> str:
        """Return the text of a cell."""
        if value is None:
            return ""
        if self.kind == "money":
            return dollars(int(str(value)))
        if self.kind == "time":
            return long_time(str(value))
        return self.choices.get(str(value), str(value))


@dataclass(frozen=True)
class AdminGrid:
    """A list of rows.

    Args:
        source: What stands behind FROM.
        key: SQL of the id of a row.
        link: Address of a row, with `{}` for its id, and its words.
        order: What comes first where nobody sorts.
        keyword: SQL that a keyword is looked for in.
        actions: What can be done with the chosen rows, value → words.
    """

    source: str
    columns: tuple[GridColumn, ...]
    link: str
    link_words: str
    order: str
    keyword: str
    key: str = "id"
    actions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Condition:
    """A filter that applies: in words, in SQL, and the fields of the address it came from."""

    words: str
    sql: str
    values: tuple[object, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class GridView:
    """What is shown of a list."""

    grid: AdminGrid
    rows: list[Row]
    total: int
    page: int
    conditions: list[Condition]
    asked: Mapping[str, str]

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE_SIZE))

    def address(self, *without: str, **changed: str) -> str:
        """Return this list with other fields in its address; it begins with the first page again."""
        kept = {name: value for name, value in self.asked.items() if name not in (*without, "page")}
        return f"?{urlencode({**kept, **changed})}"

    def sort_address(self, column: GridColumn) -> str:
        """Return this list sorted by a column, the other way round where it is already."""
        down = self.asked.get("sort") == column.name and self.asked.get("dir") != "desc"
        return self.address(sort=column.name, dir="desc" if down else "asc")


def read_grid(visit: Visit, grid: AdminGrid, where: str = "1") -> GridView:
    """Return what the address of this page asks to see of a list."""
    asked = {name: value.strip() for name, value in visit.query.items() if value.strip()}
    try:
        conditions = list(_conditions(grid, asked))
    except BadFigure as fault:
        visit.refuse(str(fault))
    filters = " AND ".join([where, *(each.sql for each in conditions)])
    values = [value for each in conditions for value in each.values]
    total = visit.count(f"SELECT COUNT(*) FROM {grid.source} WHERE {filters}", *values)
    page = min(max(1, visit.number("page")), max(1, -(-total // PAGE_SIZE)))
    shown = ", ".join(f'{column.sql} AS "{column.name}"' for column in grid.columns)
    rows = visit.rows(
        f"SELECT {grid.key} AS row_key, {shown} FROM {grid.source} WHERE {filters}"
        f" ORDER BY {_order(grid, asked)} LIMIT ? OFFSET ?",
        *(*values, PAGE_SIZE, (page - 1) * PAGE_SIZE),
    )
    return GridView(grid, rows, total, page, conditions, asked)


def _order(grid: AdminGrid, asked: Mapping[str, str]) -> str:
    column = next((each for each in grid.columns if each.name == asked.get("sort")), None)
    if column is None:
        return grid.order
    return f"{column.sql} COLLATE NOCASE {'DESC' if asked.get('dir') == 'desc' else 'ASC'}, {grid.order}"


def _conditions(grid: AdminGrid, asked: Mapping[str, str]) -> Iterator[Condition]:
    if word := asked.get("search"):
        yield Condition(f"Keyword: {word}", f"{grid.keyword} LIKE ? ESCAPE '\\'", (_pattern(word),), ("search",))
    for column in grid.columns:
        if column.by_range:
            yield from _range(column, asked)
        elif value := asked.get(column.name):
            words = f"{column.title}: {column.choices.get(value, value)}"
            if column.kind == "choice":
                yield Condition(words, f"{column.sql} = ?", (value,), (column.name,))
            else:
                yield Condition(words, f"{column.sql} LIKE ? ESCAPE '\\'", (_pattern(value),), (column.name,))


def _range(column: GridColumn, asked: Mapping[str, str]) -> Iterator[Condition]:
    first, last = asked.get(f"{column.name}_from", ""), asked.get(f"{column.name}_to", "")
    parts, values = [], []
    if first:
        parts.append(f"{column.sql} >= ?")
        values.append(_bound(column, first))
    if last:
        parts.append(f"{column.sql} {'<' if column.kind == 'time' else '<='} ?")
        values.append(_bound(column, last, end=True))
    if parts:
        names = (f"{column.name}_from", f"{column.name}_to")
        yield Condition(
            f"{column.title}: {first or '...'} - {last or '...'}", " AND ".join(parts), tuple(values), names
        )


def _bound(column: GridColumn, written: str, *, end: bool = False) -> object:
    """Return the value of one end of a range; a day is meant whole, so that its end is the start of the next."""
    if column.kind == "money":
        return read_cents(written)
    if column.kind == "time":
        return (read_date(written) + timedelta(days=int(end))).isoformat()
    return read_pieces(written)


def _pattern(text: str) -> str:
    """Return what LIKE looks for: the text anywhere, its own wildcards as they are."""
    return "%" + "".join(f"\\{each}" if each in "\\%_" else each for each in text) + "%"
