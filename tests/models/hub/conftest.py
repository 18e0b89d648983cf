"""Torch and transformers for tests of hub models, and frames for them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hub_packages import torch_on_path

from cutscore.models.hub.pixels import Frame


@pytest.fixture(scope="package")
def torch() -> Iterator[Any]:
    with torch_on_path() as found:
        yield found


@pytest.fixture(scope="package")
def transformers(torch: Any) -> Any:
    import transformers

    return transformers


@pytest.fixture
def frames() -> list[Frame]:
    """Five pictures of 60 × 44 that differ from each other: a gradient and noise."""
    random = np.random.default_rng(7)
    slope = np.linspace(0, 200, 60, dtype=np.float64)[None, :, None]
    return [(slope + random.integers(0, 55, (44, 60, 3)) * (1 + n) / 5).astype(np.uint8) for n in range(5)]
