"""The render cache: fast at the second start, and never wrong."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from numpy.typing import NDArray

from cutscore.authoring import clip_cache as clips
from cutscore.authoring.clip_cache import rendered, spliced, staged_part
from cutscore.core.files import FileRef
from cutscore.core.timeline import Span
from cutscore.media.frames import read_frames
from cutscore.media.listen import read_sound
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.stage import library
from cutscore.stage.sound import sound
from cutscore.store import Store

RATE = Fraction(25)


class Painter:
    """Five frames of one grey; counts how often they were encoded or hashed."""

    def __init__(self, grey: int) -> None:
        self.grey, self.calls = grey, 0

    def __call__(self) -> Iterator[NDArray[np.uint8]]:
        self.calls += 1
        yield from [np.full((16, 32, 3), self.grey, np.uint8)] * 5


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "clips"


def render(tmp_path: Path, painter: Painter, *, store: str = "store", rate: Fraction = RATE) -> FileRef:
    return rendered(Store(tmp_path / store), "clip.mp4", painter, rate=rate)


def test_a_clip_is_encoded_once_on_a_machine(tmp_path: Path, cache: Path) -> None:
    first, second = Painter(7), Painter(7)
    one = render(tmp_path, first)
    two = render(tmp_path, second, store="other")
    assert one == two
    assert (first.calls, second.calls) == (2, 1)  # hashed and encoded, then hashed alone
    assert (one.name, one.media_type) == ("clip.mp4", "video/mp4")
    assert [path.name for path in cache.iterdir()] == [next(cache.iterdir()).name]
    assert Store(tmp_path / "other").path(two).read_bytes() == next(cache.iterdir()).read_bytes()


@pytest.mark.parametrize("other", [{"painter": Painter(8)}, {"rate": Fraction(24)}], ids=["pixels", "rate"])
def test_other_pixels_or_another_rate_are_another_clip(tmp_path: Path, cache: Path, other: dict[str, object]) -> None:
    one = render(tmp_path, Painter(7))
    two = render(tmp_path, **{"painter": Painter(7), **other})  # type: ignore[arg-type]
    assert one.sha256 != two.sha256
    assert len(list(cache.iterdir())) == 2


def test_another_encoder_version_renders_again(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    render(tmp_path, Painter(7))
    monkeypatch.setattr(clips, "decoder", lambda: "PyAV 99")
    again = Painter(7)
    render(tmp_path, again)
    assert again.calls == 2


def test_a_damaged_cache_is_mended(tmp_path: Path, cache: Path) -> None:
    one = render(tmp_path, Painter(7))
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + b"x")
    again = Painter(7)
    assert render(tmp_path, again, store="other") == one
    assert again.calls == 2
    assert kept.read_bytes() == whole


def test_a_link_in_the_cache_is_not_followed(tmp_path: Path, cache: Path) -> None:
    one = render(tmp_path, Painter(7))
    (kept,) = cache.iterdir()
    (tmp_path / "elsewhere.mp4").write_bytes(kept.read_bytes())
    kept.unlink()
    kept.symlink_to(tmp_path / "elsewhere.mp4")
    again = Painter(7)
    assert render(tmp_path, again, store="other") == one
    assert again.calls == 2
    assert not kept.is_symlink()


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path, cache: Path) -> None:
    cache.parent.write_text("a file where the cache folder should be")
    one, two = render(tmp_path, Painter(7)), render(tmp_path, Painter(7))
    assert one == two


def test_runners_at_the_same_time_leave_one_whole_clip(tmp_path: Path, cache: Path) -> None:
    refs: list[FileRef] = []
    runners = [
        Thread(target=lambda n=n: refs.append(render(tmp_path, Painter(7), store=f"store-{n}"))) for n in range(4)
    ]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    assert len(refs) == 4
    assert len(set(refs)) == 1
    assert [path.name.startswith(".") for path in cache.iterdir()] == [False]


def test_a_part_of_a_scene_has_its_frames_and_its_sound_and_is_made_once(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = library.scene("lost-kite", length_s=7).model_copy(update={"width": 64, "height": 36, "rate": Fraction(4)})
    ref = staged_part(Store(tmp_path / "store"), "part.mp4", scene, 8, 16)
    facts = probe(Store(tmp_path / "store").path(ref))
    assert (facts.frames, facts.duration_s) == (8, Fraction(2))
    assert facts.sound is not None
    heard = read_sound(Store(tmp_path / "store").path(ref), rate_hz=48_000, channels="mono")
    wanted = sound(scene).part(Span(start_s=2, end_s=4))
    assert np.corrcoef(heard.samples[: len(wanted.samples)], wanted.samples)[0, 1] > 0.95
    monkeypatch.setattr(clips, "write_clip", None)
    assert staged_part(Store(tmp_path / "other"), "part.mp4", scene, 8, 16) == ref


def test_clips_are_spliced_in_order_and_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    dark, light = (rendered(store, f"{grey}.mp4", Painter(grey), rate=RATE) for grey in (40, 200))
    whole = spliced(store, "film.mp4", (light, dark, light))
    frames = read_frames(store.path(whole), FramePlan.parse("every@0-1"))
    assert ["light" if frame.pixels.mean() > 120 else "dark" for frame in frames] == (
        ["light"] * 5 + ["dark"] * 5 + ["light"] * 5
    )
    monkeypatch.setattr(clips, "write", None)
    assert spliced(Store(tmp_path / "other"), "film.mp4", (light, dark, light)) == whole
    monkeypatch.undo()
    assert spliced(store, "film.mp4", (dark, light, light)) != whole
