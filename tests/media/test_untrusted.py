import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from cutscore.core.errors import BrokenData, Stopped
from cutscore.media import decoder_child, decoder_pool, decoder_worker, untrusted
from cutscore.media.budget import DEFAULT_BUDGET, Budget
from cutscore.media.decoder_child import DecodeLimits
from cutscore.media.decoder_protocol import HEAD
from cutscore.media.frames import Frame, iter_frames, read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.source import Source, open_source
from cutscore.process import Child

EVERY = FramePlan.parse("every@0-1000")
# Pixels of more frames than a socket holds, so that the child is in the middle of its work when we look at it.
LONG = "uniform=2000"

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


def idle() -> list[int]:
    return [each.child.pid for each in decoder_pool.POOL._idle]


class Job:
    """A job that is half done, and the process that does it."""

    def __init__(self, source: Source, limits: DecodeLimits, monkeypatch: pytest.MonkeyPatch) -> None:
        borrowed: list[decoder_child.Decoder] = []
        take = decoder_pool.POOL.take
        monkeypatch.setattr(decoder_pool.POOL, "take", lambda limits: borrowed.append(take(limits)) or borrowed[-1])
        self.frames = untrusted.frames(source, LONG, budget=DEFAULT_BUDGET, limits=limits)
        next(self.frames)
        monkeypatch.undo()
        self.pid = borrowed[-1].child.pid

    def rest(self) -> None:
        for _ in self.frames:
            pass


def test_frames_of_a_child_are_read_only(red_blue: Path) -> None:
    (frame,) = read_frames(red_blue, FramePlan.parse("times=0"), trusted=False)
    assert not frame.pixels.flags.writeable


