"""Clips a second of the hub metrics: all frames of a clip in one batch, against one frame at a time.

Weights are random numbers in models of full size: speed does not depend on them, scores do, so none is printed. A clip
is ten frames of 854 × 480. Wanted: at least five times as many clips in batches for the image models (aes, clip), on a
GPU. vqr writes 32 tokens a frame instead of up to 512; src has three phrases, and its masks follow one another in time,
so they cannot be made at once.

    PYTHONPATH=src python bench/hub.py [--only aes clip] [--small]      needs numpy, torch and transformers alone
"""

import argparse
import json
import os
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from cutscore.core.errors import MissingExtra
from cutscore.models.hub.aesthetics import SO400M, AestheticPredictor, build_head
from cutscore.models.hub.clip_text import TextImageModel
from cutscore.models.hub.pixels import Frame
from cutscore.models.hub.region_consistency import RegionModels
from cutscore.models.hub.visual_quality import IMAGE, SAMPLING, QualityRater
from cutscore.models.hub.weights import Placement, choose_placement, import_torch, import_transformers

FRAMES, HEIGHT, WIDTH = 10, 480, 854
SECONDS = 6.0  # at least, for each side of each model, after the first clip


@dataclass(frozen=True)
class Timed:
    """A model under the clock; `whole` takes a clip as it is marked, `single` one frame after the other."""

    whole: Callable[[Sequence[Frame]], object]
    single: Callable[[Sequence[Frame]], object] | None


def build(name: str, config: Any, placement: Placement) -> Any:
    """Return a model of random weights, made on its device."""
    torch, transformers = import_torch(), import_transformers()
    torch.set_default_dtype(getattr(torch, placement.dtype))
    try:
        with torch.device(placement.device):
            made = getattr(transformers, name)(config).eval()
        return made.to(placement.device)  # some parameters do not hear of the device they are made on
    finally:
        torch.set_default_dtype(torch.float32)


def one_by_one(score: Callable[[Sequence[Frame]], object]) -> Callable[[Sequence[Frame]], object]:
    return lambda frames: [score([frame]) for frame in frames]


def time_aes(placement: Placement, small: bool) -> Timed:
    torch, transformers = import_torch(), import_transformers()
    sizes = SO400M | {"intermediate_size": 4304, "num_attention_heads": 16}
    tiny = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64, "num_attention_heads": 2}
    config = transformers.SiglipVisionConfig(**(sizes | tiny if small else sizes))
    head = build_head(config.hidden_size).to(placement.device, getattr(torch, placement.dtype)).eval()
    model = AestheticPredictor(build("SiglipVisionModel", config, placement), head, placement)
    return Timed(model.score, one_by_one(model.score))


def time_clip(placement: Placement, small: bool) -> Timed:
    transformers = import_transformers()
    image = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    text = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12}
    if small:
        image = text = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    vision = transformers.CLIPVisionConfig(**image, patch_size=14, image_size=224, projection_dim=768)
    words = transformers.CLIPTextConfig(**text, projection_dim=768)
    model = TextImageModel(
        build("CLIPVisionModelWithProjection", vision, placement),
        build("CLIPTextModelWithProjection", words, placement),
        lambda *_, **__: Tokens([[5] * 76 + [words.eos_token_id]]),
        placement,
    )

    def score(frames: Sequence[Frame]) -> object:
        return model.score(frames, "a red ball")

    return Timed(score, one_by_one(score))


