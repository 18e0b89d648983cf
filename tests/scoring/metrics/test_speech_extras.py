import sys

import numpy as np
import pytest

from cutscore.core.errors import BadInput, MissingExtra
from cutscore.scoring.metrics.dnsmos import dnsmos
from cutscore.scoring.metrics.pesq import pesq_wb

NOISE = (0.1 * np.random.default_rng(1).standard_normal(32_000)).astype(np.float32)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pesq", None)
    monkeypatch.setitem(sys.modules, "speechmos.dnsmos", None)
    with pytest.raises(MissingExtra, match=r"PESQ needs an extra: pip install 'cutscore\[audio\]'"):
        pesq_wb(NOISE, NOISE, rate_hz=16_000)
    with pytest.raises(MissingExtra, match=r"DNSMOS needs an extra: pip install 'cutscore\[audio\]'"):
        dnsmos(NOISE, rate_hz=16_000)


def test_the_rate_must_be_the_measures_own() -> None:
    with pytest.raises(BadInput, match="PESQ: sounds have 48000 samples a second; read them at 16000"):
        pesq_wb(NOISE, NOISE, rate_hz=48_000)
    with pytest.raises(BadInput, match="DNSMOS: sound has 8000 samples a second; read it at 16000"):
        dnsmos(NOISE, rate_hz=8_000)
    with pytest.raises(BadInput, match="DNSMOS: sound is not mono within"):
        dnsmos(20 * NOISE, rate_hz=16_000)


def test_pesq_of_a_copy_is_the_top_of_the_scale() -> None:
    pytest.importorskip("pesq", reason="the audio extra is not installed")
    assert pesq_wb(NOISE, NOISE, rate_hz=16_000) == pytest.approx(4.64, abs=0.01)


def test_dnsmos_is_on_its_scale() -> None:
    pytest.importorskip("speechmos", reason="the audio extra is not installed")
    scores = dnsmos(NOISE, rate_hz=16_000)
    assert all(1 <= score <= 5 for score in (scores.overall, scores.speech, scores.background, scores.p808))
