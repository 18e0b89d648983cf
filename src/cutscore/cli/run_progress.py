"""How far all cells of a run are, in one line: who is at work, samples, time left, money.

Cells may run side by side in other processes. Each writes what happens to a file, and we read along; a cell on another
machine, which cannot see the folder, is counted when it ends.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.cells.progress import CallRetried, Event, Listener, SampleDone
from cutscore.cli import progress
from cutscore.cli.progress import BAR_EVERY_S, ProgressStyle, SampleCounter, progress_teller
from cutscore.core.tally import ignore
from cutscore.results.wording import usd

if TYPE_CHECKING:
    from cutscore.api.plans import CellPlan, Watch

READ_EVERY_S = 0.25
FEWEST = 3  # samples that make a pace; the first has waited for everything to start
_EVENTS = {"sample": SampleDone, "retry": CallRetried}


class RunProgress:
    """Counts the samples of all cells, and tells one line of all of them, or with `--json` the lines of each."""

    def __init__(
        self,
        plans: Sequence[CellPlan],
        *,
        tell: Callable[[dict[str, Any]], None],
        by_cell: bool,
        spent_usd: Callable[[], float | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names = {plan.key: f"{plan.cell.benchmark} {plan.cell.title}" for plan in plans}
        self._total = sum(plan.total for plan in plans)
        self._done_before = sum(plan.done for plan in plans)
        self._tell, self._by_cell, self._spent_usd, self._clock = tell, by_cell, spent_usd, clock
        self._cells: dict[str, SampleCounter] = {}
        self._whole = SampleCounter(
            "", total=self._total, done=self._done_before, tell=self._tell_whole, every_s=BAR_EVERY_S
        )
        self._running: list[str] = []
        self._begun_s = clock()
        self._ended = 0

    def start(self, key: str, *, cell: str, total: int, done: int) -> None:
        """Hear that a cell has begun."""
        self._running.append(key)
        if self._by_cell:
            every_s = progress.LINE_EVERY_S
            self._cells[key] = SampleCounter(cell, total=total, done=done, tell=self._tell, every_s=every_s)
            self._cells[key].say("start")
        else:
            self._whole.say("start")

    def hear(self, key: str, event: Event) -> None:
        """Hear of a sample or a call of a cell."""
        self._ended += isinstance(event, SampleDone)
        (self._cells[key] if self._by_cell else self._whole)(event)

    def end(self, key: str) -> None:
        """Hear that a cell has ended; twice is once."""
        if key in self._running:
            self._running.remove(key)
            (self._cells[key] if self._by_cell else self._whole).say("end")

    def _tell_whole(self, counts: dict[str, Any]) -> None:
        spent = self._spent_usd()
        more = {"left": self._left(counts["done"]), "spent": "" if spent is None else usd(spent)}
        self._tell({**counts, "cell": self._at_work(), **more})

    def _at_work(self) -> str:
        names = [self._names[key] for key in self._running] or ["done"]
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"

    def _left(self, done: int) -> str:
        """Write the time that is left, at the pace so far."""
        if self._ended < FEWEST or done >= self._total:
            return ""
        left_s = (self._clock() - self._begun_s) / self._ended * (self._total - done)
        return f"about {describe_time(left_s)} left"


def describe_time(seconds: float) -> str:
    """Write a length of time as one guesses it.

    >>> describe_time(42), describe_time(200), describe_time(9000)
    ('42 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def show_run(
    plans: Sequence[CellPlan],
    *,
    style: ProgressStyle,
    apart: bool,
    spent_usd: Callable[[], float | None] = lambda: None,
) -> Iterator[tuple[Watch, Callable[[str], None]]]:
    """Show how far cells are while this lasts.

    Args:
        plans: All of them.
        style: How it is shown.
        apart: They run in other processes.
        spent_usd: Asked now and then.

    Returns:
        What watches a cell, and whom to tell that one has ended.
    """
    total, done = sum(plan.total for plan in plans), sum(plan.done for plan in plans)
    with progress_teller("starting", total=total, done=done, style=style) as tell:
        shown = RunProgress(plans, tell=tell, by_cell=style == "lines", spent_usd=spent_usd)
        if not apart:
            yield partial(_watch_here, shown=shown), shown.end
            return
        with tempfile.TemporaryDirectory(prefix="cutscore-") as folder, _reading(Path(folder), shown):
            yield partial(write_events, folder=folder), ignore


@contextmanager
def _watch_here(plan: CellPlan, *, shown: RunProgress) -> Iterator[Listener]:
    shown.start(plan.key, cell=plan.cell.id, total=plan.total, done=plan.done)
    try:
        yield partial(shown.hear, plan.key)
    finally:
        shown.end(plan.key)


@contextmanager
def write_events(plan: CellPlan, *, folder: str) -> Iterator[Listener]:
    """Write what happens to a cell into a file of its own, for whoever started this process."""
    if not Path(folder).is_dir():  # on another machine
        yield ignore
        return
    file = Path(folder, f"{plan.cell.benchmark} {plan.cell.id}.jsonl")
    with file.open("a", encoding="utf-8", buffering=1) as stream:

        def write(event: str, **facts: Any) -> None:
            stream.write(json.dumps({"event": event, "key": plan.key, **facts}) + "\n")

        def listen(event: Event) -> None:
            if isinstance(event, SampleDone):
                write("sample", **asdict(event))
            elif isinstance(event, CallRetried):
                write("retry", **asdict(event))

        write("start", cell=plan.cell.id, total=plan.total, done=plan.done)
        try:
            yield listen
        finally:
            write("end")


@contextmanager
def _reading(folder: Path, shown: RunProgress) -> Iterator[None]:
    """Read the files of a folder while this lasts, and once more at the end."""
    places: dict[Path, int] = {}
    over = threading.Event()

    def read() -> None:
        for file in sorted(folder.glob("*.jsonl")):
            with file.open("rb") as stream:
                stream.seek(places.get(file, 0))
                for line in stream:
                    if not line.endswith(b"\n"):
                        break  # somebody is writing it right now
                    places[file] = places.get(file, 0) + len(line)
                    take(json.loads(line))

    def take(line: dict[str, Any]) -> None:
        event, key = line.pop("event"), line.pop("key")
        if event == "start":
            shown.start(key, **line)
        elif event == "end":
            shown.end(key)
        else:
            shown.hear(key, _EVENTS[event](**line))

    def keep_reading() -> None:
        while not over.wait(READ_EVERY_S):
            read()

    reader = threading.Thread(target=keep_reading, daemon=True)
    reader.start()
    try:
        yield
    finally:
        over.set()
        reader.join()
        read()
