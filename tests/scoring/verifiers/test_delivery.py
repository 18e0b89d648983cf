"""A delivery against its rules: each rule on both sides of it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.bundle import Delivery
from cutscore.core.errors import BadInput
from cutscore.media.render import write_clip
from cutscore.scoring.verifiers.delivery import unmet


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
        ({"length_s": 2, "within_s": "1/2"}, ["lasts 1.00 s, asked were 2 ± 0.5 s"]),
        ({"container": "webm", "size": (2, 2)}, ["is mp4, asked was webm", "is 64×48, asked was 2×2"]),
    ],
)
def test_rules(clip: Path, rules: dict[str, Any], broken: list[str]) -> None:
    assert unmet(clip, Delivery(name="fixed.mp4", **rules)) == broken


def test_what_is_no_video_is_an_error_with_its_fact(tmp_path: Path) -> None:
    (tmp_path / "fixed.mp4").write_text("ffconcat version 1.0\nfile golden.mp4\n")
    with pytest.raises(BadInput, match=r"fixed\.mp4"):
        unmet(tmp_path / "fixed.mp4", Delivery(name="fixed.mp4"))
