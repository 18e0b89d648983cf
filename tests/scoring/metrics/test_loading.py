"""Importing metrics costs nothing: libraries come when pixels do."""

import subprocess
import sys

import numpy as np

from cutscore.scoring.metrics.kernels import compile_kernel, flat_view
from cutscore.scoring.metrics.psnr import mean_squared_difference

NAMES = [
    "colour",
    "edges",
    "flow",
    "freeze",
    "kernels",
    "letterbox",
    "light",
    "measure",
    "metric",
    "metric_frames",
    "one_pass",
    "phash",
    "psnr",
    "shots",
    "ssim",
    "tracks",
    "trajectories",
    "vmaf",
]


def test_no_heavy_library_is_loaded_by_importing_every_metric():
    imports = "; ".join(f"import cutscore.scoring.metrics.{name}" for name in NAMES)
    code = f"{imports}; import sys; print(*sorted({{'numba', 'cv2', 'scipy', 'inspect_ai'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_kernel_is_compiled_once_and_cached_on_disk():
    mean_squared_difference(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.uint8))
    from cutscore.scoring.metrics import psnr

    kernel = compile_kernel(psnr._squared_lines)
    assert kernel is compile_kernel(psnr._squared_lines)
    assert kernel.stats.cache_path
    assert sum(kernel.stats.cache_hits.values()) + sum(kernel.stats.cache_misses.values()) > 0


def test_a_kernel_that_cannot_be_cached_is_compiled_all_the_same():
    made: dict = {}
    exec("def double(values):\n    return 2 * values.sum()", made)  # comes from no file, so there is no folder for it
    assert compile_kernel(made["double"])(np.arange(5)) == 20


def test_flat_copies_nothing_that_lies_in_rows():
    padded = np.arange(40, dtype=np.uint8).reshape(4, 10)
    line, step = flat_view(padded[:, :7])
    assert (step, line.size) == (10, 37)
    assert np.shares_memory(line, padded)
    assert [line[row * step : row * step + 7].tolist() for row in range(4)] == padded[:, :7].tolist()
    assert not line.flags.writeable


def test_flat_straightens_what_is_turned():
    plane = np.arange(12, dtype=np.uint8).reshape(3, 4)
    for turned in (plane.T, plane[::-1], plane[:, ::-1], plane[:, ::2], np.broadcast_to(plane[:1], (3, 4))):
        line, step = flat_view(turned)
        height, width = turned.shape
        rows = [line[row * step : row * step + width].tolist() for row in range(height)]
        assert rows == turned.tolist()
