"""Φ: what a search makes as large as it can, of summed confusions; where a figure is undefined, Φ is 0."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from cutscore.core.errors import UnknownName
from cutscore.core.matching import Confusion
from cutscore.optimize.problem import Phi
from cutscore.stats.confusion import CellFormula, f1, mcc, rec_fpr


def objective(name: str) -> Phi:
    """Return Φ by its name.

    >>> round(objective("mcc")(Confusion(tp=20, fn=0, fp=12, tn=7)), 3), objective("mcc")(Confusion(tp=20, fp=19))
    (0.48, 0.0)
    """
    if name not in OBJECTIVES:
        raise UnknownName.among("objective", name, OBJECTIVES)
    return partial(_value_or_zero, OBJECTIVES[name])


OBJECTIVES: Mapping[str, CellFormula] = {"mcc": mcc, "f1": f1, "rec-fpr": rec_fpr}


def _value_or_zero(formula: CellFormula, total: Confusion) -> float:
    cells = np.array([total.cells], dtype=np.float64).T
    return float(np.nan_to_num(formula(*cells)[0]))
