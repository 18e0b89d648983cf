"""What a machine lacks for a browser is one sentence."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore.core.errors import MissingExtra, Stopped, Unscored
from cutscore.environments.browser import chromium, opening, shared_browser
from cutscore.environments.browser import session as session_module
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.session import BrowserSession, SessionOptions


def test_without_playwright_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    thread = shared_browser.BrowserThread()
    monkeypatch.setattr(opening, "browser_thread", lambda: thread)
    monkeypatch.setattr(shared_browser, "find_chromium", lambda: "chromium")
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    options = SessionOptions(AddressGuard.of(["http://127.0.0.1:7770"]), tmp_path)
    with pytest.raises(MissingExtra, match=r"a browser needs an extra: pip install 'cutscore\[web\]'"):
        thread.submit(opening.open_session(options)).result(10)


def test_without_chromium_it_is_told_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CUTSCORE_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Stopped, match="Chromium: is not installed; install it"):
        chromium.find_chromium()


def test_root_without_setpriv_starts_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Stopped, match="is not run as root, and 'setpriv' is missing"):
        chromium._as_nobody(tmp_path)


@pytest.mark.real
def test_a_browser_that_opens_no_tab_in_time_is_one_sentence(
    open_browser: Callable[..., BrowserSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "OPEN_S", 0.0)
    with pytest.raises(Unscored, match="Chromium: does not open a tab: the page did not answer within 0 s"):
        open_browser()
