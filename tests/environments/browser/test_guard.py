"""Which addresses may be opened: the hosts and ports of a task, and nothing that only looks like one of them."""

import pytest

from cutscore.environments.browser.guard import AddressGuard

GUARD = AddressGuard.of(["http://localhost:7770/shop", "http://forum.localhost", "https://wiki.example"])


@pytest.mark.parametrize(
    "url",
    [
        "about:blank",
        "http://localhost:7770/",
        "http://127.0.0.1:7770/a?b#c",
        "HTTP://LOCALHOST:7770",
        "http://forum.localhost/f/pics",
        "https://wiki.example:443/",
    ],
)
def test_the_sites_of_a_task_are_opened(url: str) -> None:
    assert GUARD.refuse(url) == ""


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:7771/", "127.0.0.1:7771 is not among the sites of this task"),
        ("https://localhost:443/", "localhost:443 is not among"),
        ("http://[::1]:7770/", "[::1]:7770 is not among"),
        ("http://shop.localhost:7770/", "shop.localhost:7770 is not among"),
        ("http://localhost.:7770/", "localhost.:7770 is not among"),
        ("http://localhost:7770@elsewhere/", "elsewhere:80 is not among"),
        ("http://2130706433:7770/", "2130706433:7770 is not among"),
        ("file:///etc/passwd", "begin with 'file:' are not opened"),
        ("chrome://settings", "begin with 'chrome:'"),
        ("view-source:http://localhost:7770/", "begin with 'view-source:'"),
        ("javascript:alert(1)", "begin with 'javascript:'"),
        ("blob:http://localhost:7770/1", "begin with 'blob:'"),
        ("data:text/html,x", "begin with 'data:'"),
        ("ws://localhost:7770/", "begin with 'ws:'"),
        ("about:blank#x", "begin with 'about:'"),
        ("http://[::1", "'http://[::1' is no address"),
        ("http://localhost:99999/", "'http://localhost:99999/' is no address"),
        ("http://", "'http://' is no address"),
        ("localhost", "'localhost' is no address"),
        ("", "'' is no address"),
    ],
)
def test_anything_else_is_refused_with_its_reason(url: str, reason: str) -> None:
    assert reason in GUARD.refuse(url)


def test_other_ports_of_this_machine_go_to_the_proxy_that_is_not_there() -> None:
    rules = GUARD.proxy["bypass"].split(",")
    assert rules[0] == "<-loopback>"
    assert rules[1:] == ["127.0.0.1:7770", "forum.localhost:80", "localhost:7770", "wiki.example:443"]
