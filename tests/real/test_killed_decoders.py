"""Golden is marked while its decoders are killed and stopped from outside: full marks, or none and a reason."""

import hashlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import cutscore
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair import oracle
from cutscore.benchmarks.repair.report import FIXED
from cutscore.media import decoder_child, decoder_pool
from cutscore.media.source import Source
from cutscore.process.guard_meter import descendants

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]

TRIES, STOPS = 20, 4
WORKER = b"cutscore.media.decoder_worker"


@pytest.fixture
def golden(bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The first item of `repair` and a folder with its perfect deliverable."""
    repair = bench("repair")
    item = repair.items[0]
    for file in oracle.perfect(item, repair.store).files:  # type: ignore[arg-type]
        (tmp_path / file.name).write_bytes(repair.store.path(file).read_bytes())
    decoder_pool.POOL.end()
    yield item.id, tmp_path
    decoder_pool.POOL.end()


def decoders() -> list[int]:
    found = []
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            found += [pid] if WORKER in words else []
    return found


@contextmanager
def strike_after(delay_s: float, number: signal.Signals) -> Iterator[list[int]]:
    """Send a signal to a decoder when some time has passed; give the process that got it."""
    struck: list[int] = []
    is_over = threading.Event()

    def strike() -> None:
        is_over.wait(delay_s)
        while not struck and not is_over.is_set():
            with suppress(ProcessLookupError):
                for pid in decoders()[:1]:
                    os.kill(pid, number)
                    struck.append(pid)
            time.sleep(0.005)

    striker = threading.Thread(target=strike)
    striker.start()
    try:
        yield struck
    finally:
        is_over.set()
        striker.join()


@pytest.mark.release
def test_golden_keeps_its_marks_while_decoders_are_killed(
    golden: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder_child, "_START_S", 15.0)
    item, folder = golden
    for _ in range(2):  # the first one loads things, and takes longer
        began = time.monotonic()
        assert cutscore.score("repair", item, folder).value == 1.0
        whole_s = time.monotonic() - began
    chance = random.Random(16)
    numbers = [signal.SIGKILL] * (TRIES - STOPS) + [signal.SIGSTOP] * STOPS
    for _ in range(2 * TRIES):  # some come too late, when the last decoder has gone
        decoder_pool.POOL.end()
        with strike_after(chance.uniform(0, whole_s * 0.8), numbers[0]) as struck:
            marked = cutscore.score("repair", item, folder)
        assert marked.ending.status == "unscored" or marked.value == 1.0, marked.ending
        del numbers[: len(struck)]
        if not numbers:
            return
    pytest.fail(f"{len(numbers)} of {TRIES} signals came too late")


def test_golden_is_unscored_where_every_decoder_is_killed(golden: tuple[str, Path]) -> None:
    """Not a low score: the ending says that it is no fault of the file."""
    item, folder = golden
    is_over = threading.Event()

    def strike() -> None:
        while not is_over.wait(0.01):
            for pid in decoders():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    striker = threading.Thread(target=strike)
    striker.start()
    try:
        ending = cutscore.score("repair", item, folder).ending
    finally:
        is_over.set()
        striker.join()
    assert ending.status in ("unscored", "stopped")
    assert "no fault of the file" in ending.because or "see that there is memory to spare" in ending.because


def test_a_film_that_crashes_its_decoder_at_the_same_place_is_marked_0(
    golden: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the film does itself stays its own: every child gets the signal of a crash after its first answer."""
    item, folder = golden
    ask = decoder_child.Decoder.ask
    film = hashlib.sha256((folder / FIXED).read_bytes()).hexdigest()

    def crash(self: decoder_child.Decoder, source: Source, *given: object) -> Iterator[object]:
        for answer in ask(self, source, *given):  # type: ignore[arg-type]
            if source.name in film:  # the item's own clips are ours
                os.kill(self.child.pid, signal.SIGSEGV)
            yield answer

    monkeypatch.setattr(decoder_child.Decoder, "ask", crash)
    marked = cutscore.score("repair", item, folder)
    assert (marked.ending.status, marked.value) == ("marked", 0.0)
    assert "made the decoder crash (SIGSEGV), twice at the same place" in marked.findings[0].because
