"""Aesthetic Predictor v2.5: how pleasing a frame is, about 1 to 10, by SigLIP and a linear head.

The pooled embedding of SigLIP so400m/14 at 384 pixels has length 1 when it enters the head: five linear layers without
an activation between them. The head's weights come as a file of their own; each layer is known by its shape,
whatever its name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from cutscore.core.errors import BadInput
from cutscore.models.hub.pixels import HALF, Frame, batches, normalise, resize, stack_frames
from cutscore.models.hub.weights import Placement, import_torch, load_model, load_tensors

WIDTHS = (1024, 128, 64, 16, 1)  # of the head's layers, behind the embedding
SO400M = {"hidden_size": 1152, "num_hidden_layers": 27, "patch_size": 14, "image_size": 384}
BATCH = 64


@dataclass(frozen=True, eq=False)
class AestheticPredictor:
    """SigLIP's vision tower and the head, on a device."""

    tower: Any
    head: Any
    placement: Placement
    batch: int = BATCH

    def score(self, frames: Sequence[Frame]) -> list[float]:
        """Return the score of each frame, in its order."""
        return [value for run in batches(frames, self.batch) for value in self._score_run(run)]

    def _score_run(self, frames: Sequence[Frame]) -> list[float]:
        torch = import_torch()
        side = self.tower.config.image_size
        levels = resize(stack_frames(frames, self.placement), side, side, "bicubic")
        with torch.inference_mode():
            pooled = self.tower(pixel_values=normalise(levels, HALF, self.placement)).pooler_output
            scores = self.head(torch.nn.functional.normalize(pooled, dim=-1))
        return [float(each) for each in scores.float().squeeze(-1).cpu()]


def load_aesthetics(folder: Path, head: Path, placement: Placement) -> AestheticPredictor:
    """Load SigLIP from a folder and the head from a file (safetensors, or a .pth of tensors)."""
    types = ("siglip", "siglip_vision_model")
    tower = load_model(folder, "SiglipVisionModel", placement, types=types, sizes=SO400M)
    made = build_head(tower.config.hidden_size)
    made.load_state_dict(order_layers(load_tensors(head), tower.config.hidden_size, head))
    torch = import_torch()
    return AestheticPredictor(tower, made.to(placement.device, getattr(torch, placement.dtype)).eval(), placement)


def build_head(hidden: int) -> Any:
    """Return the head without its weights. Dropout between its layers does nothing outside training."""
    nn = import_torch().nn
    return nn.Sequential(*(nn.Linear(*sizes) for sizes in pairwise((hidden, *WIDTHS))))


def order_layers(tensors: Mapping[str, Any], hidden: int, file: Path) -> dict[str, Any]:
    """Return the tensors of a head under the names that `build_head` gives them; refuse those of another one."""
    matrices = [(name, each) for name, each in tensors.items() if name.endswith("weight")]
    wanted = [(out, into) for into, out in pairwise((hidden, *WIDTHS))]
    by_shape = {tuple(each.shape): name.removesuffix("weight") for name, each in matrices}
    if sorted(by_shape) != sorted(wanted) or len(matrices) != len(wanted) or len(tensors) != 2 * len(wanted):
        fact = f"are no head of {' → '.join(map(str, (hidden, *WIDTHS)))}"
        raise BadInput(f"weights '{file}'", fact, "name the head of Aesthetic Predictor v2.5")
    named = {}
    for number, shape in enumerate(wanted):
        for kind in ("weight", "bias"):
            named[f"{number}.{kind}"] = tensors.get(f"{by_shape[shape]}{kind}")
    if any(each is None for each in named.values()):
        raise BadInput(f"weights '{file}'", "lack a bias", "name the head of Aesthetic Predictor v2.5")
    return named
