"""`cutscore tables`: every table of a run, on the screen and as files."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.cli.tables import ENDINGS
from cutscore.cli.text_tables import write_table
from cutscore.core.errors import BrokenData
from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Table
from cutscore.registry import Benchmark

HALF = Estimate(name="score", value=0.614, low=0.571, high=0.655, n=197, clusters=84)


def table(models: int = 2, axes: int = 3, **more: Any) -> Table:
    names = ("who", *(f"axis {number}" for number in range(axes)))
    body = tuple((f"model-{number}", *[HALF] * axes) for number in range(models))
    made = {"id": "board", "title": "A finding", "columns": tuple(Column(name=name) for name in names), "rows": body}
    return Table(**(made | more))


def test_columns_are_aligned_under_their_headings() -> None:
    assert write_table(table(note="by clip", paper="Table 4"), width=100).splitlines() == [
        "A finding [board]",
        "                       axis 0                axis 1                axis 2",
        "who               n=197 in 84           n=197 in 84           n=197 in 84",
        "model-0  0.614 [0.571, 0.655]  0.614 [0.571, 0.655]  0.614 [0.571, 0.655]",
        "model-1  0.614 [0.571, 0.655]  0.614 [0.571, 0.655]  0.614 [0.571, 0.655]",
        "by clip; n: observations in clusters; Table 4 of the paper",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_wide_table_is_cut_into_blocks_that_fit_and_name_their_rows(width: int) -> None:
    lines = write_table(table(axes=6), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert sum(line.startswith("model-1") for line in lines) == sum(line.startswith("who") for line in lines)
    assert " ".join(lines).count("0.614") == 12
    assert all(f"axis {number}" in " ".join(lines) for number in range(6))


def test_rows_with_long_names_go_by_number_in_later_blocks() -> None:
    """A name that takes more than a third of the line is written once."""
    long = tuple((f"a model with a rather long name {number}", *[HALF] * 6) for number in range(12))
    lines = write_table(table(axes=6, rows=long), width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("rather long name 11" in line for line in lines) == 1
    assert [line[:4] for line in lines if line.startswith("12")] == ["12  "] * 3


def test_sentences_that_stand_alone_have_the_whole_line() -> None:
    said = "a sentence that is longer than a cell which has others beside it"
    lines = write_table(table(columns=(Column(name="slip"),), rows=((said,),)), width=80).splitlines()
    assert lines == ["A finding [board]", "slip", said]


def test_one_column_wider_than_the_terminal_is_still_shown() -> None:
    assert "0.614 [0.571, 0.655]" in write_table(table(), width=10)


def test_long_words_go_on_below() -> None:
    cause = "the provider answered 503 five times in a row, and then it hung up"
    made = write_table(table(1, 0, columns=(Column(name="who"), Column(name="why")), rows=(("a", cause),)), width=80)
    assert made.splitlines()[2:] == ["a    the provider answered 503 five times", "     in a row, and then it hung up"]


def test_a_long_table_is_cut_and_says_how_to_see_the_rest() -> None:
    lines = write_table(table(50), width=100, most=40).splitlines()
    assert (lines[-3][:8], lines[-2]) == ("model-39", "… 10 rows more; --only board shows all")


def test_hostile_text_is_inert_and_stays_in_its_line() -> None:
    made = write_table(table(title="\x1b]0;owned\x07", rows=(("a\nb\x1b[2J", HALF, HALF, HALF),)), width=100)
    assert "\x1b" not in made
    assert len(made.splitlines()) == 5


def test_all_tables_of_a_run(cli, finished_run) -> None:
    ran = cli("tables", finished_run)
    assert ran.code == 0
    assert ran.out.startswith("colorbars v2\n\nBy what was asked: ")
    assert "\n\nBy moment of the clip: " in ran.out
    assert "oracle   1.000 [" in ran.out


def test_json_has_everything(cli, finished_run) -> None:
    made = cli("tables", finished_run, "--only", "kinds", "--json").json
    assert (made["schema"], made["min_coverage"], made["files"]) == ("cutscore.tables/1", None, [])
    (bench,) = made["benchmarks"]
    assert (bench["benchmark"], bench["version"], bench["mode"]) == ("colorbars", "2", "")
    (kinds,) = bench["tables"]
    names = [column["name"] for column in kinds["columns"]]
    oracle = dict(zip(names, kinds["rows"][-1], strict=True))
    assert (oracle["subject"], oracle["word"]["value"], oracle["word"]["n"]) == ("oracle", 1.0, 4)


def test_least_coverage_is_handed_on_and_recorded(cli, finished_run, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import tables as own

    make, asked = own.tables, []

    def lenient(rows, card, *, min_coverage=1.0):
        asked.append(min_coverage)
        return make(rows, card)

    monkeypatch.setattr(own, "tables", lenient)
    assert cli("tables", finished_run, "--min-coverage", 0.5, "--json").json["min_coverage"] == 0.5
    assert cli("tables", finished_run, "--json").json["min_coverage"] is None
    assert asked == [0.5, 1.0]


def test_secrets_reach_neither_screen_nor_file(cli, finished_run, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MY_SECRET", "By what was asked")
    words = [word for name in ENDINGS for word in ("--format", name)]
    assert cli("tables", finished_run, *words, "-o", "out").code == 0
    said = [path.read_text(encoding="utf-8") for path in (tmp_path / "out" / "colorbars").iterdir()]
    assert not any("By what was asked" in text for text in [*said, cli("tables", finished_run).out])
    assert any("[redacted:MY" in text for text in said)


def test_one_table_as_csv(cli, finished_run) -> None:
    ran = cli("tables", finished_run, "--only", "moments", "--format", "csv")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert {row["subject"] for row in rows} >= {"blind", "oracle"}
    assert rows[-1]["late"] == "1.0"
    assert float(rows[-1]["late low"]) < 1


def test_a_file_has_the_same_lines_whatever_the_terminal(cli, finished_run, tmp_path: Path, monkeypatch) -> None:
    texts = []
    for width in ("40", "200"):
        monkeypatch.setenv("COLUMNS", width)
        cli("tables", finished_run, "-o", width)
        texts.append((tmp_path / width / "colorbars" / "kinds.txt").read_text())
    assert texts[0] == texts[1]
    assert max(map(len, cli("tables", finished_run).out.splitlines())) > 40
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, cli("tables", finished_run, "--only", "kinds").out.splitlines()[3:])) <= 40


def test_files_for_each_table_and_format(cli, finished_run, tmp_path: Path) -> None:
    words = [word for name in ENDINGS for word in ("--format", name)]
    ran = cli("tables", finished_run, *words, "-o", "out", "--json")
    wanted = {f"{name}.{ending}" for name in ("kinds", "moments") for ending in ENDINGS.values()}
    assert {path.name for path in (tmp_path / "out" / "colorbars").iterdir()} == wanted
    assert len(ran.json["files"]) == len(wanted)
    assert json.loads((tmp_path / "out/colorbars/kinds.json").read_text())["id"] == "kinds"
    again = cli("tables", finished_run, "--format", "csv", "-o", "out")
    assert again.out.strip() == "2 files in out"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "kind"), "no table 'kind'; did you mean 'kinds'?"),
        (("--min-coverage", "0.5"), "--min-coverage 0.5: no table of 'colorbars' depends on coverage"),
        (("--min-coverage", "2"), "2.0 is not in the range 0<=x<=1"),
        (("--format", "csv"), "--format csv: 2 tables in 1 format cannot share one CSV stream; choose one with --only"),
        (("--format", "json", "--format", "text"), "--format json: shares its stream with another format"),
    ],
)
def test_what_cannot_be_is_said(cli, finished_run, words, said) -> None:
    ran = cli("tables", finished_run, *words)
    assert ran.code == 2
    assert said in ran.err


def test_a_folder_that_cannot_be_written_is_said(cli, finished_run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = cli("tables", finished_run, "-o", "file")
    assert ran.code == 3
    assert "choose another -o" in ran.err


def test_the_report_has_the_tables_of_each_benchmark(cli, finished_run: Path) -> None:
    cli("report", finished_run, "-o", "site")
    page = Path("site/colorbars/tables.html").read_text(encoding="utf-8")
    for said in ("By what was asked: ", "By moment of the clip: ", ">oracle<", "n=4 in 4"):
        assert said in page


def test_a_benchmark_without_tables_costs_its_tables_and_not_the_report(cli, finished_run: Path, monkeypatch) -> None:
    def absent(*_: object) -> None:
        raise BrokenData("benchmark 'colorbars'", "has no tables.py")

    monkeypatch.setattr(Benchmark, "part", absent)
    assert cli("report", finished_run, "-o", "site").code == 0
    page = Path("site/colorbars/index.html").read_text(encoding="utf-8")
    assert "its tables could not be made: benchmark &#39;colorbars&#39;: has no tables.py" in page
    assert not Path("site/colorbars/tables.html").exists()
