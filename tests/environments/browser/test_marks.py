"""Set-of-Marks in a real Chromium: the reference's cases, and what `full` sees besides."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from web_fixtures import PageServer, live

from cutscore.environments.browser import marks
from cutscore.environments.browser.mark_drawing import COLOURS, draw_marks, place_labels
from cutscore.environments.browser.marks import Observation, observe, observe_at_rest
from cutscore.environments.browser.session import BrowserSession
from cutscore.environments.browser.settle import settle
from cutscore.media.opencv import opencv

pytestmark = pytest.mark.real


async def look(session: BrowserSession, url: str, rules: str = "reference") -> Observation:
    await session.open(url)
    await settle(session)
    return await observe(session, rules)


def test_lines_and_centers_are_those_of_the_released_code(
    open_browser: Callable[..., BrowserSession], site: PageServer, shared: Path
) -> None:
    cases = json.loads((shared / "data/videowebarena/reference_cases.json").read_text())["cases"]
    own = [case for case in cases if case["kind"] == "som_observation"]
    assert len(own) == 8
    session = open_browser(viewport=(1280, 720))
    for case in own:
        assert case["input"]["viewport"] == {"width": 1280, "height": 720}
        site.pages["/"] = case["input"]["page"]
        seen = live(look(session, f"{site.address}/"))
        expected = case["expected"]
        assert seen.text == expected["text"], case["id"]
        centers = {element.number: element.center for element in seen.elements if element.number}
        assert {number: pytest.approx(center[:2], abs=1) for number, center in expected["centers"].items()} == centers
        picture = opencv().imdecode(np.frombuffer(seen.picture_jpeg, np.uint8), 1)
        assert [picture.shape[1], picture.shape[0]] == expected["image_size"]


FULL = """<!doctype html><style>body{margin:0} *{position:absolute}</style>
<button style="left:10px;top:10px;width:80px;height:30px">covered</button>
<div style="left:0;top:0;width:200px;height:50px;background:red"></div>
<button style="left:10px;top:60px;width:80px;height:30px;visibility:hidden">unseen</button>
<input style="left:10px;top:100px;width:80px;height:30px" value="old" placeholder="your name">
<input type="password" style="left:110px;top:100px;width:80px;height:30px" value="hunter22">
<select style="left:10px;top:150px;width:80px;height:30px"><option>One<option selected>Two</select>
<div id="host" style="left:10px;top:200px;width:100px;height:40px"></div>
<iframe style="left:10px;top:300px;width:200px;height:100px;border:0" srcdoc="<style>*{margin:0}</style>
  <button style='position:absolute;left:5px;top:5px;width:60px;height:20px'>inside</button>"></iframe>
<script>document.querySelector("#host").attachShadow({mode: "open"}).innerHTML =
  "<button style='width:60px;height:20px'>shadow</button>";</script>"""


def test_full_leaves_out_what_nobody_sees_and_tells_values_shadows_frames_and_tabs(
    open_browser: Callable[..., BrowserSession], site: PageServer
) -> None:
    site.pages["/"] = FULL
    session = open_browser(viewport=(800, 600))
    plain = live(look(session, f"{site.address}/"))
    assert "[BUTTON] [covered]" in plain.text
    assert "[BUTTON] [unseen]" in plain.text
    assert "inside" not in plain.text
    assert "old" not in plain.text
    full = live(look(session, f"{site.address}/", "full")).text
    assert full.splitlines()[0].startswith("Tab 0 (current):")
    assert "covered" not in full
    assert "unseen" not in full
    assert "[value: old; placeholder: your name]" in full
    assert "hunter22" not in full
    assert "[options: One | Two; value: Two]" in full
    assert "[BUTTON] [shadow]" in full
    inside = next(element for element in live(observe(session, "full")).elements if element.text == "inside")
    assert inside.center == pytest.approx((45, 315), abs=1)


def test_labels_stand_at_the_first_free_place_and_boxes_have_their_colours() -> None:
    # At the corner of the picture only the lower edge has room; two equal boxes cannot share a place.
    assert place_labels([("1", (0, 0, 50, 30))], (400, 300)) == [(28.0, 28.0, 42.0, 48.0)]
    first, second = place_labels([("1", (100, 50, 150, 80)), ("2", (100, 50, 150, 80))], (400, 300))
    assert first == (82.0, 32.0, 96.0, 52.0)
    assert second == (98.0, 32.0, 112.0, 52.0)
    blank = bytes(opencv().imencode(".png", np.full((300, 400, 3), 255, np.uint8))[1])
    drawn = opencv().imdecode(np.frombuffer(draw_marks(blank, [("11", (100, 50, 150, 80))]), np.uint8), 1)
    # The eleventh has the first colour again.
    assert drawn[65, 100][::-1].tolist() == pytest.approx(COLOURS[0], abs=25)
    assert drawn[65, 125].tolist() == pytest.approx((255, 255, 255), abs=5)


def test_a_page_that_comes_while_we_look_is_looked_at_again(
    open_browser: Callable[..., BrowserSession], site: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages = {"/": "<button>Buy</button>", "/late": "<p>the late page</p>"}
    looked = []

    async def observe_and_leave(session: BrowserSession, rules: Any) -> Observation:
        seen = await observe(session, rules)
        looked.append(session.url)
        if len(looked) == 1:  # as where a click acts late
            await session.open(f"{site.address}/late")
        return seen

    monkeypatch.setattr(marks, "observe", observe_and_leave)

    async def play(session: BrowserSession) -> Any:
        await session.open(f"{site.address}/")
        return await observe_at_rest(session)

    settled, seen = live(play(open_browser()))
    assert not settled.capped
    assert (seen.url, seen.text) == (f"{site.address}/late", "[] [StaticText] [the late page]")
    assert len(looked) == 2
