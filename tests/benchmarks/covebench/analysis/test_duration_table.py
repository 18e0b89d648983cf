"""covebench: a video that is shorter or longer than its source is seen in a table."""

from cutscore.benchmarks.covebench.analysis.duration_table import duration_table
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.results.tables.lines import cell_lines


def row(item: str, **found: float) -> Row:
    said = tuple(Finding(name=name.replace("_", " "), value=value, because="told") for name, value in found.items())
    ending = Ending(status="marked", scores={"uas@reference": 1.0}, findings=said)
    return Row(
        benchmark="covebench", version="1", cell="a-1", subject="mine", item=item, epoch=1, cluster=item, ending=ending
    )


def test_ratios_and_lost_frames_are_summed_up() -> None:
    rows = [row("a", duration_ratio=1.01), row("b", duration_ratio=0.5, lost_frames=2), row("c")]
    made = duration_table(cell_lines(rows))
    (line,) = made.rows
    assert line[3:] == ((1.01 + 0.5) / 2, 0.5, 1.01, 2, 1, 1)
    assert made.title == "Durations: 1 of 2 videos are not as long as their source"


def test_equal_lengths_and_no_lengths_are_told() -> None:
    assert duration_table(cell_lines([row("a", duration_ratio=1.0)])).title.startswith("Durations: 0 of 1 videos")
    assert duration_table(cell_lines([row("a")])).rows == ()
