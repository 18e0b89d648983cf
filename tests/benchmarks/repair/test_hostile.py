"""Attacks on a repair task, where the window is the whole clip."""

from fractions import Fraction

import numpy as np

from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.hostile import _leave_a_picture
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage


def test_of_a_clip_that_is_all_window_a_picture_is_left() -> None:
    pictures = [np.zeros((2, 2, 3), np.uint8)] * 20
    clip = Footage(lambda: iter(pictures), 20, Fraction(10), None, "clip")
    whole, part = Span(start_s=0, end_s=2), Span(start_s=0, end_s=1)
    assert cut_out(clip, [_leave_a_picture(clip, whole)]).count == 1
    assert _leave_a_picture(clip, part) == part
