"""Runs read from Python: rows, findings, estimates and differences as columns; tables and the report."""

import sys
from dataclasses import replace

import pytest

from cutscore.api.data_frames import SHOWN, ResultFrame
from cutscore.api.reading import Results, read
from cutscore.core.errors import BadInput, MissingExtra
from cutscore.core.subject import SubjectSpec


@pytest.fixture(scope="module")
def run(finished_run):
    return read(finished_run)


def test_a_row_for_every_sample_with_its_scores(run):
    rows = run.rows
    assert rows.height == sum(len(cell.rows) for cell in run.cells) > 0
    assert {len(column) for column in rows.values()} == {rows.height}
    means = {}
    for subject, score in zip(rows["subject"], rows["accuracy"], strict=True):
        means.setdefault(subject, []).append(score)
    assert set(means["oracle"]) == {1.0}
    assert set(rows["status"]) == {"marked"}


def test_estimates_and_differences_are_those_of_the_report(run):
    (part,) = run.benchmarks
    told = {(cell, each.name, each.value) for cell, all_ in part.estimates.items() for each in all_}
    assert set(zip(run.estimates["cell"], run.estimates["name"], run.estimates["value"], strict=True)) == told
    assert (run.differences.height, part.differences) == (0, ()), "nobody competed"
    ran = Results([rename(each) for each in run.cells])
    (part,) = ran.benchmarks
    assert ran.differences["value"] == [each.comparison.difference.estimate.value for each in part.differences]
    assert ran.differences["separable"] == [each.comparison.separable for each in part.differences]


def rename(cell):
    """Return a cell as if a folder of somebody's had been marked."""
    spec = SubjectSpec.parse(f"{cell.label}=folder:{cell.label}")
    return replace(cell, record=replace(cell.record, cell=cell.record.cell.model_copy(update={"subject": spec})))


def test_findings_lead_to_the_second(run):
    found = run.findings
    assert found.height >= run.rows.height
    assert all(start is None or 0 <= start <= end for start, end in zip(found["start_s"], found["end_s"], strict=True))
    assert any(start is not None for start in found["start_s"])


def test_columns_that_a_record_lacks_are_none():
    assert dict(ResultFrame([{"a": 1}, {"b": 2}])) == {"a": [1, None], "b": [None, 2]}
    assert repr(ResultFrame([])) == "<0 rows of nothing>"


def test_it_shows_itself_as_an_inert_table():
    html = ResultFrame([{"<b>": "<script>alert(1)</script>\x1b[31m", "x": 0.5}] * (SHOWN + 3))._repr_html_()
    assert "<script>" not in html
    assert "&lt;b&gt;" in html
    assert html.count("<tr>") == SHOWN + 1
    assert "3 more rows" in html
    assert "0.500" in html


def test_without_pandas_it_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="pip install pandas"):
        ResultFrame([{"a": 1}]).pandas()


def test_pandas_takes_it(run):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = run.rows.pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.groupby("subject")["accuracy"].mean()["oracle"] == 1.0


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(BadInput, match="holds no cell"):
        read(tmp_path)


def test_tables_and_report_are_those_of_the_command_line(run, tmp_path):
    assert [table.id for table in run.tables()] == [table.id for table in run.tables("colorbars")] != []
    assert run.tables("vidwork") == ()
    page = run.report(tmp_path / "site")
    assert (page.name, page.parent.name) == ("index.html", "site")
    assert "colorbars" in page.read_text(encoding="utf-8")


def test_a_notebook_shows_the_headlines(run):
    html = run._repr_html_()
    assert html.count("<tr>") == len(run.cells) + 1
    assert "<td>oracle</td>" in html
