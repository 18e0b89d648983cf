"""videowebarena: the starter pack on sites of our own, in a real Chromium, by the command that a newcomer types."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row, canonical_rows
from cutscore.core.trajectory import Trajectory
from cutscore.media.images import read_picture
from cutscore.media.orientation import Pixels
from cutscore.store import Store

pytestmark = pytest.mark.real

PATIENCE_S = 900.0
# Chromium lays a line of text a pixel higher or lower, by whether its font has come before the first layout.
CHANGED, FEW = 40, 0.001  # levels of a pixel; share of all pixels, of which a tile of a map is a tenth
ITEMS = ("factual-gitlab-8", "factual-map-5", "vwa-map-0", "vwa-shopping_admin-5")
Run = Callable[..., Any]


@pytest.fixture
def run(chromium: str, child: Any) -> Run:
    """Run subjects over a few tasks, in some slots; return what the command said."""
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")

    def do(*words: str, logs: str, items: tuple[str, ...] = ITEMS, slots: int = 4) -> Any:
        named = [word for item in items for word in ("--item", item)]
        said = ("run", "videowebarena", *words, *named, "--log-dir", logs)
        ran = child(*said, seconds=PATIENCE_S, CUTSCORE_WORKERS=str(slots))
        assert ran.code == 0, ran.err
        return ran

    return do


def observations(row: Row, logs: Path) -> list[tuple[str, list[Pixels]]]:
    """Return what was seen at each step, text and picture."""
    store = Store(logs / "store")
    assert row.deliverable.trajectory is not None
    with store.path(row.deliverable.trajectory).open("rb") as lines:
        steps = list(Trajectory.from_jsonl(lines))
    return [(step.saw, [read_picture(store.path(file)) for file in step.media]) for step in steps]


def share_changed(one: Pixels, other: Pixels) -> float:
    return float((np.abs(one.astype(np.int16) - other) > CHANGED).any(axis=2).mean())


def test_four_slots_see_and_get_the_same_as_one(run: Run, tmp_path: Path) -> None:
    run("--subject", "oracle", logs="one", slots=1)
    run("--subject", "oracle", logs="four", slots=4)
    one, four = (sorted(read_rows(tmp_path / logs), key=lambda row: row.item) for logs in ("one", "four"))
    assert [row.ending.scores["final@strict"] for row in one] == [1.0] * len(ITEMS)
    assert canonical_rows(one) == canonical_rows(four)
    for first, second in zip(one, four, strict=True):
        seen, again = observations(first, tmp_path / "one"), observations(second, tmp_path / "four")
        assert len(seen) > 1
        assert [text for text, _ in seen] == [text for text, _ in again]
        changed = [
            share_changed(*pair) for (_, a), (_, b) in zip(seen, again, strict=True) for pair in zip(a, b, strict=True)
        ]
        assert max(changed) < FEW, f"{first.item}: {changed}"


def test_the_reader_stands_between_and_without_a_tutorial_it_does_nothing(run: Run, tmp_path: Path) -> None:
    words = ("--subject", "reader", "--subject", "blind", "--ablate", "input=no_tutorial")
    ran = run(*words, logs="logs", items=ITEMS[:2])
    rows = {(row.subject, row.item): row for row in read_rows(tmp_path / "logs") if not row.input}
    assert rows["reader", "factual-gitlab-8"].ending.scores["final@reference"] == 1.0
    assert rows["reader", "factual-map-5"].ending.scores["intermediate@reference"] == 1.0
    assert {rows["blind", item].ending.scores["final@reference"] for item in ITEMS[:2]} == {0.0}
    without = [row for row in read_rows(tmp_path / "logs") if row.input == "no_tutorial"]
    assert [row.ending.scores["final@reference"] for row in without] == [0.0] * 4
    assert "no_tutorial − " in ran.out or "− reader" in ran.out, ran.out
