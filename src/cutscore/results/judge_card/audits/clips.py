"""Clips to audit a judge with: blank ones, shuffled ones, and ones with a text on the picture.

They are made of frames spread evenly over the clip, as many as fit in memory, and last as long as it does. They
have no sound: what a subject handed in is decoded in a limited child, and that gives pictures.
"""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from cutscore.media.frames import read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Uniform
from cutscore.media.probe import probe
from cutscore.media.render import write_clip

MOST_FRAMES, MOST_BYTES = 240, 256_000_000
GREY = 128
# Letters in a line of a caption: just readable at 160 pixels, and small on a large picture, as captions are.
_FEWEST, _MOST, _PIXELS_A_LETTER = 44, 70, 10
_FONT = cv2.FONT_HERSHEY_SIMPLEX

FrameEdit = Callable[[Sequence[Pixels]], Iterable[Pixels]]


def rewrite_clip(path: Path, into: Path, edit: FrameEdit) -> None:
    """Write a clip of the same length whose frames are what `edit` makes of the original ones."""
    facts = probe(path, trusted=False)
    size = facts.width * facts.height * 3
    count = max(1, min(facts.frames or 1, MOST_FRAMES, MOST_BYTES // size))
    frames = [_even(frame.pixels) for frame in read_frames(path, Uniform(count), trusted=False)]
    length_s = facts.duration_s or Fraction(1)
    write_clip(into, edit(frames), rate=len(frames) / length_s)


def blank_frames(frames: Sequence[Pixels]) -> Iterable[Pixels]:
    """Return grey pictures of the same size."""
    return (np.full_like(frame, GREY) for frame in frames)


def shuffle_frames(frames: Sequence[Pixels], *, seed: int) -> Iterable[Pixels]:
    """Return the same pictures in seeded order."""
    return (frames[place] for place in np.random.default_rng(seed).permutation(len(frames)))


def caption_frames(frames: Sequence[Pixels], *, text: str) -> Iterable[Pixels]:
    """Return the pictures with a text in a dark band at the bottom, as wide as the picture; letters are ASCII."""
    height, width = frames[0].shape[:2]
    lines = textwrap.wrap(text, min(max(_FEWEST, width // _PIXELS_A_LETTER), _MOST))
    widest = max(cv2.getTextSize(line, _FONT, 1.0, 1)[0][0] for line in lines)
    scale = 0.96 * width / widest
    step = max(1, min(int(30 * scale), height // (len(lines) + 1)))
    for frame in frames:
        made = frame.copy()
        made[height - step * (len(lines) + 1) :] //= 4
        for number, line in enumerate(lines):
            corner = (max(1, width // 80), height - step * (len(lines) - number) + step // 4)
            cv2.putText(made, line, corner, _FONT, scale, (255, 255, 255), 1, cv2.LINE_AA)
        yield made


def _even(pixels: Pixels) -> Pixels:
    """Cut off a last row or column: colour is stored at half resolution."""
    height, width = pixels.shape[:2]
    return np.ascontiguousarray(pixels[: max(2, height // 2 * 2), : max(2, width // 2 * 2)])
