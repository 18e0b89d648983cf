"""VMAF through a pipe against the same program run on files."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.errors import BadInput, MissingExtra, Stopped, Unscored
from cutscore.scoring.metrics import vmaf
from cutscore.scoring.metrics.metric import MetricFrame
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.vmaf import Vmaf


@pytest.fixture(scope="module")
def ffmpeg() -> str:
    return pytest.importorskip("imageio_ffmpeg", reason="the vmaf extra is not installed").get_ffmpeg_exe()


def directly(ffmpeg: str, test: list[str], reference: list[str], log: Path, model: str = "vmaf_v0.6.1") -> list[float]:
    """Run the program on two files, as anybody would, and give its number for each frame."""
    command = [ffmpeg, "-v", "error", *test, *reference, "-lavfi"]
    graph = f"[0:v][1:v]libvmaf=model=version={model}:log_fmt=json:log_path={log}"
    subprocess.run([*command, graph, "-f", "null", "-"], check=True)
    return [frame["metrics"]["vmaf"] for frame in json.loads(log.read_text())["frames"]]


def planes(width: int, height: int, bits: int, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Waves that move, and the same with noise; every third picture has more of it."""
    rng, peak = np.random.default_rng(1), 2**bits - 1
    y, x = np.mgrid[0:height, 0:width]
    kind = np.uint8 if bits == 8 else np.uint16
    made = []
    for number in range(count):
        clean = 0.5 + 0.3 * np.sin((x + 3 * number) / 9) * np.cos((y - number**1.5) / 7)
        noisy = clean + rng.normal(0, 0.06 if number % 3 else 0.12, clean.shape)
        made.append(tuple((plane.clip(0, 1) * peak).astype(kind) for plane in (clean, noisy)))
    return made


def seen(pairs: list[tuple[np.ndarray, np.ndarray]], bits: int, model: str = "vmaf_v0.6.1"):
    metric = Vmaf(model)
    for number, (clean, noisy) in enumerate(pairs):
        at_s = Fraction(number, 25)
        metric.compare(MetricFrame(at_s, clean, bits), MetricFrame(at_s, noisy, bits))
    return metric.result()


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtra, match=r"^VMAF needs an extra: pip install 'cutscore\[vmaf\]'$"):
        seen(planes(64, 64, 8, 1), 8)


def test_over_a_clip_it_equals_the_program_on_files(moving, coarse, ffmpeg, tmp_path, monkeypatch) -> None:
    theirs = directly(ffmpeg, ["-i", str(coarse)], ["-i", str(moving)], tmp_path / "log.json")
    monkeypatch.setattr(vmaf, "BATCH_BYTES", 0)  # batches of eight pairs
    measured = one_pass(coarse, reference=moving, pairs=[Vmaf()]).pairs[0]
    assert measured.values == pytest.approx(theirs, abs=1e-6)
    assert len(measured.values) == 24
    assert measured.summary == pytest.approx(np.mean(theirs))
    assert (measured.name, measured.definition) == ("VMAF (vmaf_v0.6.1)", "vmaf_v0.6.1.1")


@pytest.mark.real
@pytest.mark.parametrize(
    ("width", "height", "bits", "model"),
    [
        (64, 48, 8, "vmaf_v0.6.1"),
        (65, 49, 8, "vmaf_v0.6.1neg"),
        (96, 33, 10, "vmaf_v0.6.1"),
        (33, 96, 12, "vmaf_4k_v0.6.1"),
    ],
)
def test_sizes_depths_and_models_equal_the_program_on_files(
    ffmpeg: str, tmp_path: Path, width: int, height: int, bits: int, model: str
) -> None:
    pairs = planes(width, height, bits, 5)
    pix_fmt = {8: "yuv420p", 10: "yuv420p10le", 12: "yuv420p12le"}[bits]
    colour = np.full(2 * ((width + 1) // 2) * ((height + 1) // 2), 2 ** (bits - 1), pairs[0][0].dtype).tobytes()
    inputs = []
    for name, side in (("test", 1), ("reference", 0)):
        (tmp_path / name).write_bytes(b"".join(pair[side].tobytes() + colour for pair in pairs))
        inputs.append(["-f", "rawvideo", "-pix_fmt", pix_fmt, "-s", f"{width}x{height}", "-i", str(tmp_path / name)])
    theirs = directly(ffmpeg, *inputs, tmp_path / "log.json", model)
    assert seen(pairs, bits, model).values == pytest.approx(theirs, abs=1e-6)


@pytest.mark.real
@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 14, 15])
def test_batches_give_the_numbers_of_one_run(ffmpeg: str, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    pairs = planes(64, 48, 8, count)
    whole = seen(pairs, 8)
    monkeypatch.setattr(vmaf, "BATCH_BYTES", 0)
    assert seen(pairs, 8).values.tolist() == whole.values.tolist()
    assert len(whole.values) == count


def test_nothing_seen_is_no_number() -> None:
    assert Vmaf().result().summary is None


def test_what_libvmaf_cannot_take_is_refused_before_it_starts(ffmpeg: str) -> None:
    with pytest.raises(BadInput, match="VMAF: pictures are 64×16; give at least 32 pixels a side"):
        seen(planes(64, 16, 8, 1), 8)
    with pytest.raises(BadInput, match="VMAF: pictures have 9 bits; give 8, 10 or 12"):
        seen(planes(64, 64, 9, 1), 9)
    with pytest.raises(BadInput, match="VMAF: pictures change their size or depth on the way"):
        seen([*planes(64, 64, 8, 1), *planes(64, 48, 8, 1)], 8)


def test_a_program_that_fails_is_no_score(ffmpeg: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ffmpeg"
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    for body, fault, kind in (
        (
            "echo \"No such filter: 'libvmaf'\" >&2; exit 1",
            "was built without libvmaf; unset IMAGEIO_FFMPEG_EXE",
            Stopped,
        ),
        ("echo broken >&2; exit 1", "VMAF: could not be computed: broken", Unscored),
        ("echo '{\"frames\": []}'", "VMAF: could not be computed: program '.*' exited with code 0", Unscored),
        ("kill -SEGV $$", "VMAF: could not be computed: program '.*' was ended by SIGSEGV", Unscored),
    ):
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        with pytest.raises(kind, match=fault):
            seen(planes(64, 64, 8, 1), 8)
