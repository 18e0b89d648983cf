"""`cutscore build videowebarena`: recordings as they are, visits to a site, and what a newcomer does with Trac."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.build import find_sites
from cutscore.benchmarks.videowebarena.dataset import SOFTWARE
from cutscore.benchmarks.videowebarena.environment.software.start import RunningSites, find_software, start_sites
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.bridge.rows import read_rows
from cutscore.core.errors import BadInput, Stopped

PATIENCE_S = 600.0
VALVE = "[A] [Valve drips when closed]"
VISIT: dict[str, Any] = {
    "name": "trac_valve",
    "title": "Opening a ticket",
    "site": "trac",
    "login": ["trac"],
    "start": "__TRAC__/report/1",
    "viewport": [1280, 720],
    "steps": [
        {"say": "These are the tickets."},
        {"say": "I take this one.", "do": {"tool": "click", "arguments": {"element": VALVE}}, "mark": "ticket"},
    ],
    "tasks": [
        {
            "intent": "Take me to the ticket that is opened in the video.",
            "eval": {"eval_types": ["url_match"], "reference_url": "__TRAC__/ticket/3", "url_note": "EXACT"},
            "intermediate_intent": "What is the ticket about that is opened?",
            "intermediate_eval": {
                "eval_types": ["string_match"],
                "reference_answers": {"must_include": ["valve"]},
            },
            "visual_reasoning": True,
            "script": {
                "needs": ["ticket"],
                "perfect": {
                    "about": "opens it",
                    "actions": [{"tool": "click", "arguments": {"element": VALVE}}],
                    "intermediate": "the valve",
                },
                "near_misses": [{"about": "stays where it is"}],
            },
        }
    ],
}


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A video of somebody's own."""
    return Path(shutil.copyfile(SOFTWARE / "videos" / "green_mug.mp4", tmp_path / "My Mug.mp4"))


def test_a_recording_is_taken_as_it_is(cli: Any, recording: Path, tmp_path: Path) -> None:
    (tmp_path / "My Mug.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:01.000\nLook at this mug.\n")
    ran = cli("build", "videowebarena", str(recording), "--set", "site=oscar", "-o", "pack")
    assert ran.code == 0, ran.err
    assert "look through it for faces, names, addresses, keys and passwords" in ran.err
    assert "factual-oscar-0 is a skeleton" in ran.err
    pack = tmp_path / "pack"
    assert (pack / "videos" / "my_mug.mp4").read_bytes() == recording.read_bytes()
    assert "Look at this mug." in (pack / "videos" / "my_mug.vtt").read_text()
    checked = cli("check", "pack", "--bench", "videowebarena")
    assert checked.code == 0, checked.out
    assert "1 task not signed off by two people" in checked.out


def test_a_recording_needs_a_site(cli: Any, recording: Path) -> None:
    ran = cli("build", "videowebarena", str(recording), "-o", "pack")
    assert (ran.code, "add --set site=NAME" in ran.err) == (2, True)


def test_other_recipes_go_to_no_site(cli: Any) -> None:
    ran = cli("build", "vidwork", "stage:pancakes", "--url", "http://127.0.0.1:1", "-o", "pack")
    assert (ran.code, "recipe 'vidwork' goes to no site" in ran.err) == (2, True)


def test_an_address_is_that_of_the_visit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites.toml").write_text('[trac]\naddress = "http://127.0.0.1:1"\naccount = "kim"\n')
    visit = ScriptedVisit.model_validate(VISIT)
    site = find_sites([visit], "http://127.0.0.1:2").sites["trac"]
    assert (site.address, site.account) == ("http://127.0.0.1:2", "kim")
    other = visit.model_copy(update={"site": "oscar"})
    with pytest.raises(BadInput, match="the visits are to trac and oscar"):
        find_sites([visit, other], "http://127.0.0.1:2")
    with pytest.raises(BadInput, match="is no address"):
        find_sites([visit], "trac")


@pytest.fixture
def sites(chromium: str, tmp_path: Path) -> Iterator[RunningSites]:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    try:
        find_software()
    except Stopped as error:
        pytest.skip(str(error))
    with start_sites(tmp_path / "sites") as running:
        yield running


@pytest.mark.real
def test_a_newcomer_builds_a_tutorial_and_a_task_on_trac(
    child: Any, chromium: str, sites: RunningSites, tmp_path: Path
) -> None:
    (tmp_path / "visit.json").write_text(json.dumps(VISIT))
    words = ("visit.json", "--url", sites.addresses["trac"], "-o", "pack", "--baseline", "null")
    ran = child("build", "videowebarena", *words, seconds=PATIENCE_S, **sites.variables)
    assert ran.code == 0, ran.err
    files = {each.relative_to(tmp_path / "pack").as_posix() for each in (tmp_path / "pack").rglob("*.*")}
    assert files >= {f"videos/trac_valve{ending}" for ending in (".mp4", ".vtt", ".log.json")}
    assert files >= {"videowa/test_trac.raw.json", "scripts/trac.json", "DATASHEET.md"}
    checked = child("check", "pack", "--bench", "videowebarena", seconds=PATIENCE_S, **sites.variables)
    assert checked.code == 0, checked.out
    subjects = ("--subject", "oracle", "--subject", "nearly:1")
    ran = child(
        "run", "videowebarena", "--data", "pack", *subjects, "--log-dir", "logs", seconds=PATIENCE_S, **sites.variables
    )
    assert ran.code == 0, ran.err
    marks = {row.subject: row.ending.scores for row in read_rows(tmp_path / "logs")}
    assert marks["oracle"]["final@reference"] == marks["oracle"]["intermediate@reference"] == 1.0
    assert marks["nearly:1"]["final@reference"] == 0.0
    ran = child("report", "logs", "-o", "site", seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    look_at_the_report(chromium, tmp_path / "site/videowebarena/items/factual-trac-0.html")


def look_at_the_report(chromium: str, page: Path) -> None:
    """See the verdict with what was seen, the tutorial at the second that is needed, and steps with marked pictures."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(bypass_csp=True)  # for our own waiting alone
        tab.goto(page.as_uri())
        tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
        told = tab.inner_text("main")
        assert "seen '__TRAC__/ticket/3', wanted exactly '__TRAC__/ticket/3'" in told
        assert "seen '__TRAC__/report/1', wanted exactly '__TRAC__/ticket/3'" in told
        tab.click("a[href*='#t=1.9']")  # where the step that the task needs begins
        tab.wait_for_function("Math.abs(document.querySelector('video').currentTime - 1.95) < 0.2")
        steps = tab.locator("img[alt^='step-0']")
        steps.first.scroll_into_view_if_needed()
        tab.wait_for_function("document.querySelector(\"img[alt='step-00.jpg']\").naturalWidth === 1280")
        browser.close()


@pytest.mark.real
def test_a_task_that_needs_no_tutorial_is_told(child: Any, sites: RunningSites, tmp_path: Path) -> None:
    (tmp_path / "visit.json").write_text(json.dumps(VISIT))
    words = ("visit.json", "--url", sites.addresses["trac"], "-o", "pack", "--baseline", "oracle")
    ran = child("build", "videowebarena", *words, seconds=PATIENCE_S, **sites.variables)
    assert ran.code == 1
    assert "FAILED factual-trac-0 is done by 'oracle' without the tutorial" in ran.out
