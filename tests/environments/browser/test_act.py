"""Every action on a live page, and what a session does with tabs, popups, dialogs and files."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from web_fixtures import PageServer, live

from cutscore.environments.browser.act import perform
from cutscore.environments.browser.grammar import parse_action
from cutscore.environments.browser.marks import observe
from cutscore.environments.browser.session import BrowserSession
from cutscore.environments.browser.settle import settle

pytestmark = pytest.mark.real

FORM = """<!doctype html><title>form</title><style>body{margin:20px;height:5000px}</style>
<input id=name value=old> <a href=/next>Next</a> <a href=/next target=_blank>Popup</a>
<button onclick="document.title = confirm('sure?')">Ask</button> <input type=file id=file>
<div id=box style="width:50px;height:50px;background:red" tabindex=0 onmouseover="document.title='over'">Box</div>
<script>document.querySelector("#name").onkeydown = event => {
  if (event.key == "Enter") document.title = "entered"; }</script>"""


async def step(session: BrowserSession, text: str) -> str:
    error = await perform(session, parse_action(text, "wide"))
    await settle(session)
    await observe(session)
    return error


async def find(session: BrowserSession, words: str) -> str:
    seen = await observe(session)
    return next(element.number for element in seen.elements if element.number and words in (element.text, element.tag))


def js(session: BrowserSession, script: str) -> object:
    return live(session.evaluate(script))


def test_every_action_does_what_it_says(open_browser: Callable[..., BrowserSession], site: PageServer) -> None:
    site.pages = {"/": FORM, "/next": "<title>next</title><a href=/>back</a>"}
    session = open_browser(viewport=(800, 600))
    assert live(step(session, f"goto [{site.address}/]")) == ""
    field = live(find(session, "INPUT"))
    assert live(step(session, f"type [{field}] [ [new] ] [0]")) == ""
    assert js(session, "document.querySelector('#name').value") == "old [new] "  # nothing is cleared before
    assert live(step(session, f"clear [{field}]")) == ""
    assert js(session, "document.querySelector('#name').value") == ""
    assert live(step(session, f"type [{field}] [x]")) == ""
    assert js(session, "document.title") == "entered"
    assert live(step(session, f"hover [{live(find(session, 'Box'))}]")) == ""
    assert js(session, "document.title") == "over"
    assert live(step(session, "scroll [down]")) == ""
    assert js(session, "scrollY") == 600
    assert live(step(session, "scroll [up]")) == ""
    assert live(step(session, "press [ctrl+End]")) == ""
    assert live(step(session, "press [ctrl+Home]")) == ""
    assert live(step(session, f"click [{live(find(session, 'Ask'))}]")) == ""
    assert js(session, "document.title") == "false"  # dismissed
    assert [json.loads(event)["message"] for event in session.watch.events] == ["sure?"]
    assert live(step(session, f"click [{live(find(session, 'Next'))}]")) == ""
    assert session.page.url == f"{site.address}/next"
    assert live(step(session, "go_back")) == ""
    assert session.page.url == f"{site.address}/"
    assert live(step(session, "go_forward")) == ""
    assert session.page.url == f"{site.address}/next"
    assert live(step(session, "click [99]")) == "element 99 is not on the page"
    assert "Unknown key" in live(step(session, "press [nokey]"))


def test_popups_and_tabs(open_browser: Callable[..., BrowserSession], site: PageServer) -> None:
    site.pages = {"/": FORM, "/next": "<title>next</title>there"}
    session = open_browser(viewport=(800, 600))
    live(step(session, f"goto [{site.address}/]"))
    assert live(step(session, f"click [{live(find(session, 'Popup'))}]")) == ""
    assert session.page.url == f"{site.address}/next"  # a popup becomes the active tab
    assert len(session.pages) == 2
    assert live(step(session, "tab_focus [0]")) == ""
    assert session.page.url == f"{site.address}/"
    assert live(step(session, "tab_focus [7]")) == "there is no tab 7; 2 are open"
    assert live(step(session, "new_tab")) == ""
    assert session.page.url == "about:blank"
    assert live(step(session, "close_tab")) == ""
    assert session.page.url == f"{site.address}/next"
    live(step(session, "close_tab"))
    live(step(session, "close_tab"))
    assert [page.url for page in session.pages] == ["about:blank"]  # there is always one


def test_files_go_up_from_one_folder_and_come_down_into_another(
    open_browser: Callable[..., BrowserSession], site: PageServer, tmp_path: Path
) -> None:
    def hand_out(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Disposition", 'attachment; filename="a.csv"')
        handler.send_header("Content-Length", "3")
        handler.end_headers()
        handler.wfile.write(b"1,2")

    outputs, uploads = tmp_path / "outputs", tmp_path / "uploads"
    outputs.mkdir()
    uploads.mkdir()
    (uploads / "cat.png").write_bytes(b"meow")
    (tmp_path / "truth.txt").write_text("no")
    (uploads / "link").symlink_to(tmp_path / "truth.txt")
    site.pages = {"/": FORM.replace("/next>", "/file>"), "/file": hand_out}
    session = open_browser(viewport=(800, 600), outputs=outputs, uploads=uploads)
    live(step(session, f"goto [{site.address}/]"))
    chooser = next(
        element.number
        for element in live(observe(session)).elements
        if element.number and element.box[0] > 200 and element.tag == "INPUT"
    )
    for name in ("link", "../truth.txt", "/etc/passwd"):
        assert "to upload; there is cat.png" in live(step(session, f"upload [{chooser}] [{name}]"))
    assert live(step(session, f"upload [{chooser}] [cat.png]")) == ""
    assert js(session, "document.querySelector('#file').files[0].name") == "cat.png"
    assert js(session, "document.querySelector('#file').files[0].size") == 4
    live(step(session, f"click [{live(find(session, 'Next'))}]"))
    assert (outputs / "a.csv").read_bytes() == b"1,2"
    assert session.downloads.taken == ["a.csv"]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("file:///etc/passwd", "addresses that begin with 'file:' are not opened here"),
        ("chrome://version", "addresses that begin with 'chrome:'"),
        ("view-source:http://127.0.0.1/", "addresses that begin with 'view-source:'"),
        ("data:text/html,x", "addresses that begin with 'data:'"),
        ("javascript:alert(1)", "addresses that begin with 'javascript:'"),
        ("http://example.com/", "example.com:80 is not among the sites of this task"),
        ("http://127.0.0.1:9/", "127.0.0.1:9 is not among the sites of this task"),
        ("here", "'here' is no address"),
    ],
)
def test_other_addresses_are_refused(open_browser: Callable[..., BrowserSession], address: str, reason: str) -> None:
    assert reason in live(perform(open_browser(), parse_action(f"goto [{address}]")))


def test_place_and_saved_login(open_browser: Callable[..., BrowserSession], site: PageServer, tmp_path: Path) -> None:
    site.pages = {"/": "hello"}
    cookie = {"name": "who", "value": "ann", "domain": "127.0.0.1", "path": "/", "expires": -1}
    state = {"cookies": [{**cookie, "httpOnly": False, "secure": False, "sameSite": "Lax"}], "origins": []}
    (tmp_path / "state.json").write_text(json.dumps(state))
    session = open_browser(geolocation=(40.4, -79.9), storage_state=tmp_path / "state.json", viewport=(390, 844))
    live(session.open(f"{site.address}/"))
    place = "new Promise(done => navigator.geolocation.getCurrentPosition(at => done(at.coords.latitude)))"
    assert js(session, place) == 40.4
    assert js(session, "document.cookie") == "who=ann"
    assert js(session, "[innerWidth, innerHeight]") == [390, 844]
