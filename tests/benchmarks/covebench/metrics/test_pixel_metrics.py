"""covebench: metrics on pictures whose motion is known, against the formulas and another implementation."""

from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from scipy.ndimage import uniform_filter

from cutscore.benchmarks.covebench.metrics.pixel_metrics import (
    NEEDS,
    VideoFeatures,
    flow_agreement,
    flow_agreement_in_text,
    flows,
    follow_grid,
    match_tracks,
    mf_lk,
    msm,
    psnr,
    read_source,
    read_video,
    ssim,
    summarise_tracks,
)
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan, Released
from cutscore.media.render import write_clip
from cutscore.scoring.metrics.flow import flow
from cutscore.scoring.metrics.metric import Needs
from cutscore.scoring.metrics.ssim import ssim_uniform7

Pixels = npt.NDArray[np.uint8]


def texture() -> Pixels:
    """A smooth random pattern, 400 × 400."""
    noise = np.random.default_rng(0).integers(0, 255, (400, 400), dtype=np.uint8)
    found: Pixels = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 4), None, 0, 255, cv2.NORM_MINMAX)
    return found


def film(offsets: list[int]) -> VideoFeatures:
    """The pattern seen through a window of 224 × 224 that is moved sideways, a picture for each offset."""
    pattern = texture()
    stills = tuple(np.ascontiguousarray(pattern[40:264, 60 + at : 284 + at]) for at in offsets)
    tracks = follow_grid([cv2.resize(each, (384, 384)) for each in stills])
    return VideoFeatures(stills, tracks, len(stills), Fraction(len(stills), 10))


STEADY = film([3 * n for n in range(10)])
SWAYING = film([int(12 * np.sin(1.7 * n)) for n in range(4)])
STILL = film([0] * 10)


@pytest.mark.parametrize(
    ("count", "total", "numbers"),
    [
        # 24·i/9 = 0, 2⅔, 5⅓, 8 …
        (10, 25, (0, 3, 5, 8, 11, 13, 16, 19, 21, 24)),
        # 24·i/15 = 0, 1.6, 3.2, 4.8 …
        (16, 25, (0, 2, 3, 5, 6, 8, 10, 11, 13, 14, 16, 18, 19, 21, 22, 24)),
        (3, 6, (0, 2, 5)),  # 2.5 goes to the even neighbour
        (10, 4, (0, 1, 2, 3)),
        (10, 1, (0,)),
        (1, 5, (2,)),
        (10, 0, ()),
    ],
)
def test_which_frames_are_sampled(count: int, total: int, numbers: tuple[int, ...]) -> None:
    assert Released(count).numbers(total) == numbers


def test_of_10_and_16_frames_no_number_lies_halfway() -> None:
    """Python's rounding half to even never decides: 9 and 15 are odd."""
    for n in (10, 16):
        places = (Fraction(i * (total - 1), n - 1) for total in range(n, 999) for i in range(n))
        assert not any(place.denominator == 2 for place in places)


def test_what_is_read_of_a_video(tmp_path: Path) -> None:
    """25 pictures: 10 for structure and 16 for tracks, grey from RGB by OpenCV's weights, then scaled by area."""
    path = tmp_path / "clip.mp4"
    colours = np.random.default_rng(1).integers(0, 256, (12, 16, 3), dtype=np.uint8).repeat(8, 0).repeat(8, 1)
    write_clip(path, (np.roll(colours, 3 * n, axis=1) for n in range(25)), rate=Fraction(10), crf=10)
    found = read_video(path, [Needs(kind="rgb", plan=Released(2))])
    frames = [each.pixels for each in read_frames(path, FramePlan.parse("every@0-9"))]
    greys = [cv2.cvtColor(each, cv2.COLOR_RGB2GRAY) for each in frames]
    sizes = {224: Released(10).numbers(25), 384: Released(16).numbers(25)}
    stills, tracked = (
        [cv2.resize(greys[n], (side, side), interpolation=cv2.INTER_AREA) for n in numbers]
        for side, numbers in sizes.items()
    )
    assert [each.tobytes() for each in found.stills] == [each.tobytes() for each in stills]
    assert [each.size for each in NEEDS] == [(224, 224), (384, 384)]
    assert np.array_equal(np.array(found.tracks), np.array(follow_grid(tracked)))
    assert (found.count, found.length_s, found.lost) == (25, Fraction(5, 2), 0)
    assert [each.pixels.tobytes() for each in found.more[0]] == [frames[0].tobytes(), frames[24].tobytes()]
    kept = read_source(path, "e" * 64)
    path.unlink()  # what is kept needs no file
    again = read_source(path, "e" * 64)
    for each in (kept, again):
        assert [one.tobytes() for one in each.stills] == [one.tobytes() for one in found.stills]
        assert np.array_equal(np.array(each.tracks), np.array(found.tracks))
        assert (each.count, each.length_s) == (25, Fraction(5, 2))


