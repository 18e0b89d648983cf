"""Features of a file are made once for all who ask, and anew when what makes them changes."""

import numpy as np
import pytest

from cutscore.core.errors import BrokenData
from cutscore.scoring.metrics import kept_features
from cutscore.scoring.metrics.kept_features import Features, keep_features


class Maker:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Features:
        self.made += 1
        return {"stills": np.arange(6, dtype=np.uint8).reshape(2, 3), "steps": np.array([0.1, 1 / 3])}


def test_features_are_made_once_and_come_back_bit_for_bit() -> None:
    make = Maker()
    first, again = (keep_features("a" * 64, "stills 1", make) for _ in range(2))
    assert make.made == 1
    for name, array in first.items():
        assert again[name].dtype == array.dtype
        assert again[name].tobytes() == array.tobytes()
    assert not again["stills"].flags.writeable


def test_another_file_kind_or_library_makes_them_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    for sha256, kind in (("b" * 64, "stills 1"), ("c" * 64, "stills 1"), ("c" * 64, "stills 2")):
        keep_features(sha256, kind, make)
    assert make.made == 3
    monkeypatch.setattr(kept_features, "decoder_version", lambda: "another decoder")
    keep_features("c" * 64, "stills 2", make)
    assert make.made == 4


def test_a_failure_is_not_kept() -> None:
    def fail() -> Features:
        raise BrokenData("clip 'a.mp4'", "cannot be decoded")

    with pytest.raises(BrokenData):
        keep_features("d" * 64, "stills 1", fail)
    assert "stills" in keep_features("d" * 64, "stills 1", Maker())
