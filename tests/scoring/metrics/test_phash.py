"""pHash against scipy's cosine transform; the search against all pairs."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.fft import dctn

from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.phash import PerceptualHash, distances, near_duplicates, phash


def by_the_book(grey):
    low = dctn(grey.astype(float), type=2, norm="ortho")[:8, :8].ravel()
    bits = low > np.median(low[1:])
    return sum(1 << (63 - number) for number in range(1, 64) if bits[number])


@pytest.mark.parametrize("noise", [1, 10, 100])
@pytest.mark.parametrize("seed", range(20))
def test_equals_scipy(noise, seed):
    y, x = np.mgrid[0:32, 0:32]
    grey = 90 + 3 * x + y + np.random.default_rng(seed).normal(0, noise, (32, 32))
    grey = grey.clip(0, 255).astype(np.uint8)
    assert phash(grey) == by_the_book(grey)


def test_light_does_not_change_it_and_a_flat_picture_is_zero():
    grey = np.random.default_rng(2).integers(50, 150, (32, 32)).astype(np.uint8)
    assert (phash(grey) ^ phash(grey + 60)).bit_count() <= 1
    assert phash(np.full((32, 32), 200, np.uint8)) == 0
    with pytest.raises(ValueError, match="pHash is of 32×32 pixels, not 16×32"):
        phash(grey[:, :16])


def test_compression_moves_few_bits_and_another_picture_many(moving, coarse, clip):
    noise = np.random.default_rng(0).integers(0, 256, (24, 40, 3), dtype=np.uint8).repeat(4, 0).repeat(4, 1)
    metrics = [PerceptualHash() for _ in range(3)]
    for path, metric in zip((moving, coarse, clip([noise])), metrics, strict=True):
        one_pass(path, [metric])
    fine, rough, other = (metric.hashes for metric in metrics)
    assert np.diagonal(distances(fine, rough)).max() <= 8
    assert distances(fine, other).min() >= 16


def test_values_are_the_changed_bits(moving):
    metric = PerceptualHash()
    found = one_pass(moving, [metric]).alone[0]
    assert found.values.tolist() == [int(a ^ b).bit_count() for a, b in pairwise(metric.hashes)]
    assert len(found.at_s) == 23


hashes = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), max_size=12)


@given(hashes=hashes, within=st.integers(0, 20))
def test_the_search_finds_all_pairs_and_no_other(hashes, within):
    expected = [
        (i, j, (a ^ b).bit_count())
        for (i, a), (j, b) in combinations(enumerate(hashes), 2)
        if (a ^ b).bit_count() <= within
    ]
    assert list(near_duplicates(hashes, within=within)) == expected


@given(first=hashes, second=hashes)
def test_distances_are_symmetric(first, second):
    one, other = np.array(first, np.uint64), np.array(second, np.uint64)
    assert np.array_equal(distances(one, other), distances(other, one).T)
    assert not np.diagonal(distances(one, one)).any()
