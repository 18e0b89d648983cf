"""The confusion matrices of whole numbers behind the published tables of CLVG-Bench give their figures."""

import pytest

from cutscore.core.matching import Confusion
from cutscore.optimize.published import PublishedRow, published_rows, published_slips
from cutscore.stats.confusion import confusion_figures

SLIP = ("E.E.+P.R.+S.C.", 47.8)  # printed as 47.8; F1 and Rec−FPR of the row, and Table 3, say 48.0


def figures(row: PublishedRow) -> tuple[float, float, float]:
    """MCC, F1 and Rec−FPR in percent; a judge that fails every video has MCC 0 in the paper."""
    found = confusion_figures([Confusion(*row.cells)], ["all"], kind="binary", resamples=1)
    mcc, f1, rec_fpr = (100 * (each.value or 0.0) for each in found.estimates)
    return mcc, f1, rec_fpr


def test_all_rows_are_there_with_one_class_split_a_family() -> None:
    rows = published_rows()
    assert len(rows) == 21
    splits = {(row.family, row.cells[0] + row.cells[3], row.cells[1] + row.cells[2]) for row in rows}
    assert splits == {("E.E.+P.R.+S.C.", 20, 19), ("P.S.+L.R.", 33, 33), ("Perc.", 37, 26)}
    assert sum(cases + others for _, cases, others in splits) == 168


@pytest.mark.parametrize("row", published_rows(), ids=lambda row: f"{row.family} {row.judge} {row.mcc}")
def test_a_row_has_the_figures_of_its_matrix(row: PublishedRow) -> None:
    mcc, f1, rec_fpr = figures(row)
    assert (f1, rec_fpr) == (pytest.approx(row.f1, abs=0.06), pytest.approx(row.rec_fpr, abs=0.06))
    printed = 48.0 if (row.family, row.mcc) == SLIP else row.mcc
    assert mcc == pytest.approx(printed, abs=0.06)


def test_the_known_slips_are_told() -> None:
    told = "\n".join(published_slips())
    for figure in ("47.8", "48.0", "0.273", "17.8", "168", "200", "12.6", "12.7"):
        assert figure in told
