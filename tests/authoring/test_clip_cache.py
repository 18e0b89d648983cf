"""The cache of clips: fast at the second time, and never wrong."""

from fractions import Fraction
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from cutscore.authoring import clip_cache as clips
from cutscore.authoring.clip_cache import put_clip_once, put_pictures, splice_clips
from cutscore.core.files import FileRef
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.render import write_clip
from cutscore.store import Store

RATE = Fraction(25)


class Encoder:
    """Writes a clip of five frames of one grey; counts how often."""

    def __init__(self, grey: int) -> None:
        self.grey, self.calls = grey, 0

    def __call__(self, path: Path) -> None:
        self.calls += 1
        write_clip(path, [np.full((16, 32, 3), self.grey, np.uint8)] * 5, rate=RATE)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "clips"


def put(tmp_path: Path, encoder: Encoder, *, store: str = "store") -> FileRef:
    return put_clip_once(Store(tmp_path / store), "clip.mp4", encoder, key=f"grey {encoder.grey}")


def test_a_clip_is_encoded_once_on_a_machine(tmp_path: Path, cache: Path) -> None:
    first, second = Encoder(7), Encoder(7)
    one = put(tmp_path, first)
    two = put(tmp_path, second, store="other")
    assert one == two
    assert (first.calls, second.calls) == (1, 0)
    assert (one.name, one.media_type) == ("clip.mp4", "video/mp4")
    assert [path.name for path in cache.iterdir()] == [next(cache.iterdir()).name]
    assert Store(tmp_path / "other").path(two).read_bytes() == next(cache.iterdir()).read_bytes()


def test_another_key_is_another_clip(tmp_path: Path, cache: Path) -> None:
    assert put(tmp_path, Encoder(7)).sha256 != put(tmp_path, Encoder(8)).sha256
    assert len(list(cache.iterdir())) == 2


def test_another_encoder_version_renders_again(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, Encoder(7))
    monkeypatch.setattr(clips, "decoder_version", lambda: "PyAV 99")
    again = Encoder(7)
    put(tmp_path, again)
    assert again.calls == 1


def test_a_damaged_cache_is_mended(tmp_path: Path, cache: Path) -> None:
    one = put(tmp_path, Encoder(7))
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + b"x")
    again = Encoder(7)
    assert put(tmp_path, again, store="other") == one
    assert again.calls == 1
    assert kept.read_bytes() == whole


def test_a_link_in_the_cache_is_not_followed(tmp_path: Path, cache: Path) -> None:
    one = put(tmp_path, Encoder(7))
    (kept,) = cache.iterdir()
    (tmp_path / "elsewhere.mp4").write_bytes(kept.read_bytes())
    kept.unlink()
    kept.symlink_to(tmp_path / "elsewhere.mp4")
    again = Encoder(7)
    assert put(tmp_path, again, store="other") == one
    assert again.calls == 1
    assert not kept.is_symlink()


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path, cache: Path) -> None:
    cache.parent.write_text("a file where the cache folder should be")
    one, two = put(tmp_path, Encoder(7)), put(tmp_path, Encoder(7))
    assert one == two


def test_runners_at_the_same_time_leave_one_whole_clip(tmp_path: Path, cache: Path) -> None:
    refs: list[FileRef] = []
    runners = [Thread(target=lambda n=n: refs.append(put(tmp_path, Encoder(7), store=f"store-{n}"))) for n in range(4)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    assert len(refs) == 4
    assert len(set(refs)) == 1
    assert [path.name.startswith(".") for path in cache.iterdir()] == [False]


def test_clips_are_spliced_in_order_and_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    dark, light = (
        put_pictures(store, f"{grey}.mp4", [np.full((16, 32, 3), grey, np.uint8)] * 5, rate=RATE) for grey in (40, 200)
    )
    whole = splice_clips(store, "film.mp4", (light, dark, light))
    frames = read_frames(store.path(whole), FramePlan.parse("every@0-1"))
    assert ["light" if frame.pixels.mean() > 120 else "dark" for frame in frames] == (
        ["light"] * 5 + ["dark"] * 5 + ["light"] * 5
    )
    monkeypatch.setattr(clips, "write_footage", None)
    assert splice_clips(Store(tmp_path / "other"), "film.mp4", (light, dark, light)) == whole
    monkeypatch.undo()
    assert splice_clips(store, "film.mp4", (dark, light, light)) != whole
