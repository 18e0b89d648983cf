"""Text–video CLIP on a small CLIP with a small tokenizer: by hand from its parts, and in batches."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.models.hub.clip_text import load_clip
from cutscore.models.hub.pixels import CLIP, Frame
from cutscore.models.hub.weights import Placement

pytestmark = pytest.mark.real

CPU = Placement("cpu", "float32")


@pytest.fixture
def folder(transformers: Any, tmp_path: Path) -> Path:
    """A CLIP of two layers that reads twelve pieces; its words are single letters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = [*letters, *(f"{each}</w>" for each in letters), "<|startoftext|>", "<|endoftext|>"]
    (tmp_path / "vocab.json").write_text(json.dumps({each: number for number, each in enumerate(pieces)}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = transformers.CLIPTokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    small["projection_dim"] = 8
    text = {**small, "vocab_size": len(pieces), "max_position_embeddings": 12, "eos_token_id": len(pieces) - 1}
    vision = {**small, "image_size": 24, "patch_size": 8}
    config = transformers.CLIPConfig(text_config=text, vision_config=vision, projection_dim=8)
    transformers.CLIPModel(config).save_pretrained(tmp_path / "clip")
    tokenizer.save_pretrained(tmp_path / "clip")
    return tmp_path / "clip"


def test_it_is_a_hundred_cosines(torch: Any, transformers: Any, folder: Path, frames: list[Frame]) -> None:
    from PIL import Image

    whole = transformers.CLIPModel.from_pretrained(folder).eval()
    read = transformers.AutoTokenizer.from_pretrained(folder)("a red ball", return_tensors="pt")
    mean, deviation = (np.array(each) for each in CLIP)
    shown = []
    for frame in frames:  # 60 × 44: the shorter side becomes 24, the longer 32, of which the middle 24 are seen
        small = np.asarray(Image.fromarray(frame).resize((32, 24), Image.Resampling.BICUBIC))[:, 4:28]
        shown.append(((small / 255 - mean) / deviation).transpose(2, 0, 1))
    with torch.no_grad():
        image = whole.visual_projection(whole.vision_model(torch.tensor(np.stack(shown)).float()).pooler_output)
        text = whole.text_projection(whole.text_model(**read).pooler_output)
    cosine = (image @ text.T).flatten() / (image.norm(dim=1) * text.norm())
    found = load_clip(folder, CPU).score(frames, "a red ball")
    assert found == pytest.approx((100 * cosine).tolist(), abs=0.02)
    assert max(found) - min(found) > 0.02


def test_batches_do_not_move_a_score(folder: Path, frames: list[Frame]) -> None:
    model = load_clip(folder, CPU)
    alone = [model.score([frame], "a dog")[0] for frame in frames]
    assert model.score(frames, "a dog") == pytest.approx(alone, abs=1e-4)


def test_a_long_text_is_cut(folder: Path, frames: list[Frame]) -> None:
    model = load_clip(folder, CPU)
    assert model.score(frames, "x" * 300) == model.score(frames, "x" * 400)


def test_a_folder_of_another_model_is_refused(transformers: Any, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "blip"}')
    with pytest.raises(BadInput, match="are another model: model_type is 'blip', not 'clip'"):
        load_clip(tmp_path, CPU)
