"""Heavy libraries, loaded when a metric first works with pixels: importing a metric costs nothing.

Kernels are plain Python functions over arrays that numba compiles at their first call. The machine code is
cached on disk, so that only the first process after an installation waits for the compiler (about 2 s). Where the
extra `fast` is not installed, numpy gives the same numbers, later.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])


@cache
def has_compiler() -> bool:
    """Return whether there is a compiler for kernels."""
    return find_spec("numba") is not None


@cache
def compile_kernel(kernel: F) -> F:
    """Return the machine code of a function over arrays; the same object at every call.

    No fast mathematics: a kernel gives the same bits as its Python source.
    """
    # Python's check for a division by zero would keep the compiler from dividing four at a time.
    numba = import_module("numba")
    options = {"nogil": True, "error_model": "numpy"}
    try:
        fast: F = numba.njit(cache=True, **options)(kernel)
    except RuntimeError:  # no folder that it may write to: every process compiles for itself
        fast = numba.njit(**options)(kernel)
    return fast


def flat_view(plane: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """See a plane as one line of samples, with the step from one row to the next; copies only what is turned.

    Decoders pad rows, and a compiler vectorises over memory without gaps better than over a strided array.
    """
    item = plane.itemsize
    if plane.strides[1] != item or plane.strides[0] < plane.shape[1] * item:
        plane = np.ascontiguousarray(plane)
    height, width = plane.shape
    step = plane.strides[0] // item
    line = np.lib.stride_tricks.as_strided(plane, ((height - 1) * step + width,), (item,), writeable=False)
    return line, step
