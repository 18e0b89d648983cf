"""The site helpers on live pages, against what the released code returned."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from web_fixtures import PageServer, live

from cutscore.benchmarks.videowebarena.environment.helpers import LiveHelpers
from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.session import BrowserSession, PageFault

pytestmark = pytest.mark.real


def test_helpers_return_what_the_released_code_returned(
    open_browser: Callable[..., BrowserSession], site: PageServer, shared: Path
) -> None:
    cases = json.loads((shared / "data/videowebarena/reference_cases.json").read_text())["cases"]
    own = [case for case in cases if case["kind"] == "page_helper"]
    assert len(own) == 13
    session = open_browser(viewport=(1280, 720))
    helpers = LiveHelpers(SiteAddresses(), AddressGuard.of([site.address]))
    for case in own:
        site.pages["/"] = case["input"]["page"]
        live(session.open(f"{site.address}/"))
        call = case["input"]["call"].replace("(page", "(__page__", 1)
        assert live(helpers.call(call, session)).value == case["expected"], case["id"]


def test_what_is_no_helper_is_not_called(open_browser: Callable[..., BrowserSession], site: PageServer) -> None:
    session = open_browser()
    helpers = LiveHelpers(SiteAddresses(), AddressGuard.of([site.address]))
    with pytest.raises(PageFault, match="none of the 15 helpers"):
        live(helpers.call("func:__import__('os')", session))


def test_reviews_and_orders_come_from_the_shop(
    open_browser: Callable[..., BrowserSession], site: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages = {
        "/rest/default/V1/integration/admin/token": '"token-1"',
        "/rest/V1/products/B00/reviews": json.dumps([{"nickname": "ann", "detail": "good", "ratings": []}]),
        "/rest/V1/orders": json.dumps({"items": [{"increment_id": "000000187"}]}),
    }
    session = open_browser()
    helpers = LiveHelpers(SiteAddresses.of({"shopping": site.address}), AddressGuard.of([site.address]))
    call = "func:shopping_get_latest_order_url()"
    with pytest.raises(PageFault, match="set SHOPPING_ADMIN_PASSWORD"):
        live(helpers.call(call, session))
    monkeypatch.setenv("SHOPPING_ADMIN_PASSWORD", "hunter22")
    assert live(helpers.call(call, session)).value == f"{site.address}/sales/order/view/order_id/187/"
    made = live(helpers.call("func:shopping_get_sku_latest_review_author('B00')", session))
    assert made.value == "ann"
    assert "hunter22" not in json.dumps(made.replies)
    assert "token-1" not in json.dumps(made.replies)
