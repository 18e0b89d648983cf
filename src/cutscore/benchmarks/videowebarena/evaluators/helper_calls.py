"""Calls of site helpers in a task (`func:NAME(…)`), read by an allow-list. Nothing of a task is ever run as Python."""

import ast
from dataclasses import dataclass
from typing import Literal

from cutscore.core.errors import Unscored

PREFIX = "func:"
PAGE, LAST_URL = "__page__", "__last_url__"
LONGEST_CALL = 4_000  # characters; the longest in the released files has about 300

# What a helper reads: the open page, the shop's REST interface, or nothing but an address.
Source = Literal["page", "rest", "address"]
Argument = Literal["page", "text", "url"]


@dataclass(frozen=True)
class Helper:
    """One helper that tasks may call: what it reads, and which arguments it takes."""

    source: Source
    takes: tuple[Argument, ...] = ()


HELPERS: dict[str, Helper] = {
    "get_query_text": Helper("page", ("page", "text")),
    "gitlab_get_project_memeber_role": Helper("page", ("page", "text")),  # spelt so in the files
    "reddit_get_latest_comment_content_by_username": Helper("page", ("page", "text")),
    "reddit_get_parent_comment_username_of_latest_comment_by_username": Helper("page", ("page", "text")),
    "reddit_get_post_url": Helper("address", ("url",)),
    "shopping_get_latest_order_url": Helper("rest"),
    "shopping_get_num_reviews": Helper("page", ("page",)),
    "shopping_get_order_product_name_list": Helper("page", ("page",)),
    "shopping_get_order_product_option": Helper("page", ("page", "text", "text")),
    "shopping_get_order_product_quantity": Helper("page", ("page", "text")),
    "shopping_get_product_attributes": Helper("page", ("page", "text")),
    "shopping_get_product_price": Helper("page", ("page",)),
    "shopping_get_sku_latest_review_author": Helper("rest", ("text",)),
    "shopping_get_sku_latest_review_rating": Helper("rest", ("text",)),
    "shopping_get_sku_latest_review_text": Helper("rest", ("text",)),
}


@dataclass(frozen=True)
class HelperCall:
    """A call that may be made.

    Args:
        arguments: The literal texts, in their order; the page is not among them.
    """

    name: str
    arguments: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """What it reads."""
        return HELPERS[self.name].source

    def at(self, url: str) -> "HelperCall":
        """Return the call with the address of the open page where the task says `__last_url__`."""
        return HelperCall(self.name, tuple(each.replace(LAST_URL, url) for each in self.arguments))


def parse_call(text: str) -> HelperCall:
    """Read a call as tasks write it; Unscored for anything but a known helper with literal arguments.

    >>> parse_call("func:shopping_get_order_product_option(__page__, 'B08SQJF7PF', 'Size')")
    HelperCall(name='shopping_get_order_product_option', arguments=('B08SQJF7PF', 'Size'))
    """
    source = text.removeprefix(PREFIX).strip()
    if len(source) > LONGEST_CALL:
        raise _refuse(text, f"is longer than {LONGEST_CALL:,} characters")
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refuse(text, "is no call") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        raise _refuse(text, "is no plain call of a helper")
    name = call.func.id
    if name not in HELPERS:
        raise _refuse(text, f"calls '{name[:60]}', which is none of the {len(HELPERS)} helpers")
    takes = HELPERS[name].takes
    if len(call.args) != len(takes):
        raise _refuse(text, f"gives '{name}' {len(call.args)} arguments, it takes {len(takes)}")
    return HelperCall(
        name, tuple(_literal(text, *each) for each in zip(call.args, takes, strict=True) if not _is_page(*each))
    )


def _is_page(given: ast.expr, wanted: Argument) -> bool:
    return wanted == "page" and isinstance(given, ast.Name) and given.id == PAGE


def _literal(text: str, given: ast.expr, wanted: Argument) -> str:
    if wanted == "page" or not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        raise _refuse(text, f"has an argument that is not {PAGE if wanted == 'page' else 'a literal text'}")
    return given.value


def _refuse(text: str, fact: str) -> Unscored:
    shown = text if len(text) <= 80 else f"{text[:80]}…"
    return Unscored(f"call '{shown}'", fact, "mend the task: only known helpers are called")
