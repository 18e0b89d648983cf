"""Edge energy against scipy's Sobel filter."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, sobel

from cutscore.scoring.metrics.edges import EdgeEnergy, edge_energy
from cutscore.scoring.metrics.one_pass import one_pass


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (9, 13), (64, 48), (91, 161)])
@pytest.mark.parametrize("noise", [0, 5, 80])
def test_equals_scipy(size, noise):
    rng = np.random.default_rng(noise)
    y, x = np.mgrid[0 : size[0], 0 : size[1]]
    grey = (2 * x + y + rng.normal(0, noise, size)).clip(0, 255).astype(np.uint8)
    plain = grey.astype(float)
    expected = np.mean(sobel(plain, 1, mode="mirror") ** 2 + sobel(plain, 0, mode="mirror") ** 2) / 64
    assert edge_energy(grey) == pytest.approx(expected, rel=1e-9)


def test_flat_is_zero_a_ramp_is_its_slope_and_blur_takes_energy_away():
    assert edge_energy(np.full((30, 30), 77, np.uint8)) == 0
    ramp = np.tile(np.arange(0, 200, 2, dtype=np.uint8), (60, 1))
    assert edge_energy(ramp) == pytest.approx(4, rel=0.03)  # borders mirror: no slope there
    noise = np.random.default_rng(1).integers(0, 256, (60, 60)).astype(np.uint8)
    assert edge_energy(gaussian_filter(noise, 1)) < edge_energy(noise) / 4


def test_it_tells_a_coarse_copy_from_its_source(moving, coarse):
    sharp, blurred = (one_pass(path, [EdgeEnergy()]).alone[0] for path in (moving, coarse))
    assert blurred.summary < sharp.summary
    assert len(sharp.values) == 24
