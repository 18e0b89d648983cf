"""What a machine lacks for a browser is one sentence."""

import sys
from pathlib import Path

import pytest

from cutscore.core.errors import MissingExtra, Stopped
from cutscore.environments.browser import chromium, opening, shared_browser
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.session import SessionOptions


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
