"""Tasks for Harbor: the layout, where the truth is and where it is not, and a test script that writes the reward."""

import json
import subprocess
import sys
import tomllib
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from cutscore import registry
from cutscore.authoring.harbor import VerifierSettings, write_task
from cutscore.benchmarks.sequencing.ask import ask
from cutscore.benchmarks.sequencing.dataset import SequencingItem, deliveries
from cutscore.core.ask import Ask
from cutscore.core.bundle import Provenance
from cutscore.core.deliverable import Deliverable
from cutscore.media.render import write_clip
from cutscore.prompts import load_prompts
from cutscore.store import Store

ORDER = ("film/clip-03.mp4", "film/clip-01.mp4", "film/clip-02.mp4")


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three clips of half a second, each of other squares, in the order 3, 1, 2."""
    folder = tmp_path_factory.mktemp("harbor")
    store, clips = Store(folder / "store"), []
    for number, name in enumerate(ORDER):
        squares = np.random.default_rng(number).integers(0, 255, (6, 8, 3), dtype=np.uint8)
        picture = squares.repeat(9, axis=0).repeat(12, axis=1)
        write_clip(folder / "clip.mp4", [picture] * 5, rate=Fraction(10))
        clips.append(store.put(folder / "clip.mp4", name=name, media_type="video/mp4"))
    item = SequencingItem(
        id="film",
        cluster="film",
        groups={"clips": "other"},
        brief="Squares change.",
        materials=tuple(sorted(clips, key=lambda ref: ref.name)),
        deliveries=deliveries(Fraction(3, 2)),
        licence="CC0-1.0",
        media_type='animation "drawn"',
        human_minutes=4,
        hints={"narrative": "First come the grey ones."},
        provenance={ORDER[0]: Provenance(licence="CC0-1.0", source="The Film of Squares")},
        order=ORDER,
    )
    found = registry.benchmark("sequencing")
    asked = ask(item, load_prompts(found.folder / "prompts"))
    write_task(folder / "tasks/film", found, item, asked, store, marker=VerifierSettings(mode="strict"))
    return folder / "tasks/film"


def test_the_folder_has_the_layout_of_harbor(task: Path) -> None:
    names = {path.relative_to(task).as_posix() for path in task.rglob("*") if path.is_file()}
    assert names == {
        "task.toml", "instruction.md", "environment/Dockerfile", "solution/solve.sh", "tests/Dockerfile",
        "tests/test.sh", "solution/files/solution.json", "solution/files/solution.mp4", "tests/pack/items.jsonl",
        *(f"environment/materials/{name}" for name in ORDER), *(f"tests/pack/{name}" for name in ORDER),
    }  # fmt: skip
    for script in ("solution/solve.sh", "tests/test.sh"):
        assert (task / script).stat().st_mode & 0o111
    config = tomllib.loads((task / "task.toml").read_text())
    assert config["task"]["name"] == "cutscore/sequencing-film"
    assert config["artifacts"] == ["/workspace/outputs"]
    assert config["verifier"]["environment_mode"] == "separate"
    assert config["agent"] == {"timeout_sec": 1800.0, "user": "editor"}
    assert config["metadata"]["media_type"] == 'animation "drawn"'
    assert config["metadata"]["expert_minutes"] == 4
    assert "pip install --no-cache-dir cutscore==" in (task / "tests/Dockerfile").read_text()


def test_the_truth_is_nowhere_but_with_the_marker_and_the_oracle(task: Path) -> None:
    """Neither the order nor a hint nor a title is in anything that the agent's container is made of."""
    seen = [task / "task.toml", task / "instruction.md", *(path for path in (task / "environment").rglob("*"))]
    text = b"\n".join(path.read_bytes() for path in seen if path.is_file())
    for secret in ("The Film of Squares", "First come", *(f'"{one}","{two}"' for one, two in pairwise(ORDER))):
        assert secret.encode() not in text
    assert (task / "instruction.md").read_text().startswith("A film was cut into 3 clips")
    assert "- `film/clip-01.mp4`" in (task / "instruction.md").read_text()
    assert "Put into `/workspace/outputs`:\n\n- `solution.json`" in (task / "instruction.md").read_text()


def reward(task: Path, root: Path) -> float | None:
    """Run the marker's script as its container does, with the roots of its paths in a folder of ours."""
    script = (task / "tests/test.sh").read_text()
    for path in ("/workspace", "/logs", "/tests"):
        script = script.replace(path, f"{root}{path}")
    (root / "tests").symlink_to(task / "tests")
    (root / "bin").mkdir()
    (root / "bin/cutscore").write_text(f'#!/bin/sh\nexec {sys.executable} -m cutscore "$@"\n')
    (root / "bin/cutscore").chmod(0o755)
    path = f"{root}/bin:{Path(sys.executable).parent}:/usr/bin:/bin"
    subprocess.run(["sh", "-c", script], env={"PATH": path, "PYTHONPATH": ":".join(sys.path)}, check=False, timeout=120)
    written = root / "logs/verifier/reward.json"
    return json.loads(written.read_text())["reward"] if written.exists() else None


@pytest.mark.real  # three programs are started
def test_the_script_rewards_the_oracle_with_1_and_nothing_with_0(task: Path, tmp_path: Path) -> None:
    solve = (task / "solution/solve.sh").read_text().replace("/workspace", f"{tmp_path}/one/workspace")
    solve = solve.replace('"$(dirname "$0")', f'"{task}/solution')
    (tmp_path / "one").mkdir()
    subprocess.run(["sh", "-c", solve], check=True, timeout=60)
    assert reward(task, tmp_path / "one") == 1.0
    (tmp_path / "two").mkdir()
    assert reward(task, tmp_path / "two") == 0.0
    told = json.loads((tmp_path / "two/logs/verifier/cutscore.json").read_text())
    assert told["findings"][0]["because"] == "missing file: solution.json was not delivered"


@pytest.mark.real
def test_without_a_mark_there_is_no_reward(task: Path, tmp_path: Path) -> None:
    script = (task / "tests/test.sh").read_text().replace("--data /tests/pack", "--data /tests/nowhere")
    broken = tmp_path / "task"
    (broken / "tests").mkdir(parents=True)
    (broken / "tests/test.sh").write_text(script)
    (tmp_path / "root").mkdir()
    assert reward(broken, tmp_path / "root") is None


def test_an_answer_in_words_is_asked_for_and_given_as_a_file(
    task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, store = registry.benchmark("sequencing"), Store(tmp_path / "store")
    (item,) = found.part("dataset").items(store, task / "tests/pack")
    monkeypatch.setattr(found.part("oracle"), "perfect", lambda item, store: Deliverable(text="3, 1, 2"))
    wheel = tmp_path / "cutscore-9-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    asked = Ask(item="film", brief="In which order?")
    write_task(tmp_path / "t", found, item, asked, store, marker=VerifierSettings(judge="a b", wheel=wheel))
    instruction = (tmp_path / "t/instruction.md").read_text()
    assert "Your working folder is `/workspace`. It is empty." in instruction
    assert "- `answer.txt`: your answer, in words" in instruction
    assert (tmp_path / "t/solution/files/answer.txt").read_text() == "3, 1, 2"
    assert "COPY cutscore-9-py3-none-any.whl /tmp/\nRUN pip install" in (tmp_path / "t/tests/Dockerfile").read_text()
    assert (tmp_path / "t/tests" / wheel.name).read_bytes() == b"wheel"
    assert "--judge 'a b'" in (tmp_path / "t/tests/test.sh").read_text()
