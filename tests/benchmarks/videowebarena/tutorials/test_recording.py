"""A visit played in Chromium: equal frames twice, on a clock of its own, and a log that is true."""

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from web_fixtures import PageServer

from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.benchmarks.videowebarena.tutorials.film import film_frames, make_log, write_tutorial
from cutscore.benchmarks.videowebarena.tutorials.filming import film_visit
from cutscore.benchmarks.videowebarena.tutorials.recording import FilmedVisit
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.core.errors import BadInput, Stopped

# The caret blinks, the button fades in, and the page comes late: none of it may be seen in the frames.
FORM = """<!doctype html><title>Cups</title><style>body{font:16px sans-serif}a:hover{background:#fd0}
button{transition:background 2s}button:hover{background:#0c0}</style>
<h1>Cups</h1><a href=/cup>The red cup</a><form action=/done><input name=q autofocus><button>Buy</button></form>"""
CUP = "<!doctype html><title>Cup</title><h1>The red cup costs 9.50</h1><a href=/>Back</a>"
DONE = "<!doctype html><title>Done</title><h1>Thank you</h1>"


def click(words: str) -> dict[str, Any]:
    return {"tool": "click", "arguments": {"element": words}}


STEPS: list[dict[str, Any]] = [
    {"say": "Here are cups."},
    {"say": "I take the red one.", "do": click("[A] [The red cup]"), "mark": "cup", "wait_s": 2},
    {"do": {"tool": "text", "arguments": {"text": "```go_back```"}}},
    {"do": {"tool": "type", "arguments": {"element": "[INPUT] []", "text": "two of them", "enter": False}}},
    {"do": click("[BUTTON] [Buy]"), "mark": "bought"},
]


@pytest.fixture
def sites(chromium: str, site: PageServer) -> SiteAddresses:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    site.pages.update({"/": FORM, "/cup": CUP, "/done": DONE})
    return SiteAddresses.of({"cups": site.address})


def film(sites: SiteAddresses, steps: list[dict[str, Any]], **changes: Any) -> FilmedVisit:
    plain = {"name": "cups", "title": "Cups", "site": "cups", "start": "__CUPS__/", "viewport": [640, 360]}
    visit = ScriptedVisit.model_validate({**plain, "steps": steps, **changes})
    return film_visit(visit, sites, voice="tones")


@pytest.mark.real
def test_two_recordings_of_a_script_have_equal_frames(sites: SiteAddresses, site: PageServer, tmp_path: Path) -> None:
    one, other = film(sites, STEPS), film(sites, STEPS)
    assert [step.url for step in one.steps] == [
        "__CUPS__/",
        "__CUPS__/cup",
        "__CUPS__/",
        "__CUPS__/",
        "__CUPS__/done?q=two+of+them",
    ]
    assert ("GET", "/done?q=two+of+them", b"") in site.asked
    frames = list(film_frames(one))
    assert len(frames) == one.frames
    assert all(np.array_equal(a, b) for a, b in zip(frames, film_frames(other), strict=True))
    assert make_log(one) == make_log(other)


@pytest.mark.real
def test_the_log_is_true_and_has_no_address(sites: SiteAddresses, site: PageServer, tmp_path: Path) -> None:
    filmed = film(sites, STEPS)
    log = write_tutorial(filmed, tmp_path)
    text = (tmp_path / "cups.log.json").read_text()
    assert site.address not in text
    assert str(site.server_port) not in text
    assert list(json.loads(text)) == ["visit", "seconds", "voice", "marks", "steps"]
    frames = list(film_frames(filmed))
    start_s, end_s = log.marks["cup"]
    step = log.steps[1]
    assert step.acted is not None
    assert start_s < step.acted < end_s - 2  # what is clicked is on view while it is spoken of, and the price for 2 s
    before, after = frames[int(start_s * 10) + 1], frames[int(end_s * 10) - 1]
    assert not np.array_equal(before, after)
    assert [each.at[0] for each in log.steps[1:]] == [each.at[1] for each in log.steps[:-1]]


@pytest.mark.real
@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (
            [{"say": "Hello."}, {"do": click("[A] [The blue cup]")}],
            r"visit 'cups': step 2: '\[A\] \[The blue cup\]' is not in view on __CUPS__/; nearest of 3: "
            r"'\[A\] \[The red cup\]', .*; correct its words, or scroll there first",
        ),
        ([{"do": {"tool": "click"}}], "step 1: '' is not in view on"),
        (
            [{"do": {"tool": "goto", "arguments": {"url": "http://example.org/"}}}],
            "step 1: example.org:80 is not among",
        ),
        ([{"do": {"tool": "press"}}], "step 1: action 'press' lacks an argument"),
        ([{"do": {"tool": "text", "arguments": {"text": "click it"}}}], "step 1: the reply has no action"),
    ],
)
def test_a_step_that_cannot_be_played_is_named(sites: SiteAddresses, steps: list[Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        film(sites, steps)


@pytest.mark.real
def test_a_start_page_that_does_not_answer_is_named(sites: SiteAddresses, site: PageServer) -> None:
    def broken(handler: BaseHTTPRequestHandler) -> None:
        handler.send_error(500)

    site.pages["/broken"] = broken
    with pytest.raises(BadInput, match="start page '__CUPS__/broken' answers with status 500"):
        film(sites, STEPS, start="__CUPS__/broken")


def test_a_site_without_an_address_stops_it() -> None:
    with pytest.raises(Stopped, match="site 'cups': has no address"):
        film(SiteAddresses(), STEPS)
