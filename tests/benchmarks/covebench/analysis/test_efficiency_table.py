"""Time and memory of editors, from what rows have of their work; what nobody measured stays blank."""

import sys
from pathlib import Path

import pytest
from command_fixtures import Cli

from cutscore.benchmarks.covebench.analysis.efficiency_table import efficiency_table
from cutscore.benchmarks.covebench.analysis.published_tables import published
from cutscore.bridge.rows import read_rows
from cutscore.core.ending import Ending
from cutscore.core.row import Row, canonical_rows
from cutscore.core.work_facts import WorkFacts

MADE = {"frames": 41, "width": 480, "height": 480}
WORKER = """
import json, shutil, sys, time
time.sleep(0.3)
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    job = json.loads(line)
    time.sleep(0.25)
    shutil.copyfile(job["source"], job["output"])
    print("{}", flush=True)
"""


def row(item: str, work: WorkFacts | None, *, cell: str = "x-1", failed: bool = False) -> Row:
    environment = {"work": work.model_dump(mode="json", exclude_none=True)} if work else {}
    return Row(
        benchmark="covebench",
        version="1",
        cell=cell,
        subject=cell[0],
        cluster="a",
        epoch=1,
        conditions={"input_rule": "efficiency"},
        item=item,
        environment=environment,
        ending=Ending(status="marked", scores={"uas": 0.0}, failure_class="crash" if failed else None),
    )


def test_seconds_go_by_frames_and_loading_apart() -> None:
    made = efficiency_table(
        [
            row("a", WorkFacts(wall_s=100, work_s=41, load_s=59, peak_bytes=2 << 30, gpu_peak_bytes=8 << 30, **MADE)),
            row("b", WorkFacts(wall_s=20.5, work_s=20.5, load_s=0, peak_bytes=1 << 30, gpu_peak_bytes=9 << 30, **MADE)),
            row("c", WorkFacts(wall_s=1, **MADE), failed=True),
            row("d", None),
            row("a", WorkFacts(wall_s=82, **MADE), cell="y-2"),
        ]
    )
    assert made.rows == (
        ("x", "input rule efficiency", 2, "41", "480×480", 0.75, 120.5 / 82, 59.0, 2048.0, 9216.0),
        ("y", "input rule efficiency", 1, "41", "480×480", None, 2.0, None, None, None),
    )


def test_what_work_took_is_no_part_of_a_canonical_row() -> None:
    assert canonical_rows([row("a", WorkFacts(wall_s=1, **MADE))]) == canonical_rows([row("a", None)])


def test_without_measured_work_there_is_a_table_that_says_so() -> None:
    assert efficiency_table([row("a", None)]).title == "No editor was measured at work"


def test_the_published_figures_are_those_of_the_eight_models() -> None:
    table = published()["table_5"]
    assert (len(table), table["Kiwi"], table["VACE"]) == (8, [0.651, 31476.3], [12.827, 113090.9])


@pytest.mark.real
def test_a_worker_is_measured_at_the_papers_input(tmp_path: Path, child: Cli) -> None:
    (tmp_path / "worker.py").write_text(WORKER)
    subject = f"copier=command:'{sys.executable}' {tmp_path / 'worker.py'}"
    words = ["run", "covebench", "--subject", subject, "--set", "input_rule=efficiency", "--set", "metrics=none"]
    done = child(*words, "--limit", "2", "--log-dir", str(tmp_path / "logs"))
    assert done.code == 0, done.err
    (line,) = efficiency_table(read_rows(tmp_path / "logs")).rows
    who, _, videos, frames, size, work, whole, load, memory, gpu = line
    assert (who, videos, frames, size) == ("copier", 2, "41", "480×480")
    assert isinstance(work, float)
    assert isinstance(whole, float)
    assert isinstance(load, float)
    assert 0 < work < whole
    assert load > 0.2
    assert isinstance(memory, float)
    assert gpu is None or isinstance(gpu, float)
