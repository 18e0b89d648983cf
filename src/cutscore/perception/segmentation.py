"""What stands out in one picture: regions of even colour with an edge all around, in front of a background.

Edges are where colour changes within three pixels; how much counts is measured against the picture itself, so that
noise and texture are not edges of things. What lies between edges is a region. Gradients and soft shadows have no
edge and stay part of what they lie on. The background is what reaches around the picture, what is large, what is
texture, and whatever has the colour that the background has around it, such as the inside of a ring.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from cutscore.media.opencv import opencv
from cutscore.perception.colours import Lab, rgb_to_lab

Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int32]

# ΔE within three pixels that is an edge in a clean picture; antialiasing spreads an edge of twice that.
EDGE = 7.0
# The same as a multiple of the picture's median, which noise and texture raise, and its upper limit: a thing that
# stands out less than that from texture cannot be seen.
_EDGE_OVER_MEDIAN, _EDGE_MOST = 3.5, 24.0
# Smallest region as a share of the picture, and in pixels.
SMALLEST, SMALLEST_PX = 0.0004, 14
# Pixels: what is thinner is an edge, not a thing.
_THINNEST = 3
# ΔE below which two neighbouring regions are one, and below which a region is the background seen through a hole.
_SAME, _THROUGH = 5.0, 7.0
# Pixels that an edge may be wide; farther inside of edges lies texture.
_EDGE_WIDTH = 3
# A region is background from this share of the picture on, from this share of width or height on if it reaches a side,
# or if this share of its outline lies on the sides of the picture.
_LARGE, _WIDE, _ON_SIDES = 0.3, 0.7, 0.42
# How rough a background is: the ΔE from its mean that this share of the picture stays below (a third of the picture is
# background in any case). Texture of normal spread has 0.45 of it there, so five times as much is 2.3 of its spread.
_QUIET, _OVER_QUIET, _ROUGH_MOST = 0.35, 5.0, 60.0


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """One thing in one picture; all in pixels of that picture, x to the right and y down.

    Args:
        box: Left, top, right, bottom; right and bottom are the first pixels outside.
        mask: Of the box's size.
        centre: Mean place of its pixels.
        lab: Median colour of its inside.
        contrast: ΔE from what surrounds it.
        cut_off: Whether a side of the picture cuts it off.
        covered: Whether another region adjoins it, which may cover a part of it.
    """

    box: tuple[int, int, int, int]
    mask: Mask
    centre: tuple[float, float]
    area: int
    lab: Lab
    contrast: float
    cut_off: bool
    covered: bool


@dataclass(frozen=True, eq=False)
class Segmentation:
    """One picture taken apart: its regions, from the top left on, and the ΔE that counted as an edge.

    `foreground` is the number of the region of each pixel plus 1, and 0 where there is background.
    """

    regions: tuple[Region, ...]
    foreground: Labels
    edge: float


def segment_picture(rgb: npt.NDArray[np.uint8]) -> Segmentation:
    """Find the regions of a picture, which should have been scaled to a few hundred pixels."""
    smooth = _denoise(rgb)
    lab = rgb_to_lab(smooth)
    steps = _colour_steps(lab)
    edge = float(min(_EDGE_MOST, max(EDGE, _EDGE_OVER_MEDIAN * float(np.median(steps[::2, ::2])))))
    labels, count, textures = _between_edges(steps < edge, smooth)
    labels = _merge_alike(labels, count, lab, textures)
    background = _background(labels, count, textures)
    around = _background_colour(lab, background[labels])
    background |= _same_as_background(labels, count, lab, around)
    regions, foreground = _regions(labels, background, lab, around)
    return Segmentation(tuple(regions), foreground, edge)


def _denoise(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Take noise away and leave edges: the stronger, the more noise there is."""
    cv2 = opencv()
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    # Half of the pixels of any picture are smooth enough to show its noise; 6 is the gain of the kernel.
    noise = float(np.median(np.abs(cv2.filter2D(grey, cv2.CV_32F, kernel)))) / (0.6745 * 6)
    found: npt.NDArray[np.uint8] = cv2.bilateralFilter(cv2.medianBlur(rgb, 3), 5, 12 + 4 * noise, 2.5)
    if noise > 3:
        found = cv2.bilateralFilter(found, 5, 12 + 3 * noise, 2.5)
    return found


