"""Progress: counts, and how often they are told."""

import io
import json
from typing import Any

import pytest

from cutscore.cells.progress import CallRetried, SampleDone, SubmissionTried
from cutscore.cli import progress
from cutscore.cli.progress import SampleCounter, UnheardStream, progress_teller, show_progress, show_waiting
from cutscore.core.tally import ignore


def count(clock: list[float]) -> tuple[SampleCounter, list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []
    return SampleCounter("c", total=5, done=1, tell=told.append, clock=lambda: clock[0]), told


def test_a_line_has_the_fields_of_the_contract() -> None:
    counting, told = count([0.0])
    counting(CallRetried("429"))
    counting(CallRetried("429"))
    counting(SampleDone("i", 1, unscored=True))
    counting(SampleDone("j", 1, failed=True))
    counting.say("sample")
    assert told[-1] == {
        "event": "sample", "cell": "c", "done": 2, "total": 5, "failed": 1, "unscored": 1, "retries": {"429": 2}
    }  # fmt: skip


def test_a_line_says_what_is_tried_until_its_task_is_done() -> None:
    clock = [0.0]
    counting, told = count(clock)
    counting(SubmissionTried("task-1", "film.mp4 is black", 3, 60))
    assert told[-1]["trying"] == "task-1: film.mp4 is black (3 of 60)"
    clock[0] = 2.0
    counting(SampleDone("task-1", 1))
    assert "trying" not in told[-1]


def test_a_bar_says_what_is_tried(capsys, monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    with show_progress("gates", total=2, done=0, style="bar") as listener:
        listener(SubmissionTried("task-1", "[film] is black", 3, 60))
        listener(SubmissionTried("task-1", "[film] is black", 4, 60))
    assert "[film] is black" in capsys.readouterr().err


def test_lines_come_at_most_once_a_second() -> None:
    clock = [0.0]
    counting, told = count(clock)
    for at_s in (0.0, 0.4, 0.99, 1.0, 1.5, 2.0):
        clock[0] = at_s
        counting(SampleDone("i", 1))
    assert [line["done"] for line in told] == [2, 5, 5]


def test_done_never_exceeds_the_plan() -> None:
    counting, told = count([0.0])
    for _ in range(9):
        counting(SampleDone("i", 1))
    counting.say("end")
    assert told[-1]["done"] == told[-1]["total"] == 5


def test_lines_begin_and_end_whatever_happens(capsys) -> None:
    def work() -> None:
        with show_progress("c", total=2, done=0, style="lines") as listener:
            listener(SampleDone("i", 1))
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        work()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["start", "sample", "end"]


def test_a_bar_draws_and_goes_away(capsys, monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with show_progress("cell-1", total=2, done=0, style="bar") as listener:
        listener(SampleDone("i", 1, failed=True))
        listener(CallRetried("503"))
    out, _ = capsys.readouterr()
    assert out == ""


def test_silence_is_silent(capsys) -> None:
    with show_progress("c", total=2, done=0, style="none") as listener:
        assert listener is ignore
    assert capsys.readouterr() == ("", "")


def test_a_plain_line_comes_now_and_then(capsys) -> None:
    clock = [0.0]
    with progress_teller("", total=9, done=0, style="text", clock=lambda: clock[0]) as tell:
        for at_s in (1.0, 10.0, 12.0):
            clock[0] = at_s
            counts = {"cell": "colorbars reader", "done": 3, "total": 9, "failed": 1, "unscored": 0, "retries": {}}
            tell({"event": "sample", **counts, "left": "about 20 s left", "spent": "$0.12"})
    assert capsys.readouterr().err == "colorbars reader: 3 of 9 samples, about 20 s left, $0.12, 1 failed\n"


@pytest.mark.parametrize("style", ["bar", "lines"])
def test_waiting_is_told_to_people_alone(capsys, monkeypatch, style) -> None:
    monkeypatch.setattr(progress, "progress_style", lambda: style)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with show_waiting("reading logs"):
        pass
    out, err = capsys.readouterr()
    assert (out, "reading logs" in err) == ("", style == "bar")


def test_a_bar_that_nobody_sees_any_more_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        encoding = "utf-8"

        def write(self, _text: str) -> int:
            raise OSError(5, "Input/output error")

        def flush(self) -> None:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(progress.sys, "stderr", Closed())
    with show_progress("cell", total=2, done=0, style="bar") as listener:
        listener(SampleDone(item="a", epoch=1))
    assert UnheardStream(Closed()).write("four") == 4
