"""covebench: a hub file with small random weights, from a delivered video to its scores."""

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hub_packages import torch_on_path

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.metrics.mark_metrics import measure_pixels
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.media.deliverable import read_frames
from cutscore.media.plan import Released
from cutscore.media.render import write_clip
from cutscore.models.hub import aesthetics
from cutscore.models.hub.weights import Placement, digest_of
from cutscore.store import Store

pytestmark = pytest.mark.real

SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "patch_size": 8, "image_size": 32}


@pytest.fixture(scope="module")
def torch() -> Iterator[Any]:
    with torch_on_path() as found:
        yield found


@pytest.fixture
def hub(torch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """AES on a SigLIP of two layers, TQ by a program, and a CLIP that is none."""
    import transformers

    monkeypatch.setattr(aesthetics, "SO400M", SIZES)
    config = transformers.SiglipVisionConfig(**SIZES, num_attention_heads=2, intermediate_size=48)
    transformers.SiglipVisionModel(config).save_pretrained(tmp_path / "siglip")
    head = {
        f"{n}.{kind}": value
        for n, layer in enumerate(aesthetics.build_head(24))
        for kind, value in layer.state_dict().items()
    }
    torch.save(head, tmp_path / "head.pth")
    (tmp_path / "hub.toml").write_text(f"""
[aes]
weights = "siglip"
head = "head.pth"

[clip]
weights = "siglip"

[tq]
program = ["{sys.executable}", "-c", "print(len(open('hub.toml').read()) > 0, 4.5)", "{{video}}"]
""")
    return tmp_path / "hub.toml"


def test_scores_are_those_of_the_model_on_ten_frames(hub: Path, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    pictures = [np.kron(random.integers(0, 255, (6, 8, 3), np.uint8), np.ones((8, 8, 1), np.uint8)) for _ in range(24)]
    write_clip(tmp_path / "clip.mp4", pictures, rate=Fraction(12))
    store = Store(tmp_path / "store")
    ref = store.put(tmp_path / "clip.mp4", name=EDITED, media_type="video/mp4")
    question = {"id": "Q1", "format": "Single-TF", "text": "?", "expected": "Yes"}
    checklist = Checklist.model_validate({"points": [{"target": "it", "questions": [question]}]})
    item = EditTask(id="one", cluster="one", instruction="x", target="a dog", source=ref, checklist=checklist)
    found = {
        (each.name, each.mode): each for each in measure_pixels(Evidence(files=(ref,)).bind(store), item, str(hub))
    }

    model = aesthetics.load_aesthetics(tmp_path / "siglip", tmp_path / "head.pth", Placement("cpu", "float32"))
    scores = model.score([each.pixels for each in read_frames(tmp_path / "clip.mp4", Released(10))])
    assert found["aes", "reference"].value == pytest.approx(sum(scores) / 10, abs=1e-6)
    digest = digest_of(tmp_path / "siglip", tmp_path / "head.pth")
    assert f"weights {digest[:12]} on cpu, float32" in found["aes", "reference"].because
    assert found["tq", ""].value == 4.5
    wrong = found["clip", ""]
    assert isinstance(wrong, ScoreGap)
    assert (wrong.status, "model_type is 'siglip_vision_model', not 'clip'" in wrong.because) == ("stopped", True)
