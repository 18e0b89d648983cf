"""What a program takes while it works, in memory and on GPUs; what nobody saw is unknown."""

import os
import sys
from pathlib import Path

import pytest

from cutscore.process import ProgramLimits, UsageMeter, run

pytestmark = pytest.mark.real  # programs that stay for a second

MIB = 1 << 20
# Fills 40 MiB, here and in a child, says who they are, and stays for a while.
GREEDY = """
import os, sys, time
own = bytearray(os.urandom(40 << 20))
child = os.fork()
if child: open(sys.argv[1], "w").write(f"{os.getpid()} {child}")
else: own = bytearray(os.urandom(40 << 20))
time.sleep(1.5)
"""
# Says of each of them, and of a stranger, what they take on GPUs, twice.
FAKE_SMI = """#!/bin/sh
while [ ! -s {pids} ]; do sleep 0.02; done
for when in one two; do
  for pid in $(cat {pids}) 1; do echo "$when, $pid, {mib}"; done
done
sleep 60
"""


def run_greedy(folder: Path) -> UsageMeter:
    limits = ProgramLimits(wall_s=60)
    with UsageMeter() as meter:
        done = run([sys.executable, "-c", GREEDY, folder / "pids"], limits=limits, on_start=meter.watch)
    assert done.ok, done.err
    assert done.wall_s < 20
    return meter


@pytest.mark.parametrize(("mib", "peak"), [("300", 600 * MIB), ("[N/A]", None)])
def test_processes_count_together_on_gpus_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mib: str, peak: int | None
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(FAKE_SMI.format(pids=tmp_path / "pids", mib=mib))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    meter = run_greedy(tmp_path)
    assert meter.gpu_peak_bytes == peak


def test_memory_is_that_of_all_processes_and_without_a_gpu_that_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/bin:/usr/bin" if not Path("/usr/bin/nvidia-smi").exists() else "/nowhere")
    meter = run_greedy(tmp_path)
    assert meter.peak_bytes is not None
    assert 80 * MIB < meter.peak_bytes < 400 * MIB
    assert meter.gpu_peak_bytes is None


def test_what_nobody_watched_is_unknown() -> None:
    with UsageMeter() as meter:
        pass
    assert (meter.peak_bytes, meter.gpu_peak_bytes) == (None, None)
