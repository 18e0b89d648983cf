"""The page of an item whose samples have turns: what was asked, handed over and said in each of them."""

from pathlib import Path
from typing import Any

import pytest


def test_every_turn_is_on_the_page(worlds: Any, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIALOGUE_COUNT", str(tmp_path / "count"))
    assert cli("run", "dialogue", "--subject", "python:visitors:follows", "--item", "from-a").code == 0
    done = cli("report", "logs", "-o", "pages")
    assert done.code == 0, done.err
    (page,) = (tmp_path / "pages").rglob("from-a.html")
    said = page.read_text()
    assert "Turn by turn" in said
    for letter, heard in (("a", "b"), ("b", "c"), ("c", "d")):
        assert f"Which letter follows {letter}?" in said
        assert f"I heard &#39;{heard}&#39;." in said
    assert said.count("<h4>Turn ") == 3
