"""How much of its processors this machine did not get: time that its host gave to others ("steal")."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STAT_FILE = Path("/proc/stat")
# Of the line "cpu": user, nice, system, idle, iowait, irq, softirq, steal. What follows is counted under user already.
COUNTED, STEAL = 8, 7


class StealMeter:
    """What was stolen while a measurement lasted; `share` is None where the machine does not tell."""

    share: float | None = None


@contextmanager
def measure_steal(stat_file: Path = STAT_FILE) -> Iterator[StealMeter]:
    """Measure the share of all processor time that the host took away meanwhile, 0 to 1."""
    meter, before = StealMeter(), _read_times(stat_file)
    try:
        yield meter
    finally:
        meter.share = stolen_share(before, _read_times(stat_file))


def stolen_share(before: list[int], after: list[int]) -> float | None:
    """Return the stolen share of the time between two readings; None where there is none to tell of.

    >>> stolen_share([100, 0, 0, 100, 0, 0, 0, 0], [140, 0, 0, 150, 0, 0, 0, 10])
    0.1
    """
    if len(before) < COUNTED or len(after) < COUNTED:
        return None
    spent = [late - early for early, late in zip(before[:COUNTED], after[:COUNTED], strict=True)]
    return round(spent[STEAL] / sum(spent), 4) if sum(spent) > 0 and spent[STEAL] >= 0 else None


def _read_times(stat_file: Path) -> list[int]:
    try:
        name, *times = stat_file.read_text().partition("\n")[0].split()
        return [int(each) for each in times] if name == "cpu" else []
    except (OSError, ValueError):
        return []
