"""Threads that want to decode take turns: as many as there are processors, and nobody waits for ever."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cutscore.media import decoder_pool
from cutscore.media.decoder_pool import DecoderPool


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> DecoderPool:
    """A pool of a machine with two processors."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    return DecoderPool()


def test_no_more_threads_decode_than_there_are_processors(pool: DecoderPool) -> None:
    inside: list[int] = []
    most: list[int] = []

    def decode(number: int) -> None:
        with pool.turn():
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.01)
            inside.remove(number)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(decode, range(8)))
    assert (max(most), len(most)) == (2, 8)


def test_a_thread_that_has_a_child_does_not_wait_for_the_next(
    pool: DecoderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder_pool, "_PATIENCE_S", 60.0)
    began_s = time.monotonic()
    with pool.turn(), pool.turn(), pool.turn():
        assert time.monotonic() - began_s < 5
    assert pool._room._value == 2


def test_patience_ends_and_a_turn_without_room_gives_none_back(
    pool: DecoderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder_pool, "_PATIENCE_S", 0.02)
    leave, ready = threading.Event(), threading.Barrier(3)

    def stay() -> None:
        with pool.turn():
            ready.wait()
            leave.wait()

    with ThreadPoolExecutor(2) as threads:
        for _ in range(2):
            threads.submit(stay)
        ready.wait()
        with pool.turn():
            assert pool._room._value == 0
        assert pool._room._value == 0
        leave.set()
    assert pool._room._value == 2
