"""Frames on their way into a vision model: resized, cropped and normalised on the device, a whole batch at once.

Frames are uint8 RGB, (height, width, 3). Resizing is antialiased and rounded to whole levels, as Pillow does it, which
is what the processors of these models use; it differs from Pillow's by a level at most.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cutscore.models.hub.weights import Placement, import_torch

Frame = npt.NDArray[np.uint8]
Filter = Literal["bicubic", "bilinear"]

IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
CLIP = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
HALF = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))


def stack_frames(frames: Sequence[Frame], placement: Placement) -> Any:
    """Return frames of one size as a tensor (frames, 3, height, width) of whole levels, on the device."""
    torch = import_torch()
    stacked = torch.from_numpy(np.stack(frames)).to(placement.device)
    return stacked.permute(0, 3, 1, 2).float()


def resize(levels: Any, height: int, width: int, how: Filter) -> Any:
    """Return pictures of another size, first the width and then the height, in whole levels after each."""
    interpolate = import_torch().nn.functional.interpolate
    for size in ((levels.shape[-2], width), (height, width)):
        if tuple(levels.shape[-2:]) != size:
            made = interpolate(levels, size=size, mode=how, antialias=True, align_corners=False)
            levels = (made + 0.5).floor().clamp(0, 255)  # halves go up
    return levels


def resize_short_side(levels: Any, side: int, how: Filter) -> Any:
    """Return pictures whose shorter side has `side` pixels; the longer one is cut to a whole number."""
    height, width = levels.shape[-2:]
    if height <= width:
        return resize(levels, side, int(side * width / height), how)
    return resize(levels, int(side * height / width), side, how)


def crop_middle(levels: Any, side: int) -> Any:
    """Return the square in the middle."""
    height, width = levels.shape[-2:]
    top, left = (height - side) // 2, (width - side) // 2
    return levels[..., top : top + side, left : left + side]


def normalise(levels: Any, scale: tuple[Sequence[float], Sequence[float]], placement: Placement) -> Any:
    """Return levels as a model wants them: 0 to 1, less the mean, over the deviation, in the model's precision."""
    torch = import_torch()
    mean, deviation = (torch.tensor(each, device=levels.device).view(1, 3, 1, 1) for each in scale)
    return ((levels / 255 - mean) / deviation).to(getattr(torch, placement.dtype))


def batches(frames: Sequence[Frame], most: int) -> list[Sequence[Frame]]:
    """Return frames in runs of one size, at most so many in each.

    >>> sizes = [(2, 2), (2, 2), (2, 2), (4, 2)]
    >>> [len(each) for each in batches([np.zeros((*size, 3), np.uint8) for size in sizes], 2)]
    [2, 1, 1]
    """
    runs: list[list[Frame]] = []
    for frame in frames:
        if not runs or len(runs[-1]) == most or runs[-1][0].shape != frame.shape:
            runs.append([])
        runs[-1].append(frame)
    return list(runs)
