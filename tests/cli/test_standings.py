"""The table that runs end with: it fits the screen, drops the least needed columns first, and says which."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.cli.standings import standings_text
from cutscore.core.ending import Ending
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult

LONG = "our-own-editor-with-a-long-name"
SCORES = {"colorbars": "accuracy", "covebench": "uas@reference"}


def cell(
    subject: str, *, bench: str = "colorbars", n: int = 12, clips: int = 12, top: float = 1.0, **more: Any
) -> CellResult:
    """A cell whose first samples get full marks and whose last ones nothing, by the length of its subject's name."""
    version = benchmark(bench).card.version
    mode = "reference" if bench == "covebench" else ""
    made = Cell(benchmark=bench, version=version, data="0" * 64, subject=SubjectSpec.parse(subject), mode=mode)
    rows = tuple(
        Row(
            benchmark=bench,
            version=version,
            cell=made.id,
            subject=made.subject.label,
            item=f"item-{place:02d}",
            epoch=1,
            cluster=f"clip {place % clips:02d}",
            ending=Ending(status="marked", scores={SCORES[bench]: top * (place < len(subject))}),
            **more,
        )
        for place in range(n)
    )
    return CellResult(CellRecord(made, Path("run") / bench / made.id, Path("run"), ()), rows)


def result(*cells: CellResult) -> BenchmarkResult:
    return BenchmarkResult(benchmark(cells[0].record.cell.benchmark).card, cells)


@pytest.fixture
def mixed() -> list[BenchmarkResult]:
    """Two benchmarks, long names, several questions on a clip, money."""
    bars = result(
        cell(f"{LONG}=folder:a", n=24, cost_usd=1.0, model="lab/m"),
        *(cell(kind, n=24) for kind in ("reader", "blind", "oracle")),
    )
    return [bars, result(cell(f"{LONG}-2=folder:b", bench="covebench", top=100.0)), result(cell("null"))]


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_every_line_fits_and_no_word_is_broken(mixed, width: int) -> None:
    text = standings_text(mixed, width=width)
    assert max(map(len, text.splitlines())) <= width
    said = "nothing failed; nothing is unscored; more on a wider screen:"
    known = {*standings_text(mixed, width=200).split(), *said.split()}
    known |= {f"{name}{end}" for name in ("asked", "cost", "ceiling", "guess") for end in ("", ",")}
    assert [word for word in text.split() if word not in known and "…" not in word] == []


def test_a_wide_screen_has_every_column_and_a_narrow_one_says_what_it_lacks(mixed) -> None:
    lines = standings_text(mixed, width=200).splitlines()
    assert lines[0].split() == ["contestant", "score", "guess", "ceiling", "on", "asked", "failed", "unscored", "cost"]
    figures = "1.000 [0.758, 1.000] 0.208 0.250 12 clips 24 questions 0 0 $24.00"
    assert " ".join(lines[1].split()) == f"colorbars v2 {LONG} {figures}"
    assert lines[4] == "colorbars v2: nobody competed; floor 0.333 [0.083, 0.667], 12 clips"
    assert lines[7] == "colorbars: reader − blind: 0.042 [0.000, 0.167], no difference seen (could have shown 0.154)"
    narrow = standings_text(mixed, width=80).splitlines()
    assert narrow[0].split() == ["contestant", "score", "guess", "ceiling", "on", "cost"]
    assert narrow[6] == "nothing failed; nothing is unscored; more on a wider screen: asked"


def test_clips_that_are_all_of_one_kind_are_in_the_heading_and_a_loss_is_never_dropped(mixed) -> None:
    cells = cell("reader"), replace(cell("mine=folder:x"), missing=3)
    rows = [
        row.model_copy(update={"ending": Ending(status="stopped", because="needs a browser")}) for row in cells[0].rows
    ]
    part = result(replace(cells[0], rows=(*cells[0].rows[:9], *rows[9:])), cells[1])
    head, *lines = standings_text([part], width=60).splitlines()
    assert head.split() == ["contestant", "score", "guess", "clips", "unscored"]
    assert lines[2].split() == ["reader", "0.667", "[0.222,", "1.000]", "0.250", "9", "3"]
    assert lines[3] == "nothing failed; more on a wider screen: ceiling"
    assert "stopped: colorbars reader, 3 of 12 samples: needs a browser" in lines
    assert "colorbars mine: 3 samples missing" in lines
