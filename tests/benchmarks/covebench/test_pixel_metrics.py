"""covebench: metrics on pictures whose motion is known, against the formulas and another implementation."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from cutscore.benchmarks.covebench.pixel_metrics import (
    VideoFrames,
    flow_agreement,
    flow_agreement_in_text,
    match_tracks,
    mf_lk,
    msm,
    psnr,
    ssim,
    summarise_tracks,
)


def texture() -> npt.NDArray[np.uint8]:
    """A smooth random pattern, 400 × 400."""
    noise = np.random.default_rng(0).integers(0, 255, (400, 400), dtype=np.uint8)
    found: npt.NDArray[np.uint8] = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 4), None, 0, 255, cv2.NORM_MINMAX)
    return found


def film(offsets: list[int]) -> VideoFrames:
    """The pattern seen through a window of 224 × 224 that is moved sideways, a picture for each offset."""
    pattern = texture()
    stills = tuple(np.ascontiguousarray(pattern[40:264, 60 + at : 284 + at]) for at in offsets)
    return VideoFrames(stills, tuple(cv2.resize(each, (384, 384)) for each in stills), len(stills))


STEADY = film([3 * n for n in range(10)])
SWAYING = film([int(12 * np.sin(1.7 * n)) for n in range(10)])
STILL = film([0] * 10)


def test_both_formulas_of_smoothness_rank_alike_and_differ_in_number() -> None:
    assert msm(STEADY) > 0.99 > 0.6 > msm(SWAYING)  # type: ignore[operator]
    assert msm(SWAYING, paper=True) < msm(SWAYING) - 0.1  # type: ignore[operator]
    assert [msm(STILL), msm(STILL, paper=True)] == pytest.approx([1, 1], abs=1e-3)  # flow has noise at the border


def test_smoothness_needs_three_pictures() -> None:
    assert msm(film([0, 3])) is None


def test_flows_by_hand() -> None:
    right, left = (np.zeros((2, 2, 2), np.float32) for _ in range(2))
    right[..., 0], left[..., 0] = 2, -2
    half = right / 2
    assert flow_agreement(right, right) == pytest.approx(1, abs=1e-5)
    # Opposite, equally long: direction 0, length 1 → 0.3; half as long: 0.7 + 0.3 · (1 − 1/3) = 0.9.
    assert flow_agreement(right, left) == pytest.approx(0.3, abs=1e-5)
    assert flow_agreement(right, half) == pytest.approx(0.9, abs=1e-5)
    # 1 − |f′ − f| / (|f′| + |f|): opposite 0, half as long 1 − 1/3.
    assert flow_agreement_in_text(right, left) == pytest.approx(0, abs=1e-5)
    assert flow_agreement_in_text(right, half) == pytest.approx(2 / 3, abs=1e-5)


def test_motion_fidelity_is_not_clipped() -> None:
    back = film([27 - 3 * n for n in range(10)])
    assert mf_lk(STEADY, STEADY) == pytest.approx(1, abs=1e-4)
    assert mf_lk(STEADY, back) < 0  # type: ignore[operator]
    assert mf_lk(STILL, STILL) == pytest.approx(0.5)
    assert mf_lk(film([0]), STEADY) is None


def test_tracks_are_summed_up_over_what_is_seen() -> None:
    places = np.array([[[0.0, 0.0]], [[2.0, 0.0]], [[100.0, 0.0]]])
    seen = np.array([[True], [True], [False]])
    place, step = summarise_tracks(places, seen)
    assert place.tolist() == [[1.0, 0.0]]
    assert step.tolist() == [[50.0, 0.0]]  # both steps begin where it is seen
    hidden_place, _ = summarise_tracks(places, np.zeros_like(seen))
    assert hidden_place.tolist() == [[34.0, 0.0]]


def test_the_best_matching_is_found_whatever_the_order() -> None:
    places, steps = np.array([[10.0, 10.0], [300.0, 300.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    assert match_tracks((places, steps), (places[::-1], steps[::-1])) == pytest.approx(1, abs=1e-5)


def test_similarity_to_itself_and_to_a_shorter_film() -> None:
    assert ssim(STEADY, STEADY) == pytest.approx(1)
    assert psnr(STEADY, STEADY) == 100
    assert ssim(STEADY, film([0, 3])) is not None  # paired by rank, up to the shorter one
    assert ssim(STEADY, VideoFrames((), (), 0)) is None


def test_psnr_by_hand() -> None:
    dark, light = (VideoFrames((np.full((224, 224), level, np.uint8),), (), 1) for level in (100, 110))
    assert psnr(dark, light) == pytest.approx(10 * np.log10(255**2 / 100))
