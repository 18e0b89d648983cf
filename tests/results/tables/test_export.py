"""Tables as words, CSV, Markdown and LaTeX: all that is known is there, and no text acts."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Table
from cutscore.results.tables.export import as_csv, as_latex, as_markdown_table, escape_latex
from cutscore.results.tables.text import cell_text, table_text

HALF = Estimate(name="score", value=0.614, low=0.571, high=0.655, n=197, clusters=84, unscored=3)
BARE = Estimate(name="score", value=1.0, n=3, clusters=1)
TABLE = Table(
    id="board",
    title="model-a leads",
    columns=tuple(Column(name=name) for name in ("who", "model", "score", "p", "n")),
    rows=(("model-a", "", HALF, 0.0001, 1200), ("null", "", BARE, None, 0), ("blank", "", None, 0.5, 1)),
    note="95% by clip",
    paper="Table 4",
)
NASTY = ("=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "a|b", "<b>x</b>", r"\input{x}", "a\nb", "\x1b[31mred")


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_cells_in_words() -> None:
    words = table_text(TABLE)
    assert [heading.name for heading in words.headings] == ["who", "score", "p", "n"]  # nobody has a model
    assert [heading.n for heading in words.headings] == ["", "n=3–197 in 1–84", "", ""]
    assert [[str(cell) for cell in row] for row in words.rows] == [
        ["model-a", "0.614 [0.571, 0.655] 3 unscored", "<0.001", "1,200"],
        ["null", "1.000 [–]", "", "0"],
        ["blank", "", "0.500", "1"],
    ]
    assert words.keys == 1


def test_nothing_to_average_is_a_dash_without_an_interval() -> None:
    assert str(cell_text(Estimate(name="x", value=None, n=0, clusters=0), Column(name="x"))) == "–"


def test_digits_are_the_columns() -> None:
    assert str(cell_text(HALF, Column(name="x", digits=1))) == "0.6 [0.6, 0.7] 3 unscored"
    assert str(cell_text(-0.25, Column(name="x", digits=2))) == "−0.25"
    assert str(cell_text(-0.0001, Column(name="x"))) == "0.000"


def test_a_table_without_content_keeps_its_headings() -> None:
    empty = TABLE.model_copy(update={"rows": ()})
    assert len(table_text(empty).headings) == 5
    assert read(as_csv(empty)) == [["who", "model", "score", "p", "n"]]


def test_csv_has_a_column_for_each_part_of_an_estimate() -> None:
    head, first, second, third = read(as_csv(TABLE))
    parts = ["score", "score low", "score high", "score n", "score clusters", "score unscored"]
    assert head == ["who", "model", *parts, "p", "n"]
    assert first == ["model-a", "", "0.614", "0.571", "0.655", "197", "84", "3", "0.0001", "1200"]
    assert second[2:8] == ["1.0", "", "", "3", "1", "0"]
    assert third == ["blank", "", "", "", "", "", "", "", "0.5", "1"]


@pytest.mark.parametrize("text", NASTY)
def test_no_text_is_a_formula(text: str) -> None:
    table = TABLE.model_copy(update={"columns": (Column(name=text),), "rows": ((text,), (HALF,))})
    for row in read(as_csv(table)):
        assert not re.match(r"[=+\-@＝＋－＠\t\r\n]", row[0])
        assert "\x1b" not in row[0]


@given(st.lists(st.text(max_size=20), min_size=2, max_size=2))
def test_csv_and_markdown_keep_their_shape_whatever_the_text(cells: list[str]) -> None:
    table = Table(id="t", title=cells[0], columns=(Column(name="a"), Column(name="b")), rows=(tuple(cells),))
    assert [len(row) for row in read(as_csv(table))] == [2, 2]
    lines = [line for line in as_markdown_table(table).splitlines() if line.startswith("|")]
    bars = [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines]
    assert len(lines) == 3
    assert len(set(bars)) == 1


def test_markdown_has_the_finding_the_figures_and_the_note() -> None:
    assert as_markdown_table(TABLE).splitlines() == [
        "**model-a leads**",
        "",
        "| who | score, n=3–197 in 1–84 | p | n |",
        "| --- | ---: | ---: | ---: |",
        r"| model-a | 0.614 \[0.571, 0.655\] 3 unscored | \<0.001 | 1,200 |",
        r"| null | 1.000 \[–\] |  | 0 |",
        "| blank |  | 0.500 | 1 |",
        "",
        "95% by clip; n: observations in clusters; Table 4 of the paper",
    ]
    assert "<b>" not in as_markdown_table(TABLE.model_copy(update={"title": "<b>x</b>"}))


def test_latex_is_whole_and_escaped() -> None:
    made = as_latex(TABLE)
    assert r"\caption{model-a leads (95\% by clip; n: observations in clusters; Table 4 of the paper)}" in made
    assert r"\label{tab:board}" in made
    assert r"\begin{tabular}{lrrr}" in made
    assert r" & {\footnotesize n=3--197 in 1--84} &  &  \\" in made
    assert r"model-a & 0.614 {\footnotesize {[}0.571, 0.655{]} 3 unscored} & $<$0.001 & 1,200 \\" in made


@given(st.text(max_size=30))
def test_no_text_is_a_command_in_latex(text: str) -> None:
    """What is left without our own escapes has no sign that LaTeX acts on, and braces close."""
    made = escape_latex(text)
    bare = re.sub(r"\\(?:text[a-z]+|ldots)\{\}|\\[{}$&#_%]|\$(?:<|>|-|'|\\[A-Za-z]+)\$|\{[\[\]]\}", "", made)
    assert not re.search(r"[\\{}$&#_%~^\[\]]", bare)
    assert "\n" not in made


def test_secrets_are_cleaned() -> None:
    table = TABLE.model_copy(update={"title": "sk-1", "note": "sk-1", "rows": (("sk-1", "sk-1", None, None, None),)})
    for write in (as_csv, as_markdown_table, as_latex):
        assert "sk-1" not in write(table, lambda text: text.replace("sk-1", "***"))