def test_the_parameters_of_farneback() -> None:
    first, second = STEADY.stills[:2]
    named = {"pyr_scale": 0.5, "levels": 3, "winsize": 15, "iterations": 3, "poly_n": 5, "poly_sigma": 1.2, "flags": 0}
    theirs = cv2.calcOpticalFlowFarneback(first, second, None, **named)
    assert np.array_equal(flow(first, second, method="farneback"), theirs)
    assert np.array_equal(flows(STEADY)[0], theirs)


def smoothness_by_complex_numbers(stills: tuple[Pixels, ...], *, paper: bool) -> float:
    """Both formulas written a second time: a flow is a complex number for each pixel."""
    fields = [cv2.calcOpticalFlowFarneback(*pair, None, 0.5, 3, 15, 3, 5, 1.2, 0) for pair in pairwise(stills)]
    values = []
    for f0, f1 in pairwise([each[..., 0].astype(float) + 1j * each[..., 1] for each in fields]):
        mask = (abs(f0) > 0.05) | (abs(f1) > 0.05)
        z0, z1 = f0[mask], f1[mask]
        if paper:
            values.append(1 - np.minimum(1, abs(z1 - z0) / (abs(z1) + abs(z0) + 1e-6)).mean())
        else:
            cosine = ((z0 * z1.conj()).real / (abs(z0) * abs(z1) + 1e-6)).clip(-1, 1)
            length = 1 - abs(abs(z0) - abs(z1)) / (abs(z0) + abs(z1) + 1e-6)
            values.append((0.35 * (cosine + 1) + 0.3 * length).clip(0, 1).mean())
    return float(np.mean(values))


def test_both_formulas_of_smoothness_rank_alike_and_differ_in_number() -> None:
    """The released code and the paper: two numbers for one clip, as far apart as on the clips of the release."""
    found = [msm(flows(SWAYING), paper=paper) for paper in (False, True)]
    again = [smoothness_by_complex_numbers(SWAYING.stills, paper=paper) for paper in (False, True)]
    assert found == pytest.approx(again, abs=1e-6)
    assert found == pytest.approx([0.590, 0.363], abs=0.005)
    steady, still = (flows(film(offsets)) for offsets in ([0, 3, 6], [0, 0, 0]))
    assert [msm(steady), msm(steady, paper=True)] == pytest.approx([0.999, 0.997], abs=0.001)
    assert [msm(still), msm(still, paper=True)] == pytest.approx([1, 1], abs=1e-3)  # flow has noise at the border


@pytest.mark.parametrize("paper", [False, True])
def test_smoothness_needs_three_pictures(paper: bool) -> None:
    assert msm(flows(film([0, 3])), paper=paper) is None
    assert msm(flows(film([0, 3, 6])), paper=paper) is not None


def even(x: float, y: float = 0.0) -> npt.NDArray[np.float32]:
    """One flow for all of 2 × 2 pixels."""
    return np.broadcast_to(np.array([x, y], np.float32), (2, 2, 2)).copy()


def test_flows_by_hand() -> None:
    right, left, half, down = even(2), even(-2), even(1), even(0, 2)
    assert flow_agreement(right, right) == pytest.approx(1, abs=1e-5)
    # Opposite, equally long: direction 0, length 1 → 0.3; half as long: 0.7 + 0.3 · (1 − 1/3) = 0.9.
    # At right angles: 0.7 · ½ + 0.3.
    assert flow_agreement(right, left) == pytest.approx(0.3, abs=1e-5)
    assert flow_agreement(right, half) == pytest.approx(0.9, abs=1e-5)
    assert flow_agreement(right, down) == pytest.approx(0.65, abs=1e-5)
    # 1 − |f′ − f| / (|f′| + |f|): opposite 0, half as long 1 − 1/3, at right angles 1 − √2/2.
    assert flow_agreement_in_text(right, left) == pytest.approx(0, abs=1e-5)
    assert flow_agreement_in_text(right, half) == pytest.approx(2 / 3, abs=1e-5)
    assert flow_agreement_in_text(right, down) == pytest.approx(1 - 2**0.5 / 2, abs=1e-5)


@pytest.mark.parametrize("alike", [flow_agreement, flow_agreement_in_text])
def test_a_pixel_counts_when_either_flow_moves_it_by_more_than_a_twentieth(alike: Any) -> None:
    assert alike(even(0.04), even(-0.04)) == 1  # nothing moves, so all is smooth
    before, after = even(0.04), even(-0.04)
    before[0, 0], after[0, 0] = (2, 0), (2, 0)
    assert alike(before, after) == pytest.approx(1, abs=1e-5)  # the other three do not count
    after[0, 1] = (-0.06, 0)
    assert alike(before, after) < 0.9  # one flow above is enough


def test_motion_fidelity_is_not_clipped() -> None:
    back = film([27 - 3 * n for n in range(10)])
    assert mf_lk(STEADY, STEADY) == pytest.approx(1, abs=1e-4)
    assert mf_lk(STEADY, back) < 0  # type: ignore[operator]
    assert mf_lk(STILL, STILL) == pytest.approx(0.5)
    assert mf_lk(film([0]), STEADY) is None
    assert mf_lk(STEADY, film([])) is None


