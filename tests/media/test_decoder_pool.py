"""Children that are killed and stopped from outside while they decode: real children, real signals."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.errors import BrokenData, Unscored
from cutscore.media import decoder_child, decoder_pool, untrusted
from cutscore.media.budget import DEFAULT_BUDGET
from cutscore.media.decoder_child import DecodeLimits
from cutscore.media.frames import Frame
from cutscore.media.probe import probe
from cutscore.media.source import Source, open_source
from cutscore.process import Child

pytestmark = pytest.mark.real

# Pixels of more frames than a socket holds, so that the child is in the middle of its work when it is struck.
LONG = "uniform=500"

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    decoder_pool.POOL.end()
    yield
    decoder_pool.POOL.end()


@pytest.fixture
def source(red_blue: Path) -> Iterator[Source]:
    with open_source(red_blue) as source:
        yield source


def assert_same(first: list[Frame], second: list[Frame]) -> None:
    assert [frame.at_s for frame in first] == [frame.at_s for frame in second]
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)


def strike(monkeypatch: pytest.MonkeyPatch, *numbers: signal.Signals) -> None:
    """Send a signal to one child after the other, each after its first answer."""
    left, ask = list(numbers), decoder_child.Decoder.ask

    def struck(self: decoder_child.Decoder, *given: object) -> Iterator[object]:
        for number, answer in enumerate(ask(self, *given)):  # type: ignore[arg-type]
            if number == 0 and left:
                os.kill(self.child.pid, left.pop(0))
            yield answer

    monkeypatch.setattr(decoder_child.Decoder, "ask", struck)


def read_long(source: Source, limits: DecodeLimits = untrusted.DEFAULT_LIMITS) -> list[Frame]:
    return [Frame(*frame) for frame in untrusted.frames(source, LONG, budget=DEFAULT_BUDGET, limits=limits)]


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL])
def test_a_child_that_dies_is_replaced_and_loses_no_frame(
    number: signal.Signals, source: Source, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = read_long(source)
    strike(monkeypatch, number)
    assert_same(read_long(source), wanted)
    assert f"({number.name}); trying again in a fresh child" in caplog.text


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_crash_that_repeats_is_one_broken_clip(
    number: signal.Signals, red_blue: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(monkeypatch, signal.SIGSEGV, number)
    fact = rf"clip 'red_blue.mp4': made the decoder crash \({number.name}\), twice at the same place"
    with pytest.raises(BrokenData, match=fact):
        read_long(source)
    assert decoder_pool.POOL._idle == []
    assert probe(red_blue, trusted=False).frames == 50


@pytest.mark.parametrize(
    ("numbers", "what"),
    [
        ([signal.SIGKILL, signal.SIGKILL], r"the decoder was killed from outside \(SIGKILL\), twice"),
        ([signal.SIGTERM, signal.SIGSEGV], r"first the decoder was killed .*\(SIGTERM\), then made the decoder crash"),
    ],
)
def test_what_others_do_to_a_child_is_no_fault_of_the_file(
    numbers: list[signal.Signals], what: str, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(monkeypatch, *numbers)
    fact = f"clip 'red_blue.mp4': was not decoded, which is no fault of the file: {what}"
    with pytest.raises(Unscored, match=fact):
        read_long(source)


@linux
def test_a_child_that_is_stopped_is_replaced(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    limits, wanted = DecodeLimits(stall_s=0.5), read_long(source)
    strike(monkeypatch, signal.SIGSTOP)
    assert_same(read_long(source, limits), wanted)
    strike(monkeypatch, signal.SIGSTOP, signal.SIGSTOP)
    with pytest.raises(Unscored, match="no fault of the file: the decoder was stopped from outside, twice"):
        read_long(source, limits)


@linux
def test_waiting_without_work_is_no_fault_of_the_file(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    strike(monkeypatch, signal.SIGSTOP, signal.SIGSTOP)
    fact = "no fault of the file: the decoder got next to no processor time in 1 s, twice"
    with pytest.raises(Unscored, match=fact):
        read_long(source, DecodeLimits(wall_s=1, stall_s=60))


def test_a_child_that_is_killed_while_it_starts_is_replaced(red_blue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = decoder_child.Child, []

    def kill_first(*given: object, **more: object) -> Child:
        started.append(start(*given, **more))  # type: ignore[arg-type]
        if len(started) == 1:
            os.kill(started[0].pid, signal.SIGKILL)
        return started[-1]

    monkeypatch.setattr(decoder_child, "Child", kill_first)
    assert probe(red_blue, trusted=False).frames == 50
    assert len(started) == 2