def _colour_steps(lab: Lab) -> npt.NDArray[np.float32]:
    """Return for each pixel how much colour changes within the 3×3 pixels around it."""
    cv2 = opencv()
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    change = cv2.morphologyEx(lab, cv2.MORPH_GRADIENT, cross)
    found: npt.NDArray[np.float32] = np.sqrt(np.einsum("ijk,ijk->ij", change, change))
    return found


def _between_edges(even: Mask, smooth: npt.NDArray[np.uint8]) -> tuple[Labels, int, Mask]:
    """Number the regions from 1 on and share the edges out among them; say which of them are texture."""
    cv2 = opencv()
    smallest = max(SMALLEST_PX // 2, int(SMALLEST * even.size / 2))
    count, found, stats, _ = cv2.connectedComponentsWithStats(even.astype(np.uint8), connectivity=4)
    number = np.zeros(count, np.int32)
    kept = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= smallest)
    kept = kept[kept > 0]
    number[kept] = np.arange(1, len(kept) + 1)
    markers = number[found]
    near = cv2.dilate((markers > 0).astype(np.uint8), np.ones((2 * _EDGE_WIDTH + 1,) * 2, np.uint8))
    more, rough = cv2.connectedComponents(1 - near, connectivity=8)
    markers = np.where(rough > 0, rough + len(kept), markers).astype(np.int32)
    count = len(kept) + more  # with the unused number 0
    labels: Labels = cv2.watershed(smooth, markers)
    # Watershed leaves lines of -1 between regions: each pixel of them joins the largest number beside it.
    labels = np.where(labels <= 0, cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)), labels)
    labels = np.maximum(labels, 0).astype(np.int32)
    textures = np.zeros(count, bool)
    textures[len(kept) + 1 :] = True
    return labels, count, textures


def _merge_alike(labels: Labels, count: int, lab: Lab, textures: Mask) -> Labels:
    """Make neighbours of the same colour one."""
    means = _means(labels, count, lab)
    one, other = _neighbours(labels)
    same = np.linalg.norm(means[one] - means[other], axis=1) < _SAME
    same &= ~textures[one] & ~textures[other]
    root = np.arange(count)

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = int(root[number])
        return number

    for first, second in zip(one[same].tolist(), other[same].tolist(), strict=True):
        root[find(max(first, second))] = find(min(first, second))
    target = np.array([find(number) for number in range(count)], np.int32)
    return target[labels]


