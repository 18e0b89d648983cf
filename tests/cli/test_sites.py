"""`cutscore sites` in a real Chromium: an agent by plain Playwright over CDP does a web task, and `score` marks it."""

import base64
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from command_fixtures import CUTSCORE
from web_fixtures import PageServer, serve_pages

pytestmark = pytest.mark.real

TASK, MODES = "factual-shopping-0", ("reference", "strict")
CHECKS = {
    "eval_types": ["url_match", "program_html", "string_match"],
    "reference_url": "__SHOPPING__/bought",
    "url_note": "EXACT",
    "reference_answers": {"must_include": ["9.50"]},
    "program_html": [
        {
            "url": "last",
            "locator": "document.querySelector('h1').outerText",
            "required_contents": {"exact_match": "Thank you"},
        }
    ],
}
ENTRY = {
    "task_id": 0,
    "sites": ["shopping"],
    "start_url": "__SHOPPING__/",
    "geolocation": None,
    "require_reset": False,
    "require_login": False,
    "storage_state": None,
    "video": "",
    "intent_template": "Buy it.",
    "intent_template_id": 0,
    "instantiation_dict": {},
    "intent": "Buy it. What did it cost?",
    "eval": CHECKS,
    "intermediate_intent": "Which colour?",
    "intermediate_eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["red"]}},
    "overall_difficulty": "easy",
    "intermediate_difficulty": "easy",
    "visual_reasoning": True,
}


