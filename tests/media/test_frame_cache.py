"""What is cache is what was made, for this very key, whatever happens to the folder."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput, BrokenData
from cutscore.media import frame_cache as cache_module
from cutscore.media.budget import Budget
from cutscore.media.frame_cache import CacheEntry, CacheKey, FrameCache, read_cached_frames
from cutscore.media.frames import Frame, read_frames
from cutscore.media.plan import FramePlan

KEY = CacheKey(media="0" * 64, plan="uniform=4", made_by="here", kind="rgb")
PLAN = FramePlan.parse("times=0;0.001;0.5;1.5")


@pytest.fixture
def cache(tmp_path: Path) -> FrameCache:
    return FrameCache(tmp_path / "cache")


def numbers(*values: float) -> CacheEntry:
    return CacheEntry({"values": np.array(values)}, list(values))


def never() -> CacheEntry:
    raise AssertionError("it is cache and need not be made")


def entry_path(cache: FrameCache) -> Path:
    (path,) = cache.folder.glob("??/*.arrays")
    return path


def assert_same(got: list[Frame], wanted: list[Frame]) -> None:
    assert [frame.at_s for frame in got] == [frame.at_s for frame in wanted]
    for frame, other in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(frame.pixels, other.pixels)
        assert frame.pixels.dtype == other.pixels.dtype


def test_frames_are_equal_with_and_without(cache: FrameCache, red_blue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = read_frames(red_blue, PLAN)
    first = read_cached_frames(red_blue, PLAN, sha256="a" * 64, cache=cache)
    monkeypatch.setattr(cache_module, "read_frames", never)
    again = read_cached_frames(red_blue, PLAN, sha256="a" * 64, cache=cache)
    for frames in (first, again):
        assert_same(frames, wanted)
        assert frames[0].pixels is frames[1].pixels
        assert not frames[0].pixels.flags.writeable


def test_strangers_files_are_decoded_in_a_child_and_kept(
    cache: FrameCache, red_blue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust: list[bool] = []

    def watched(path: Path, plan: FramePlan, *, trusted: bool, budget: Budget) -> list[Frame]:
        trust.append(trusted)
        return read_frames(path, plan, trusted=trusted, budget=budget)

    monkeypatch.setattr(cache_module, "read_frames", watched)
    for _ in range(2):
        got = read_cached_frames(red_blue, PLAN, sha256="a" * 64, trusted=False, cache=cache)
        assert_same(got, read_frames(red_blue, PLAN))
    assert trust == [False]
    text = tmp_path / "fixed.mp4"
    text.write_text("ffconcat version 1.0\n")
    for _ in range(2):  # a refusal is not cache
        with pytest.raises(BrokenData, match="is not a video that we decode"):
            read_cached_frames(text, PLAN, sha256="b" * 64, trusted=False, cache=cache)
    assert trust == [False] * 3


def test_a_smaller_budget_is_not_served_what_a_larger_one_let_through(cache: FrameCache, red_blue: Path) -> None:
    read_cached_frames(red_blue, PLAN, sha256="a" * 64, cache=cache)
    with pytest.raises(BrokenData, match="more than 10 frames"):
        read_cached_frames(red_blue, PLAN, sha256="a" * 64, budget=Budget(frames=10), cache=cache)


def test_by_default_frames_are_kept_in_the_cache_of_the_user(
    red_blue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUTSCORE_CACHE", str(tmp_path / "cache"))
    read_cached_frames(red_blue, PLAN, sha256="a" * 64)
    assert len(list((tmp_path / "cache" / "frames").glob("??/*.arrays"))) == 1


texts = st.text(max_size=8)
keys = st.builds(CacheKey, media=st.sampled_from(["0" * 64, "1" * 64]), plan=texts, made_by=texts, kind=texts)


@settings(max_examples=12)
@given(st.lists(keys, min_size=2, max_size=6, unique=True))
def test_nothing_is_served_under_another_key(tmp_path_factory: pytest.TempPathFactory, several: list[CacheKey]) -> None:
    cache = FrameCache(tmp_path_factory.mktemp("cache"))
    for number, key in enumerate(several[1:]):
        cache.put(key, numbers(number))
    assert cache.get(several[0]) is None
    for number, key in enumerate(several[1:]):
        assert cache.get_or_make(key, never).notes == [number]
        # Not even where somebody has put one entry in the place of another.
        os.replace(cache._path(key), _made(cache._path(several[0])))
        assert cache.get(several[0]) is None
        assert cache.get_or_make(several[0], lambda: numbers(-1)).notes == [-1]


def _made(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    return path


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data + b"\0",
        lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        lambda data: b"X" + data[1:],
        lambda data: data[:20] + bytes([data[20] ^ 128]) + data[21:],
        lambda data: bytes(len(data)),
    ],
)
def test_a_damaged_entry_is_made_anew(cache: FrameCache, harm: Callable[[bytes], bytes]) -> None:
    cache.put(KEY, numbers(1, 2, 3))
    path = entry_path(cache)
    path.write_bytes(harm(path.read_bytes()))
    assert cache.get(KEY) is None
    assert cache.get_or_make(KEY, lambda: numbers(4)).notes == [4]
    assert cache.get_or_make(KEY, never).notes == [4]


@pytest.mark.parametrize("dtype", ["u1", "<f4", ">f8", "<i8", "?", "<c16"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (5, 7)])
def test_any_numbers_can_be_kept(cache: FrameCache, dtype: str, shape: tuple[int, ...]) -> None:
    one = np.random.default_rng(0).integers(0, 99, shape).astype(dtype)
    cache.put(
        KEY, CacheEntry({"first": np.arange(3, dtype=np.uint8), "one": one, "turned": one.T}, {"note": [1, None]})
    )
    entry = cache.get(KEY)
    assert entry is not None
    assert entry.notes == {"note": [1, None]}
    for name, wanted in (("one", one), ("turned", one.T)):
        got = entry.arrays[name]
        np.testing.assert_array_equal(got, wanted)
        assert (got.dtype, got.shape, got.flags.aligned, got.flags.writeable) == (dtype, wanted.shape, True, False)


def test_objects_are_refused(cache: FrameCache) -> None:
    with pytest.raises(BadInput, match="cached array 'x': holds Python objects; keep numbers"):
        cache.put(KEY, CacheEntry({"x": np.array([{}])}))


def large(number: int) -> tuple[CacheKey, CacheEntry]:
    return CacheKey("0" * 64, "", "", str(number)), CacheEntry({"x": np.full(10_000, number, np.uint8)})


def test_those_that_nobody_asked_for_the_longest_go_first(tmp_path: Path) -> None:
    cache = FrameCache(tmp_path, limit_bytes=95_000)
    for number in range(9):
        cache.put(*large(number))
        os.utime(cache._path(large(number)[0]), (number, number))
    assert cache.get(large(0)[0]) is not None  # asked for: it is the youngest now
    cache.put(*large(9))
    assert [number for number in range(10) if cache.get(large(number)[0]) is None] == [1]
    assert cache.size_bytes() <= 95_000


def test_what_would_push_out_all_others_is_not_kept(tmp_path: Path) -> None:
    cache = FrameCache(tmp_path, limit_bytes=79_999)
    assert cache.get_or_make(*(large(1)[0], lambda: large(1)[1])).arrays["x"].size == 10_000
    assert cache.size_bytes() == 0


def test_a_reader_of_an_entry_that_is_removed_reads_on_or_makes_it(cache: FrameCache) -> None:
    cache.put(KEY, numbers(1))
    entry = cache.get(KEY)
    entry_path(cache).unlink()
    assert entry is not None
    assert entry.arrays["values"].tolist() == [1]
    assert cache.get_or_make(KEY, lambda: numbers(2)).notes == [2]


def test_leftovers_of_killed_writers_go(cache: FrameCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put(KEY, numbers(1))
    old, young = (entry_path(cache).with_name(f".{name}.part") for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    monkeypatch.setattr(cache_module, "_WEIGHED_OFTEN", 1 << 60)
    cache.put(KEY, numbers(1))
    assert (old.exists(), young.exists()) == (False, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    cache = FrameCache(tmp_path / "cache")
    assert cache.get_or_make(KEY, lambda: numbers(1)).notes == [1]
    assert cache.get_or_make(KEY, lambda: numbers(2)).notes == [2]


def test_a_folder_that_is_a_file_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder")
    cache = FrameCache(tmp_path / "cache")
    assert cache.get_or_make(KEY, lambda: numbers(1)).notes == [1]
    assert cache.get_or_make(KEY, lambda: numbers(2)).notes == [2]


def test_of_several_threads_one_makes(cache: FrameCache) -> None:
    made: list[int] = []
    got: list[list[float]] = []
    inside, go_on = threading.Event(), threading.Event()

    def slow() -> CacheEntry:
        made.append(1)
        inside.set()
        go_on.wait()
        return numbers(7)

    threads = [threading.Thread(target=lambda: got.append(cache.get_or_make(KEY, slow).notes)) for _ in range(4)]
    for thread in threads:
        thread.start()
    inside.wait()
    go_on.set()
    for thread in threads:
        thread.join()
    assert (made, got) == ([1], [[7]] * 4)


def test_a_maker_that_fails_leaves_the_next_one_his_turn(cache: FrameCache) -> None:
    def fail() -> CacheEntry:
        raise BrokenData("clip", "is broken")

    with pytest.raises(BrokenData):
        cache.get_or_make(KEY, fail)
    assert cache.get_or_make(KEY, lambda: numbers(1)).notes == [1]


def test_patience_ends(cache: FrameCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes something that needs itself would wait for ever; working twice is better."""
    monkeypatch.setattr(cache_module, "_PATIENCE_S", 0.0)
    other = CacheKey(KEY.media, KEY.plan, KEY.made_by, "other")
    monkeypatch.setattr(CacheKey, "digest", property(lambda key: "ab" + key.kind.rjust(62, "0")))
    assert cache.get_or_make(KEY, lambda: cache.get_or_make(other, lambda: numbers(5))).notes == [5]


