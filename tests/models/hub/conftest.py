"""Torch and transformers from the folder that tools/hub_packages.sh fills, and small weights made of random numbers."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.models.hub.pixels import Frame

FOLDER = Path(sys.prefix) / "share" / "cutscore" / "hub"


@pytest.fixture(scope="package")
def torch() -> Iterator[Any]:
    """torch, or a skip that says what is missing; off the path again when these tests are done."""
    if not (FOLDER / "pins.txt").is_file():
        pytest.skip("torch is missing: 'sh tools/hub_packages.sh' fetches it with pip")
    sys.path.append(str(FOLDER))
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)
    yield torch
    sys.path.remove(str(FOLDER))


@pytest.fixture(scope="package")
def transformers(torch: Any) -> Any:
    import transformers

    transformers.logging.set_verbosity_error()
    return transformers


@pytest.fixture
def frames() -> list[Frame]:
    """Five pictures of 60 × 44 that differ from each other: a gradient and noise."""
    random = np.random.default_rng(7)
    slope = np.linspace(0, 200, 60, dtype=np.float64)[None, :, None]
    return [(slope + random.integers(0, 55, (44, 60, 3)) * (1 + n) / 5).astype(np.uint8) for n in range(5)]
