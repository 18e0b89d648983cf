"""What was computed from a file, kept for all who measure against it: cells of a run, its workers, the next run.

A source that eight editors have edited is decoded once. Features are named by the hash of the file and by what made
them, so that another decoder or another version of the computation makes them anew (`media.frame_cache`).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy.typing as npt

from cutscore.media import colour
from cutscore.media.frame_cache import CacheEntry, CacheKey, FrameCache
from cutscore.media.frames import decoder_version
from cutscore.media.opencv import opencv

Features = Mapping[str, npt.NDArray[Any]]


def keep_features(sha256: str, kind: str, make: Callable[[], Features]) -> Features:
    """Return the arrays that `make` computes from a file, read-only; computed once for all who ask.

    Args:
        sha256: Hash of the file, which the caller has checked.
        kind: What is computed, with a version that goes up when equal pixels give other numbers.
        make: Decodes and computes; what it raises is not kept.
    """
    made_by = f"{decoder_version()}; colour {colour.VERSION}; OpenCV {opencv().__version__}"
    key = CacheKey(media=sha256, plan="", made_by=made_by, kind=kind)
    return FrameCache.in_user_cache().get_or_make(key, lambda: CacheEntry(make())).arrays
