"""Static region consistency (SRC): do things that were to stay look the same, by Grounding DINO, SAM 2 and DINOv2.

    find_regions     phrases → the best box of each in the first three frames → masks through the whole clip
    embed_regions    what lies under the masks, black around it → embeddings of DINOv2
    compare_regions  embeddings of source and edited video → cosines

All three run in float32: the released precision is not told, and this one is the same on every device.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.models.hub.pixels import IMAGENET, Frame, crop_middle, normalise, resize, resize_short_side, stack_frames
from cutscore.models.hub.weights import Placement, import_torch, import_transformers, load_model

GROUNDED_FRAMES = 3
LEAST_BOX_SCORE = 0.30
MOST_AREA = 0.55  # of the frame: larger boxes are the scene, not a thing
LEAST_MASK_PX = 64
GROWN = 0.15  # of a box, on each side
DETECTOR_SIDES = (800, 1333)
ENCODER_SIDES = (256, 224)  # shorter side, then the square in the middle
BATCH = 64
# What tells these models from their smaller and larger sisters.
GROUNDING_DINO_BASE = {"backbone_config.embed_dim": 128}
SAM2_LARGE = {"vision_config.backbone_config.hidden_size": 144}
DINOV2_SMALL = {"hidden_size": 384, "num_hidden_layers": 12}

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class GroundedBox:
    """Where a phrase was found: left, top, right, bottom as shares of the frame."""

    phrase: str
    score: float
    box: tuple[float, float, float, float]

    @property
    def area(self) -> float:
        """Return its share of the frame."""
        left, top, right, bottom = self.box
        return max(0.0, right - left) * max(0.0, bottom - top)


@dataclass(frozen=True, eq=False)
class Regions:
    """What was found in a clip, and the mask of all of it together in each frame."""

    boxes: tuple[GroundedBox, ...]
    masks: tuple[Mask, ...]


@dataclass(frozen=True, eq=False)
class RegionFeatures:
    """Pixels under the mask of each frame, and the embedding of what lies there; zeros where it is too small."""

    areas: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class RegionModels:
    """The three models on a device."""

    detector: Any
    tokenizer: Any
    segmenter: Any
    encoder: Any
    placement: Placement
    batch: int = BATCH

    def find_regions(self, frames: Sequence[Frame], phrases: Sequence[str]) -> Regions:
        """Return where phrases are in the first frames, and their masks in all; without a box there is no mask.

        Boxes are given to SAM 2 on the first frame, even those that were found on the second or third, as the released
        code does.
        """
        boxes = tuple(each for each in map(best_box, self.ground(frames[:GROUNDED_FRAMES], phrases)) if each)
        return Regions(boxes, self.segment(frames, [each.box for each in boxes]) if boxes else ())

    def ground(self, frames: Sequence[Frame], phrases: Sequence[str]) -> list[list[GroundedBox]]:
        """Return what Grounding DINO finds for each phrase in some frames."""
        torch = import_torch()
        levels = stack_frames(frames, self.placement)
        pixels = normalise(resize(levels, *detector_size(*levels.shape[-2:]), "bilinear"), IMAGENET, self.placement)
        found = []
        for phrase in phrases:
            words = self.tokenizer([f"{phrase.lower()}."] * len(frames), return_tensors="pt").to(self.placement.device)
            with torch.inference_mode():
                seen = self.detector(pixel_values=pixels, **words)
            scores = seen.logits.float().sigmoid().amax(dim=-1).flatten(0, 1).cpu()
            middles, sizes = seen.pred_boxes.float().flatten(0, 1).cpu().split(2, dim=-1)
            corners = torch.cat([middles - sizes / 2, middles + sizes / 2], dim=-1).clamp(0, 1)
            kept = (scores > LEAST_BOX_SCORE).nonzero().flatten().tolist()
            found.append([GroundedBox(phrase, float(scores[i]), tuple(corners[i].tolist())) for i in kept])
        return found

    def segment(self, frames: Sequence[Frame], boxes: Sequence[tuple[float, ...]]) -> tuple[Mask, ...]:
        """Return the union of the masks that SAM 2 gives boxes, which lie on the first frame, in every frame."""
        torch = import_torch()
        from transformers.models.sam2_video.modeling_sam2_video import Sam2VideoInferenceSession

        side, device = self.segmenter.config.vision_config.backbone_config.image_size[0], self.placement.device
        height, width = frames[0].shape[:2]
        levels = resize(stack_frames(frames, self.placement), side, side, "bilinear")
        session = Sam2VideoInferenceSession(
            video=normalise(levels, IMAGENET, self.placement),
            video_height=height,
            video_width=width,
            inference_device=device,
            inference_state_device=device,
            video_storage_device=device,
            dtype=getattr(torch, self.placement.dtype),
        )
        for number, box in enumerate(boxes):
            corners = torch.tensor(box, dtype=torch.float32).view(1, 1, 2, 2) * side
            labels = torch.tensor([[[2, 3]]], dtype=torch.int32)  # the two corners of a box
            points = {"point_coords": corners, "point_labels": labels}
            session.add_point_inputs(session.obj_id_to_idx(number), 0, points)
        session.obj_with_new_inputs = list(range(len(boxes)))
        masks = []
        with torch.inference_mode():
            for seen in self.segmenter.propagate_in_video_iterator(session, start_frame_idx=0):
                logits = torch.nn.functional.interpolate(
                    seen.pred_masks.float(), (height, width), mode="bilinear", align_corners=False
                )
                masks.append((logits > 0).flatten(0, 1).any(dim=0).cpu().numpy())
        return tuple(masks)

    def embed_regions(self, frames: Sequence[Frame], masks: Sequence[Mask]) -> RegionFeatures:
        """Return what DINOv2 makes of what lies under the mask of each frame; nothing where the mask is too small."""
        torch = import_torch()
        areas = np.array([int(mask.sum()) for mask in masks])
        vectors = np.zeros((len(masks), self.encoder.config.hidden_size), np.float32)
        large = [number for number, area in enumerate(areas) if area >= LEAST_MASK_PX]
        short, side = ENCODER_SIDES
        for start in range(0, len(large), self.batch):
            run = large[start : start + self.batch]
            crops = [stack_frames([cut_region(frames[number], masks[number])], self.placement) for number in run]
            seen = [crop_middle(resize_short_side(each, short, "bicubic"), side) for each in crops]
            pixels = normalise(torch.cat(seen), IMAGENET, self.placement)
            with torch.inference_mode():
                vectors[run] = self.encoder(pixel_values=pixels).last_hidden_state[:, 0].float().cpu().numpy()
        return RegionFeatures(areas, vectors)


def compare_regions(source: RegionFeatures, edited: RegionFeatures) -> list[float | None]:
    """Return how alike frames are, pair by pair: their cosine, laid from 0 to 1.

    None where the mask of the source is too small, so that there is nothing to compare with; 0 where that of the edited
    video is.
    """
    scores: list[float | None] = []
    for area, other, one, two in zip(source.areas, edited.areas, source.vectors, edited.vectors, strict=False):
        if area < LEAST_MASK_PX:
            scores.append(None)
        elif other < LEAST_MASK_PX:
            scores.append(0.0)
        else:
            cosine = float(one @ two) / (float(np.linalg.norm(one) * np.linalg.norm(two)) or 1.0)
            scores.append(min(1.0, max(0.0, (cosine + 1) / 2)))
    return scores


def best_box(candidates: Sequence[GroundedBox]) -> GroundedBox | None:
    """Return the surest box that is not most of the frame.

    >>> whole, small = (GroundedBox("a dog", score, box) for score, box in ((0.9, (0, 0, 1, 1)), (0.4, (0, 0, 0.5, 1))))
    >>> best_box([whole, small]) is small
    True
    """
    return max((each for each in candidates if each.area <= MOST_AREA), key=lambda each: each.score, default=None)


def cut_region(frame: Frame, mask: Mask) -> Frame:
    """Return what lies under a mask, black around it, cut to the mask's box and 15% of it on each side."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    high, wide = int((bottom - top) * GROWN), int((right - left) * GROWN)
    place = (
        slice(max(0, top - high), min(mask.shape[0], bottom + high)),
        slice(max(0, left - wide), min(mask.shape[1], right + wide)),
    )
    return np.where(mask[place][..., None], frame[place], np.uint8(0))


