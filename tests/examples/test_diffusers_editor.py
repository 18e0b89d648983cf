"""The diffusers example as a subject of a whole run, with a tiny pipeline of random weights that is made here."""

import subprocess
import sys
from pathlib import Path

import pytest
from hub_packages import FOLDER
from tiny_wan import save_pipeline

from cutscore.bridge.rows import read_rows
from cutscore.core.work_facts import WorkFacts

pytestmark = pytest.mark.real  # torch and diffusers take a while to load


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Wan video-to-video pipeline of 200 KB, as `save_pretrained` writes it."""
    return save_pipeline("WanVideoToVideoPipeline", tmp_path_factory.mktemp("tiny"))


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
