"""What the paper printed of AVE, computed again from the whole numbers behind it, and where the two part."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean

from pydantic import Field

from cutscore.core.frozen import FrozenModel
from cutscore.core.matching import Confusion
from cutscore.core.table import Column, Table
from cutscore.optimize.objectives import OBJECTIVES, objective

FILE = Path(__file__).parent / "published.toml"
ROUNDING = 0.1  # percent: figures were printed with one decimal, and some cut rather than rounded
TAU_ROUNDING = 0.001
ADAPTATION = "Adaptation"
PAPER = "Tables 3 and 5 of CLVG-Bench"


class PublishedRow(FrozenModel):
    """One judge on one family: printed figures in percent, and the cells TP, TN, FP, FN that they come from."""

    family: str
    judge: str
    optimised: str = Field(alias="with")
    mcc: float
    f1: float
    rec_fpr: float
    cells: tuple[int, int, int, int]
    tau: float | None = None

    @property
    def confusion(self) -> Confusion:
        """The cells as a confusion."""
        return Confusion(*map(float, self.cells))

    @property
    def name(self) -> str:
        """Judge, and what was done to its prompt."""
        return f"{self.judge} + {self.optimised}" if self.optimised else self.judge

    def computed(self, measure: str) -> float:
        """Return a figure in percent from the cells; `measure` is a name of Φ."""
        return 100 * objective(measure)(self.confusion)

    def printed(self, measure: str) -> float:
        """Return a figure in percent as it was printed."""
        return float(getattr(self, measure.replace("-", "_")))


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Return the rows of Table 5."""
    return tuple(PublishedRow.model_validate(row) for row in tomllib.loads(FILE.read_text(encoding="utf-8"))["row"])


def published_slips() -> Iterator[str]:
    """Return a sentence for every printed figure that its own numbers contradict."""
    rows = published_rows()
    for row in rows:
        for measure in OBJECTIVES:
            printed, computed = row.printed(measure), row.computed(measure)
            if abs(printed - computed) > ROUNDING:
                yield f"{row.name}, {row.family}: {measure} is printed as {printed:.1f}; its cells give {computed:.1f}"
        if row.tau is not None and abs(row.tau - row.computed("mcc") / 100) > TAU_ROUNDING:
            yield (
                f"{row.name}, {row.family}: tau is printed as {row.tau:.3f} and MCC as {row.mcc:.1f}; "
                "of two verdicts they are the same number"
            )
    said = tomllib.loads(FILE.read_text(encoding="utf-8"))["text"]
    items = sum({row.family: sum(row.cells) for row in rows}.values())
    if items != said["test_items"]:
        yield f"the text has {said['test_items']} test items, a third of 600; the cells of Table 5 add up to {items}"
    gain, printed = _mean_adaptation_gain(), said["mean_adaptation_gain_rec_fpr"]
    if round(gain, 1) != printed:
        yield f"the mean gain of adaptation in Rec−FPR is {gain:.1f} by Table 5; the text has {printed}"


def _mean_adaptation_gain() -> float:
    adapted = [row for row in published_rows() if row.optimised == ADAPTATION]
    plain = {(row.judge, row.family): row.rec_fpr for row in published_rows() if not row.optimised}
    return fmean(row.rec_fpr - plain[row.judge, row.family] for row in adapted)


def published_table() -> Table:
    """Return Table 5 as printed and as its cells give it, with Table 3's tau."""
    return Table(
        id="published",
        title="Published judges, as printed and from the whole numbers behind",
        columns=(
            Column(name="family"),
            Column(name="judge"),
            *(Column(name=name, digits=1) for name in ("MCC", "from cells", "F1", "Rec−FPR")),
            Column(name="tau"),
            Column(name="TP, TN, FP, FN"),
        ),
        rows=tuple(
            (
                row.family,
                row.name,
                row.mcc,
                row.computed("mcc"),
                row.f1,
                row.rec_fpr,
                row.tau,
                ", ".join(map(str, row.cells)),
            )
            for row in published_rows()
        ),
        note="; ".join(published_slips()),
        paper=PAPER,
    )
