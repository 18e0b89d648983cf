"""Time that a host gives to others: what /proc/stat says of it, and where it says nothing."""

from pathlib import Path

import pytest

from cutscore.process.steal import measure_steal


def write_times(file: Path, *, idle: int, steal: int) -> None:
    file.write_text(f"cpu  100 0 50 {idle} 0 0 0 {steal} 90 0\ncpu0 1 2 3\n")


def test_the_share_is_of_all_time_meanwhile(tmp_path: Path) -> None:
    """150 of idling and 50 stolen meanwhile: a quarter. What guests take is counted already, and not once more."""
    stat = tmp_path / "stat"
    write_times(stat, idle=1000, steal=10)
    with measure_steal(stat) as steal:
        write_times(stat, idle=1150, steal=60)
    assert steal.share == 0.25


@pytest.mark.parametrize("text", ["", "cpu 1 2 3\n", "cpu a b\n", None])
def test_a_machine_that_does_not_tell_has_none(tmp_path: Path, text: str | None) -> None:
    stat = tmp_path / "stat"
    if text is not None:
        stat.write_text(text)
    with measure_steal(stat) as steal:
        pass
    assert steal.share is None


def test_this_machine_tells_a_share_or_nothing() -> None:
    with measure_steal() as steal:
        sum(range(2_000_000))
    assert steal.share is None or 0 <= steal.share <= 1
