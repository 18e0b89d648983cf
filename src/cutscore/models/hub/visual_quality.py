"""VisualQuality-R1: how good a picture looks from 1 to 5, by a model that reasons before it answers.

One picture a prompt; the number is the first one in the last answer tag, else the first one of the whole reply. Numbers
outside of 1 to 5 are left as they are. The released code samples its replies; here the seed is set for each video, so
that a score does not depend on the videos before it.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutscore.models.hub.pixels import CLIP, Frame, batches, normalise, resize, stack_frames
from cutscore.models.hub.weights import Placement, import_torch, import_transformers, load_model

QWEN_7B = {"text_config.hidden_size": 3584, "text_config.num_hidden_layers": 28}
SAMPLING = {"do_sample": True, "top_k": 50, "top_p": 1.0, "max_new_tokens": 512}
SEED = 1
PATCH, MERGE, TIMES = 14, 2, 2  # pixels a side, patches a side that become one token, frames a patch spans
LEAST_PIXELS, MOST_PIXELS = 3136, 12845056
IMAGE = "<|image_pad|>"
# The form of dialogue that Qwen2.5 was trained on.
DIALOGUE = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{prompt}<|im_end|>\n<|im_start|>assistant\n"
)
BATCH = 10

_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parse_quality(reply: str) -> float | None:
    """Return the number of a reply; None where there is none.

    >>> parse_quality("It has 2 flaws. <answer>3.75</answer>"), parse_quality("about 4"), parse_quality("good")
    (3.75, 4.0, None)
    """
    tagged = _ANSWER.findall(reply)
    found = (_NUMBER.search(tagged[-1]) if tagged else None) or _NUMBER.search(reply)
    return float(found[0]) if found else None


@dataclass(frozen=True, eq=False)
class QualityRater:
    """The model and its tokenizer, on a device."""

    model: Any
    tokenizer: Any
    placement: Placement
    batch: int = BATCH

    def reply(self, frames: Sequence[Frame], prompt: str, *, sampled: bool = True) -> list[str]:
        """Return what the model says to each frame."""
        torch = import_torch()
        devices = [0] if self.placement.device == "cuda" else []
        with torch.random.fork_rng(devices=devices):
            torch.manual_seed(SEED)
            return [said for run in batches(frames, self.batch) for said in self._reply_run(run, prompt, sampled)]

    def _reply_run(self, frames: Sequence[Frame], prompt: str, sampled: bool) -> list[str]:
        torch = import_torch()
        patches, grid = self.cut_patches(frames)
        tokens = int(grid[1] * grid[2]) // MERGE**2
        text = DIALOGUE.format(image=IMAGE * tokens, prompt=prompt)
        # Frames of one size have prompts of one length, so a batch needs no padding.
        ids = self.tokenizer(text, return_tensors="pt")["input_ids"].to(self.placement.device)
        ids = ids.expand(len(frames), -1)
        options = SAMPLING if sampled else {"do_sample": False, "max_new_tokens": SAMPLING["max_new_tokens"]}
        with torch.inference_mode():
            said = self.model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                mm_token_type_ids=(ids == self.model.config.image_token_id).int(),
                pixel_values=patches,
                image_grid_thw=torch.tensor([grid] * len(frames), device=self.placement.device),
                pad_token_id=self.tokenizer.pad_token_id,
                **options,
            )
        return list(self.tokenizer.batch_decode(said[:, ids.shape[1] :], skip_special_tokens=True))

    def cut_patches(self, frames: Sequence[Frame]) -> tuple[Any, tuple[int, int, int]]:
        """Return frames of one size as rows of patches, and how many patches one frame has in time, height and width.

        Four patches that become one token follow one another; a still picture is shown twice to fill a patch in time.
        """
        levels = stack_frames(frames, self.placement)
        levels = resize(levels, *fit_size(*levels.shape[-2:]), "bicubic")
        scaled = normalise(levels, CLIP, self.placement)
        count, colours, height, width = scaled.shape
        rows, columns = height // PATCH, width // PATCH
        cut = scaled.view(count, colours, rows // MERGE, MERGE, PATCH, columns // MERGE, MERGE, PATCH)
        ordered = cut.permute(0, 2, 5, 3, 6, 1, 4, 7).unsqueeze(6).expand(*[-1] * 6, TIMES, -1, -1)
        return ordered.reshape(count * rows * columns, -1), (1, rows, columns)


def fit_size(height: int, width: int) -> tuple[int, int]:
    """Return the nearest size that is whole in tokens, within the pixels that the model takes.

    >>> fit_size(480, 854)
    (476, 840)
    """
    token = PATCH * MERGE
    high, wide = round(height / token) * token, round(width / token) * token
    if high * wide > MOST_PIXELS:
        shrink = math.sqrt(height * width / MOST_PIXELS)
        return max(token, int(height / shrink / token) * token), max(token, int(width / shrink / token) * token)
    if high * wide < LEAST_PIXELS:
        grow = math.sqrt(LEAST_PIXELS / (height * width))
        return math.ceil(height * grow / token) * token, math.ceil(width * grow / token) * token
    return high, wide


def load_visual_quality(folder: Path, placement: Placement) -> QualityRater:
    """Load VisualQuality-R1 (Qwen2.5-VL of 7 billion weights) and its tokenizer from a folder."""
    name = "Qwen2_5_VLForConditionalGeneration"
    model = load_model(folder, name, placement, types=("qwen2_5_vl",), sizes=QWEN_7B)
    tokenizer = import_transformers().AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return QualityRater(model, tokenizer, placement)
