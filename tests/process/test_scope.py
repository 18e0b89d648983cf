"""Children end with the scope that they were started in, whoever waits for them."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from cutscore.core.errors import SubjectFailed
from cutscore.process import Child, ProgramLimits, child_scope, run

SOON_S = 60.0


def gone(pid: int) -> bool:
    return not os.path.exists(f"/proc/{pid}")


def wait_for(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON_S
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_thread_that_nobody_waits_for_loses_its_program_and_starts_no_other(tmp_path: Path) -> None:
    ends: list[object] = []

    def work() -> None:
        script = 'echo $$ > "$0/pid.part"; mv "$0/pid.part" "$0/pid"; trap "" TERM; sleep 1000 & wait'
        ends.append(run(["sh", "-c", script, tmp_path], limits=ProgramLimits(wall_s=1000)))
        try:
            run(["sleep", "1000"], limits=ProgramLimits(wall_s=1000))
        except SubjectFailed as failure:
            ends.append(failure)

    async def sample() -> float:
        with child_scope():
            with anyio.move_on_after(SOON_S) as limit:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(lambda: anyio.to_thread.run_sync(work, abandon_on_cancel=True))
                    while not (tmp_path / "pid").exists():
                        await anyio.sleep(0.01)
                    limit.cancel()
            began_s = time.monotonic()
        assert gone(int((tmp_path / "pid").read_text()))  # at once, and not only when its thread has noticed
        return time.monotonic() - began_s

    assert anyio.run(sample) < 1.0
    wait_for(lambda: len(ends) == 2)
    assert str(ends[0]) == "program 'sh' was ended by SIGKILL"
    assert str(ends[1]) == "program 'sleep': is started for a sample that has ended; start it earlier"


def test_scopes_inside_each_other_end_their_own() -> None:
    with child_scope():
        outer = Child(["sleep", "1000"])
        with child_scope():
            inner = Child(["sleep", "1000"])
            shared = Child(["sleep", "1000"], shared=True)
            pids = outer.pid, inner.pid, shared.pid
        assert [gone(pid) for pid in pids] == [False, True, False]
    assert [gone(pid) for pid in pids] == [True, True, False]
    for child in (outer, inner, shared):
        child.close()
    assert gone(pids[2])


def test_a_child_that_its_owner_has_closed_is_forgotten() -> None:
    with child_scope() as scope:
        child = Child(["true"])
        child.wait(SOON_S)
        child.close()
        assert not scope._children


def test_a_child_whose_scope_is_closed_while_it_starts_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with child_scope() as scope:
        enrol, started = scope.enrol, list[Child]()

        def late(child: Child) -> bool:
            started.append(child)
            scope.close()
            return enrol(child)

        monkeypatch.setattr(scope, "enrol", late)
        with pytest.raises(SubjectFailed, match="a sample that has ended"):
            Child(["sleep", "1000"])
    assert started[0].guard.returncode is not None


def test_many_threads_start_children_while_the_scope_closes() -> None:
    children, refused = list[Child](), list[SubjectFailed]()

    async def sample() -> None:
        def work() -> None:
            while True:
                try:
                    children.append(Child(["sleep", "1000"]))
                except SubjectFailed as failure:
                    refused.append(failure)
                    return

        with child_scope():
            with anyio.move_on_after(0.3):
                async with anyio.create_task_group() as tasks:
                    for _ in range(4):
                        tasks.start_soon(lambda: anyio.to_thread.run_sync(work, abandon_on_cancel=True))

    before = threading.active_count()
    anyio.run(sample)
    wait_for(lambda: len(refused) == 4)
    for child in children:
        child.wait(SOON_S)
        child.close()
    assert children
    assert threading.active_count() <= before + 4