def resize_mask(mask: Mask, height: int, width: int) -> Mask:
    """Return a mask of another size; each point takes its nearest."""
    rows = np.arange(height) * mask.shape[0] // height
    columns = np.arange(width) * mask.shape[1] // width
    return mask[np.ix_(rows, columns)]


def detector_size(height: int, width: int) -> tuple[int, int]:
    """Return the size at which Grounding DINO sees a frame: shorter side 800, longer side at most 1333.

    >>> detector_size(480, 854), detector_size(854, 480), detector_size(300, 400)
    ((749, 1333), (1333, 749), (800, 1066))
    """
    short, most = DETECTOR_SIDES
    shorter, longer = min(height, width), max(height, width)
    exact = min(float(short), most * shorter / longer)
    sides = round(exact), int(exact * longer / shorter)
    return sides if height <= width else (sides[1], sides[0])


def load_region_models(detector: Path, segmenter: Path, encoder: Path, placement: Placement) -> RegionModels:
    """Load Grounding DINO base, SAM 2 Hiera large and DINOv2 small, each from its folder."""
    place = Placement(placement.device, "float32")
    dino, sam = "GroundingDinoForObjectDetection", "Sam2VideoModel"
    return RegionModels(
        load_model(detector, dino, place, types=("grounding-dino",), sizes=GROUNDING_DINO_BASE),
        import_transformers().AutoTokenizer.from_pretrained(detector, local_files_only=True),
        load_model(segmenter, sam, place, types=("sam2_video", "sam2"), sizes=SAM2_LARGE),
        load_model(encoder, "Dinov2Model", place, types=("dinov2",), sizes=DINOV2_SMALL),
        place,
    )
