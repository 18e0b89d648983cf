"""A person who shows something on a site: by clicks on its picture and by words, filmed as they do it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forked_cli import ForkedCli
from web_fixtures import PageServer

from cutscore.benchmarks.videowebarena.tutorials.action_log import read_log
from cutscore.benchmarks.videowebarena.tutorials.visit import read_beginning, read_visit
from cutscore.core.errors import BadInput

PATIENCE_S = 300
WORDS = ["build", "videowebarena", "lesson.json", "-o", "pack", "--licence", "CC0-1.0"]


@pytest.fixture
def person(chromium: str) -> Iterator[Any]:
    """A page in a browser of the person's own."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1900, "height": 1000})
        browser.close()


def do(person: Any, **fields: str) -> None:
    for name, value in fields.items():
        person.fill(f"[name={name}]", value)
    person.click("text=Do it")


@pytest.mark.real
def test_what_a_person_shows_is_filmed_written_down_and_played_again(
    site: PageServer, person: Any, tmp_path: Path
) -> None:
    place = "position:absolute;left:10px;height:30px;top:"
    links = "".join(f'<a href=/cup style="{place}{top}px">The red cup</a>' for top in (100, 200))
    form = f'<form action=/done style="{place}300px"><input name=q><button>Find</button></form>'
    site.pages["/"] = f"<h1>Cups</h1>{links}{form}"
    site.pages |= {"/cup": "<h1>It costs 9.50</h1>", "/done": "<h1>Nothing found</h1>"}
    where = ["--url", site.address, "--set", "site=cups"]
    running = ForkedCli(tmp_path, [*WORDS, *where, "--record"], env={})
    address = re.compile(r"lesson: show it at (http://127\.0\.0\.1:\d+/\S+/)")
    assert running.wait_until(lambda: bool(address.search(running.said)), limit_s=PATIENCE_S), running.said
    found = address.search(running.said)
    assert found is not None
    person.goto(found[1])
    do(person, action="click [77]", say="I am wrong.", mark="bought")
    assert "step 2: '77' is not in view on __CUPS__/" in person.inner_text(".said")
    assert person.input_value("[name=say]") == "I am wrong.", "so that it can be mended"
    person.fill("[name=say]", "I take <b>this</b> cup.")
    person.fill("[name=action]", "")
    # On the picture, where the second link is: elements of equal words are told apart by their numbers.
    person.click("[name=point]", position={"x": 40, "y": 210})
    do(person, say="It has a price.", wait_s="2", mark="price")
    do(person, say="Again.", mark="price")
    assert "mark 'price' stands at two steps" in person.inner_text(".said")
    do(person, say="", mark="", action="goto [" + site.address + "/]")
    do(person, action="type [3] [a blue one] [1]")
    assert "I take <b>this</b> cup." in person.inner_text("ol"), "words stay words"
    person.click("text=The tutorial is finished")
    assert "5 steps" in person.inner_text("main")
    assert running.end(limit_s=PATIENCE_S) == 0, running.said
    visit = read_visit(tmp_path / "lesson.json")
    assert [(step.do and (step.do.tool, *step.do.arguments.values())) for step in visit.steps] == [
        None,
        ("click", "2"),
        None,
        ("goto", "__CUPS__/"),
        ("type", "3", "a blue one", True),
    ]
    log = read_log(tmp_path / "pack/videos/lesson.log.json")
    assert [step.url.partition("?")[0] for step in log.steps] == [
        "__CUPS__/",
        *["__CUPS__/cup"] * 2,
        "__CUPS__/",
        "__CUPS__/done",
    ]
    assert set(log.marks) == {"bought", "price"}
    assert "I am wrong" not in (tmp_path / "pack/videos/lesson.vtt").read_text()
    recorded = (tmp_path / "pack/videos/lesson.mp4").read_bytes()
    # The same visit, played without anybody, gives the same film.
    again = ForkedCli(tmp_path, [*WORDS, *where], env={})
    assert again.end(limit_s=PATIENCE_S) == 0, again.said
    assert (tmp_path / "pack/videos/lesson.mp4").read_bytes() == recorded


def test_where_it_begins_is_told_by_a_file_or_by_the_site(tmp_path: Path) -> None:
    file = tmp_path / "My lesson.json"
    visit = read_beginning(file, "cups")
    assert (visit.name, visit.start, len(visit.steps)) == ("my_lesson", "__CUPS__/", 1)
    with pytest.raises(BadInput, match=r"'My lesson\.json': does not tell its site; add --set site=NAME"):
        read_beginning(file, "")
    plain = {"name": "lesson", "title": "A lesson", "site": "cups", "login": ["cups"], "start": "__CUPS__/deep"}
    file.write_text(json.dumps(plain))
    visit = read_beginning(file, "")
    assert (visit.name, visit.start, visit.login) == ("lesson", "__CUPS__/deep", ("cups",))
    file.write_text(json.dumps({**plain, "steps": [{"say": "Look."}]}))
    with pytest.raises(BadInput, match="is recorded already; leave --record out, or name another file"):
        read_beginning(file, "")


def test_only_visits_are_recorded(cli: Any) -> None:
    ran = cli("build", "videowebarena", "lesson.mp4", "--record", "--set", "site=cups", "-o", "pack")
    assert (ran.code, "write for example lesson.json" in ran.err) == (2, True), ran.err
    ran = cli("build", "vidwork", "stage:pancakes", "--record", "-o", "pack")
    assert (ran.code, "--record: recipe 'vidwork' goes to no site" in ran.err) == (2, True), ran.err
