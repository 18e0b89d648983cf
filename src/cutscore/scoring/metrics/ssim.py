"""Structural similarity of luma, in three definitions that give three numbers for one frame.

    ssim_ffmpeg     FFmpeg's `ssim` filter: 8×8 windows at steps of 4, integer sums. The cheap one, and the default.
    ssim_wang       Wang et al. 2004: 11×11 Gaussian of sigma 1.5, at every pixel whose window lies inside.
    ssim_uniform7   7×7 means and sample (n-1) variances, at every pixel whose window lies inside.

On one frame of a 720p film they say 0.9586, 0.9524 and 0.9559, so a threshold holds for its own definition alone.
All are symmetric, 1 for equal frames and at most 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput
from cutscore.media.opencv import opencv
from cutscore.scoring.metrics.kernels import compile_kernel, flat_view, has_compiler
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs

Plane = npt.NDArray[Any]

# K1 and K2 of Wang et al.: they keep the quotients finite where a window is dark or flat.
_K1, _K2 = 0.01, 0.03
_GAUSS_SIDE, _GAUSS_SIGMA = 11, 1.5
_UNIFORM_SIDE = 7


def ssim_ffmpeg(first: Plane, second: Plane, *, bits: int = 8) -> float:
    """Return FFmpeg's SSIM of two planes of equal shape; rows and columns beyond a multiple of 4 do not count."""
    height, width = first.shape
    _require_side(8, first, "ssim_ffmpeg")
    peak, blocks = 2**bits - 1, width // 4
    # FFmpeg rounds both constants to integers.
    c1 = float(int(_K1**2 * peak**2 * 64 + 0.5))
    c2 = float(int(_K2**2 * peak**2 * 64 * 63 + 0.5))
    windows = (blocks - 1) * (height // 4 - 1)
    if not has_compiler():
        return float(_window_sum_plainly(first, second, c1, c2) / windows)
    a, step_a = flat_view(first)
    b, step_b = flat_view(second)
    whole = np.int32 if bits <= 8 else np.int64
    columns, sums = np.empty((4, 4 * blocks), whole), np.empty((2, 4, blocks), whole)
    total = compile_kernel(_window_sum)(a, step_a, b, step_b, height // 4, c1, c2, columns, sums, np.empty(blocks - 1))
    return float(total / windows)


def ssim_wang(first: Plane, second: Plane, *, bits: int = 8) -> float:
    """Return the SSIM of Wang et al. 2004 without their downsampling, from 32-bit floats (exact to about 1e-6)."""
    _require_side(_GAUSS_SIDE, first, "ssim_wang")
    cv2 = opencv()
    weights = cv2.getGaussianKernel(_GAUSS_SIDE, _GAUSS_SIGMA, cv2.CV_32F)
    return _mean_map(
        first, second, bits=bits, side=_GAUSS_SIDE, smooth=lambda x: cv2.sepFilter2D(x, -1, weights, weights)
    )


def ssim_uniform7(first: Plane, second: Plane, *, bits: int = 8) -> float:
    """Return the SSIM with 7×7 uniform windows and sample variances, as common image libraries define it."""
    _require_side(_UNIFORM_SIDE, first, "ssim_uniform7")
    cv2, n = opencv(), _UNIFORM_SIDE**2
    side = (_UNIFORM_SIDE, _UNIFORM_SIDE)
    return _mean_map(
        first, second, bits=bits, side=_UNIFORM_SIDE, smooth=lambda x: cv2.blur(x, side), unbiased=n / (n - 1)
    )


@dataclass(eq=False)
class Ssim(FrameSeries):
    """SSIM of each pair of frames, and their mean.

    Args:
        measure: One of the three functions above; its name is the definition.
        needs: Stored luma, or `grey`, which gives all depths and ranges one scale.
    """

    measure: Callable[..., float] = ssim_ffmpeg
    needs: Needs = field(default=Needs(kind="luma"))

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Measure the similarity of the two."""
        self._add(reference.at_s, self.measure(reference.pixels, test.pixels, bits=reference.bits))

    def result(self) -> Measurement:
        """Return the similarities and their mean."""
        return self._measure_mean("SSIM", f"{self.measure.__name__}{'_grey' if self.needs.kind == 'grey' else ''}.1")


def _require_side(side: int, plane: Plane, name: str) -> None:
    height, width = plane.shape
    if min(height, width) < side:
        raise BadInput(name, f"frames are {width}×{height}", f"it needs at least {side}×{side} pixels")


def _mean_map(
    first: Plane, second: Plane, *, bits: int, side: int, smooth: Callable[[Plane], Plane], unbiased: float = 1.0
) -> float:
    peak = 2**bits - 1
    # Around a middle value the squares stay small, so that 32-bit floats lose less of the variances.
    middle = np.float32(2 ** (bits - 1))
    a, b = first.astype(np.float32) - middle, second.astype(np.float32) - middle
    mean_a, mean_b = smooth(a), smooth(b)
    both, product = smooth(a * a + b * b), smooth(a * b)
    inside = slice(side // 2, -(side // 2))
    rows = [np.ascontiguousarray(each[inside, inside]).ravel() for each in (mean_a, mean_b, both, product)]
    c1, c2 = (_K1 * peak) ** 2, (_K2 * peak) ** 2
    if not has_compiler():
        return float(
            _quotients_plainly([row.astype(np.float64) for row in rows], float(middle), unbiased, c1, c2).mean()
        )
    out = np.empty(rows[0].size)
    compile_kernel(_quotients)(*rows, float(middle), unbiased, c1, c2, out)
    return float(out.mean())


def _quotients_plainly(rows: Sequence[Plane], middle: float, unbiased: float, c1: float, c2: float) -> Plane:
    """Return the SSIM at every pixel with numpy."""
    a, b, both, product = rows
    variances, covariance = unbiased * (both - a * a - b * b), unbiased * (product - a * b)
    a, b = a + middle, b + middle
    quotients: Plane = (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2))
    return quotients


def _window_sum_plainly(first: Plane, second: Plane, c1: float, c2: float) -> float:
    """Add up the SSIM of all windows with numpy: sums of 4×4 blocks, then of two by two of them."""
    height, width = (side // 4 * 4 for side in first.shape)
    a, b = first[:height, :width].astype(np.int64), second[:height, :width].astype(np.int64)

    def windows(plane: Plane) -> Plane:
        blocks = plane.reshape(height // 4, 4, width // 4, 4).sum(axis=(1, 3))
        sums: Plane = blocks[:-1, :-1] + blocks[:-1, 1:] + blocks[1:, :-1] + blocks[1:, 1:]
        return sums.astype(np.float64)

    s1, s2, ss, s12 = windows(a), windows(b), windows(a * a + b * b), windows(a * b)
    across, squares = s1 * s2, s1 * s1 + s2 * s2
    values = (2 * across + c1) * (2 * (s12 * 64 - across) + c2) / ((squares + c1) * (ss * 64 - squares + c2))
    return float(values.sum())


def _quotients(  # noqa: PLR0917  numba compiles positional arguments
    mean_a: Plane,
    mean_b: Plane,
    both: Plane,
    product: Plane,
    middle: float,
    unbiased: float,
    c1: float,
    c2: float,
    out: Plane,
) -> None:
    for i in range(out.size):
        a, b = np.float64(mean_a[i]), np.float64(mean_b[i])
        variances = unbiased * (both[i] - a * a - b * b)
        covariance = unbiased * (product[i] - a * b)
        a += middle
        b += middle
        out[i] = (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2))


def _window_sum(  # noqa: PLR0917
    a: Plane,
    step_a: int,
    b: Plane,
    step_b: int,
    strips: int,
    c1: float,
    c2: float,
    columns: Plane,
    sums: Plane,
    row: Plane,
) -> float:
    """Add up the SSIM of all windows: one strip of four rows after the other, first by column, then by block.

    Four sums describe a block: of a, of b, of the squares of both, of the products. Loops run over slices without
    gaps and write before they add, because that is the form that compilers vectorise.
    """
    total, width = 0.0, columns.shape[1]
    for y in range(strips):
        i, j = 4 * y * step_a, 4 * y * step_b
        a0, a1 = a[i : i + width], a[i + step_a : i + step_a + width]
        a2, a3 = a[i + 2 * step_a : i + 2 * step_a + width], a[i + 3 * step_a : i + 3 * step_a + width]
        b0, b1 = b[j : j + width], b[j + step_b : j + step_b + width]
        b2, b3 = b[j + 2 * step_b : j + 2 * step_b + width], b[j + 3 * step_b : j + 3 * step_b + width]
        in_a, in_b, in_both, in_product = columns[0], columns[1], columns[2], columns[3]
        for x in range(in_a.size):
            u0, u1, u2, u3 = np.int64(a0[x]), np.int64(a1[x]), np.int64(a2[x]), np.int64(a3[x])
            v0, v1, v2, v3 = np.int64(b0[x]), np.int64(b1[x]), np.int64(b2[x]), np.int64(b3[x])
            in_a[x] = u0 + u1 + u2 + u3
            in_b[x] = v0 + v1 + v2 + v3
            in_both[x] = u0 * u0 + u1 * u1 + u2 * u2 + u3 * u3 + v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3
            in_product[x] = u0 * v0 + u1 * v1 + u2 * v2 + u3 * v3
        for kind in range(4):
            column, block = columns[kind], sums[y & 1][kind]
            for x in range(block.size):
                block[x] = column[4 * x] + column[4 * x + 1] + column[4 * x + 2] + column[4 * x + 3]
        if y == 0:
            continue
        first0, second0, both0, product0 = sums[0][0], sums[0][1], sums[0][2], sums[0][3]
        first1, second1, both1, product1 = sums[1][0], sums[1][1], sums[1][2], sums[1][3]
        for x in range(row.size):
            s1 = np.float64(first0[x] + first0[x + 1] + first1[x] + first1[x + 1])
            s2 = np.float64(second0[x] + second0[x + 1] + second1[x] + second1[x + 1])
            ss = np.float64(both0[x] + both0[x + 1] + both1[x] + both1[x + 1])
            s12 = np.float64(product0[x] + product0[x + 1] + product1[x] + product1[x + 1])
            across, squares = s1 * s2, s1 * s1 + s2 * s2
            row[x] = (2 * across + c1) * (2 * (s12 * 64 - across) + c2) / ((squares + c1) * (ss * 64 - squares + c2))
        for x in range(row.size):
            total += row[x]
    return total
