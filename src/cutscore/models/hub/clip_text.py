"""Text–video CLIP: 100 times the mean cosine between frames and a text, as in Table 6 of CoVEBench.

Which CLIP made that table is not told, so any will do; its digest stands beside the score. A text that is longer than
CLIP reads (77 pieces) is cut there, as everybody does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutscore.models.hub.pixels import CLIP, Frame, batches, crop_middle, normalise, resize_short_side, stack_frames
from cutscore.models.hub.weights import Placement, import_torch, import_transformers, load_model

BATCH = 64
PERCENT = 100.0


@dataclass(frozen=True, eq=False)
class TextImageModel:
    """The two towers of CLIP and its tokenizer, on a device."""

    image_tower: Any
    text_tower: Any
    tokenizer: Any
    placement: Placement
    batch: int = BATCH

    def score(self, frames: Sequence[Frame], text: str) -> list[float]:
        """Return 100 · cosine of each frame with the text, in the order of the frames."""
        torch = import_torch()
        words = self.embed_text(text)
        return [
            float(each)
            for run in batches(frames, self.batch)
            for each in (PERCENT * torch.nn.functional.cosine_similarity(self.embed_frames(run), words)).cpu()
        ]

    def embed_frames(self, frames: Sequence[Frame]) -> Any:
        """Return the embeddings of frames of one size."""
        side = self.image_tower.config.image_size
        levels = crop_middle(resize_short_side(stack_frames(frames, self.placement), side, "bicubic"), side)
        with import_torch().inference_mode():
            return self.image_tower(pixel_values=normalise(levels, CLIP, self.placement)).image_embeds.float()

    def embed_text(self, text: str) -> Any:
        """Return the embedding of a text."""
        most = self.text_tower.config.max_position_embeddings
        read = self.tokenizer(text, truncation=True, max_length=most, return_tensors="pt").to(self.placement.device)
        with import_torch().inference_mode():
            return self.text_tower(
                input_ids=read["input_ids"], attention_mask=read["attention_mask"]
            ).text_embeds.float()


def load_clip(folder: Path, placement: Placement) -> TextImageModel:
    """Load CLIP and its tokenizer from a folder."""
    image_tower = load_model(folder, "CLIPVisionModelWithProjection", placement, types=("clip",))
    text_tower = load_model(folder, "CLIPTextModelWithProjection", placement, types=("clip",))
    tokenizer = import_transformers().AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return TextImageModel(image_tower, text_tower, tokenizer, placement)
