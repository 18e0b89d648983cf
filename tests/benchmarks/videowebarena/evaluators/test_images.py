"""Likeness of images: as Pillow resizes and scikit-image compares, where they are installed."""

import tracemalloc

import numpy as np
import pytest

from cutscore.benchmarks.videowebarena.evaluators.images import grey, image_ssim, resize_lanczos
from cutscore.core.errors import Unscored

SIZES = [((7, 9), (20, 31)), ((32, 32), (64, 64)), ((50, 40), (50, 90)), ((33, 100), (200, 100)), ((64, 64), (30, 20))]


def noise(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize(("old", "new"), SIZES)
def test_resizes_and_greys_as_pillow_does(old, new):
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    pixels = noise(*old)
    theirs = image.fromarray(pixels).resize(new[::-1], image.Resampling.LANCZOS)
    assert np.array_equal(resize_lanczos(pixels, *new), np.asarray(theirs))
    assert np.array_equal(grey(np.asarray(theirs)), np.asarray(theirs.convert("L")))


@pytest.mark.parametrize(("old", "new"), SIZES[:4])
def test_compares_as_scikit_image_does(old, new):
    metrics = pytest.importorskip("skimage.metrics", reason="scikit-image is not installed: pip install scikit-image")
    first, second = noise(*old), noise(*new, seed=1)
    planes = [grey(resize_lanczos(each, *new)) for each in (first, second)]
    assert image_ssim(first, second) == pytest.approx(metrics.structural_similarity(*planes), abs=1e-6)


def test_equal_images_of_two_sizes_are_alike():
    small = np.kron(noise(4, 4), np.ones((8, 8, 1), np.uint8))
    large = resize_lanczos(small, 64, 64)
    assert image_ssim(small, large) == pytest.approx(1, abs=1e-6)
    assert image_ssim(small, noise(64, 64, seed=5)) < 0.8


def test_images_that_are_too_small_to_compare_are_unscored():
    with pytest.raises(Unscored, match="is 6×4 pixels; SSIM needs at least 7×7"):
        image_ssim(noise(4, 6), noise(3, 3))


def test_a_large_image_takes_little_more_memory_than_itself():
    tracemalloc.start()
    resize_lanczos(noise(3000, 8), 4000, 8)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
