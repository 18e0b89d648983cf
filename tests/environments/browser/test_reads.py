"""Reads on a live session give what the reference's verdicts rest on: its own cases of locators and pictures."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_fixtures import PageServer, live

from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.environments.browser import locators, reads
from cutscore.environments.browser.reads import HelperOutcome, SessionReader
from cutscore.environments.browser.session import BrowserSession
from cutscore.store import Store

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    return json.loads((shared / "data/videowebarena/reference_cases.json").read_text())["cases"]


def serve(site: PageServer, pages: dict[str, str]) -> None:
    sign = "png-base64:"
    site.pages = {
        path: base64.b64decode(page.removeprefix(sign)) if page.startswith(sign) else page
        for path, page in pages.items()
    }


@pytest.fixture
def read(open_browser: Callable[..., BrowserSession], tmp_path: Path) -> Callable[..., ReadResult]:
    reader = SessionReader(open_browser(viewport=(1280, 720)))
    store = Store(tmp_path / "store")

    def read_one(kind: str, name: str = "a", **given: Any) -> ReadResult:
        return live(reader.read(EvidenceRead(name=name, kind=kind, arguments=given), store))

    read_one.session = reader.session  # type: ignore[attr-defined]
    read_one.store = store  # type: ignore[attr-defined]
    return read_one


def test_locators_give_the_texts_on_which_the_reference_decides(
    read: Callable[..., ReadResult], site: PageServer, cases: list[dict[str, Any]]
) -> None:
    """What each locator of the 25 cases gives; the verdicts are the evaluators' affair."""
    own = {case["id"][-3:]: case for case in cases if case["kind"] == "program_html"}
    assert len(own) == 25
    wanted: dict[str, Any] = {
        "006": "Hello World",
        "008": "",
        "011": "2",
        "013": "a1|a2",
        "016": "12.5",
        "018": "1,234",
        "021": None,
        "023": "2",
        "026": "T",
        "028": 'It\'s "Red"',
        "051": "new",
    }
    for number, text in wanted.items():
        serve(site, own[number]["input"]["pages"])
        live(read.session.open(site.address + own[number]["input"]["current_path"]))  # type: ignore[attr-defined]
        (target,) = own[number]["input"]["eval"]["program_html"]
        made = read("locate", page=target["url"], locator=target["locator"], prep=target.get("prep_actions", []))
        assert made.error == ""
        assert made.fact["text"] == text, number
        assert made.fact["error"] == "", number


def test_pages_are_opened_in_order_and_html_is_kept(
    read: Callable[..., ReadResult], site: PageServer, cases: list[dict[str, Any]]
) -> None:
    case = next(case for case in cases if case["id"] == "program_html-041")
    serve(site, case["input"]["pages"])
    live(read.session.open(f"{site.address}/a"))  # type: ignore[attr-defined]
    other = read("locate", page=f"{site.address}/b", locator="")
    assert other.fact["url_before"] == f"{site.address}/a"
    assert other.fact["url_after"] == f"{site.address}/b"
    assert other.fact["status"] == 200
    assert other.fact["settled"] == {"loaded": True, "quiet": True, "still": True, "capped": False}
    last = read("locate", "last", page="last", locator="")
    assert read("url").fact == {"url": f"{site.address}/b"}
    for made in (other, last):
        (html,) = made.files
        assert made.fact["html"] == html.name
        assert b"Other" in read.store.path(html).read_bytes()  # type: ignore[attr-defined]
    assert "is of no known kind" in read("locate", locator="Document.title").fact["error"]
    gone = read("locate", page="http://127.0.0.1:9/x", locator="")
    assert "not among the sites" in gone.fact["error"]
    emptied = read("locate", page=f"{site.address}/a", locator="", prep=['document.body.innerHTML=""'])
    assert b"Hello" in read.store.path(emptied.files[0]).read_bytes()  # type: ignore[attr-defined]
    broken = read("locate", locator="document.title", prep=["document.nope()", 'document.title = "x"'])
    assert [each["ok"] for each in broken.fact["prep"]] == [False]
    assert broken.fact["text"] == "T"


def test_pictures_are_those_of_the_reference(
    read: Callable[..., ReadResult], site: PageServer, cases: list[dict[str, Any]]
) -> None:
    own = [case for case in cases if case["kind"] == "page_image_query"]
    assert len(own) == 8
    pages = own[0]["input"]["pages"]
    serve(site, pages)
    live(read.session.open(f"{site.address}/a"))  # type: ignore[attr-defined]
    seen = {}
    for chosen in ("", ".pic", ".box", ".empty", ".broken"):
        made = read("images", page="last", **{"class": chosen})
        kept = {file.name: read.store.path(file).read_bytes() for file in made.files}  # type: ignore[attr-defined]
        seen[chosen] = [kept.get(image["file"]) for image in made.fact["images"]]
    assert seen[".pic"] == [site.pages["/g1.png"]]
    assert seen[".box"] == [site.pages["/g2.png"]]
    assert seen[".empty"] == []
    assert seen[".broken"] == [None]  # it is there, and cannot be loaded
    assert [data for data in seen[""] if data] == [site.pages["/g1.png"], site.pages["/g2.png"]]
    assert "is no class" in read("images", page="last", **{"class": "img"}).fact["error"]
    reference = read("reference_image", "wanted", address=f"{site.address}/g1s.png")
    assert reference.files[0].name == "wanted.png"
    size = read("images", page="last", **{"class": ".pic"}).fact["images"][0]
    assert (size["width"], size["height"]) == (64, 64)