def test_one_child_serves_many_files_and_is_retired(
    red_blue: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        probe(red_blue, trusted=False)
    (first,) = idle()
    probe(red_blue, trusted=False)
    assert idle() == [first]
    monkeypatch.setattr(decoder_pool, "MOST_JOBS", 5)
    probe(red_blue, trusted=False)
    assert idle() == []


def test_a_refused_file_does_not_cost_the_child(tmp_path: Path, red_blue: Path) -> None:
    text = tmp_path / "fixed.mp4"
    text.write_text("ffconcat version 1.0\n")
    probe(red_blue, trusted=False)
    before = idle()
    with pytest.raises(BrokenData, match=r"clip 'fixed.mp4': is not a video that we decode; it looks like a concat"):
        read_frames(text, EVERY, trusted=False)
    assert idle() == before


@linux
def test_a_child_at_work_has_no_descriptor_left_to_open_anything_with(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel gives the lowest free number; all below the limit of five are taken, so it gives none."""
    job = Job(source, DecodeLimits(), monkeypatch)
    proc = Path("/proc") / str(job.pid)
    assert sorted(os.listdir(proc / "fd")) == ["0", "1", "2", "3", "4"]
    assert os.readlink(proc / "fd" / "4") == os.path.realpath(f"/proc/self/fd/{source.descriptor}")
    assert {os.readlink(proc / "fd" / number) for number in "012"} == {"/dev/null"}
    limits = (proc / "limits").read_text()
    for line in ("Max open files 5 5", "Max file size 0 0", "Max core file size 0 0", "Max address space 4294967296"):
        assert line in " ".join(limits.split())
    job.rest()


@linux
def test_a_child_sees_no_secret_and_no_terminal(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-5812")
    job = Job(source, DecodeLimits(stall_s=9), monkeypatch)
    assert b"canary-5812" not in (Path("/proc") / str(job.pid) / "environ").read_bytes()
    assert os.getsid(job.pid) != os.getsid(0)


def test_a_decoder_that_reads_is_not_stuck(source: Source) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line = decoder_worker._Line(theirs)
        line._stall_s, line._pulsed = 60, time.monotonic() - 16
        watched = decoder_worker._WatchedSource(source.name, source.descriptor, line.pulse)
        try:
            assert watched.cursor().read(8)[4:] == b"ftyp"
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 60  # the alarm was put off, too
            assert watched.cursor().read(8)[4:] == b"ftyp"  # so soon after, no second pulse
        finally:
            line.rest()
        assert ours.recv(1000) == HEAD.pack(15, 0) + b'{"is": "pulse"}'


def test_a_hang_that_repeats_is_one_broken_clip(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two children that sleep: nobody has stopped them, and nobody keeps them from the processor."""
    children = lend(monkeypatch, Liar(DecodeLimits(stall_s=0.1)), Liar(DecodeLimits(stall_s=0.1)))
    fact = r"clip 'red_blue.mp4': hung the decoder: nothing came for 0.1 s, twice at the same place"
    with pytest.raises(BrokenData, match=fact):
        frame(source)
    assert all(each.decoder.child.has_ended for each in children)


def test_a_fresh_child_goes_on_where_the_first_one_ended(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = lend(monkeypatch, Liar(), Liar())
    for liar, reds in ((first, [1]), (second, [1, 2])):
        for red in reds:
            liar.says(b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [1, 1, 3]]]}', bytes([red, 0, 0]))
    second.says(b'{"is": "end"}')
    os.kill(first.decoder.child.pid, signal.SIGKILL)
    first.hang_up()
    frames = untrusted.frames(source, "times=0", budget=DEFAULT_BUDGET)
    assert [int(pixels[0, 0, 0]) for _, pixels in frames] == [1, 2]
    second.close()


def test_processor_time_is_limited(source: Source) -> None:
    with pytest.raises(BrokenData, match=r"took more than 1 s of processor time to decode"):
        for _ in untrusted.frames(source, "uniform=2000000", budget=DEFAULT_BUDGET, limits=DecodeLimits(cpu_s=1)):
            pass


@linux
def test_memory_is_limited(tmp_path: Path) -> None:
    """A picture of 5888×5888 takes 100 MB as it is stored and 100 MB as RGB; a child of 380 MB has half of that."""
    path = tmp_path / "large.mov"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mjpeg", rate=25)
        stream.width, stream.height, stream.pix_fmt = 5888, 5888, "yuvj444p"
        out.mux([*stream.encode(av.VideoFrame(5888, 5888, "yuvj444p")), *stream.encode(None)])
    with open_source(path) as large, pytest.raises(BrokenData, match=r"clip 'large.mov': needs more memory"):
        list(untrusted.frames(large, "times=0", budget=DEFAULT_BUDGET, limits=DecodeLimits(memory_bytes=380 << 20)))
    with open_source(path) as large:
        assert len(list(untrusted.frames(large, "times=0", budget=DEFAULT_BUDGET))) == 1


def test_whoever_has_seen_enough_may_stop(red_blue: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    frames = iter_frames(red_blue, FramePlan.parse(LONG), trusted=False)
    assert next(frames).at_s == 0
    frames.close()  # type: ignore[attr-defined]
    assert idle() == []
    assert (len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0) == before
    assert len(read_frames(red_blue, EVERY, trusted=False)) == 50


def test_a_child_that_died_while_idle_is_replaced(red_blue: Path) -> None:
    probe(red_blue, trusted=False)
    (pid,) = idle()
    os.kill(pid, signal.SIGKILL)
    assert decoder_pool.POOL._idle[0].child.wait(30) is not None
    assert probe(red_blue, trusted=False).frames == 50
    assert idle() != [pid]


def test_threads_have_children_of_their_own(red_blue: Path) -> None:
    got: list[list[Frame]] = []
    threads = [
        threading.Thread(target=lambda: got.append(read_frames(red_blue, EVERY, trusted=False))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = read_frames(red_blue, EVERY)
    assert len(got) == 3
    for frames in got:
        assert_same(frames, wanted)


def test_a_budget_goes_along(red_blue: Path) -> None:
    with pytest.raises(BrokenData, match=r"has more than 10 frames, which are allowed"):
        read_frames(red_blue, EVERY, trusted=False, budget=Budget(frames=10))
    with pytest.raises(BrokenData, match=r"lasts 2 s, 1 s are allowed"):
        probe(red_blue, trusted=False, budget=Budget(duration_s=1))


class Liar:
    """A child that was taken over: it lives, and says what it is told to say."""

    def __init__(self, limits: DecodeLimits = untrusted.DEFAULT_LIMITS) -> None:
        ours, self._theirs = socket.socketpair()
        self.decoder = decoder_child.Decoder.__new__(decoder_child.Decoder)
        self.decoder.limits, self.decoder.jobs, self.decoder.is_idle = limits, 0, True
        self.decoder._socket = ours
        self.decoder.child = Child(["sleep", "600"])

    def says(self, head: bytes, body: bytes = b"", body_bytes: int | None = None) -> None:
        self._theirs.sendall(HEAD.pack(len(head), len(body) if body_bytes is None else body_bytes) + head + body)

    def hang_up(self) -> None:
        self._theirs.close()

    def close(self) -> None:
        self.hang_up()
        self.decoder.end()


def lend(monkeypatch: pytest.MonkeyPatch, *liars: Liar) -> tuple[Liar, ...]:
    left = iter(liars)
    for take in ("take", "start"):
        monkeypatch.setattr(decoder_pool.POOL, take, lambda limits: next(left).decoder)
    return liars


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Iterator[Liar]:
    liar = Liar()
    monkeypatch.setattr(decoder_pool.POOL, "take", lambda limits: liar.decoder)
    yield liar
    liar.close()


def frame(source: Source) -> object:
    return list(untrusted.frames(source, "times=0", budget=DEFAULT_BUDGET))


def picture(source: Source) -> object:
    return list(untrusted.pictures(source, ("luma", "rgb"), budget=DEFAULT_BUDGET))


def stereo(source: Source) -> object:
    return list(untrusted.sound(source, rate_hz=48_000, channels="stereo", span=None, budget=DEFAULT_BUDGET))


def extent(source: Source) -> object:
    return untrusted.extent(source, budget=DEFAULT_BUDGET)


def hearing(source: Source) -> object:
    return untrusted.has_sound(source, budget=DEFAULT_BUDGET)


PICTURE = b'{"is": "picture", "at_s": "0", "clock_s": "0", "bits": 8, "full_range": true, "arrays": '
BOTH = b'[["uint8", [2, 2]], ["uint8", [2, 2, 3]]]}'


@pytest.mark.parametrize(
    ("ask", "head", "body_bytes"),
    [
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [1000000, 1000000, 3]]]}', 3_000_000_000_000),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [2, 2, 3]]]}', 13),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [-2, -2, 3]]]}', 12),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [true, 2, 3]]]}', 6),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [2, 2]]]}', 4),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint16", [2, 2, 3]]]}', 24),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["object", [2, 2, 3]]]}', 96),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", [1, 1, 1, 1]]]}', 1),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": [["uint8", []]]}', 1),
        (frame, b'{"is": "frame", "at_s": "0", "arrays": 3}', 0),
        (frame, b'{"is": "frame", "at_s": "0"}', 0),
        (frame, b'{"is": "frame", "at_s": "1/0", "arrays": [["uint8", [1, 1, 3]]]}', 3),
        (frame, b'{"is": "frame", "at_s": "1e999999999", "arrays": [["uint8", [1, 1, 3]]]}', 3),
        (frame, b'{"is": "frame", "arrays": [["uint8", [1, 1, 3]]]}', 3),
        (frame, b'{"is": "sound", "arrays": [["float32", [2, 2]]]}', 16),
        (picture, PICTURE + b'[["uint8", [2, 2]]]}', 4),
        (picture, PICTURE + b'[["uint8", [2, 2]], ["uint8", [2, 3, 3]]]}', 22),
        (picture, PICTURE + b'[["uint8", [2, 2, 3]], ["uint8", [2, 2]]]}', 16),
        (picture, PICTURE + b'[["float32", [2, 2]], ["uint8", [2, 2, 3]]]}', 28),
        (picture, PICTURE.replace(b"8,", b"17,") + BOTH, 16),
        (picture, PICTURE.replace(b"true", b"1") + BOTH, 16),
        (picture, PICTURE.replace(b'"clock_s": "0", ', b"") + BOTH, 16),
        (stereo, b'{"is": "sound", "arrays": [["float32", [8]]]}', 32),
        (stereo, b'{"is": "sound", "arrays": [["uint16", [8, 2]]]}', 32),
        (stereo, b'{"is": "sound", "arrays": [["float32", [1048577, 2]]]}', 8_388_616),
        (stereo, b'{"is": "sound", "arrays": []}', 0),
        (extent, b'{"is": "answer", "answer": "1 2"}', 0),
        (extent, b'{"is": "answer", "answer": "1 2 x"}', 0),
        (extent, b'{"is": "answer", "answer": 3}', 0),
        (extent, b'{"is": "end"}', 0),
        (hearing, b'{"is": "answer", "answer": "perhaps"}', 0),
        (frame, b'{"is": "error", "kind": "SystemExit", "what": "", "fact": "", "next": ""}', 0),
        (frame, b'{"is": "error", "kind": "BrokenData"}', 0),
        (frame, b'{"is": "error", "kind": [], "what": "", "fact": "", "next": ""}', 0),
        (frame, b'{"is": "end", "arrays": [["uint8", [1]]]}', 1),
        (frame, b'{"is": "other"}', 0),
        (frame, b'{"is": []}', 0),
        (frame, b'{"at_s": "0"}', 0),
        (frame, b"[" * 100_000, 0),
        (frame, b"[]", 0),
        (frame, b"\xff", 0),
    ],
)
def test_a_child_is_not_believed(
    ask: Callable[[Source], object], head: bytes, body_bytes: int, source: Source, liar: Liar
) -> None:
    liar.says(head, body_bytes=body_bytes)
    with pytest.raises(BrokenData, match=r"clip 'red_blue.mp4': made the decoder send a malformed answer"):
        ask(source)