WRITER = """
import sys
from contextlib import suppress
from pathlib import Path
import numpy as np
from cutscore.media.frame_cache import CacheEntry, CacheKey, FrameCache
cache = FrameCache(Path(sys.argv[1]), limit_bytes=200_000)
random = np.random.default_rng(int(sys.argv[2]))
for _ in range(150):
    number = int(random.integers(0, 16))
    key = CacheKey("0" * 64, "", "", str(number))
    entry = cache.get_or_make(key, lambda: CacheEntry({"x": np.full(20_000, number, np.uint8)}, number))
    assert entry.notes == number and entry.arrays["x"].size == 20_000 and (entry.arrays["x"] == number).all()
    if random.integers(0, 20) == 0:
        for path in cache.folder.glob("??/*.arrays"):
            # Another process may push it out between being found and being damaged.
            with suppress(FileNotFoundError), open(path, "r+b") as file:
                file.seek(int(random.integers(0, 20_000)))
                file.write(b"?")
            break
"""


@pytest.mark.real
def test_processes_share_a_folder_that_is_too_small_and_is_being_damaged(tmp_path: Path) -> None:
    """Four at a time write, read, push out and damage entries; each always gets what belongs to its key."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    running = [subprocess.Popen([*command, str(seed)], stderr=subprocess.PIPE, text=True) for seed in range(4)]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert 0 < FrameCache(tmp_path).size_bytes() < 300_000
    assert not list(tmp_path.glob("??/.*.part"))


def test_times_come_back_exact(cache: FrameCache, red_blue: Path) -> None:
    frames = [Frame(Fraction(1, 3), np.zeros((2, 2, 3), np.uint8)), Frame(Fraction(10**20, 7), np.ones((1, 1, 3)))]
    assert [frame.at_s for frame in cache_module._frames(cache_module._entry(frames))] == [
        Fraction(1, 3),
        Fraction(10**20, 7),
    ]
