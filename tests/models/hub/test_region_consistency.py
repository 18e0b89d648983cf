"""SRC on small Grounding DINO, SAM 2 and DINOv2: boxes, masks and crops against what torch gives by another way."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.models.hub import region_consistency
from cutscore.models.hub.pixels import IMAGENET, Frame
from cutscore.models.hub.region_consistency import RegionModels, compare_regions, cut_region, load_region_models
from cutscore.models.hub.weights import Placement

pytestmark = pytest.mark.real

CPU = Placement("cpu", "float32")


@pytest.fixture(scope="module")
def folders(torch: Any, transformers: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The smallest of each that its class runs: two decoder layers, a hundredth of the channels."""
    at = tmp_path_factory.mktemp("src")
    words = [f"[unused{n}]" for n in range(1100)]
    for place, word in ((0, "[PAD]"), (100, "[UNK]"), (101, "[CLS]"), (102, "[SEP]"), (1012, "."), (1029, "?")):
        words[place] = word
    words[1030:1033] = ["a", "dog", "tree"]
    (at / "vocab.txt").write_text("\n".join(words))
    detector = transformers.GroundingDinoConfig(
        backbone_config=transformers.SwinConfig(
            embed_dim=8,
            depths=[1, 1, 1, 1],
            num_heads=[1, 1, 2, 2],
            window_size=4,
            out_features=["stage2", "stage3", "stage4"],
        ),
        text_config={
            "model_type": "bert",
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "vocab_size": len(words),
        },
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        num_queries=12,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
    )
    transformers.GroundingDinoForObjectDetection(detector).save_pretrained(at / "detector")
    transformers.BertTokenizerFast(str(at / "vocab.txt")).save_pretrained(at / "detector")
    torch.manual_seed(1)  # one of the few whose random masks differ from box to box
    transformers.Sam2VideoModel(small_sam(transformers)).save_pretrained(at / "segmenter")
    encoder = transformers.Dinov2Config(
        hidden_size=24, num_hidden_layers=2, num_attention_heads=2, patch_size=14, image_size=28, mlp_ratio=2
    )
    transformers.Dinov2Model(encoder).save_pretrained(at / "encoder")
    return {name: at / name for name in ("detector", "segmenter", "encoder")}


def small_sam(transformers: Any) -> Any:
    config = transformers.Sam2VideoConfig()
    backbone = config.vision_config.backbone_config
    for name, value in {
        "hidden_size": 8,
        "image_size": [256, 256],
        "blocks_per_stage": [1, 1, 2, 1],
        "embed_dim_per_stage": [8, 16, 32, 64],
        "global_attention_blocks": [3],
    }.items():
        setattr(backbone, name, value)
    config.vision_config.backbone_channel_list = [64, 32, 16, 8]
    config.vision_config.backbone_feature_sizes = [[64, 64], [32, 32], [16, 16]]
    config.prompt_encoder_config.image_size = 256
    config.image_size = 256
    config.memory_attention_rope_feat_sizes = [16, 16]
    config.memory_attention_num_layers = 1
    config.initializer_range = config.prompt_encoder_config.initializer_range = 0.3
    config.mask_decoder_config.initializer_range = 0.3
    return config


