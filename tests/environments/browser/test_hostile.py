"""Pages that do what they can: a limit ends the step, the state can still be read, and a neighbour does not notice."""

import os
import signal
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from web_fixtures import PageServer, live, serve_pages

from cutscore.core.environment import EvidenceRead
from cutscore.core.errors import Unscored
from cutscore.environments.browser.act import perform
from cutscore.environments.browser.grammar import parse_action
from cutscore.environments.browser.marks import MAX_ITEMS, Observation, observe
from cutscore.environments.browser.reads import SessionReader
from cutscore.environments.browser.session import BrowserSession, PageFault
from cutscore.environments.browser.settle import settle
from cutscore.environments.browser.tab_watch import MAX_TABS
from cutscore.store import Store

pytestmark = pytest.mark.real

STEP_S = 60.0  # for a whole step on the worst page


def hand_out_for_ever(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Disposition", 'attachment; filename="big.bin"')
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x" * (1 << 20))
    except OSError:
        pass


HOSTILE = {
    "reload": "<script>setTimeout(() => location.reload(), 1)</script>again",
    "dialogs": "<script>setTimeout(() => { for (;;) alert('hello') }, 50)</script>",
    "windows": "<script>setInterval(() => window.open('/other'), 1)</script>",
    "long": "<script>document.write('<p>' + 'x'.repeat(50e6) + '</p>')</script>",
    "many": "<body><script>document.body.innerHTML = '<b>x</b>'.repeat(1e6)</script>",
    "buttons": "<body><script>document.body.innerHTML = '<button>x</button>'.repeat(2e4)</script>",
    "busy": "<script>setTimeout(() => { for (;;); }, 50)</script>",
    "leaves": "<script>location = 'http://ELSEWHERE/'</script>",
    "worker": """<script>navigator.serviceWorker.register('/worker.js');
        fetch('http://ELSEWHERE/', {mode: 'no-cors'}); new WebSocket('ws://ELSEWHERE/');</script>still here""",
    "overrides": """<button>x</button><script>document.querySelectorAll = () => { throw 1 };
        Array.prototype.push = () => { throw 2 }; JSON.stringify = () => 'x'.repeat(1e9);</script>""",
    "prints": "<script>window.print(); onbeforeunload = () => 'stay'; setInterval(print, 10)</script>",
    "downloads": "<script>setInterval(() => { location = '/big' }, 20)</script>",
}


async def step(session: BrowserSession, text: str) -> tuple[str, Observation | None]:
    error = await perform(session, parse_action(text))
    await settle(session)
    try:
        return error, await observe(session)
    except PageFault as fault:
        return error or str(fault), None


NOW = ("dialogs", "leaves", "worker", "overrides")  # seconds each; the others wait for a release


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in NOW else pytest.mark.release) for name in HOSTILE]
)
def test_a_hostile_page_ends_its_own_step_alone(
    name: str, open_browser: Callable[..., BrowserSession], site: PageServer, tmp_path: Path
) -> None:
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    with serve_pages() as elsewhere:
        elsewhere.pages["/"] = "secret"
        site.pages = {
            "/": HOSTILE[name].replace("ELSEWHERE", elsewhere.address.removeprefix("http://")),
            "/calm": "<button>calm</button>",
            "/other": "other",
            "/big": hand_out_for_ever,
            "/worker.js": "self.onfetch = event => event.respondWith(new Response('taken over'))",
        }
        neighbour = open_browser(viewport=(400, 300))
        session = open_browser(viewport=(800, 600), outputs=outputs)
        began = time.monotonic()
        live(step(session, f"goto [{site.address}/]"))
        live(step(session, "scroll [down]"))
        assert time.monotonic() - began < 2 * STEP_S
        error, seen = live(step(neighbour, f"goto [{site.address}/calm]"))
        assert error == ""
        assert seen is not None
        assert seen.text == "[1] [BUTTON] [calm]"
        store = Store(tmp_path / "store")
        state = live(SessionReader(session).read(EvidenceRead(name="stop", kind="page_state"), store))
        assert {"stop.html", "stop.png"} <= {file.name for file in state.files} | {
            f"stop.{part}" for part in state.fact["errors"]
        }
        assert len(session.pages) <= MAX_TABS
        assert elsewhere.asked == []
        assert sum(path.stat().st_size for path in outputs.iterdir()) < 1 << 30
        # It can be left, too.
        error, seen = live(step(session, f"goto [{site.address}/calm]"))
        if name not in ("worker", "reload", "downloads"):  # a worker answers itself, the others go on at once
            assert seen is not None
            assert "calm" in seen.text, error


@pytest.mark.release
def test_more_elements_than_anybody_reads_are_counted_and_left_out(
    open_browser: Callable[..., BrowserSession], site: PageServer
) -> None:
    site.pages["/"] = HOSTILE["buttons"].replace("<button>", "<button style=width:4px;padding:0;font-size:3px>")
    _, seen = live(step(open_browser(), f"goto [{site.address}/]"))
    assert seen is not None
    assert len(seen.elements) == MAX_ITEMS
    assert seen.left_out > 0


def test_a_browser_that_is_killed_leaves_the_sample_unscored_and_the_next_one_works(
    open_browser: Callable[..., BrowserSession], site: PageServer
) -> None:
    site.pages["/"] = "<button>x</button>"
    session = open_browser()
    live(step(session, f"goto [{site.address}/]"))
    os.kill(session.shared.chromium.service.pid, signal.SIGKILL)
    with pytest.raises(Unscored, match="the browser ended while it was in use"):
        live(step(session, "click [1]"))
    error, seen = live(step(open_browser(), f"goto [{site.address}/]"))
    assert error == ""
    assert seen is not None
