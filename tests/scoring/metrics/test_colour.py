"""CIEDE2000 against the published pairs of its authors; L*a*b* against the CIE's formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cutscore.scoring.metrics.colour import ColourDistance, ciede2000, lab
from cutscore.scoring.metrics.one_pass import one_pass

# Sharma, Wu and Dalal 2005, table 1: the pairs that tell right implementations from almost right ones.
PUBLISHED = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 3.1571, -77.2803), (50, 0, -82.7485), 2.8615),
    ((50, 2.8361, -74.0200), (50, 0, -82.7485), 3.4412),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.4900, -0.0010), (50, -2.4900, 0.0009), 7.1792),
    ((50, 2.4900, -0.0010), (50, -2.4900, 0.0011), 7.2195),
    ((50, -0.0010, 2.4900), (50, 0.0009, -2.4900), 4.8045),
    ((50, -0.0010, 2.4900), (50, 0.0011, -2.4900), 4.7461),
    ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (61, -5, 29), 22.8977),
    ((50, 2.5, 0), (56, -27, -3), 31.9030),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("first", "second", "distance"), PUBLISHED)
def test_published_pairs_both_ways(first, second, distance):
    one, other = np.array(first, float), np.array(second, float)
    assert ciede2000(one, other) == pytest.approx(distance, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(distance, abs=5e-5)


def lab_by_the_book(rgb):
    """sRGB → linear → XYZ (D65) → L*a*b*."""
    c = rgb / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]])
    xyz = linear @ to_xyz.T / (0.950456, 1, 1.088754)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def test_lab_equals_the_formulas():
    rgb = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    assert lab(rgb) == pytest.approx(lab_by_the_book(rgb), abs=0.05)


colours = arrays.arrays(np.uint8, (4, 4, 3), elements=st.integers(0, 255))


@settings(max_examples=60, deadline=None)
@given(a=colours, b=colours)
def test_symmetric_and_zero_for_equal_colours(a, b):
    assert ciede2000(lab(a), lab(a)).max() == 0
    assert ciede2000(lab(a), lab(b)) == pytest.approx(ciede2000(lab(b), lab(a)), abs=1e-3)
    assert (ciede2000(lab(a), lab(b)) >= 0).all()


def test_a_tint_is_seen_and_its_size_is_right(clip):
    plain, tinted = np.full((64, 64, 3), (120, 130, 140), np.uint8), np.full((64, 64, 3), (150, 130, 110), np.uint8)
    reference, test = clip([plain] * 3, name="a.mp4"), clip([tinted] * 3, name="b.mp4")
    found = one_pass(test, reference=reference, pairs=[ColourDistance()]).pairs[0]
    expected = ciede2000(lab_by_the_book(plain[0, 0]), lab_by_the_book(tinted[0, 0]))
    assert found.summary == pytest.approx(expected, abs=1)
    same = one_pass(reference, reference=reference, pairs=[ColourDistance()]).pairs[0]
    assert same.summary == 0
    assert (same.unit, same.definition) == ("ΔE00", "ciede2000_160.1")