@pytest.fixture
def models(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> RegionModels:
    monkeypatch.setattr(region_consistency, "GROUNDING_DINO_BASE", {"backbone_config.embed_dim": 8})
    monkeypatch.setattr(region_consistency, "SAM2_LARGE", {"vision_config.backbone_config.hidden_size": 8})
    monkeypatch.setattr(region_consistency, "DINOV2_SMALL", {"hidden_size": 24, "num_hidden_layers": 2})
    monkeypatch.setattr(region_consistency, "DETECTOR_SIDES", (264, 512))
    monkeypatch.setattr(region_consistency, "ENCODER_SIDES", (32, 28))
    return load_region_models(folders["detector"], folders["segmenter"], folders["encoder"], CPU)


def test_boxes_are_those_of_the_models_own_post_processing(
    torch: Any, transformers: Any, models: RegionModels, frames: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers.models.grounding_dino.image_processing_pil_grounding_dino import GroundingDinoImageProcessorPil
    from transformers.models.grounding_dino.processing_grounding_dino import GroundingDinoProcessor

    monkeypatch.setattr(region_consistency, "LEAST_BOX_SCORE", 0.0)
    # Of the size at which they are seen: which queries are looked at hangs on single levels.
    frames = [np.kron(each, np.ones((6, 6, 1), np.uint8)) for each in frames]
    found = models.ground(frames[:3], ["A dog", "tree"])
    shown = GroundingDinoImageProcessorPil(size={"shortest_edge": 264, "longest_edge": 512})
    processor = GroundingDinoProcessor(shown, models.tokenizer)
    for phrase, boxes in zip(("a dog.", "tree."), found, strict=True):
        given = processor(images=frames[:3], text=[phrase] * 3, return_tensors="pt")
        with torch.no_grad():
            seen = models.detector(**given)
        theirs = processor.post_process_grounded_object_detection(seen, given["input_ids"], threshold=0.0)
        scores = [score for each in theirs for score in each["scores"].tolist()]
        corners = [box for each in theirs for box in each["boxes"].clamp(0, 1).tolist()]
        assert [each.score for each in boxes] == pytest.approx(scores, abs=1e-3)
        assert np.array([each.box for each in boxes]) == pytest.approx(np.array(corners), abs=2e-3)


def test_masks_are_the_union_of_what_each_box_gets(models: RegionModels, frames: list[Frame]) -> None:
    boxes = [(0.1, 0.1, 0.4, 0.5), (0.5, 0.5, 0.9, 0.9)]
    together = models.segment(frames, boxes)
    apart = [models.segment(frames, [box]) for box in boxes]
    assert any((one & ~two).any() for one, two in zip(*reversed(apart), strict=True))
    assert len(together) == len(frames)
    assert together[0].shape == frames[0].shape[:2]
    for number, mask in enumerate(together):
        assert (mask == (apart[0][number] | apart[1][number])).mean() > 0.999
    assert 0 < np.mean(together) < 1


def test_alike_is_the_cosine_of_what_lies_under_the_masks(
    torch: Any, models: RegionModels, frames: list[Frame]
) -> None:
    from PIL import Image

    mask = np.zeros((44, 60), bool)
    mask[10:30, 20:50] = True
    masks = [mask] * len(frames)
    found = compare_regions(models.embed_regions(frames, masks), models.embed_regions(frames[::-1], masks))
    mean, deviation = (np.array(each) for each in IMAGENET)
    vectors = []
    for frame in frames:
        cut = np.zeros((26, 38, 3), np.uint8)  # 20 × 30, and 3 and 4 pixels on each side
        cut[3:23, 4:34] = frame[10:30, 20:50]
        small = np.asarray(Image.fromarray(cut).resize((46, 32), Image.Resampling.BICUBIC))[2:30, 9:37]
        pixels = torch.tensor(((small / 255 - mean) / deviation).transpose(2, 0, 1)).float()
        with torch.no_grad():
            vectors.append(models.encoder(pixels[None]).last_hidden_state[0, 0].numpy())
    units = [each / np.linalg.norm(each) for each in vectors]
    cosines = [one @ two for one, two in zip(units, reversed(units), strict=True)]
    assert found == pytest.approx([(each + 1) / 2 for each in cosines], abs=1e-3)
    assert found[2] == pytest.approx(1.0)
    assert min(each for each in found if each is not None) < 0.9999


def test_small_masks_are_left_out_or_nothing(models: RegionModels, frames: list[Frame]) -> None:
    tiny, whole = np.zeros((44, 60), bool), np.ones((44, 60), bool)
    tiny[:9, :7] = True  # 63 pixels
    source = models.embed_regions(frames[:1] * 3, [tiny, whole, whole])
    edited = models.embed_regions(frames[:1] * 3, [whole, tiny, whole])
    assert compare_regions(source, edited) == [None, 0.0, pytest.approx(1.0)]


def test_batches_do_not_move_a_score(models: RegionModels, frames: list[Frame]) -> None:
    whole = np.ones((44, 60), bool)
    alone = [models.embed_regions([frame], [whole]).vectors[0] for frame in frames]
    assert models.embed_regions(frames, [whole] * 5).vectors == pytest.approx(np.array(alone), abs=1e-5)


def test_without_a_box_there_is_no_mask(
    models: RegionModels, frames: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(region_consistency, "LEAST_BOX_SCORE", 1.0)
    found = models.find_regions(frames, ["a dog"])
    assert (found.boxes, found.masks) == ((), ())


def test_the_tiny_detector_is_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(BadInput, match=r"are another model: backbone_config.embed_dim is 8, not 128"):
        load_region_models(folders["detector"], folders["segmenter"], folders["encoder"], CPU)


def test_sizes_are_those_of_the_models_own_processor(transformers: Any) -> None:
    from transformers.models.grounding_dino.image_processing_pil_grounding_dino import get_size_with_aspect_ratio

    for size in ((480, 854), (854, 480), (300, 400), (1080, 1920), (500, 500), (100, 900)):
        assert region_consistency.detector_size(*size) == get_size_with_aspect_ratio(size, 800, 1333)


def test_a_crop_ends_where_the_frame_does(frames: list[Frame]) -> None:
    mask = np.zeros((44, 60), bool)
    mask[:20, 40:] = True
    cut = cut_region(frames[0], mask)
    assert cut.shape == (23, 23, 3)
    assert np.array_equal(cut[:20, 3:], frames[0][:20, 40:])
    assert not cut[20:].any()
    assert not cut[:, :3].any()
