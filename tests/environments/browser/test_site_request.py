"""Requests beside the browser: they follow where a site leads, stay on its sites, keep its secrets, and end."""

import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from web_fixtures import PageServer, serve_pages

from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.site_request import RequestFault, request_site


def lead_to(address: str, status: int = 302) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", address)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def trickle(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(1000):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.01)
    except OSError:
        pass


def test_an_address_is_written_as_browsers_write_it(site: PageServer) -> None:
    site.pages["/my%20photo%C3%BC.png"] = b"picture"
    guard = AddressGuard.of([site.address])
    assert request_site(f"{site.address}/my photoü.png?w=9 9#x", guard).body == b"picture"
    assert request_site(f"{site.address}/my%20photo%C3%BC.png", guard).body == b"picture"


def test_it_follows_within_the_sites_of_a_task_alone(site: PageServer) -> None:
    with serve_pages() as other, serve_pages() as elsewhere:
        site.pages = {"/a": lead_to(f"{other.address}/b"), "/out": lead_to(f"{elsewhere.address}/")}
        site.pages["/round"] = lead_to("/round")
        other.pages["/b"] = "there"
        guard = AddressGuard.of([site.address, other.address])
        assert request_site(f"{site.address}/a", guard).body == b"there"
        with pytest.raises(RequestFault, match="is not among the sites of this task"):
            request_site(f"{site.address}/out", guard)
        with pytest.raises(RequestFault, match="leads on more than 5 times"):
            request_site(f"{site.address}/round", guard)
        assert elsewhere.asked == []


@pytest.mark.parametrize(
    "given", [{"headers": {"Authorization": "Bearer x"}}, {"method": "POST", "body": b"password=x"}]
)
def test_what_one_site_is_told_no_other_hears(site: PageServer, given: dict[str, Any]) -> None:
    with serve_pages() as other:
        site.pages["/"] = lead_to(f"{other.address}/", 307)
        guard = AddressGuard.of([site.address, other.address])
        with pytest.raises(RequestFault, match="it leads to another site"):
            request_site(f"{site.address}/", guard, **given)
        assert other.asked == []


def test_a_reply_that_does_not_end_is_given_up(site: PageServer) -> None:
    site.pages["/"] = trickle
    with pytest.raises(RequestFault, match="the reply does not end"):
        request_site(f"{site.address}/", AddressGuard.of([site.address]), timeout_s=0.1)
