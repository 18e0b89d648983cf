"""The aesthetic score on a small SigLIP: by another way through torch, in batches, and from files that lie."""

import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.models.hub import aesthetics
from cutscore.models.hub.pixels import Frame, resize, stack_frames
from cutscore.models.hub.weights import Placement, choose_placement, digest_of, load_tensors

pytestmark = pytest.mark.real

SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "patch_size": 8, "image_size": 32}
CPU = Placement("cpu", "float32")


@pytest.fixture
def folder(transformers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A SigLIP of two layers, as `save_pretrained` writes it."""
    monkeypatch.setattr(aesthetics, "SO400M", SIZES)
    config = transformers.SiglipVisionConfig(**SIZES, num_attention_heads=2, intermediate_size=48)
    transformers.SiglipVisionModel(config).save_pretrained(tmp_path / "siglip")
    return tmp_path / "siglip"


@pytest.fixture
def head(torch: Any, tmp_path: Path) -> Path:
    """A head whose layers have the names of a module with dropout between them."""
    sizes = (24, *aesthetics.WIDTHS)
    layers = {f"layers.{2 * n}": torch.nn.Linear(a, b) for n, (a, b) in enumerate(pairwise(sizes))}
    tensors = {f"{name}.{kind}": value for name, one in layers.items() for kind, value in one.state_dict().items()}
    torch.save(tensors, tmp_path / "head.pth")
    return tmp_path / "head.pth"


def test_the_score_is_the_head_on_a_pooled_embedding_of_length_one(
    torch: Any, transformers: Any, folder: Path, head: Path, frames: list[Frame]
) -> None:
    from PIL import Image

    tower = transformers.SiglipVisionModel.from_pretrained(folder).eval()
    pictures = [np.asarray(Image.fromarray(frame).resize((32, 32), Image.Resampling.BICUBIC)) for frame in frames]
    pixels = (torch.from_numpy(np.stack(pictures)).float() / 255 - 0.5) / 0.5
    with torch.no_grad():
        found = tower(pixels.permute(0, 3, 1, 2)).pooler_output
        found = found / found.pow(2).sum(dim=1, keepdim=True).sqrt()
        layers = torch.load(head, weights_only=True)
        for n in range(5):
            found = found @ layers[f"layers.{2 * n}.weight"].T + layers[f"layers.{2 * n}.bias"]
    scores = aesthetics.load_aesthetics(folder, head, CPU).score(frames)
    assert scores == pytest.approx(found.flatten().tolist(), abs=2e-4)
    assert len(set(scores)) == 5


def test_batches_do_not_move_a_score(folder: Path, head: Path, frames: list[Frame]) -> None:
    model = aesthetics.load_aesthetics(folder, head, CPU)
    other = [frames[0][:30]]  # of another size
    alone = [model.score([frame])[0] for frame in [*frames, *other]]
    assert model.score([*frames, *other]) == pytest.approx(alone, abs=1e-6)


def test_resizing_is_pillows(torch: Any, frames: list[Frame]) -> None:
    from PIL import Image

    for size in ((20, 30), (100, 90)):
        ours = resize(stack_frames(frames, CPU), *size, "bicubic").permute(0, 2, 3, 1).numpy()
        theirs = np.stack([Image.fromarray(each).resize(size[::-1], Image.Resampling.BICUBIC) for each in frames])
        assert np.abs(ours - theirs).max() <= 1


def test_another_siglip_is_refused(folder: Path, head: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aesthetics, "SO400M", SIZES | {"num_hidden_layers": 27})
    with pytest.raises(BadInput, match="are another model: num_hidden_layers is 2, not 27; name the weights of"):
        aesthetics.load_aesthetics(folder, head, CPU)


def test_another_kind_of_model_is_refused(transformers: Any, head: Path, tmp_path: Path) -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    transformers.Dinov2Model(transformers.Dinov2Config(**sizes)).save_pretrained(tmp_path / "dino")
    with pytest.raises(BadInput, match="are another model: model_type is 'dinov2', not 'siglip'"):
        aesthetics.load_aesthetics(tmp_path / "dino", head, CPU)


def test_weights_that_are_not_whole_are_refused(folder: Path, head: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    lost = next(name for name in tensors if "layers.1.mlp.fc1.weight" in name)
    save_file({name: each for name, each in tensors.items() if name != lost}, folder / "model.safetensors")
    with pytest.raises(BrokenData, match=r"lack 1 of SiglipVisionModel, such as .*fc1.weight"):
        aesthetics.load_aesthetics(folder, head, CPU)


def test_a_head_of_another_shape_is_refused(torch: Any, folder: Path, tmp_path: Path) -> None:
    torch.save({"0.weight": torch.zeros(1, 24), "0.bias": torch.zeros(1)}, tmp_path / "other.pth")
    with pytest.raises(BadInput, match="are no head of 24 → 1024 → 128 → 64 → 16 → 1"):
        aesthetics.load_aesthetics(folder, tmp_path / "other.pth", CPU)


class Attack:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (os.mkdir, ("attacked",))


def test_a_pickle_runs_nothing(
    torch: Any, folder: Path, head: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, write in (("plain.pth", pickle.dump), ("torch.pth", torch.save)):
        with (tmp_path / name).open("wb") as file:
            write({"0.weight": Attack()}, file)
        with pytest.raises(BrokenData, match="are neither safetensors nor plain tensors"):
            load_tensors(tmp_path / name)
    (folder / "model.safetensors").rename(folder / "away")
    (tmp_path / "torch.pth").rename(folder / "pytorch_model.bin")
    with pytest.raises(BadInput, match=r"have no \*.safetensors file; save them as safetensors"):
        aesthetics.load_aesthetics(folder, head, CPU)
    assert not (tmp_path / "attacked").exists()


def test_the_digest_tells_weights_apart(folder: Path, head: Path) -> None:
    before = digest_of(folder, head)
    assert before == digest_of(folder, head)
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"!")
    assert digest_of(folder, head) != before


def test_without_a_gpu_it_is_the_cpu_in_full_precision(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert str(choose_placement()) == "cpu, float32"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    for capable, name in ((True, "bfloat16"), (False, "float16")):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda capable=capable: capable)
        assert choose_placement() == Placement("cuda", name)


@pytest.mark.parametrize("module", ["aesthetics", "clip_text", "visual_quality", "region_consistency"])
def test_modules_need_neither_decoder_nor_pydantic(repository: Path, module: str) -> None:
    """They run where there is nothing but numpy, torch and transformers, and load the last two when asked."""
    heavy = ("av", "cv2", "pydantic", "inspect_ai", "scipy", "torch", "transformers")
    code = f"import sys, cutscore.models.hub.{module}; print([each for each in {heavy} if each in sys.modules])"
    env = {**os.environ, "PYTHONPATH": str(repository / "src")}
    done = subprocess.run(
        [sys.executable, "-S", "-c", PATH + code], capture_output=True, text=True, env=env, check=True
    )
    assert done.stdout == "[]\n"


# Without `site`, so that only numpy can be imported.
PATH = f"import sys; sys.path.append({str(Path(np.__file__).parent.parent)!r}); "
