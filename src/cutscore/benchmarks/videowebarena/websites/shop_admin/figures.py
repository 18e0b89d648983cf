"""Dates and money as the back office writes and reads them: 3/14/25, Mar 14, 2025 9:00:00 AM, $1,234.50."""

import re
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

YEARS = range(1970, 2100)
MOST_CENTS = 99_999_999_99


class BadFigure(ValueError):
    """A text that is no date, price or number; its words are for the visitor."""


def read_date(text: str) -> date:
    """Return the date of a text, month first.

    >>> read_date("3/14/25"), read_date("03/14/2025")
    (datetime.date(2025, 3, 14), datetime.date(2025, 3, 14))
    """
    found = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})", text.strip(), re.ASCII)
    try:
        if found:
            month, day, year = (int(part) for part in found.groups())
            day_meant = date(year + 2000 if year < 100 else year, month, day)
            if day_meant.year in YEARS:
                return day_meant
    except ValueError:
        pass
    raise BadFigure(f"“{text[:40]}” is not a date. Write it as 3/14/2025.")


def short_date(day: date) -> str:
    """Return a date as fields show it.

    >>> short_date(date(2023, 1, 9))
    '1/9/23'
    """
    return f"{day.month}/{day.day}/{day:%y}"


def long_time(kept: str) -> str:
    """Return a kept time as lists show it.

    >>> long_time("2023-05-31T02:05:09+00:00")
    'May 31, 2023 2:05:09 AM'
    """
    moment = datetime.fromisoformat(kept)
    return f"{moment:%b} {moment.day}, {moment.year} {moment.hour % 12 or 12}:{moment:%M:%S %p}"


def dollars(cents: int) -> str:
    """Return an amount with its sign.

    >>> dollars(123450), dollars(-500)
    ('$1,234.50', '-$5.00')
    """
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def plain_price(cents: int) -> str:
    """Return an amount as its field holds it.

    >>> plain_price(2700)
    '27.00'
    """
    return f"{cents // 100}.{cents % 100:02d}"


def read_cents(text: str) -> int:
    """Return the cents of a price.

    >>> read_cents("$1,234.5"), read_cents("24")
    (123450, 2400)
    """
    try:
        amount = Decimal(text.strip().removeprefix("$").replace(",", ""))
        if amount.is_finite() and 0 <= amount * 100 <= MOST_CENTS:
            return round(amount * 100)
    except InvalidOperation:
        pass
    raise BadFigure(f"“{text[:40]}” is not a price. Write it as 24.90.")


def read_pieces(text: str) -> int:
    """Return a whole number, 0 or more."""
    if re.fullmatch(r"\d{1,8}", text.strip(), re.ASCII):
        return int(text)
    raise BadFigure(f"“{text[:40]}” is not a quantity. Write a whole number.")
