"""Whole runs in a real Chromium by the command: oracle, null, three slots, and a browser that is killed mid-step."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_fixtures import PageServer

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

pytestmark = [pytest.mark.real, pytest.mark.release]

COUNT = 3
KILLER = """
import os, signal
from pathlib import Path
from cutscore.core.trajectory import Action


async def work(ask, context):
    world = context.environment
    if ask.item.endswith("-1") and not Path("killed").exists():
        Path("killed").touch()
        os.kill(world.session.shared.chromium.service.pid, signal.SIGKILL)
    await world.act(Action(tool="click", arguments={"element": "[A] [Buy]"}))
    return "done"
"""


@pytest.fixture
def pack(chromium: str, site: PageServer, tmp_path: Path, make_entry: Callable[..., dict[str, Any]]) -> Path:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    clock = "<p id=clock></p><script>clock.textContent = performance.now() + Math.random()</script>"
    site.pages = {"/": f"<title>shop</title><a href=/bought>Buy</a> <a href=/other>Look</a>{clock}"}
    site.pages |= {"/bought": f"<h1>Thank you</h1>{clock}", "/other": "<h1>Other</h1>"}
    checks = {
        "eval_types": ["url_match", "program_html"],
        "reference_url": "__SHOPPING__/bought",
        "url_note": "EXACT",
        "reference_answers": None,
        "program_html": [
            {
                "url": "last",
                "locator": "document.querySelector('h1').outerText",
                "required_contents": {"exact_match": "Thank you"},
            }
        ],
    }
    tasks = [
        make_entry(task_id=number, require_login=False, storage_state=None, start_url="__SHOPPING__/", eval=checks)
        for number in range(COUNT)
    ]
    folder = tmp_path / "pack"
    (folder / "videowa").mkdir(parents=True)
    (folder / "videowa/test_shopping.raw.json").write_text(json.dumps(tasks))
    buy, look = ([{"tool": "click", "arguments": {"element": f"[A] [{words}]"}}] for words in ("Buy", "Look"))
    script = {
        "perfect": {"about": "buys", "actions": buy, "answer": "done", "intermediate": "red"},
        "near_misses": [{"about": "the wrong link", "actions": look, "answer": "done"}],
    }
    (folder / "scripts.json").write_text(json.dumps({f"factual-shopping-{number}": script for number in range(COUNT)}))
    return folder


def run(child: Any, site: PageServer, pack: Path, subject: str, logs: str, *, slots: int = 1) -> Any:
    words = ("run", "videowebarena", "--data", pack, "--subject", subject, "--log-dir", logs)
    settings = {"SHOPPING": site.address, "CUTSCORE_WORKERS": str(slots)}
    return child(*words, "--set", "missing_files=ignore", **settings)


def test_the_oracle_is_right_null_is_not_and_slots_change_nothing(
    child: Any, site: PageServer, pack: Path, tmp_path: Path
) -> None:
    for logs, slots in (("one", 1), ("three", 3)):
        ran = run(child, site, pack, "oracle", logs, slots=slots)
        assert ran.code == 0, ran.err
    rows = {logs: list(read_rows(tmp_path / logs)) for logs in ("one", "three")}
    for own in rows.values():
        assert [row.ending.scores["final@strict"] for row in own] == [1.0] * COUNT
        assert all(row.evidence.facts["stop"]["url"] == "__SHOPPING__/bought" for row in own)
    assert canonical_rows(rows["one"]) == canonical_rows(rows["three"])
    ran = run(child, site, pack, "null", "none")
    assert [row.ending.scores["final@reference"] for row in read_rows(tmp_path / "none")] == [0.0] * COUNT


def test_a_browser_killed_mid_step_is_unscored_and_the_same_command_finishes(
    child: Any, site: PageServer, pack: Path, tmp_path: Path
) -> None:
    (tmp_path / "killer_subject.py").write_text(KILLER)
    subject = "me=python:killer_subject:work"
    first = run(child, site, pack, subject, "logs")
    endings = {row.item: row.ending for row in read_rows(tmp_path / "logs")}
    assert endings["factual-shopping-1"].status == "unscored", first.err
    assert "the browser ended while it was in use" in endings["factual-shopping-1"].because
    # Samples that had the same browser at that moment are unscored as well, and nothing is marked 0.
    assert all(each.status == "unscored" or each.scores["final@reference"] == 1.0 for each in endings.values())
    run(child, site, pack, subject, "logs")
    endings = {row.item: row.ending for row in read_rows(tmp_path / "logs")}
    assert [endings[f"factual-shopping-{number}"].scores["final@reference"] for number in range(COUNT)] == [1.0] * COUNT
