"""Frames as they are sent: made once for the same bytes, under whatever name these are shown."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.media import frame_cache
from cutscore.media.render import write_clip
from cutscore.models.jpeg_frames import read_jpeg_frames
from cutscore.store import Store


def test_the_same_bytes_are_decoded_once_and_each_name_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []
    read = frame_cache.read_cached_frames

    def count(path: Path, *args: Any, **more: Any) -> Any:
        reads.append(path)
        return read(path, *args, **more)

    monkeypatch.setattr(frame_cache, "read_cached_frames", count)
    store = Store(tmp_path / "store")
    write_clip(tmp_path / "clip.mp4", [np.full((16, 16, 3), 90, np.uint8)] * 4, rate=Fraction(2))
    ref = store.put(tmp_path / "clip.mp4", name="clip.mp4", media_type="video/mp4")
    shown = [ref.model_copy(update={"name": name}) for name in ("Video A", "Video B")]
    one, other = (read_jpeg_frames(store.path(each), each, "fps=1,max=8", trusted=True) for each in shown)
    assert len(reads) == 1
    assert one.pictures == other.pictures
    assert [at_s for at_s, _ in one.pictures] == [0, 1]
    assert [each.manifest.clip.name for each in (one, other)] == ["Video A", "Video B"]
    assert len(read_jpeg_frames(store.path(ref), ref, "uniform=1", trusted=True).pictures) == 1
    assert len(reads) == 2, "another plan shows other frames"
