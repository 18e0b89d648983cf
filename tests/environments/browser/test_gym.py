"""The Gymnasium adapter on a real page; the interface itself where it is installed."""

import sys
from pathlib import Path

import pytest
from web_fixtures import PageServer

from cutscore.core.errors import MissingExtra
from cutscore.environments.browser.gym import BrowserEnv, make_env


@pytest.mark.real
def test_a_run_in_the_interface_of_gymnasium(chromium: str, site: PageServer, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    site.pages = {"/": "<a href=/next>Next</a>", "/next": "<p>there</p>"}
    env = BrowserEnv([f"{site.address}/"], folder=tmp_path)
    seen, _ = env.reset()
    assert seen["text"] == "[1] [A] [Next]"
    seen, reward, terminated, truncated, info = env.step("click [1]")
    assert (seen["text"], reward, terminated, truncated, info["error"]) == (
        "[] [StaticText] [there]",
        0,
        False,
        False,
        "",
    )
    assert seen["picture"].startswith(b"\xff\xd8\xff")
    assert "is no action" in env.step("jump")[4]["error"]
    assert env.step("stop [done]")[2]
    env.close()


def test_without_gymnasium_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingExtra, match=r"a Gymnasium environment needs an extra: pip install 'cutscore\[gym\]'"):
        make_env(["http://127.0.0.1:1/"])