def test_tracks_are_summed_up_over_what_is_seen() -> None:
    places = np.array([[[0.0, 0.0]], [[2.0, 0.0]], [[100.0, 0.0]]])
    seen = np.array([[True], [True], [False]])
    place, step = summarise_tracks(places, seen)
    assert place.tolist() == [[1.0, 0.0]]
    assert step.tolist() == [[50.0, 0.0]]  # both steps begin where it is seen
    hidden_place, hidden_step = summarise_tracks(places, np.zeros_like(seen))
    assert (hidden_place.tolist(), hidden_step.tolist()) == ([[34.0, 0.0]], [[50.0, 0.0]])
    late = np.array([[False], [False], [True]])  # no step begins where it is seen
    assert [each.tolist() for each in summarise_tracks(places, late)] == [[[100.0, 0.0]], [[50.0, 0.0]]]


def test_the_matching_is_the_best_of_all() -> None:
    """Against the cost as it is written down and every order of five tracks."""
    rng = np.random.default_rng(5)
    (places, steps), (others, turns) = ((rng.uniform(0, 384, (5, 2)), rng.normal(0, 3, (5, 2))) for _ in range(2))

    def cost(i: int, j: int) -> float:
        distance = np.hypot(*(places[i] - others[j])) / (2**0.5 * 384)
        lengths = np.hypot(*steps[i]) * np.hypot(*turns[j])
        return float(0.5 * distance + 0.5 * (1 - steps[i] @ turns[j] / (lengths + 1e-6)))

    best = min(sum(cost(i, j) for i, j in enumerate(order)) / 5 for order in permutations(range(5)))
    assert match_tracks((places, steps), (others, turns)) == pytest.approx(1 - best)


def test_frames_are_paired_by_rank_up_to_the_shorter_film() -> None:
    assert ssim(STEADY, STEADY) == pytest.approx(1)
    assert psnr(STEADY, STEADY) == 100
    short = film([0, 14, 27])
    pairs = list(zip(STEADY.stills, short.stills, strict=False))
    assert ssim(STEADY, short) == pytest.approx(np.mean([ssim_uniform7(*pair) for pair in pairs]))
    assert len(pairs) == 3
    assert ssim(STEADY, film([])) is None
    assert psnr(STEADY, film([])) is None


def similar_pairs() -> dict[str, tuple[Pixels, Pixels]]:
    """Pairs of pictures: a grating with grain, moved, inverted, against noise, very dark, very bright, flat."""
    rng = np.random.default_rng(17)
    y, x = np.mgrid[0:224, 0:224]
    waves = (127 + 80 * np.sin(x / 9) + 40 * np.cos(y / 5)).astype(np.uint8)
    grain = rng.integers(0, 40, waves.shape)
    noise = rng.integers(0, 256, waves.shape).astype(np.uint8)
    return {
        "grain": (waves, np.minimum(waves + grain, 255).astype(np.uint8)),
        "shifted": (waves, np.roll(waves, 3, axis=1)),
        "inverted": (waves, 255 - waves),
        "noise": (waves, noise),
        "dark": (waves // 40, np.roll(waves, 2, axis=0) // 40),
        "bright": (255 - waves // 60, 255 - grain.astype(np.uint8) // 20),
        "flat": (np.zeros_like(waves), np.full_like(waves, 3)),
    }


# structural_similarity(one, other, data_range=255) of scikit-image 0.26.0, which the tests do not install.
SCIKIT_IMAGE = {
    "grain": 0.7728007364,
    "shifted": 0.9283965062,
    "inverted": -0.5113988318,
    "noise": 0.0091398167,
    "dark": 0.9924453990,
    "bright": 0.9932120919,
    "flat": 0.4194484761,
}


@pytest.mark.parametrize("name", SCIKIT_IMAGE)
def test_similarity_is_that_of_scikit_image(name: str) -> None:
    first, second = similar_pairs()[name]
    a, b = first.astype(float), second.astype(float)

    def mean(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.asarray(uniform_filter(values, 7))

    va, vb, co = (49 / 48 * (mean(p * q) - mean(p) * mean(q)) for p, q in ((a, a), (b, b), (a, b)))
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    values = (2 * mean(a) * mean(b) + c1) * (2 * co + c2) / ((mean(a) ** 2 + mean(b) ** 2 + c1) * (va + vb + c2))
    again = float(values[3:-3, 3:-3].mean())
    assert again == pytest.approx(SCIKIT_IMAGE[name], abs=1e-9)  # the formula is theirs
    assert ssim_uniform7(first, second) == pytest.approx(SCIKIT_IMAGE[name], abs=1e-6)


def test_psnr_by_hand() -> None:
    dark, light = (VideoFeatures((np.full((224, 224), level, np.uint8),), None, 1, Fraction(1)) for level in (100, 110))
    assert psnr(dark, light) == pytest.approx(10 * np.log10(255**2 / 100))