def test_a_child_that_answers_wrongly_is_ended(source: Source, liar: Liar) -> None:
    liar.says(b"[]")
    with pytest.raises(BrokenData):
        frame(source)
    assert liar.decoder.child.has_ended


def test_sound_that_is_no_number_is_not_believed(source: Source, liar: Liar) -> None:
    liar.says(b'{"is": "sound", "arrays": [["float32", [1, 2]]]}', np.array([0, np.nan], np.float32).tobytes())
    with pytest.raises(BrokenData, match="samples are not finite"):
        stereo(source)


def test_what_fits_is_taken(source: Source, liar: Liar) -> None:
    """The liar is not refused for being one: without a lie its pictures arrive."""
    liar.says(PICTURE + BOTH, bytes(range(16)))
    liar.says(b'{"is": "end"}')
    (sent,) = untrusted.pictures(source, ("luma", "rgb"), budget=DEFAULT_BUDGET)
    assert sent.luma.samples.tolist() == [[0, 1], [2, 3]]
    assert sent.rgb.ravel().tolist() == list(range(4, 16))
    assert not sent.luma.samples.flags.writeable
    assert (sent.luma.bits, sent.luma.full_range) == (8, True)


def test_no_child_no_decoding(red_blue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(Stopped, match="this machine: cannot start a process: No such file or directory"):
        probe(red_blue, trusted=False)
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(Stopped, match="the decoder: does not start in a child with limits"):
        probe(red_blue, trusted=False)


@linux
def test_children_end_with_their_parent(red_blue: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from cutscore.media import decoder_pool; from cutscore.media.probe import probe\n"
        "probe(Path(sys.argv[1]), trusted=False)\n"
        "print(decoder_pool.POOL._idle[0].child.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(red_blue)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        watched = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    try:
        assert select.select([watched], [], [], 30)[0]
    finally:
        os.close(watched)
