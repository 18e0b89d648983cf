"""The site in a real Firefox: nothing sticks out or overprints, and the review desk works as it does in Chromium."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding

pytestmark = pytest.mark.real

PAGES = ("index", "items", "colorbars/index", "colorbars/compare", "colorbars/tables", "colorbars/items/blue-3")
FRAMES = 40
ON = "[...document.querySelectorAll('.screen.on')].map((each) => each.dataset.shown).join()"
BOX = "(({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector('%s').getBoundingClientRect())"


def box(tab: Any, selector: str) -> dict[str, float]:
    made: dict[str, float] = tab.evaluate(BOX % selector)
    return made


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_pages_fit_and_say_nothing_to_the_console(firefox, build, run, overprinted, width):
    site = build(comparisons=run.differences).parent
    firefox.resize(width)
    firefox.complaints.clear()
    for name in PAGES:
        firefox.open((site / f"{name}.html").as_uri())
        assert firefox.evaluate("document.querySelector('h1').innerText"), name
        assert firefox.evaluate("document.documentElement.scrollWidth") <= width, name
        assert firefox.evaluate(f"({overprinted})()") == [], name
    assert firefox.complaints == []


@pytest.fixture
def desk(firefox, build, run, clips) -> Any:
    """The page of an item with two films of forty frames: blue and then red, and blue and then green."""
    given, fixed = (run.store.put(clips[name], name=f"{name}.mp4") for name in ("red", "green"))
    found = Finding(name="accuracy", value=0.5, because="half mended", file="green.mp4", at=(2, 3))
    ending = Ending(status="marked", scores={"accuracy": 0.5}, findings=(found,))
    ask = Ask(item="films", brief="Mend it.", files=(given,))
    run.add("editor", ask, ending, deliverable=Deliverable(files=(fixed,)))
    firefox.resize(1280)
    firefox.complaints.clear()
    firefox.address = (build().parent / "colorbars" / "items" / "films.html").as_uri()
    firefox.open(firefox.address)
    firefox.wait(f"{ON} === '0,0'")
    yield firefox
    assert firefox.complaints == []


def test_a_click_on_the_strip_leads_slider_cursor_and_films(desk):
    desk.evaluate("document.querySelector('.axes').scrollIntoView({ block: 'center' })")
    strip = box(desk, ".lane .strip")
    for frame in (3, 31):
        at = strip["x"] + (frame + 0.5) * strip["width"] / FRAMES, strip["y"] + 5
        desk.drag(at, at)
        desk.wait(f"{ON} === '{frame},{frame}'")
        wanted = strip["x"] + frame * strip["width"] / FRAMES
        line, slider = box(desk, ".cursor line"), box(desk, ".scrub")
        # A thumb of 16 pixels travels over the rest of its slider.
        share = desk.evaluate("document.querySelector('.scrub').value / document.querySelector('.scrub').max")
        assert abs(slider["x"] + 8 + (slider["width"] - 16) * share - wanted) < 1
        assert abs(line["x"] + line["width"] / 2 - wanted) < 1


def test_keys_step_and_set_a_loop_that_is_kept(desk):
    for key, frame in (("\ue014", 1), (".", 2), (">", 12), ("\ue012", 11)):
        desk.press(key)
        desk.wait(f"{ON} === '{frame},{frame}'")
    desk.press("i")
    desk.press(">")
    desk.wait(f"{ON} === '21,21'")
    desk.press("o")
    strip, drawn = box(desk, ".lane .strip"), box(desk, ".cursor .loop")
    assert abs(drawn["x"] - strip["x"] - strip["width"] * 11 / FRAMES) < 1.5
    desk.press(" ")
    desk.wait("Number(document.querySelector('.scrub').value) > 12")
    desk.press("k")
    desk.wait("location.hash.includes('loop=1.1-2.2')")
    desk.open(desk.evaluate("location.href"))
    desk.wait("document.querySelector('.cursor .loop').getAttribute('width') !== '0'")
    assert abs(box(desk, ".cursor .loop")["x"] - drawn["x"]) < 1


def test_a_wipe_is_dragged_and_opens_again_from_its_address(desk):
    desk.open(f"{desk.address}#t=3&view=wipe&a=film-1&b=film-2&edge=50")
    desk.wait(f"{ON} === '30,30'")
    desk.evaluate("document.querySelector('.mixed').scrollIntoView({ block: 'center' })")
    canvas = box(desk, ".mixed canvas")
    y = canvas["y"] + canvas["height"] / 2
    desk.drag((canvas["x"] + canvas["width"] / 2, y), (canvas["x"] + canvas["width"] / 4, y))
    desk.wait("location.hash.includes('edge=25')")
    picture = cv2.imdecode(np.frombuffer(desk.picture(), np.uint8), cv2.IMREAD_COLOR).astype(int)
    row = picture[round(y), round(canvas["x"]) + 2 : round(canvas["x"] + canvas["width"]) - 2]
    assert abs(np.mean(row[:, 2] > row[:, 1] + 60) - 0.25) < 0.03  # red, of the film that was given
    assert abs(np.mean(row[:, 1] > row[:, 2] + 60) - 0.75) < 0.03  # green, of the editor's


def test_search_and_explorer_find_by_keyboard(firefox, build):
    site = build().parent
    firefox.open((site / "index.html").as_uri())
    firefox.press("/")
    firefox.wait("document.querySelector('dialog')?.open")
    for letter in "blue-3":
        firefox.press(letter)
    firefox.wait("document.querySelector('dialog').innerText.includes('blue-3')")
    firefox.press("\ue007")
    firefox.wait("location.pathname.endsWith('/items/blue-3.html')")
    firefox.open((site / "items.html").as_uri() + "#text=red-1")
    firefox.wait("document.querySelectorAll('.samples tbody tr').length > 0")
    assert Path(firefox.evaluate("location.pathname")).name == "items.html"
