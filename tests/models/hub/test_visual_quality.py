"""VisualQuality-R1's class with two layers: its patches are transformers' own, its replies do not depend on a batch."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.models.hub import visual_quality
from cutscore.models.hub.pixels import Frame
from cutscore.models.hub.visual_quality import QualityRater, fit_size, load_visual_quality
from cutscore.models.hub.weights import Placement

pytestmark = pytest.mark.real

CPU = Placement("cpu", "float32")
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>"]


@pytest.fixture
def folder(transformers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Qwen2.5-VL of two layers with a tokenizer that knows bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE({each: number for number, each in enumerate(alphabet)}, []))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    inner.add_special_tokens(SPECIAL)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<|endoftext|>", eos_token="<|im_end|>"
    )
    number = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": 4096,
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0},
            "bos_token_id": None,
            "initializer_range": 1.0,  # so that replies differ
            "eos_token_id": number("<|im_end|>"),
        },
        vision_config={
            "depth": 2,
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_heads": 2,
            "out_hidden_size": 16,
            "initializer_range": 1.0,
        },
        image_token_id=number("<|image_pad|>"),
        vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"),
    )
    transformers.Qwen2_5_VLForConditionalGeneration(config).save_pretrained(tmp_path / "qwen")
    tokenizer.save_pretrained(tmp_path / "qwen")
    sizes = {"text_config.hidden_size": 16, "text_config.num_hidden_layers": 2}
    monkeypatch.setattr(visual_quality, "QWEN_7B", sizes)
    monkeypatch.setitem(visual_quality.SAMPLING, "max_new_tokens", 8)
    return tmp_path / "qwen"


def test_patches_are_those_of_the_models_own_processor(transformers: Any, frames: list[Frame]) -> None:
    from PIL import Image
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    theirs = Qwen2VLImageProcessorPil()([Image.fromarray(each) for each in frames], return_tensors="pt")
    ours, grid = QualityRater(None, None, CPU).cut_patches(frames)
    assert theirs["image_grid_thw"].tolist() == [list(grid)] * len(frames)
    assert ours.shape == theirs["pixel_values"].shape
    assert np.abs(ours.numpy() - theirs["pixel_values"].numpy()).max() < 1.01 / 255 / 0.26  # one level


def test_sizes_are_those_of_the_models_own_processor(transformers: Any) -> None:
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize

    for size in ((480, 854), (20, 30), (4000, 5000), (1080, 1920), (30, 2000)):
        assert fit_size(*size) == smart_resize(*size, min_pixels=3136, max_pixels=12845056)


def test_a_reply_does_not_depend_on_its_batch(folder: Path, frames: list[Frame]) -> None:
    model = load_visual_quality(folder, CPU)
    alone = [model.reply([frame], "How good is it?", sampled=False)[0] for frame in frames]
    assert model.reply(frames, "How good is it?", sampled=False) == alone
    assert len(set(alone)) > 1


def test_the_same_seed_holds_for_every_video(torch: Any, folder: Path, frames: list[Frame]) -> None:
    model = load_visual_quality(folder, CPU)
    first = model.reply(frames, "How good is it?")
    torch.rand(1)  # what others draw does not matter
    state = torch.random.get_rng_state()
    assert model.reply(frames, "How good is it?") == first
    assert bool((torch.random.get_rng_state() == state).all())  # nobody else's draws have moved
    assert model.reply(frames, "How good is it?", sampled=False) != first


def test_a_smaller_sister_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visual_quality, "QWEN_7B", {"text_config.hidden_size": 3584})
    with pytest.raises(BadInput, match=r"are another model: text_config.hidden_size is 16, not 3584"):
        load_visual_quality(folder, CPU)
