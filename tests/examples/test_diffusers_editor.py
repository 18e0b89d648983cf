"""The diffusers example as a subject of a whole run, with a tiny pipeline of random weights that is made here."""

import subprocess
import sys
from pathlib import Path

import pytest
from hub_packages import FOLDER, torch_on_path

from cutscore.bridge.rows import read_rows
from cutscore.core.work_facts import WorkFacts

pytestmark = pytest.mark.real  # torch and diffusers take a while to load


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Wan video-to-video pipeline of 200 KB, as `save_pretrained` writes it."""
    folder = tmp_path_factory.mktemp("tiny")
    with torch_on_path():
        import transformers
        from diffusers import AutoencoderKLWan, UniPCMultistepScheduler, WanTransformer3DModel, WanVideoToVideoPipeline
        from tokenizers import Tokenizer, models, pre_tokenizers

        words = Tokenizer(models.WordLevel({"<pad>": 0, "</s>": 1, "<unk>": 2, "ball": 3}, unk_token="<unk>"))
        words.pre_tokenizer = pre_tokenizers.Whitespace()
        marks = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
        WanVideoToVideoPipeline(
            tokenizer=transformers.PreTrainedTokenizerFast(tokenizer_object=words, **marks),
            text_encoder=transformers.UMT5EncoderModel(
                transformers.UMT5Config(vocab_size=8, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
            ),
            vae=AutoencoderKLWan(
                base_dim=3,
                z_dim=16,
                dim_mult=[1, 1, 1, 1],
                num_res_blocks=1,
                temperal_downsample=[False, True, True],
            ),
            transformer=WanTransformer3DModel(
                num_attention_heads=2,
                attention_head_dim=12,
                text_dim=16,
                freq_dim=16,
                ffn_dim=16,
                num_layers=1,
                rope_max_seq_len=32,
            ),
            scheduler=UniPCMultistepScheduler(prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=3.0),
        ).save_pretrained(folder)
    return folder


@pytest.mark.release
def test_a_pipeline_in_a_folder_is_measured_like_any_editor(tmp_path: Path, repository: Path, pipeline: Path) -> None:
    script = repository / "examples" / "diffusers-editor" / "edit.py"
    editor = f"wan=command:env PYTHONPATH={FOLDER} OMP_NUM_THREADS=1 '{sys.executable}' {script} {pipeline} --steps 2"
    words = ["run", "covebench", "--subject", editor, "--limit", "1", "--set", "input_rule=icve", "--log-dir", "logs"]
    command = [sys.executable, "-m", "cutscore", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    (row,) = read_rows(tmp_path / "logs")
    assert (row.ending.status, row.deliverable.failure) == ("marked", "")
    facts = WorkFacts.model_validate(row.environment["work"])
    assert (facts.frames, facts.width, facts.height) == (17, 320, 176), "by the rule, at a multiple of 16"
    assert facts.load_s is not None
    assert facts.work_s is not None
    assert facts.peak_bytes is not None
    assert facts.load_s > 0 < facts.work_s
