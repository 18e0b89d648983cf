"""How far a piece of work is: a bar on a terminal, a plain line now and then elsewhere, JSON lines with `--json`."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, TextIO, cast

from cutscore.cells.progress import CallRetried, Event, Listener, SampleDone
from cutscore.cli.output import OutputPrinter, is_terminal, wants_json
from cutscore.core.tally import ignore

ProgressStyle = Literal["bar", "text", "lines", "none"]

# A program that reads along wants to know that we live, not every sample of two thousand; the log of a CI job less.
LINE_EVERY_S, BAR_EVERY_S, TEXT_EVERY_S = 1.0, 0.1, 10.0
NAME_ROOM = 34  # columns of a bar for what is under way


def progress_style() -> ProgressStyle:
    """Choose by who reads standard error."""
    if is_terminal(sys.stderr):
        return "bar"
    return "lines" if wants_json() else "text"


class UnheardStream:
    """A stream whose reader may be gone, as with a terminal that was closed: nothing stops because of that."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, if somebody reads."""
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Send what is written, if somebody reads."""
        with suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class SampleCounter:
    """Counts the samples of one cell as they end, and tells somebody now and then."""

    def __init__(
        self,
        cell: str,
        *,
        total: int,
        done: int,
        tell: Callable[[dict[str, Any]], None],
        every_s: float = LINE_EVERY_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cell, self.total, self.done, self.failed, self.unscored = cell, total, done, 0, 0
        self.retries: Counter[str] = Counter()
        self._tell, self._every_s, self._clock = tell, every_s, clock
        self._trying = ""
        self._told_s = float("-inf")

    def __call__(self, event: Event) -> None:
        if isinstance(event, SampleDone):
            # A sample that was not marked is owed, not done: the same command asks it again.
            self.done += not event.unscored
            self.unscored += event.unscored
            self.failed += event.failed
            self._trying = ""
        elif isinstance(event, CallRetried):
            self.retries[event.fault] += 1
        else:
            self._trying = f"{event.item}: {event.what} ({event.number} of {event.of})"
        if self._clock() - self._told_s >= self._every_s:
            self._told_s = self._clock()
            self.say("sample")

    def say(self, event: str) -> None:
        """Send the counts now."""
        counts = {"done": min(self.done, self.total), "total": self.total}
        lost = {"failed": self.failed, "unscored": self.unscored}
        trying = {"trying": self._trying} if self._trying else {}
        retries = {"retries": dict(sorted(self.retries.items()))}
        self._tell({"event": event, "cell": self.cell, **counts, **lost, **retries, **trying})


@contextmanager
def show_progress(
    cell: str, *, total: int, done: int, style: ProgressStyle, line_every_s: float = LINE_EVERY_S
) -> Iterator[Listener]:
    """Show a cell's progress while this lasts."""
    if style == "none":
        yield ignore
        return
    with progress_teller(cell, total=total, done=done, style=style) as tell:
        every_s = BAR_EVERY_S if style == "bar" else line_every_s
        count = SampleCounter(cell, total=total, done=done, tell=tell, every_s=every_s)
        count.say("start")
        try:
            yield count
        finally:
            count.say("end")


@contextmanager
def progress_teller(
    what: str, *, total: int, done: int, style: ProgressStyle, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield whoever shows counts in one line, as `SampleCounter` sends them; `left` and `spent` where known."""
    if style == "bar":
        with _bar(what, total, done) as tell:
            yield tell
        return
    screen, told_s = OutputPrinter(command="run"), [clock()]

    def tell_text(counts: dict[str, Any]) -> None:
        if counts["event"] == "sample" and clock() - told_s[0] >= TEXT_EVERY_S:
            told_s[0] = clock()
            notes = [f"{counts['done']:,} of {counts['total']:,} samples", *_notes(counts)]
            screen.tell(f"{counts['cell']}: {', '.join(notes)}")

    yield tell_text if style == "text" else lambda counts: screen.tell(json.dumps(counts))


@contextmanager
def show_waiting(what: str) -> Iterator[None]:
    """Show a person on a terminal what is done while this lasts; a program sees nothing of it."""
    if progress_style() != "bar":
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def _bar(what: str, total: int, done: int) -> Iterator[Callable[[dict[str, Any]], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.table import Column

    whole = Column(no_wrap=True, overflow="ellipsis", max_width=NAME_ROOM)
    looks = (
        TextColumn("{task.description}", markup=False, table_column=whole),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
    )
    console = Console(file=cast(TextIO, UnheardStream(sys.stderr)))
    with Progress(*looks, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total, completed=done, note="")

        def tell(counts: dict[str, Any]) -> None:
            note = ", ".join(_notes(counts))
            progress.update(task, description=counts["cell"], completed=counts["done"], note=note)

        yield tell


def _notes(counts: dict[str, Any]) -> list[str]:
    """Write what there is to say beside the counts: time and money, what was lost, what is tried."""
    lost = {"failed": counts["failed"], "unscored": counts["unscored"], "retries": sum(counts["retries"].values())}
    beside = [counts.get("left"), counts.get("spent"), *(f"{n:,} {what}" for what, n in lost.items() if n)]
    return [note for note in (*beside, counts.get("trying")) if note]
