"""Hostile words that a subject writes into a form stay words on the page, in the evidence and in the report."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.store import Store

pytestmark = pytest.mark.real

PATIENCE_S = 600.0
RUN = "window.ran = true; alert(1)"
HOSTILE = f"Look '><script>{RUN}</script><img src=x onerror='{RUN}'><svg onload='{RUN}'>'); DROP TABLE post; --"
RAN = "lambda:String(window.ran)"
TITLE = "document.querySelector('.submission__link').textContent"
SCRIPTS = {
    "perfect": {
        "about": "posts it",
        "actions": [
            {"tool": "goto", "arguments": {"url": "__REDDIT__/submit/aww"}},
            {"tool": "type", "arguments": {"element": "12", "text": HOSTILE, "enter": False}},
            {"tool": "click", "arguments": {"element": "[BUTTON] [Create submission]"}},
        ],
        "answer": HOSTILE,
    },
    "near_misses": [{"about": "posts nothing"}],
}


def test_what_a_subject_posts_runs_neither_on_the_page_nor_in_the_report(
    child: Any, chromium: str, write_task: Callable[..., Path], tmp_path: Path
) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    folder = write_task(
        site="reddit",
        sites=["reddit"],
        start_url="__REDDIT__",
        storage_state="./.auth/reddit_state.json",
        video="",
        intent=f"Post this: {HOSTILE}",
        eval={
            "eval_types": ["string_match", "program_html"],
            "reference_answers": {"must_include": ["DROP TABLE"]},
            "program_html": [
                {"url": "last", "locator": TITLE, "required_contents": {"exact_match": HOSTILE}},
                {"url": "last", "locator": RAN, "required_contents": {"exact_match": "undefined"}},
            ],
        },
    )
    (folder / "own_sites.toml").write_text("seed = 1\n")
    (folder / "scripts.json").write_text(json.dumps({"factual-reddit-0": SCRIPTS}))
    ran = child("run", "videowebarena", "--data", str(folder), "--subject", "oracle", seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    (row,) = read_rows(tmp_path / "logs")
    assert row.ending.scores["final@reference"] == 1.0, row.ending.findings
    page = next(file for file in row.evidence.files if file.name.endswith("stop.html"))
    kept = Store(tmp_path / "logs/store").path(page).read_text(encoding="utf-8")
    assert "&lt;script&gt;window.ran" in kept
    assert "<script>window.ran" not in kept
    ran = child("report", "logs", "-o", "site", seconds=PATIENCE_S)
    assert ran.code == 0, ran.err
    for each in sorted((tmp_path / "site").rglob("*.html")):
        look_for_what_runs(chromium, each, words="DROP TABLE post" if each.stem == row.item else "")


def look_for_what_runs(chromium: str, page: Path, *, words: str) -> None:
    """Open a page with all that is folded, and without the rule that would forbid scripts of others."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(bypass_csp=True)
        dialogs: list[str] = []
        tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        tab.goto(page.as_uri())
        tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
        tab.wait_for_load_state("networkidle")
        assert words in tab.inner_text("main")
        assert (dialogs, tab.evaluate("window.ran === undefined")) == ([], True), page.name
        browser.close()
