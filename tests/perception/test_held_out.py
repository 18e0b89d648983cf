"""The measurement of bench/perception.py on a few scenes of its own: the reader must not become blind unnoticed."""

import sys
from collections import Counter
from pathlib import Path

import pytest


@pytest.mark.real  # draws, encodes and looks at whole scenes
def test_most_is_seen_on_scenes_that_nobody_tuned_on(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(repository / "bench"))
    sys.modules.pop("perception", None)
    import perception

    total: Counter[str] = Counter()
    for number in range(5):
        _, score, _, _ = perception.try_scene(f"a test {number}")
        total += score
    # Far below what docs/reader.md reports: five scenes are few.
    assert total["things found"] >= 0.85 * total["things"]
    assert total["things found"] >= 0.8 * total["things reported"]
    assert total["events found"] >= 0.6 * total["events"]
    assert total["counts right"] >= 0.7 * total["counts"]
    assert total["colour wrong"] <= 0.1 * total["things found"]
