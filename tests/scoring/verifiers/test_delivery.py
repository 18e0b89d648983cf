"""A delivery against its rules: each rule on both sides of it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.stream import Disposition

from cutscore.core.bundle import Delivery
from cutscore.core.errors import BadInput
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.scoring.verifiers.delivery import broken_rules, check_delivery


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of black, 64×48, 30000/1001 pictures a second."""
    path = tmp_path_factory.mktemp("delivery") / "fixed.mp4"
    write_clip(path, [np.zeros((48, 64, 3), np.uint8)] * 30, rate=Fraction(30000, 1001))
    return path


@pytest.mark.parametrize(
    ("rules", "broken"),
    [
        ({}, []),
        ({"container": "mp4", "codecs": ("h264", "hevc"), "size": (64, 48), "rate": "29.97"}, []),
        ({"length_s": "1.001"}, []),
        ({"length_s": "1.5", "within_s": "0.499"}, []),
        ({"container": "mov"}, ["is mp4, asked was mov"]),
        ({"codecs": ("vp9", "av1")}, ["is encoded as h264, asked was vp9 or av1"]),
        ({"size": (48, 64)}, ["is 64×48, asked was 48×64"]),
        ({"rate": "30.1"}, ["has 29.97 pictures a second, asked were 30.1"]),
        ({"aspect": (4, 3), "sound": False}, []),
        ({"aspect": (102, 75)}, []),  # 2% off, which is still free
        ({"aspect": (103, 75)}, ["is shown 1.333 times as wide as high, asked was 103:75 (1.373)"]),
        ({"sound": True}, ["has no sound track, asked was one"]),
        ({"length_s": 2, "within_s": "1/2"}, ["lasts 1.00 s, asked were 2 ± 0.5 s"]),
        ({"container": "webm", "size": (2, 2)}, ["is mp4, asked was webm", "is 64×48, asked was 2×2"]),
    ],
)
def test_rules(clip: Path, rules: dict[str, Any], broken: list[str]) -> None:
    assert broken_rules(clip, Delivery(name="fixed.mp4", **rules)) == broken


@pytest.mark.parametrize(
    ("level", "asked", "broken"),
    [
        (0.01, True, []),
        (0.0005, True, ["is silent from beginning to end, asked was sound"]),
        (0.01, False, ["has a sound track, asked was none"]),
    ],
)
def test_sound_is_listened_to(tmp_path: Path, level: float, asked: bool, broken: list[str]) -> None:
    hum = Sound((level * np.sin(np.arange(24_000) / 20)).astype(np.float32), 48_000)
    write_clip(tmp_path / "a.mp4", [np.zeros((32, 32, 3), np.uint8)] * 4, rate=Fraction(8), sound=hum)
    assert broken_rules(tmp_path / "a.mp4", Delivery(name="a.mp4", sound=asked)) == broken


def test_sound_has_the_rate_that_was_asked_for(tmp_path: Path, clip: Path) -> None:
    quiet = Sound(np.zeros(1600, np.float32), 16_000)
    write_clip(tmp_path / "a.mp4", [np.zeros((32, 32, 3), np.uint8)], rate=Fraction(10), sound=quiet)
    assert broken_rules(tmp_path / "a.mp4", Delivery(name="a.mp4", sound_hz=16_000)) == []
    other = check_delivery(tmp_path / "a.mp4", Delivery(name="a.mp4", sound_hz=48_000))
    assert [(each.name, each.reason) for each in other] == [
        ("sample rate", "has sound of 16000 Hz, asked were 48000 Hz")
    ]
    assert broken_rules(clip, Delivery(name="a.mp4", sound_hz=48_000)) == []  # a clip without sound has no rate


def test_rules_have_names(clip: Path) -> None:
    found = check_delivery(
        clip, Delivery(name="a.mp4", container="mp4", aspect=(9, 16), length_s=1, within_s=1, sound=True)
    )
    assert [(each.name, each.met) for each in found] == [
        ("container", True),
        ("aspect", False),
        ("length", True),
        ("sound", False),
    ]


def test_what_is_no_video_is_an_error_with_its_fact(tmp_path: Path) -> None:
    (tmp_path / "fixed.mp4").write_text("ffconcat version 1.0\nfile golden.mp4\n")
    with pytest.raises(BadInput, match=r"fixed\.mp4"):
        broken_rules(tmp_path / "fixed.mp4", Delivery(name="fixed.mp4"))


def test_a_choice_of_sound_tracks_is_refused(tmp_path: Path) -> None:
    """Golden sound first, other sound marked as default: players differ in what they play."""
    plain, both = tmp_path / "plain.mp4", tmp_path / "both.mp4"
    hum = Sound((0.1 * np.sin(np.arange(24_000) / 20)).astype(np.float32), 48_000)
    write_clip(plain, [np.zeros((32, 32, 3), np.uint8)] * 4, rate=Fraction(8), sound=hum)
    with av.open(str(plain)) as given, av.open(str(plain)) as again, av.open(str(both), "w") as out:
        tracks = [out.add_stream_from_template(stream) for stream in (*given.streams, again.streams.audio[0])]
        tracks[1].disposition, tracks[2].disposition = Disposition(0), Disposition.default
        for packet in (*given.demux(), *again.demux(audio=0)):
            if packet.dts is not None:
                packet.stream = tracks[packet.stream.index if packet.stream in given.streams else 2]
                out.mux(packet)
    wanted = Delivery(name="fixed.mp4", sound=True)
    assert broken_rules(plain, wanted) == []
    with pytest.raises(BadInput, match=r"has 2 sound tracks, and which one is heard is open; deliver one"):
        check_delivery(both, wanted)
