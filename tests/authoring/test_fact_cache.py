"""What takes long is found out once on a machine, and a damaged cache costs time only."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from cutscore.authoring.fact_cache import remembered


@dataclass(frozen=True)
class Fact:
    value: float


def test_a_fact_is_found_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path))
    asked = []

    def find() -> Fact:
        asked.append(1)
        return Fact(0.1)

    assert [remembered("facts", "a", Fact, find) for _ in range(3)] == [Fact(0.1)] * 3
    assert len(asked) == 1
    remembered("facts", "b", Fact, find)
    assert len(asked) == 2
    (tmp_path / "facts" / "a.json").write_text('{"value": "much"}')
    assert remembered("facts", "a", Fact, find) == remembered("facts", "a", Fact, find) == Fact(0.1)
    assert len(asked) == 3


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "file"))
    assert remembered("facts", "a", Fact, lambda: Fact(1.0)) == Fact(1.0)
