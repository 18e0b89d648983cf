"""How many samples work at once."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.cells import capacity
from cutscore.cells.capacity import AHEAD, NEEDS_UNKNOWN, Machine, read_machine, samples_at_once, settle_at_once
from cutscore.core.resources import Resources
from cutscore.registry import benchmark

GB = 1 << 30
ROOMY = Machine(processors=8, memory_bytes=64 * GB, disk_bytes=500 * GB)


@pytest.mark.parametrize(
    ("needs", "machine", "rest", "chosen"),
    [
        (None, ROOMY, {}, NEEDS_UNKNOWN),
        (Resources(processors=1), ROOMY, {}, 8),
        (Resources(processors=2.5), ROOMY, {}, 3),
        (Resources(processors=16), ROOMY, {}, 1),
        (Resources(processors=1, memory_bytes=16 * GB), ROOMY, {}, 3),
        (Resources(disk_bytes=200 * GB), ROOMY, {}, 2),
        (Resources(memory_bytes=16 * GB), Machine(processors=8), {}, NEEDS_UNKNOWN),
        (Resources(), ROOMY, {"connections": 40}, 40 + AHEAD),
        (Resources(processors=1), ROOMY, {"connections": 2}, 2 + AHEAD),
        (Resources(), ROOMY, {"connections": 40, "slots": 4}, 4),
        (None, ROOMY, {"slots": 60}, 60),
    ],
)
def test_the_scarcest_thing_decides(needs, machine, rest, chosen):
    assert samples_at_once(needs, machine, **rest) == chosen


@given(
    st.builds(Resources, processors=st.floats(0, 64), memory_bytes=st.integers(0, 1 << 50)),
    st.builds(Machine, processors=st.integers(1, 512), memory_bytes=st.none() | st.integers(0, 1 << 50)),
    st.none() | st.integers(1, 1000),
)
def test_somebody_always_works_and_nothing_is_overbooked(needs, machine, slots):
    chosen = samples_at_once(needs, machine, slots=slots)
    assert chosen >= 1
    assert chosen == 1 or chosen * needs.processors <= machine.processors + 1e-6
    assert chosen == 1 or machine.memory_bytes is None or chosen * needs.memory_bytes <= machine.memory_bytes


def test_the_machine_is_read_where_the_run_will_be(tmp_path):
    here = read_machine(tmp_path / "not" / "there" / "yet")
    assert here.processors >= 1
    assert here.disk_bytes is not None
    assert here.disk_bytes > 0
    assert here.memory_bytes is None or here.memory_bytes > 0


def test_a_container_s_limit_counts_when_it_is_tighter(tmp_path, monkeypatch):
    limit, used = tmp_path / "memory.max", tmp_path / "memory.current"
    monkeypatch.setattr(capacity, "CONTAINER_MEMORY", ((tmp_path / "none", tmp_path / "none"), (limit, used)))
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:       2048 kB\n")
    monkeypatch.setattr(capacity, "MEMORY_FILE", tmp_path / "meminfo")
    used.write_text("1000\n")
    limit.write_text("max\n")
    assert read_machine(tmp_path).memory_bytes == 2048 * 1024
    limit.write_text("5000\n")
    assert read_machine(tmp_path).memory_bytes == 4000


def test_a_provider_alone_decides_for_a_subject_that_only_waits(tmp_path: Path):
    waits, looks = SimpleNamespace(needs=Resources()), SimpleNamespace(needs=Resources(processors=1))
    found = benchmark("colorbars")
    assert settle_at_once(waits, found, tmp_path, connections=None) is None
    assert settle_at_once(waits, found, tmp_path, connections=3) == 3 + AHEAD
    assert settle_at_once(looks, found, tmp_path, connections=None) == read_machine(tmp_path).processors
    assert settle_at_once(SimpleNamespace(), found, tmp_path, connections=None) == NEEDS_UNKNOWN
