"""Minutes of film among the materials of a sample."""

from pathlib import Path

import pytest

from cutscore.core.ask import Ask
from cutscore.core.ending import Ending
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.results.material_minutes import material_minutes
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def row(*files: FileRef) -> Row:
    who = {"benchmark": "b", "version": "1", "cell": "c", "subject": "s", "item": "i", "epoch": 1, "cluster": "k"}
    return Row(**who, ask=Ask(item="i", brief="cut it", files=files), ending=Ending(status="unscored", because="x"))


def put(store: Store, clips: Path, *names: str) -> list[FileRef]:
    return [store.put(clips / name, name=name, media_type="video/mp4") for name in names]


def test_all_films_count_and_nothing_else(store: Store, clips: Path) -> None:
    """Two clips of one second each, and notes."""
    notes = store.put_bytes(b"notes", name="notes.md", media_type="text/markdown")
    found = material_minutes(row(*put(store, clips, "a.mp4", "b.mp4"), notes), store)
    assert found == pytest.approx(2 / 60)


def test_without_films_or_with_one_that_cannot_be_read_nothing_is_known(store: Store, clips: Path) -> None:
    (film,) = put(store, clips, "a.mp4")
    lost = film.model_copy(update={"sha256": "0" * 64, "name": "lost.mp4"})
    torn = store.put_bytes(b"no film", name="torn.mp4", media_type="video/mp4")
    assert material_minutes(row(), store) is None
    assert material_minutes(row(film, lost), store) is None
    assert material_minutes(row(film, torn), store) is None
    assert material_minutes(row().model_copy(update={"ask": None}), store) is None