def _neighbours(labels: Labels) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the pairs of numbers that adjoin, each once."""
    across = np.stack([labels[:, :-1].ravel(), labels[:, 1:].ravel()])
    down = np.stack([labels[:-1].ravel(), labels[1:].ravel()])
    pairs = np.concatenate([across, down], 1)
    pairs = np.sort(pairs[:, pairs[0] != pairs[1]], axis=0)
    width = int(labels.max()) + 1
    keys = np.unique(pairs[0].astype(np.int64) * width + pairs[1])
    return keys // width, keys % width


def _means(labels: Labels, count: int, lab: Lab) -> npt.NDArray[np.float64]:
    """Return the mean colour of each number, from every second pixel of every second row: what counts is larger."""
    flat, some = labels[::2, ::2].ravel(), lab[::2, ::2].reshape(-1, 3).astype(np.float64)
    sizes = np.maximum(1, np.bincount(flat, minlength=count))
    sums = [np.bincount(flat, weights=some[:, channel], minlength=count) for channel in range(3)]
    return np.stack(sums, 1) / sizes[:, None]


def _background(labels: Labels, count: int, textures: Mask) -> Mask:
    """Return which numbers are background by their place and size."""
    height, width = labels.shape
    areas = np.bincount(labels.ravel(), minlength=count)
    found = textures | (areas >= _LARGE * labels.size)
    found[0] = True
    sides = [labels[0], labels[-1], labels[:, 0], labels[:, -1]]
    on_side = np.stack([np.bincount(side, minlength=count) for side in sides])
    contact = on_side.sum(0)
    boxes = ndimage.find_objects(labels)
    for number in np.flatnonzero((contact > 0) & ~found & (areas > 0)).tolist():
        high, wide = (extent.stop - extent.start for extent in boxes[number - 1])
        outline = 2 * (high + wide)
        reaches = wide >= _WIDE * width or high >= _WIDE * height
        found[number] = reaches or contact[number] >= _ON_SIDES * outline or (on_side[:, number] > 0).sum() >= 3
    return found


def _background_colour(lab: Lab, background: Mask) -> Lab:
    """Return the colour that the background has, or would have, at each pixel."""
    cv2 = opencv()
    height, width = background.shape
    # At an eighth of the size this is quick, and a background seldom changes within eight pixels.
    size = (max(1, width // 8), max(1, height // 8))
    weight = cv2.resize(background.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    colour = cv2.resize(lab * background[..., None], size, interpolation=cv2.INTER_AREA)
    total, known = np.zeros_like(colour), np.zeros_like(weight)
    for sigma, trust in ((1.5, 1.0), (5.0, 1e-2), (20.0, 1e-4)):  # the near background counts most
        total += trust * cv2.GaussianBlur(colour, (0, 0), sigma)
        known += trust * cv2.GaussianBlur(weight, (0, 0), sigma)
    small = total / np.maximum(known, 1e-9)[..., None]
    found: Lab = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return found


def _same_as_background(labels: Labels, count: int, lab: Lab, around: Lab) -> Mask:
    """Return which numbers have the colour of the background around them, or differ no more than its texture does."""
    rough = float(np.quantile(np.linalg.norm((lab - around)[::2, ::2], axis=2), _QUIET))
    least = min(_ROUGH_MOST, max(_THROUGH, _OVER_QUIET * rough))
    found: Mask = np.linalg.norm(_means(labels, count, lab - around), axis=1) < least
    return found


def _regions(labels: Labels, background: Mask, lab: Lab, around: Lab) -> tuple[list[Region], Labels]:
    """Return the foreground piece by piece, and the number of each piece, from 1 on, at its pixels."""
    cv2 = opencv()
    smallest = max(SMALLEST_PX, int(SMALLEST * labels.size))
    boxes = ndimage.find_objects(labels)
    one, other = _neighbours(labels)
    touching = ~background[one] & ~background[other]
    covered = {*one[touching].tolist(), *other[touching].tolist()}
    found: list[Region] = []
    foreground = np.zeros(labels.shape, np.int32)
    for number, box in enumerate(boxes, 1):
        if box is None or background[number]:
            continue
        count, pieces = cv2.connectedComponents((labels[box] == number).astype(np.uint8))
        for piece in range(1, count):
            mask = pieces == piece
            if (
                int(mask.sum()) >= smallest
                and (region := _region(mask, box, lab, around, number in covered)) is not None
            ):
                found.append(region)
                foreground[box][mask] = len(found)
    return found, foreground


def _region(mask: Mask, box: tuple[slice, slice], lab: Lab, around: Lab, covered: bool) -> Region | None:
    """Measure one piece; None when it is a mere line."""
    inside = opencv().erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).astype(bool)
    here, behind = lab[box], around[box]
    colour = np.median(here[inside if inside.any() else mask], 0)
    if inside.any():  # an edge is half its own colour and half the background's: it belongs to the nearer one
        nearer = np.linalg.norm(here - colour, axis=2) <= np.linalg.norm(here - behind, axis=2)
        mask = inside | (mask & nearer)
    ys, xs = np.nonzero(mask)
    top, left, bottom, right = int(ys.min()), int(xs.min()), int(ys.max()) + 1, int(xs.max()) + 1
    if min(bottom - top, right - left) < _THINNEST:
        return None
    down, across = box[0].start, box[1].start
    height, width = lab.shape[:2]
    return Region(
        box=(left + across, top + down, right + across, bottom + down),
        mask=mask[top:bottom, left:right],
        centre=(float(xs.mean()) + across, float(ys.mean()) + down),
        area=len(xs),
        lab=colour.astype(np.float32),
        contrast=float(np.linalg.norm(colour - behind[mask].mean(0))),
        cut_off=left + across <= 1 or top + down <= 1 or right + across >= width - 1 or bottom + down >= height - 1,
        covered=covered,
    )
