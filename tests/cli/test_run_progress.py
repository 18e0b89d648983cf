"""All cells of a run in one line: who is at work, how much is done, also of cells in other processes."""

from types import SimpleNamespace
from typing import Any

from cutscore.cells.progress import CallRetried, SampleDone
from cutscore.cli.run_progress import RunProgress, show_run, write_events


def plan(who: str, *, total: int = 4, done: int = 0) -> Any:
    cell = SimpleNamespace(benchmark="colorbars", title=who, id=f"{who}-0123456789ab")
    return SimpleNamespace(key=f"colorbars/{cell.id}", cell=cell, total=total, done=done)


def test_one_line_tells_of_all_cells() -> None:
    clock, told = [0.0], list[dict[str, Any]]()
    one, two = plan("reader", done=1), plan("lab/m")
    shown = RunProgress([one, two], tell=told.append, by_cell=False, spent_usd=lambda: 0.5, clock=lambda: clock[0])
    shown.start(one.key, cell=one.cell.id, total=4, done=1)
    assert (told[-1]["cell"], told[-1]["done"], told[-1]["total"]) == ("colorbars reader", 1, 8)
    shown.start(two.key, cell=two.cell.id, total=4, done=0)
    for at_s in (1.0, 2.0, 3.0):
        clock[0] = at_s
        shown.hear(two.key, SampleDone("i", 1, failed=at_s == 3.0))
    shown.end(one.key)
    shown.end(one.key)
    assert told[-1]["cell"] == "colorbars lab/m"
    assert (told[-1]["done"], told[-1]["failed"], told[-1]["left"]) == (4, 1, "about 4 s left")
    assert told[-1]["spent"] == "$0.50"


def test_cells_of_other_processes_are_read_from_their_files(capsys) -> None:
    one, two = plan("one", total=1), plan("two", total=2)
    with show_run([one, two], style="lines", apart=True) as (watch, _):
        for each in (one, two):
            with watch(each) as listener:
                listener(CallRetried("503"))
                for item in range(each.total):
                    listener(SampleDone(f"i{item}", 1, unscored=item == 1))
    lines = capsys.readouterr().err
    ends = [line for line in lines.splitlines() if '"end"' in line]
    assert [part in ends[0] for part in ('"cell": "one-', '"done": 1', '"503": 1')] == [True] * 3
    assert [part in ends[1] for part in ('"cell": "two-', '"done": 1', '"unscored": 1')] == [True] * 3
    assert lines.count('"start"') == 2


def test_a_cell_that_cannot_see_the_folder_runs_all_the_same(tmp_path) -> None:
    with write_events(plan("one"), folder=str(tmp_path / "elsewhere")) as listener:
        listener(SampleDone("i", 1))
    assert not list(tmp_path.iterdir())
