"""A log of ours in Inspect's own viewer, in a real browser."""

import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

from cutscore.bridge.run import prepare, run_cell
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.settings import Settings

pytestmark = pytest.mark.real

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

# The viewer lists logs before it has read them, and on a busy machine a page may be shown before they are all there.
VISITS = 4


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def view(tmp_path: Path):
    """Inspect View over a run folder with two cells."""
    for subject in ("oracle", "blind"):
        prepared = prepare(
            CellRequest("colorbars", subject), RunContext(run=tmp_path), selection=ItemSelection(limit=6)
        )
        run_cell(prepared, settings=Settings())
    port = free_port()
    address = ["--host", "127.0.0.1", "--port", str(port)]
    script = Path(sys.executable).with_name("inspect")
    server = subprocess.Popen(
        [script, "view", "start", "--log-dir", str(tmp_path), *address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}/"
        for _ in range(120):
            try:
                urllib.request.urlopen(url).close()
                break
            except OSError:
                time.sleep(0.25)
        yield url
    finally:
        server.terminate()
        server.wait()


def test_inspect_view_lists_and_opens_our_logs(view, chromium):
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        for _ in range(VISITS):
            # A browser without a memory: the viewer keeps what it read of a log, half of it if that was all there was.
            page = browser.new_context().new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(view)
            with suppress(PlaywrightTimeout):
                page.get_by_text("subject=").first.click()
                page.get_by_text("bars-01-a").first.wait_for()
                break
        else:
            pytest.fail(f"the viewer does not open the log: {page.inner_text('body')[:500]}")
        browser.close()
    assert not faults
