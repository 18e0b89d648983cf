"""What a program and everything below it use together: measured, limited by the kernel or by the guard, and said."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cutscore.process import Child, GroupLimits, ProgramLimits, ProgramResult, guard, guard_cgroup, run, start

MIB = 1 << 20
# Each of N processes fills 40 MiB of its own, and all stay for a while; with `shared`, one fills it for all of them.
MANY = """
import os, sys, time
n, how, stay_s = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
common = bytearray(os.urandom(40 << 20)) if how == "shared" else None
ours, theirs = os.pipe()
for _ in range(n):
    if os.fork() == 0:
        own = bytearray(os.urandom(40 << 20)) if how == "own" else None
        os.write(theirs, b".")
        time.sleep(1000)
while n:
    n -= len(os.read(ours, 100))
print("filled", flush=True)
time.sleep(stay_s)
"""


@pytest.fixture
def sampling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nobody may make control groups."""
    folder = tmp_path / "guard"
    folder.mkdir()
    for file in Path(guard.__file__).parent.glob("guard*.py"):
        shutil.copy(file, folder)
    (folder / "guard_cgroup.py").write_text("def make_cgroup(*_): return []\n")
    monkeypatch.setattr(start, "_GUARD", folder / "guard.py")


@pytest.fixture
def cgroups() -> None:
    """A machine on which we may."""
    made = guard_cgroup.make_cgroup(MIB, 10)
    guard_cgroup.remove_cgroup(made)
    if not made:
        pytest.skip("this user may not make control groups here")


def many(n: int, how: str, stay_s: float, group: GroupLimits) -> ProgramResult:
    argv = [sys.executable, "-I", "-S", "-c", MANY, str(n), how, str(stay_s)]
    return run(argv, limits=ProgramLimits(wall_s=60, group=group))


def test_the_peak_is_that_of_all_processes_together() -> None:
    done = many(4, "own", 1, GroupLimits())
    assert done.ok
    assert 160 * MIB < done.peak_bytes < 400 * MIB
    assert done.limited_by is None
    alone = run([sys.executable, "-I", "-S", "-c", MANY, "4", "own", "1"], limits=ProgramLimits(wall_s=60))
    assert 40 * MIB < alone.peak_bytes < 100 * MIB  # of the largest, where nobody asked for all


def test_shared_pages_count_once() -> None:
    assert 40 * MIB < many(6, "shared", 1, GroupLimits()).peak_bytes < 120 * MIB


def test_the_peak_of_a_child_that_we_end_is_known() -> None:
    argv = [sys.executable, "-I", "-S", "-c", MANY, "3", "own", "1000"]
    child = Child(argv, stdout=subprocess.PIPE, group=GroupLimits())
    try:
        assert child.guard.stdout is not None
        assert child.guard.stdout.readline() == b"filled\n"
        assert child.wait(0.5) is None  # a look of the guard at what is there by now
    finally:
        child.close()
    ended = child.poll()
    assert ended is not None
    assert ended.peak_bytes > 120 * MIB


@pytest.mark.usefixtures("sampling")
def test_the_guard_ends_a_group_that_takes_too_much_memory() -> None:
    done = many(4, "own", 1000, GroupLimits(memory_bytes=100 * MIB))
    assert (done.ended, done.code, done.limited_by) == ("memory", None, "sampling")
    assert done.peak_bytes > 100 * MIB
    assert str(done) == f"program '{sys.executable}' used more memory than it may"
    assert many(1, "own", 0, GroupLimits(memory_bytes=400 * MIB)).ok


@pytest.mark.usefixtures("sampling")
def test_the_guard_ends_a_group_of_too_many() -> None:
    done = many(12, "none", 1000, GroupLimits(processes=8))
    assert (done.ended, done.limited_by) == ("processes", "sampling")
    assert str(done) == f"program '{sys.executable}' started more processes than it may"
    assert many(2, "none", 0.3, GroupLimits(processes=8)).ok


