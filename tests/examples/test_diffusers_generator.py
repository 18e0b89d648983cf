"""The diffusers generator as a subject of a whole run, with a tiny pipeline of random weights that is made here."""

import subprocess
import sys
from pathlib import Path

import pytest
from hub_packages import FOLDER
from tiny_wan import save_pipeline

from cutscore.bridge.rows import read_rows
from cutscore.core.work_facts import WorkFacts

pytestmark = [pytest.mark.real, pytest.mark.release]  # torch and diffusers take a while to load


def test_a_pipeline_in_a_folder_is_measured_like_any_generator(tmp_path: Path, repository: Path) -> None:
    pipeline = save_pipeline("WanPipeline", tmp_path / "tiny")
    script = repository / "examples" / "diffusers-generator" / "generate.py"
    sizes = "--steps 2 --frames 9 --width 64 --height 48"
    maker = f"wan=command:env PYTHONPATH={FOLDER} OMP_NUM_THREADS=1 '{sys.executable}' {script} {pipeline} {sizes}"
    words = ["run", "clvg", "--subject", maker, "--limit", "1", "--log-dir", "logs"]
    command = [sys.executable, "-m", "cutscore", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    (row,) = read_rows(tmp_path / "logs")
    assert (row.ending.status, row.deliverable.failure) == ("marked", "")
    assert row.ending.scores["passed"] == 0, "random weights pass nothing"
    facts = WorkFacts.model_validate(row.environment["work"])
    assert (facts.frames, facts.width, facts.height) == (9, 64, 48)