def test_the_state_at_stop_is_kept_with_its_network(read: Callable[..., ReadResult], site: PageServer) -> None:
    def log_in(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Set-Cookie", "session=oh-so-secret")
        handler.end_headers()
        handler.wfile.write(b"<title>in</title>welcome")

    site.pages = {"/": "<form method=post action=/in><input name=password value=hunter22></form>", "/in": log_in}
    live(read.session.open(f"{site.address}/"))  # type: ignore[attr-defined]
    read("locate", locator="document.forms[0].submit()")
    state = read("page_state", "stop")
    assert state.fact["url"] == f"{site.address}/in"
    assert state.fact["tabs"] == [{"url": f"{site.address}/in", "title": "in", "active": True}]
    assert state.fact["errors"] == {}
    names = [file.name for file in state.files]
    assert names == ["stop.html", "stop.png", "stop.network.jsonl", "stop.har"]
    kept = {file.name: read.store.path(file).read_bytes() for file in state.files}  # type: ignore[attr-defined]
    assert kept["stop.png"].startswith(b"\x89PNG")
    assert b"welcome" in kept["stop.html"]
    for name in ("stop.network.jsonl", "stop.har"):
        assert b"hunter22" not in kept[name]
        assert b"oh-so-secret" not in kept[name]
    entries = json.loads(kept["stop.har"])["log"]["entries"]
    posted = next(entry for entry in entries if entry["request"]["method"] == "POST")
    assert posted["request"]["postData"]["text"] == "password=[redacted]"
    assert posted["response"]["status"] == 200


class NoAddress:
    """A helper that finds nothing to open."""

    async def call(self, text: str, session: BrowserSession) -> HelperOutcome:
        return HelperOutcome("")


def test_a_call_without_an_address_does_not_read_the_page_that_is_open(
    open_browser: Callable[..., BrowserSession], site: PageServer, tmp_path: Path
) -> None:
    site.pages["/"] = "<p>wanted</p>"
    session = open_browser()
    live(session.open(f"{site.address}/"))
    given = {"page": {"call": "func:shopping_get_latest_order_url()"}, "locator": "document.body.innerText"}
    asked = EvidenceRead(name="a", kind="locate", arguments=given)
    made = live(SessionReader(session, NoAddress()).read(asked, Store(tmp_path / "store")))
    assert (made.fact["error"], made.fact["text"]) == ("'' is no address", None)


def test_values_that_a_page_makes_too_deep_or_too_long_are_page_errors(
    read: Callable[..., ReadResult], site: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = """<script>document.deep = () => { let a = []; for (let i = 0; i < 600; i++) a = [a]; return a };
        document.long = () => 'x'.repeat(1000)</script>"""
    live(read.session.open(f"{site.address}/"))  # type: ignore[attr-defined]
    monkeypatch.setattr(locators, "MAX_VALUE_CHARS", 500)
    for locator, why in (("document.deep()", "chain is too long"), ("document.long()", "longer than 500 characters")):
        made = read("locate", locator=locator)
        assert (made.fact["raw"], made.fact["text"]) == (None, "")
        assert why in made.fact["thrown"]


def test_pictures_are_fetched_for_a_while_and_no_longer(
    read: Callable[..., ReadResult], site: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = '<img class=a src="/a b.png"><img class=a src="data:image/png;base64,' + "A" * 5000 + '">'
    site.pages["/a%20b.png"] = b"\x89PNG\r\n\x1a\n" + bytes(60)
    live(read.session.open(f"{site.address}/"))  # type: ignore[attr-defined]
    first, second = read("images", page="last", **{"class": ".a"}).fact["images"]
    assert (first["file"], first["error"]) == ("a-1.png", "")
    assert (len(second["src"]), second["error"]) == (2000, "addresses that begin with 'data:' are not opened here")
    monkeypatch.setattr(reads, "IMAGES_S", 0.0)
    late = read("images", page="last", **{"class": ".a"}).fact["images"]
    assert [image["error"] for image in late] == ["the pictures before it took 0 s"] * 2


def test_our_scripts_run_in_the_document_that_is_open(read: Callable[..., ReadResult], site: PageServer) -> None:
    site.pages = {"/a": "<title>a</title><iframe src=/b></iframe>", "/b": "<title>b</title>"}
    session = read.session  # type: ignore[attr-defined]
    for path in ("/a", "/b", "/a", "/b"):
        live(session.open(site.address + path))
        assert session._worlds.get(session.page) is None
        assert live(session.evaluate("document.title || 'loading'")) in (path[1:], "loading")
