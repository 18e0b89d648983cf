"""Tables as data."""

import pytest

from cutscore.core.table import Column, Plot, Table

COLUMNS = (Column(name="who"), Column(name="score"))


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="table 't': row 2 has 1 cells, not 2"):
        Table(id="t", title="x", columns=COLUMNS, rows=(("a", 1.0), ("b",)))


def test_a_plot_draws_columns_that_there_are() -> None:
    with pytest.raises(ValueError, match="table 't': its plot names columns that it lacks: by, what"):
        Table(id="t", title="x", columns=COLUMNS, plot=Plot(values=("score",), labels=("what",), by="by"))
    table = Table(id="t", title="x", columns=COLUMNS, rows=(("a", 1.0),), plot=Plot(values=("score",), labels=("who",)))
    assert table.cells("score") == [1.0]


@pytest.mark.parametrize("name", ["../x", "a b", "", "x/y"])
def test_an_id_is_safe_as_a_file_name(name: str) -> None:
    with pytest.raises(ValueError, match="id"):
        Table(id=name, title="x", columns=COLUMNS)