def time_vqr(placement: Placement, small: bool) -> Timed:
    transformers = import_transformers()
    text = {"hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28}
    vision = {"depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16, "out_hidden_size": 3584}
    mrope = [16, 24, 24]
    if small:
        text = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
        vision = {"depth": 2, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 16}
        mrope = [1, 1, 2]
    rope = {"rope_type": "default", "mrope_section": mrope, "rope_theta": 1e6}
    keys = 2 if small else 4
    words = {**text, "num_key_value_heads": keys, "vocab_size": 152064, "rope_parameters": rope}
    config = transformers.Qwen2_5_VLConfig(text_config=words, vision_config=vision)
    SAMPLING.update(max_new_tokens=32, min_new_tokens=32)

    class Tokenizer:
        pad_token_id = 151643

        def __call__(self, text: str, **_: object) -> Tokens:
            return Tokens([[151652, *[config.image_token_id] * text.count(IMAGE), 151653, *[5] * 120]])

        def batch_decode(self, ids: Any, **_: object) -> list[str]:
            return [str(each) for each in ids.tolist()]

    model = QualityRater(build("Qwen2_5_VLForConditionalGeneration", config, placement), Tokenizer(), placement)

    def score(frames: Sequence[Frame]) -> object:
        return model.reply(frames, "How good is it?")

    return Timed(score, one_by_one(score))


def time_src(placement: Placement, small: bool) -> Timed:
    torch, transformers = import_torch(), import_transformers()
    place = Placement(placement.device, "float32")
    swin = transformers.SwinConfig(
        embed_dim=128,
        depths=[2, 2, 18, 2],
        num_heads=[4, 8, 16, 32],
        window_size=12,
        out_features=["stage2", "stage3", "stage4"],
    )
    sam = transformers.Sam2VideoConfig()
    large = {
        "hidden_size": 144,
        "num_attention_heads": 2,
        "blocks_per_stage": [2, 6, 36, 4],
        "embed_dim_per_stage": [144, 288, 576, 1152],
        "num_attention_heads_per_stage": [2, 4, 8, 16],
        "global_attention_blocks": [23, 33, 43],
        "window_size_per_stage": [8, 4, 16, 8],
    }
    if not small:
        for name, value in large.items():
            setattr(sam.vision_config.backbone_config, name, value)
        sam.vision_config.backbone_channel_list = [1152, 576, 288, 144]
    detector = transformers.GroundingDinoConfig(**({} if small else {"backbone_config": swin}))
    encoder = transformers.Dinov2Config(
        hidden_size=384, num_hidden_layers=12, num_attention_heads=6, patch_size=14, image_size=518
    )
    model = RegionModels(
        build("GroundingDinoForObjectDetection", detector, place),
        lambda texts, **_: Tokens([[101, 1037, 3899, 1012, 102]] * len(texts)),
        build("Sam2VideoModel", sam, place),
        build("Dinov2Model", encoder, place),
        place,
    )
    phrases, boxes = ["a dog", "a tree", "a bench"], [(0.1, 0.1, 0.4, 0.6), (0.5, 0.1, 0.7, 0.9), (0.6, 0.5, 0.9, 0.8)]
    mask = np.zeros((HEIGHT, WIDTH), bool)
    mask[100:300, 200:600] = True

    def whole(frames: Sequence[Frame]) -> None:
        model.ground(frames[:3], phrases)
        model.segment(frames, boxes)
        model.embed_regions(frames, [mask] * len(frames))

    def single(frames: Sequence[Frame]) -> None:
        for frame in frames[:3]:
            model.ground([frame], phrases)
        model.segment(frames, boxes)
        for frame in frames:
            model.embed_regions([frame], [mask])

    torch.manual_seed(1)
    return Timed(whole, single)


class Tokens(dict[str, Any]):
    """A text that nobody wrote, as a tokenizer gives it: speed depends on its length alone."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        torch = import_torch()
        ids = torch.tensor(rows, device=choose_placement().device)
        super().__init__(input_ids=ids, attention_mask=torch.ones_like(ids))

    def to(self, _: str) -> "Tokens":
        return self


MODELS: dict[str, Callable[[Placement, bool], Timed]] = {
    "aes": time_aes,
    "clip": time_clip,
    "src": time_src,
    "vqr": time_vqr,
}


def clips_a_second(score: Callable[[Sequence[Frame]], object], frames: Sequence[Frame]) -> float:
    torch = import_torch()
    score(frames)  # the first call chooses kernels
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    begun, clips = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS or not clips:
        score(frames)
        clips += 1
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    return clips / (time.perf_counter() - begun)


def measure(name: str, placement: Placement, *, small: bool) -> dict[str, Any]:
    """Return the two speeds of a model, or what went wrong."""
    torch = import_torch()
    timed: Timed | None = None
    frames = list(np.random.default_rng(1).integers(0, 255, (FRAMES, HEIGHT, WIDTH, 3), np.uint8))
    found: dict[str, Any] = {"metric": name, "weights": "random", "placement": str(placement)}
    try:
        begun = time.perf_counter()
        timed = MODELS[name](placement, small)
        found["load_s"] = time.perf_counter() - begun
        found["clips_a_second"] = clips_a_second(timed.whole, frames)
        if timed.single:
            found["one_by_one"] = clips_a_second(timed.single, frames)
            found["ratio"] = found["clips_a_second"] / found["one_by_one"]
    except Exception as error:  # noqa: BLE001  one model that fails leaves the others
        traceback.print_exc()
        found["error"] = f"{type(error).__name__}: {error}"
    timed = None  # so that its memory is free for the next one
    if torch.cuda.is_available():
        found["peak_gb"] = torch.cuda.max_memory_allocated() / 1e9
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=MODELS, default=list(MODELS))
    parser.add_argument("--small", action="store_true", help="tiny models, to try the script itself")
    asked: SimpleNamespace = parser.parse_args(namespace=SimpleNamespace())
    try:
        torch, placement = import_torch(), choose_placement()
    except MissingExtra as missing:
        print(f"not measured: {missing}")
        return
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else f"{torch.get_num_threads()} CPU threads"
    size = "tiny models" if asked.small else "models of full size"
    print(f"{device}; {placement}; torch {torch.__version__}; {size}, random weights")
    print(f"{'metric':8}{'clips/s':>10}{'one by one':>12}{'ratio':>8}{'GB':>7}{'load s':>8}")
    done = []
    for name in asked.only:
        done.append(found := measure(name, placement, small=asked.small))
        numbers = [found.get(key) for key in ("clips_a_second", "one_by_one", "ratio", "peak_gb", "load_s")]
        cells = ["" if each is None else f"{each:.2f}" for each in numbers]
        print(
            f"{name:8}{cells[0]:>10}{cells[1]:>12}{cells[2]:>8}{cells[3]:>7}{cells[4]:>8}",
            found.get("error", ""),
            flush=True,
        )
        if folder := os.environ.get("OUT"):
            plain = {"device": device, "torch": torch.__version__, "models": size, "metrics": done}
            Path(folder, "hub.json").write_text(json.dumps(plain, indent=1))


if __name__ == "__main__":
    main()
