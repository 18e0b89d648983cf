"""The hostile-file factory against the intake: every kind is refused for its own reason or decoded to the same frames.

What is proven about other files and sockets, for each kind: the canary clip beside it is not opened (inotify), the
canary server gets no caller, and (test_child.py) the kernel would not have let the child open either.
"""

import ctypes
import os
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.media import untrusted
from cutscore.media.audio import read_sound
from cutscore.media.decoder_child import DecodeLimits
from cutscore.media.frames import Frame, read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.source import open_source

sys.path.append(str(Path(__file__).parent))

import hostile  # these lie beside this file, for whoever wants to try a product of their own
import hostile_sound

Read = Callable[[Path, FramePlan, hostile.Budget], list[Frame]]

EVERY = FramePlan.parse("every@0-1000000")
SPREAD = FramePlan.parse("fps=5")
# A decoder that needs ten seconds for one of these little files counts as hung.
LEASH = DecodeLimits(wall_s=10)
FAULT = r"hung the decoder|crash|took more than|give up|nonsense"


class Callers:
    """A web server that only counts who calls."""

    def __init__(self) -> None:
        self.count = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._server.accept()
            except OSError:
                return
            self.count += 1
            caller.close()

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()


class Watched:
    """A file of which the kernel tells us when anybody opens it."""

    _OPENED, _NON_BLOCKING = 0x20, os.O_NONBLOCK

    def __init__(self, path: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(self._NON_BLOCKING)
        if self._events < 0 or libc.inotify_add_watch(self._events, os.fsencode(path), self._OPENED) < 0:
            pytest.skip("the system has no inotify watch left")

    def openings(self) -> int:
        try:
            return len(os.read(self._events, 65536)) // struct.calcsize("iIII")
        except BlockingIOError:
            return 0

    def close(self) -> None:
        os.close(self._events)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile.write_base(tmp_path_factory.mktemp("base") / "golden.mp4")


@pytest.fixture(scope="module")
def callers() -> Iterator[Callers]:
    callers = Callers()
    yield callers
    callers.close()


@pytest.fixture
def place(tmp_path: Path, base: Path, callers: Callers) -> hostile.Place:
    golden = tmp_path / "golden.mp4"
    golden.write_bytes(base.read_bytes())
    return hostile.Place(tmp_path, golden, callers.port)


@pytest.fixture
def golden(place: hostile.Place) -> Iterator[Watched]:
    if sys.platform != "linux":
        pytest.skip("inotify is of Linux")
    watched = Watched(place.golden)
    yield watched
    watched.close()


def in_child(path: Path, plan: FramePlan, budget: hostile.Budget) -> list[Frame]:
    with open_source(path) as source:
        return [Frame(*frame) for frame in untrusted.frames(source, str(plan), budget=budget, limits=LEASH)]


def here(path: Path, plan: FramePlan, budget: hostile.Budget) -> list[Frame]:
    return read_frames(path, plan, budget=budget)


def heard_in_child(path: Path, budget: hostile.Budget) -> np.ndarray:
    with open_source(path) as source:
        how = {"rate_hz": hostile_sound.RATE_HZ, "channels": "mono", "span": None}
        return np.concatenate([np.zeros(0, np.float32), *untrusted.sound(source, **how, budget=budget, limits=LEASH)])


def heard_here(path: Path, budget: hostile.Budget) -> np.ndarray:
    return read_sound(path, rate_hz=hostile_sound.RATE_HZ, channels="mono", budget=budget).samples


def shown_in_child(path: Path, budget: hostile.Budget) -> int:
    with open_source(path) as source:
        return sum(1 for _ in untrusted.pictures(source, ("luma",), budget=budget, limits=LEASH))


def assert_equal(got: list[Frame], base: Path) -> None:
    wanted = read_frames(base, EVERY)
    assert [frame.at_s for frame in got] == [frame.at_s for frame in wanted]
    for mine, other in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(mine.pixels, other.pixels)


def refusal_of(read: Callable[..., object], *given: object) -> str:
    try:
        read(*given)
    except BadInput as error:
        return str(error)
    return ""


def ids(kinds: list[hostile.Kind]) -> list[str]:
    return [kind.name for kind in kinds]


def test_there_are_enough_kinds_and_none_twice() -> None:
    names = ids(hostile.KINDS)
    assert len(set(names)) == len(names) >= 80
    assert sum(kind.outcome == hostile.REFUSED for kind in hostile.KINDS) >= 55
    assert all(kind.reason for kind in hostile.KINDS if kind.outcome == hostile.REFUSED)
    assert len(hostile.HONEST) >= 6
    names = ids(hostile_sound.SOUNDS)
    assert len(set(names)) == len(names) >= 45


def test_the_canaries_sing(place: hostile.Place, golden: Watched, callers: Callers) -> None:
    place.golden.read_bytes()
    assert golden.openings() == 1
    before = callers.count
    with socket.create_connection(("127.0.0.1", callers.port)) as call:
        assert call.recv(1) == b""
    assert callers.count == before + 1


@pytest.mark.parametrize("kind", hostile.KINDS, ids=ids(hostile.KINDS))
def test_each_kind_ends_as_it_should(
    kind: hostile.Kind, place: hostile.Place, base: Path, callers: Callers, golden: Watched
) -> None:
    path = kind.make(place)
    golden.openings()  # by the making
    before = callers.count
    slow = kind.name.startswith("half a million")  # a second of walking, before anything else is looked at
    # What may crash is decoded in a child only; the rest has to end alike in our own process.
    for read in [in_child] if kind.outcome == hostile.SAFE else [in_child, here]:
        for plan in (EVERY,) if slow else (EVERY, SPREAD):
            if kind.outcome == hostile.REFUSED:
                with pytest.raises(BadInput, match=kind.reason) as refusal:
                    read(path, plan, kind.budget)
                assert not re.search(FAULT, str(refusal.value))
                assert str(refusal.value).isprintable()
            elif kind.outcome == hostile.EQUAL:
                frames = read(path, plan, kind.budget)
                if plan is EVERY:
                    assert_equal(frames, base)
            else:
                assert not re.search(FAULT, refusal_of(read, path, plan, kind.budget))
    if not slow:
        refusal = refusal_of(shown_in_child, path, kind.budget)
        assert not re.search(FAULT, refusal)
        assert re.search(kind.reason, refusal)
        assert bool(refusal) == (kind.outcome == hostile.REFUSED) or kind.outcome == hostile.SAFE
        assert not re.search(FAULT, refusal_of(heard_in_child, path, kind.budget))
    assert golden.openings() == 0
    assert callers.count == before


@pytest.mark.parametrize("kind", hostile_sound.SOUNDS, ids=ids(hostile_sound.SOUNDS))
def test_each_kind_of_sound_ends_as_it_should(
    kind: hostile.Kind, place: hostile.Place, callers: Callers, golden: Watched
) -> None:
    path = kind.make(place)
    golden.openings()
    before = callers.count
    for listen in [heard_in_child] if kind.outcome == hostile.SAFE else [heard_in_child, heard_here]:
        if kind.outcome == hostile.EQUAL:
            wanted = (hostile_sound.base_samples() / 2**15).astype(np.float32)
            np.testing.assert_array_equal(listen(path, kind.budget), wanted)
            continue
        refusal = refusal_of(listen, path, kind.budget)
        assert not re.search(FAULT, refusal)
        assert refusal.isprintable()
        assert re.search(kind.reason, refusal)
        assert refusal or kind.outcome == hostile.SAFE
    assert golden.openings() == 0
    assert callers.count == before


@pytest.mark.parametrize("name", hostile.HONEST)
def test_odd_but_honest_encodes_are_equal(name: str, place: hostile.Place, base: Path) -> None:
    path = hostile.HONEST[name](place)
    assert_equal(in_child(path, EVERY, hostile.DEFAULT_BUDGET), base)
    assert_equal(here(path, EVERY, hostile.DEFAULT_BUDGET), base)


@pytest.mark.parametrize("name", hostile.NEARLY)
def test_honest_encodes_without_colour_places_are_nearly_equal(name: str, place: hostile.Place, base: Path) -> None:
    got, wanted = in_child(hostile.NEARLY[name](place), EVERY, hostile.DEFAULT_BUDGET), read_frames(base, EVERY)
    assert [frame.at_s for frame in got] == [frame.at_s for frame in wanted]
    for mine, other in zip(got, wanted, strict=True):
        assert np.abs(mine.pixels.astype(int) - other.pixels).mean() < 1


def test_after_all_of_them_the_next_file_works(base: Path) -> None:
    assert_equal(in_child(base, EVERY, hostile.DEFAULT_BUDGET), base)