@pytest.mark.usefixtures("cgroups")
def test_the_kernel_ends_a_group_that_takes_too_much_memory() -> None:
    done = many(4, "own", 1000, GroupLimits(memory_bytes=100 * MIB))
    assert (done.ended, done.code, done.limited_by) == ("memory", None, "cgroup")
    assert done.peak_bytes < 130 * MIB  # libraries that others have loaded are not charged to it
    one = run(
        [sys.executable, "-I", "-S", "-c", "x = b'x' * (300 << 20)"],
        limits=ProgramLimits(wall_s=60, group=GroupLimits(memory_bytes=100 * MIB)),
    )
    assert one.ended == "memory"  # killed before the guard had looked even once


@pytest.mark.usefixtures("cgroups")
def test_others_go_on_where_they_are_spared() -> None:
    hog = f"{sys.executable} -I -S -c 'x = b\"x\" * (300 << 20)'; sleep 0.3; exit 7"
    child = Child(["/bin/sh", "-c", hog], group=GroupLimits(100 * MIB, spares_others=True))
    try:
        ended = child.wait(30)
    finally:
        child.close()
    assert ended is not None
    assert (ended.code, ended.over, ended.memory_kills) == (7, None, 1)


@pytest.mark.usefixtures("cgroups")
def test_the_kernel_refuses_too_many() -> None:
    done = many(12, "none", 1000, GroupLimits(processes=8))
    assert (done.ended, done.limited_by) == ("processes", "cgroup")
    assert many(2, "none", 0, GroupLimits(processes=8, memory_bytes=400 * MIB)).ok


@pytest.mark.usefixtures("cgroups")
def test_no_control_group_is_left() -> None:
    made = guard_cgroup.make_cgroup(MIB, 10)
    parents = [Path(folder).parent for folder in made]
    guard_cgroup.remove_cgroup(made)
    before = {group for parent in parents for group in parent.glob("cutscore-*")}
    many(1, "none", 0, GroupLimits(memory_bytes=100 * MIB, processes=10))
    left = {group for parent in parents for group in parent.glob("cutscore-*")} - before
    assert [group for group in left if not Path("/proc", group.name.removeprefix("cutscore-")).exists()] == []


def test_where_controllers_are_is_read_from_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 2 with controllers handed down, then without; version 1 below a folder of its own."""
    texts = {
        "/proc/self/cgroup": "0::/user/us\n",
        "/proc/self/mounts": f"cgroup2 {tmp_path} cgroup2 rw 0 0\n",
        f"{tmp_path}/user/us/cgroup.subtree_control": "cpu memory pids\n",
    }
    monkeypatch.setattr(guard_cgroup, "_lines", lambda file: texts[file].splitlines())
    limits = {"memory": 5, "pids": 6}
    assert guard_cgroup._places(limits) == [(f"{tmp_path}/user/us", {"memory.max": 5, "pids.max": 6})]
    texts[f"{tmp_path}/user/us/cgroup.subtree_control"] = "cpu\n"
    with pytest.raises(FileNotFoundError, match=re.escape("not handed down")):
        guard_cgroup._places(limits)
    texts["/proc/self/cgroup"] = "4:memory:/job\n3:cpu,pids:/\n0::/\n"
    texts["/proc/self/mounts"] = "cgroup /m cgroup rw,memory 0 0\ncgroup /p cgroup rw,cpu,pids 0 0\n"
    expected = [("/m/job", {"memory.limit_in_bytes": 5}), ("/p", {"pids.max": 6})]
    assert guard_cgroup._places(limits) == expected


@pytest.mark.usefixtures("cgroups")
def test_whoever_runs_in_real_time_can_still_be_limited() -> None:
    code = "from cutscore.process import *; import os; os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))\n"
    code += "print(run(['true'], limits=ProgramLimits(wall_s=20, group=GroupLimits(processors=1))).limited_by)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if "PermissionError" in said.stderr:
        pytest.skip("this user may not ask for real time")
    assert said.stdout == "cgroup\n", said.stderr
