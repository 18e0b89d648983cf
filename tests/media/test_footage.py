"""Footage of a clip: what it says of its own length can be taken of it."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import load_footage


def test_the_end_of_a_variable_rate_can_be_taken(encode: Callable[..., Any], tmp_path: Path) -> None:
    """Ten pictures over 1.04 s: at their average rate the last one would end later than it does."""
    clip = encode([0, 40, 200, 240, 400, 440, 600, 640, 800, 1000]).write(tmp_path / "clip.mp4")
    whole = load_footage(clip, sound=False)
    last = Span(start_s=whole.length_s / 2, end_s=whole.length_s)
    assert load_footage(clip, span=last, rate=whole.rate, sound=False).count == whole.count // 2
    beyond = Span(start_s=Fraction(0), end_s=whole.length_s + 1 / whole.rate)
    with pytest.raises(BadInput, match="has no picture inside"):
        load_footage(clip, span=beyond, rate=whole.rate, sound=False)
