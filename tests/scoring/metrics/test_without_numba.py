"""The plain install has no compiler for kernels: numpy gives the same numbers."""

import numpy as np
import pytest

from cutscore.scoring.metrics import edges, psnr, ssim

SIZES = [(8, 8), (17, 23), (90, 160), (101, 67)]


@pytest.fixture
def pair(request):
    """Two noisy planes of a size and depth, the second near the first."""
    (height, width), bits = request.param
    draw = np.random.default_rng(height * width + bits)
    kind = np.uint8 if bits == 8 else np.uint16
    first = draw.integers(0, 2**bits, (height, width))
    second = np.clip(first + draw.integers(-9, 10, (height, width)), 0, 2**bits - 1)
    return first.astype(kind), second.astype(kind), bits


@pytest.mark.parametrize("pair", [(size, bits) for size in SIZES for bits in (8, 10)], indirect=True)
def test_numpy_and_machine_code_agree(pair, monkeypatch):
    first, second, bits = pair
    asked = [
        lambda: psnr.mean_squared_difference(first, second),
        lambda: ssim.ssim_ffmpeg(first, second, bits=bits),
        lambda: ssim.ssim_uniform7(first, second, bits=bits),
        *([lambda: ssim.ssim_wang(first, second, bits=bits)] if min(first.shape) >= 11 else []),
        *([lambda: edges.edge_energy(first)] if bits == 8 else []),
    ]
    fast = [ask() for ask in asked]
    for module in (edges, psnr, ssim):
        monkeypatch.setattr(module, "has_compiler", lambda: False)
        monkeypatch.setattr(module, "compile_kernel", None)
    assert [ask() for ask in asked] == pytest.approx(fast, rel=1e-12)


def test_one_row_and_one_column_have_edges_too(monkeypatch):
    planes = [np.arange(7, dtype=np.uint8).reshape(shape) for shape in ((1, 7), (7, 1))]
    fast = [edges.edge_energy(plane) for plane in planes]
    monkeypatch.setattr(edges, "has_compiler", lambda: False)
    assert [edges.edge_energy(plane) for plane in planes] == fast
