"""What all sites stand on: sessions, tokens, transactions, the clock, reset, limits; and sites that do not mix."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the sites need an extra: pip install 'cutscore[web]'")

from starlette.responses import Response
from starlette.testclient import TestClient

from cutscore.benchmarks.videowebarena.websites.accounts import enter
from cutscore.benchmarks.videowebarena.websites.application import MOST_BYTES, make_application
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites, serve
from cutscore.benchmarks.videowebarena.websites.state import A_WRITE, START, ServedState, Templates
from cutscore.benchmarks.videowebarena.websites.visit import MOST_FIELD_CHARS, Visit
from cutscore.benchmarks.videowebarena.websites.website import Database, SeedContext, Website, call, form, page

PAGE = """{% extends "base.html" %}{% from "parts.html" import token %}{% block content %}
<form>{{ token(visit) }}</form>
<ul>{% for each in notes %}<li>{{ each.text }}</li>{% endfor %}</ul>
<p id=now>{{ visit.now.isoformat() }}</p><p id=seen>{{ visit.session.data.seen }}</p>{% endblock %}"""
SCHEMA = "CREATE TABLE note (text TEXT NOT NULL);"


def show(visit: Visit) -> Response:
    visit.session.data["seen"] = visit.session.data.get("seen", 0) + 1
    return visit.page("notes.html", notes=visit.rows("SELECT text FROM note"))


def add(visit: Visit) -> Response:
    visit.db.execute("INSERT INTO note VALUES (?)", (visit.form["text"],))
    return visit.back(notice="It is kept.")


def add_and_refuse(visit: Visit) -> Response:
    add(visit)
    visit.refuse("Not today.")


def add_and_break(visit: Visit) -> Response:
    add(visit)
    raise RuntimeError("broken")


def log_in(visit: Visit) -> Response:
    enter(visit, "ann")
    return visit.back()


def log_in_and_refuse(visit: Visit) -> Response:
    enter(visit, "ann")
    visit.refuse("Not today.")


def show_numbered(visit: Visit) -> Response:
    return visit.json(visit.count("SELECT COUNT(*) FROM note WHERE rowid = ?", visit.path["number"]))


def show_private(visit: Visit) -> Response:
    return visit.json(visit.require_account())


def fill(context: SeedContext) -> None:
    context.db.execute("INSERT INTO note VALUES (?)", (f"seeded {context.draw.randrange(1000)}",))


@pytest.fixture
def state(tmp_path: Path) -> ServedState:
    return ServedState(Templates(tmp_path / "templates", 1), tmp_path / "state")


@pytest.fixture
def visitor(tmp_path: Path, state: ServedState) -> Iterator[Callable[..., TestClient]]:
    """Opens browsers on a small site at `notes.localhost`, and on a second one with a database of its own."""
    folder = tmp_path / "site"
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "notes.html").write_text(PAGE, encoding="utf-8")
    (folder / "schema.sql").write_text(SCHEMA, encoding="utf-8")
    addresses = (
        page("/", show),
        page("/private", show_private),
        form("/add", add),
        form("/refuse", add_and_refuse),
        form("/break", add_and_break),
        form("/login", log_in),
        form("/login-refused", log_in_and_refuse),
        page("/note/{number:int}", show_numbered),
        call("/call", add),
    )
    sites = [
        Website(name, name, f"{name}.localhost", folder, Database(name, folder / "schema.sql", fill), addresses)
        for name in ("notes", "other")
    ]
    application = make_application(sites, state)

    def open_one(host: str = "notes.localhost") -> TestClient:
        base = f"http://{host}:1234"
        return TestClient(application, base_url=base, follow_redirects=False, raise_server_exceptions=False)

    yield open_one
    state.close()


def found(client: TestClient, pattern: str) -> list[str]:
    return re.findall(pattern, client.get("/").text)


def notes(client: TestClient) -> list[str]:
    return found(client, "<li>(.*?)</li>")


def send(client: TestClient, path: str, **fields: str) -> int:
    (token,) = found(client, r'name="csrf_token" value="(\w+)"')
    return client.post(path, data={"csrf_token": token, **fields}).status_code


def test_a_session_is_its_visitors_alone(visitor: Callable[..., TestClient]) -> None:
    ann, bob = visitor(), visitor()
    assert [found(ann, "id=seen>(.*?)<") for _ in range(2)] == [["1"], ["2"]]
    assert found(bob, "id=seen>(.*?)<") == ["1"]
    assert send(ann, "/login") == 303
    assert ann.get("/private").json() == "ann"
    sent_away = bob.get("/private?x=1")
    assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/login?back=/private%3Fx%3D1")
    bob.cookies.set("session", "a" * 40, domain="notes.localhost")
    assert bob.get("/private").status_code == 303


def test_a_form_needs_the_token_of_its_own_session(visitor: Callable[..., TestClient]) -> None:
    ann, bob = visitor(), visitor()
    seeded = notes(ann)
    assert ann.post("/add", data={"text": "no token"}).status_code == 403
    (token,) = found(bob, r'name="csrf_token" value="(\w+)"')
    assert ann.post("/add", data={"text": "not mine", "csrf_token": token}).status_code == 403
    assert notes(ann) == seeded
    assert send(ann, "/add", text="mine") == 303
    assert ann.post("/call", data={"text": "a program's"}).status_code == 303
    assert notes(ann) == [*seeded, "mine", "a program&#39;s"]


def test_a_form_that_fails_leaves_nothing(visitor: Callable[..., TestClient]) -> None:
    client = visitor()
    seeded = notes(client)
    assert send(client, "/refuse", text="half") == 400
    assert "It is kept." not in client.get("/").text
    assert send(client, "/break", text="half") == 500
    assert notes(client) == seeded
    assert found(client, "id=now>(.*?)<") == [START.isoformat()]
    assert send(client, "/add", text="whole") == 303
    assert notes(client) == [*seeded, "whole"]


def test_a_login_that_is_refused_lets_nobody_in(visitor: Callable[..., TestClient]) -> None:
    client = visitor()
    assert send(client, "/login-refused") == 400
    assert client.get("/private").status_code == 303
    assert send(client, "/login") == 303
    assert client.get("/private").json() == "ann"


def test_a_number_that_no_table_can_have_is_a_missing_page(visitor: Callable[..., TestClient]) -> None:
    assert [visitor().get(f"/note/{number}").status_code for number in (1, 2**70)] == [200, 404]


def test_the_clock_moves_with_what_is_written(visitor: Callable[..., TestClient]) -> None:
    client = visitor()
    for writes in range(3):
        (now,) = found(client, "id=now>(.*?)<")
        assert datetime.fromisoformat(now) == START + writes * A_WRITE
        send(client, "/add", text="more")


def test_a_reset_is_the_start_again(visitor: Callable[..., TestClient], state: ServedState) -> None:
    client = visitor()
    first = client.get("/").text
    send(client, "/add", text="mine")
    send(client, "/login")
    state.reset()
    client.cookies.clear()
    assert client.get("/").text == first
    assert client.get("/private").status_code == 303


def test_a_notice_is_shown_once_and_words_stay_words(visitor: Callable[..., TestClient]) -> None:
    client = visitor()
    send(client, "/add", text="<script>alert(1)</script>")
    first, second = client.get("/"), client.get("/")
    assert "It is kept." in first.text
    assert "It is kept." not in second.text
    assert "<li>&lt;script&gt;alert(1)&lt;/script&gt;</li>" in second.text
    assert "default-src 'self'" in second.headers["content-security-policy"]


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "/\\example.org", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(visitor: Callable[..., TestClient], back: str) -> None:
    client = visitor()
    (token,) = found(client, r'name="csrf_token" value="(\w+)"')
    sent = {"csrf_token": token, "text": "x"}
    assert client.post("/add", data={**sent, "back": back}).headers["location"] == "/"
    assert client.post("/add", data={**sent, "back": "/private"}).headers["location"] == "/private"


def test_a_form_that_is_too_large_is_refused(visitor: Callable[..., TestClient]) -> None:
    client = visitor()
    seeded = notes(client)
    assert send(client, "/add", text="x" * (MOST_FIELD_CHARS + 1)) == 413
    large = client.post("/call", content=b"text=" + b"x" * MOST_BYTES)
    assert large.status_code == 413
    assert "at most 12 MB" in large.text
    assert client.post("/call", content=b"x", headers={"content-type": "multipart/form-data"}).status_code == 400
    assert notes(client) == seeded


def test_the_host_says_which_site_answers(visitor: Callable[..., TestClient]) -> None:
    one, other = visitor("notes.localhost"), visitor("other.localhost")
    seeded = notes(other)
    assert notes(one) != seeded, "databases are seeded apart"
    send(one, "/add", text="mine")
    assert notes(other) == seeded
    assert visitor("nobody.localhost").get("/").status_code == 404
    missing = one.get("/nowhere")
    assert (missing.status_code, "This page does not exist." in missing.text) == (404, True)
    assert one.get("/add").status_code == 404


@pytest.fixture
def two_served() -> Iterator[tuple[ServedSites, ServedSites]]:
    made = serve(), serve()
    yield made
    for each in made:
        each.close()


def ask(served: ServedSites, path: str, cookie: str = "") -> tuple[str, bytes]:
    """Return the cookie and the page, as `home.localhost` gives it."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("GET", path, headers={"Host": f"home.localhost:{served.port}", "Cookie": cookie})
    reply = connection.getresponse()
    page = reply.read().replace(str(served.port).encode(), b"PORT")
    connection.close()
    return (reply.headers["Set-Cookie"] or "").partition(";")[0], page


def test_two_served_do_not_see_each_other_and_equal_visits_are_equal(
    two_served: tuple[ServedSites, ServedSites],
) -> None:
    one, other = two_served
    assert one.port != other.port
    first, second = ask(one, "/"), ask(one, "/")
    assert first[0].startswith("session=")
    assert second[0] != first[0], "two visitors have two sessions"
    assert [ask(other, "/"), ask(other, "/")] == [first, second], "the other has counted nobody yet"
    one.reset()
    assert ask(one, "/") == first
    one.close()
    assert ask(other, "/", cookie=first[0]) == first
