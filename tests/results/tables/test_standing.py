"""Several benchmarks side by side: the best stacks and experts of Figure 2, and the gaps between them."""

from pathlib import Path

import pytest

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.finding import score_key
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.tables.standing import across_tables, human_gap_table, standing_table

MODE = "paper"


def cell(name: str, label: str, mean: float, *, input: str = "", items: int = 6) -> CellResult:
    """A cell whose marks lie around a mean."""
    card = benchmark(name).card
    spec = SubjectSpec(kind="folder", spec=label, label=label)
    made = Cell(benchmark=name, version=card.version, data="0" * 64, subject=spec, mode=MODE, input=input)
    rows = tuple(
        Row(
            benchmark=name,
            version=card.version,
            cell=made.id,
            subject=label,
            item=f"task-{n}",
            epoch=1,
            cluster=f"film-{n}",
            input=input,
            ending=Ending(status="marked", scores={score_key(card.headline, MODE): mean + (n % 3 - 1) * 0.03}),
        )
        for n in range(items)
    )
    return CellResult(CellRecord(made, Path("run") / name / made.id, Path("run"), ()), rows)


def result(name: str, *cells: CellResult) -> BenchmarkResult:
    return BenchmarkResult(benchmark(name).card, cells)


def value(found: object) -> float:
    assert isinstance(found, Estimate)
    assert found.value is not None
    return found.value


@pytest.fixture
def results() -> list[BenchmarkResult]:
    """§3.1: the best on Assembly has 0.38 against 0.81 of experts, on Repurpose 0.30 against 0.95."""
    return [
        result(
            "assembly",
            *(cell("assembly", "codex", 0.38), cell("assembly", "openclaw", 0.18), cell("assembly", "oracle", 0.9)),
            *(cell("assembly", f"human-{n}", mean) for n, mean in enumerate((0.6, 0.81, 0.9), 1)),
            cell("assembly", "codex", 0.11, input="no_description"),
        ),
        result(
            "repurpose",
            *(cell("repurpose", "codex", 0.30), cell("repurpose", "human-1", 0.95)),
        ),
    ]


def test_the_gaps_to_people_are_those_of_the_paper(results: list[BenchmarkResult]) -> None:
    table = human_gap_table(results)
    assert [row[:2] for row in table.rows] == [("assembly", "codex"), ("repurpose", "codex")]
    assert [value(row[2]) for row in table.rows] == pytest.approx([0.38, 0.30])
    assert [value(row[3]) for row in table.rows] == pytest.approx([0.81, 0.95])
    assert [value(row[4]) for row in table.rows] == pytest.approx([-43, -65])
    assert [row[4].n for row in table.rows if isinstance(row[4], Estimate)] == [6, 6]
    assert table.title == "The best stack lies 43.0 to 65.0 points below people"


def test_the_standing_has_every_stack_and_people_below(results: list[BenchmarkResult]) -> None:
    table = standing_table(results)
    assert [column.name for column in table.columns] == ["subject", "model", "assembly", "repurpose"]
    assert [row[0] for row in table.rows] == ["codex", "openclaw", "oracle", "human"]
    assert table.rows[1][3] is None
    assert [value(each) for each in table.rows[0][2:]] == pytest.approx([0.38, 0.30])
    assert [value(each) for each in table.rows[-1][2:]] == pytest.approx([0.81, 0.95])
    assert table.title == "1 of 2 contestants was measured on all 2 benchmarks"


def test_without_people_there_is_no_gap_and_no_line() -> None:
    made = [result("assembly", cell("assembly", "codex", 0.4)), result("repair", cell("repair", "codex", 0.3))]
    standing, gaps = across_tables(made).tables
    assert [row[0] for row in standing.rows] == ["codex"]
    assert gaps.rows == ()
    assert gaps.title == "No gap to people: nobody did the tasks by hand"


def test_one_benchmark_alone_has_no_tables_across() -> None:
    assert across_tables([result("assembly", cell("assembly", "codex", 0.4))]).tables == ()


def test_who_beats_people_is_said() -> None:
    first = result("assembly", cell("assembly", "codex", 0.9), cell("assembly", "human-1", 0.8))
    other = result("repair", cell("repair", "codex", 0.3), cell("repair", "human-1", 0.8))
    assert human_gap_table([first, other]).title == "The best stack is above people in 1 of 2 benchmarks"


def test_the_command_prints_and_writes_them(
    cli, results: list[BenchmarkResult], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cells = tuple(each for made in results for each in made.cells)
    monkeypatch.setattr("cutscore.cli.tables.read_runs", lambda _: cells)
    ran = cli("tables", tmp_path, "--only", "human-gap")
    assert ran.out.startswith("across benchmarks\n\nThe best stack lies 43.0 to 65.0 points below people [human-gap]")
    assert "−43.0 [" in ran.out
    (across,) = cli("tables", tmp_path, "--only", "standing", "--json").json["benchmarks"]
    assert (across["benchmark"], [table["id"] for table in across["tables"]]) == ("", ["standing"])
    cli("tables", tmp_path, "--only", "standing", "--format", "csv", "-o", tmp_path / "out")
    assert (tmp_path / "out" / "across" / "standing.csv").read_text().startswith("subject,model,assembly,assembly low")
