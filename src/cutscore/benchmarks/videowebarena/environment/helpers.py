"""The 15 site helpers on a live page and by the shop's REST interface.

What a helper reads is gathered here, in one evaluation of the page or one reply; what it makes of that is pure and lies
in `evaluators/helper_values.py`, so that the value can be computed again from the record.
"""

import asyncio
import json
import os
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HelperCall, parse_call
from cutscore.benchmarks.videowebarena.evaluators.helper_values import helper_value
from cutscore.benchmarks.videowebarena.sites import ACCOUNTS, SiteAddresses
from cutscore.core.errors import Unscored
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.reads import HelperOutcome
from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault
from cutscore.environments.browser.site_request import RequestFault, SiteReply, request_site

_MEMBERS = """[...document.querySelectorAll('td[data-label="Account"]')].map(cell => ({
  account: cell.querySelector(".gl-avatar-labeled-sublabel")?.innerText,
  role: cell.parentElement.querySelector("td.col-max-role span")?.innerText,
}))"""
_THREAD = """(() => {
  const main = document.querySelector("#main");
  if (!main) return null;
  const all = [...main.querySelectorAll(".comment")];
  const comments = all.map(comment => ({
    author: comment.querySelector(".fg-inherit")?.innerText,
    time: comment.querySelector(".comment__main > header > h1 > span > time")?.dateTime,
    content: comment.querySelector(".comment__content")?.innerText,
    parent: ((at) => at < 0 ? null : at)(all.indexOf(comment.parentElement.closest(".comment"))),
  }));
  return {post: {author: main.querySelector(".fg-inherit")?.innerText}, comments};
})()"""
_ORDERS = """[...document.querySelectorAll("#my-orders-table > tbody > tr")].map(row => ({
  name: row.querySelector("td.name")?.innerText,
  sku: row.querySelector("td.sku")?.innerText,
  quantity: row.querySelector("td.qty")?.innerText,
  options: Object.fromEntries([...row.querySelectorAll("dt")].map(
    term => [term.innerText.trim(), term.nextElementSibling?.innerText.trim()])),
}))"""
_PRODUCT = """({
  price: document.querySelector("#maincontent .product-info-main .product-info-price .price-final_price > span > span")
    ?.innerText,
  reviews: document.querySelector("#tab-label-reviews-title")?.innerText,
  attributes: [...document.querySelectorAll("#productDetails_detailBullets_sections1 tr")].map(
    row => [row.querySelector("th")?.innerText, row.querySelector("td")?.innerText]),
})"""
_GATHER = {
    "gitlab_get_project_memeber_role": _MEMBERS,
    "reddit_get_latest_comment_content_by_username": _THREAD,
    "reddit_get_parent_comment_username_of_latest_comment_by_username": _THREAD,
    "shopping_get_num_reviews": _PRODUCT,
    "shopping_get_order_product_name_list": _ORDERS,
    "shopping_get_order_product_option": _ORDERS,
    "shopping_get_order_product_quantity": _ORDERS,
    "shopping_get_product_attributes": _PRODUCT,
    "shopping_get_product_price": _PRODUCT,
}
SHOP, ADMIN = "shopping", "shopping_admin"


@dataclass(frozen=True)
class LiveHelpers:
    """The helpers of one world."""

    sites: SiteAddresses
    guard: AddressGuard

    async def call(self, text: str, session: BrowserSession) -> HelperOutcome:
        """Make a call as a task writes it: only known helpers with literal arguments."""
        try:
            call = parse_call(text)
        except Unscored as error:
            raise PageFault(str(error)) from None
        call = call.at(session.page.url)
        facts: JsonValue = None
        if call.source == "page":
            facts = await self._gather(call, session)
        if call.source == "rest":
            try:
                facts = await asyncio.to_thread(self._ask_shop, call)
            except RequestFault as fault:
                raise PageFault(f"'{call.name}': {fault}") from fault
        return HelperOutcome(helper_value(call, facts), () if facts is None else (facts,))

    async def _gather(self, call: HelperCall, session: BrowserSession) -> JsonValue:
        try:
            if call.name == "get_query_text":
                # The selector stands between single quotes in the reference, so one that has such quotes finds nothing.
                script = f"() => document.querySelector('{call.arguments[0]}').outerText"
                return {"text": await session.within(ANSWER_S, session.page.evaluate(script))}
            made: JsonValue = await session.evaluate(_GATHER[call.name])
        except PageFault:
            return None  # a page error is an empty text or 0 in the reference
        return made

    def _ask_shop(self, call: HelperCall) -> JsonValue:
        """Return what the shop's REST interface says, asked with the admin's account."""
        self.sites.require((SHOP,))
        shop = self.sites.sites[SHOP].address
        headers = {"Authorization": f"Bearer {self._token(shop)}", "Content-Type": "application/json"}
        if call.name == "shopping_get_latest_order_url":
            account = self.sites.sites[SHOP].account or ACCOUNTS[SHOP]
            asked = f"{shop}/rest/V1/orders?{urlencode(_newest_order(account))}"
            return {"shop": shop, "orders": _answer(request_site(asked, self.guard, headers=headers))}
        asked = f"{shop}/rest/V1/products/{quote(call.arguments[0], safe='')}/reviews"
        return _answer(request_site(asked, self.guard, headers=headers))

    def _token(self, shop: str) -> str:
        site = self.sites.sites.get(ADMIN)
        account = (site.account if site else "") or ACCOUNTS[ADMIN]
        variable = (site.password_variable if site else "") or f"{ADMIN.upper()}_PASSWORD"
        password = (site.own_password if site else "") or os.environ.get(variable)
        if not password:
            raise RequestFault(f"the shop's admin has no password here: set {variable}")
        asked = f"{shop}/rest/default/V1/integration/admin/token"
        body = json.dumps({"username": account, "password": password}).encode()
        headers = {"Content-Type": "application/json"}
        return str(_answer(request_site(asked, self.guard, method="POST", headers=headers, body=body)))


def _newest_order(account: str) -> dict[str, str]:
    by = "searchCriteria[filter_groups][0][filters][0]"
    return {
        f"{by}[field]": "customer_email",
        f"{by}[value]": account,
        f"{by}[condition_type]": "eq",
        "searchCriteria[sortOrders][0][field]": "created_at",
        "searchCriteria[sortOrders][0][direction]": "DESC",
        "searchCriteria[pageSize]": "1",
    }


def _answer(reply: SiteReply) -> JsonValue:
    if reply.status != 200:
        raise RequestFault(f"the shop answers with status {reply.status}")
    return reply.json()
