"""Metrics by name on files: the numbers of one pass, sound beside pictures, and errors that say what is missing."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import BadInput, UnknownName
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.scoring.metrics.measure import CLIP_METRICS, PAIR_METRICS, make_metric, measure
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.psnr import Psnr
from cutscore.scoring.metrics.ssim import Ssim

SOUND = {"dnsmos", "si_sdr", "si_sdr_aligned", "fw_seg_snr", "stoi", "estoi", "pesq"}


def tone(*, noise: float) -> Sound:
    """Two seconds of a tone that comes and goes, with noise beside it."""
    at_s = np.arange(2 * 16_000) / 16_000
    samples = 0.4 * np.sin(2 * np.pi * 440 * at_s) * (1 + np.sin(2 * np.pi * 3 * at_s)) / 2
    samples += noise * np.random.default_rng(1).standard_normal(len(at_s))
    return Sound(samples.astype(np.float32), 16_000)


def test_names_give_the_numbers_of_one_pass(moving: Path, coarse: Path) -> None:
    found = measure(coarse, moving, metrics=("psnr", "light", "ssim"))
    assert list(found) == ["psnr", "light", "ssim"]
    psnr, ssim = one_pass(coarse, reference=moving, pairs=[Psnr(), Ssim()]).pairs
    assert (found["psnr"].summary, found["ssim"].summary) == (psnr.summary, ssim.summary)
    assert len(found["light"].values) == 24


def test_every_picture_metric_has_a_name(moving: Path, coarse: Path) -> None:
    names = [name for name in (*CLIP_METRICS, *PAIR_METRICS) if name not in SOUND | {"vmaf"}]
    found = measure(coarse, moving, metrics=names)
    assert list(found) == names
    assert len({each.definition for each in found.values()}) == len(names)


def test_sound_is_compared_beside_pictures(tmp_path: Path) -> None:
    grey = [np.full((16, 16, 3), 128, np.uint8)] * 50
    for name, noise in (("clean.mp4", 0.0), ("noisy.mp4", 0.05)):
        write_clip(tmp_path / name, grey, rate=Fraction(25), sound=tone(noise=noise))
    same = measure(tmp_path / "clean.mp4", tmp_path / "clean.mp4", metrics=("si_sdr", "psnr"))
    names = ("si_sdr", "si_sdr_aligned", "fw_seg_snr", "stoi", "estoi")
    worse = measure(tmp_path / "noisy.mp4", tmp_path / "clean.mp4", metrics=names)
    assert worse["si_sdr"].summary is not None
    assert same["si_sdr"].summary is not None
    assert 5 < worse["si_sdr"].summary < 20 < same["si_sdr"].summary
    assert worse["si_sdr_aligned"].summary == pytest.approx(worse["si_sdr"].summary, abs=1)
    assert worse["stoi"].unit == ""
    assert not len(worse["stoi"].values)


def test_what_is_missing_is_said(moving: Path) -> None:
    with pytest.raises(BadInput, match="metric 'ssim': compares a clip with its reference; give a reference"):
        measure(moving)
    with pytest.raises(UnknownName, match="no metric 'sssim'; did you mean 'ssim'"):
        measure(moving, moving, metrics=("sssim",))


class Offered:
    """An entry point of another package."""

    value = "theirs:make"

    def __init__(self, made: Any) -> None:
        self.made = made

    def load(self) -> Any:
        return lambda: self.made


def test_a_plug_in_is_asked_by_its_name(moving: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {"theirs": Offered(make_metric("light")), "broken": Offered("nothing")}
    monkeypatch.setattr("cutscore.scoring.metrics.measure.plugins", lambda kind: offered)
    assert measure(moving, metrics=("theirs",))["theirs"].name == measure(moving, metrics=("light",))["light"].name
    with pytest.raises(BadInput, match=r"metric 'broken': its package made a str without see\(frame\)"):
        measure(moving, metrics=("broken",))