@pytest.fixture
def shop(chromium: str, site: PageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageServer:
    """A shop with one thing to buy, and its task in the folder `tasks`."""
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    site.pages = {"/": "<title>shop</title><a href=/bought>Buy</a>", "/bought": "<h1>Thank you</h1>"}
    site.pages["/asks"] = "<h1>?</h1><button onclick=\"document.title = confirm('Sure?')\">Go</button>"
    (tmp_path / "tasks/videowa").mkdir(parents=True)
    (tmp_path / "tasks/videowa/test_shopping.raw.json").write_text(json.dumps([ENTRY]))
    monkeypatch.setenv("SHOPPING", site.address)
    return site


@contextmanager
def opened(folder: Path, out: str = "out") -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Open the task as a program does: its event comes on standard error."""
    words = ("sites", "--task", TASK, "-o", out, "--data", "tasks", "--json")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*CUTSCORE, *words], cwd=folder, env=dict(os.environ), text=True, **pipes)
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        yield process, json.loads(said)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def score(cli: Any, out: str = "out") -> dict[str, float]:
    """Return the scores by name and mode, as the command finds them in the folder."""
    ran = cli("score", "videowebarena", TASK, out, "--data", "tasks", "--json")
    assert ran.code == 0, ran.err
    return {f"{each['name']}@{each['mode']}": each["value"] for each in ran.json["findings"] if "mode" in each}


def test_an_agent_over_cdp_is_marked_by_what_it_did(shop: PageServer, cli: Any, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    with opened(tmp_path) as (process, event):
        assert event["urls"] == [f"{shop.address}/"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(event["cdp"])
            page = browser.contexts[0].pages[0]
            assert page.evaluate("[innerWidth, innerHeight]") == [1280, 2048]
            page.click("text=Buy")
            browser.contexts[0].new_page().goto(f"{shop.address}/")
            page.bring_to_front()  # the tab in front counts, not the newest
            browser.close()
        (Path(event["folder"]) / "intermediate.txt").write_text("red")
        out, err = process.communicate("9.50\n", timeout=60)
    assert process.returncode == 0, err
    printed = json.loads(out)
    assert (printed.pop("schema"), printed.pop("errors")) == ("cutscore.sites/1", {})
    assert printed == {"task": TASK, "folder": "out", "reads": 4}
    assert score(cli) == dict.fromkeys([f"{name}@{mode}" for name in ("final", "intermediate") for mode in MODES], 1.0)
    again = cli("sites", "--task", TASK, "-o", "out", "--data", "tasks")
    assert (again.code, again.err) == (
        2,
        f"error: -o 'out': has something of task '{TASK}' already; name another folder, or remove it\n",
    )
    (tmp_path / "out/evidence.json").write_text("[{")
    torn = cli("score", "videowebarena", TASK, "out", "--data", "tasks")
    assert torn.code == 2
    assert "evidence 'out/evidence.json': is not JSON from character 3 on; record it again" in torn.err


def test_nothing_done_is_marked_0_and_no_agent_leaves_the_sites(shop: PageServer, cli: Any, tmp_path: Path) -> None:
    from playwright.sync_api import Error, sync_playwright

    with opened(tmp_path) as (process, event), serve_pages() as other, sync_playwright() as playwright:
        other.pages["/"] = "<h1>Thank you</h1>"
        browser = playwright.chromium.connect_over_cdp(event["cdp"])
        for context in (browser.contexts[0], browser.new_context()):
            page = context.new_page()
            for address in (f"{other.address}/", "http://example.org/", "http://192.0.2.1/"):
                with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
                    page.goto(address)
            for address in ("file:///etc/passwd", "chrome://version"):
                with suppress(Error):  # it is sent away while it goes there
                    page.goto(address)
                page.wait_for_url("about:blank", timeout=5000)
            page.close()
        # Nor by a context with a proxy of the agent's own: past the one that is not there, or through another.
        for proxy in ({"server": "http://127.0.0.1:9", "bypass": "*"}, {"server": other.address}):
            page = browser.new_context(proxy=proxy).new_page()  # type: ignore[arg-type]
            for address in (f"{other.address}/", "http://example.org/"):
                with pytest.raises(Error, match=r"ERR_NAME_NOT_RESOLVED|ERR_PROXY_CONNECTION_FAILED"):
                    page.goto(address)
        assert other.asked == []
        page = browser.contexts[0].pages[0]
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{shop.address}/asks")
        page.click("button")
        page.wait_for_function("document.title == 'true'")  # the agent's answer counts, and not one of ours
        browser.close()
        _, err = process.communicate("", timeout=60)
    assert process.returncode == 0, err
    assert [score(cli)[f"final@{mode}"] for mode in MODES] == [0.0, 0.0]
    assert (tmp_path / "out" / TASK / "answer.txt").read_text() == ""
    facts = json.loads((tmp_path / "out/evidence.json").read_text())[0]["evidence"]["facts"]
    assert facts["stop"]["url"] == "__SHOPPING__/asks"
    assert {"event": "refused", "url": "file:///etc/passwd"} in facts["stop"]["events"]


@pytest.mark.release  # long, and the waiting is tested above
def test_ctrl_c_gives_up_and_leaves_nothing(shop: PageServer, tmp_path: Path) -> None:
    with opened(tmp_path) as (process, _):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "interrupted")
    assert [path.name for path in (tmp_path / "out").rglob("*")] == [TASK]


@pytest.mark.release  # long
def test_a_login_that_a_site_asks_for_by_http_holds_for_the_agent(
    shop: PageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playwright.sync_api import sync_playwright

    def ask_for_account(handler: BaseHTTPRequestHandler) -> None:
        wanted = "Basic " + base64.b64encode(b"emma@shop:se/cret").decode()
        page = b"<h1>Hello</h1>"
        if handler.headers.get("Authorization") == wanted:
            handler.send_response(200)
        else:
            page = b""
            handler.send_response(401)
            handler.send_header("WWW-Authenticate", 'Basic realm="shop"')
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(page)))
        handler.end_headers()
        handler.wfile.write(page)

    shop.pages["/login"] = ask_for_account
    sites = f'[shopping]\naddress = "{shop.address}"\naccount = "emma@shop"\nlogin_path = "/login"\n'
    (tmp_path / "sites.toml").write_text(sites)
    monkeypatch.delenv("SHOPPING")
    monkeypatch.setenv("SHOPPING_PASSWORD", "se/cret")
    entry = {**ENTRY, "require_login": True, "storage_state": "./.auth/shopping_state.json"}
    (tmp_path / "tasks/videowa/test_shopping.raw.json").write_text(json.dumps([entry]))
    with opened(tmp_path) as (process, event), sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(event["cdp"])
        assert [page.url for page in browser.contexts[0].pages] == [f"{shop.address}/"]
        page = browser.contexts[0].new_page()
        page.goto(f"{shop.address}/login")
        assert page.inner_text("h1") == "Hello"
        browser.close()
        _, err = process.communicate("", timeout=60)
    assert (process.returncode, err) == (0, "")  # nor does an address with a password in it spoil the record
    assert "cret" not in "".join(
        file.read_text(errors="replace") for file in (tmp_path / "out").rglob("*") if file.is_file()
    )
