"""The paper's own figures, computed again from the numbers that it prints: which of them follow, and which do not."""

from collections.abc import Iterator, Sequence

import numpy as np

from cutscore.benchmarks.vidwork.dataset import AXES
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.differences import significance
from cutscore.results.tables.lines import plain_columns

NOT_FOUND = "cannot be reproduced"
ROUNDED = "differs, within rounding"
TOLERANCE = 0.001  # of a printed figure

# Tables 4, 6 and 5 of the paper: what it prints for five models, the composite last; n and rates; Δ, low, high, call.
MODELS = ("GPT-4o", "GPT-4o-mini", "Claude Haiku 4.5", "Claude Sonnet 4.5", "Claude Opus 4.5")
TABLE_4 = (
    (0.104, 0.218, 0.383, 0.223, 0.639, 0.313),
    (0.094, 0.238, 0.426, 0.270, 0.647, 0.335),
    (0.036, 0.308, 0.487, 0.342, 0.936, 0.422),
    (0.048, 0.387, 0.503, 0.343, 0.947, 0.446),
    (0.035, 0.335, 0.457, 0.343, 0.933, 0.420),
)
TABLE_6 = {
    "step_swap": (428, (0.729, 0.755, 0.956, 0.967, 0.967)),
    "step_omission": (206, (0.592, 0.738, 0.966, 0.947, 0.850)),
    "action_modification": (181, (0.597, 0.481, 0.895, 0.934, 0.945)),
    "tool_substitution": (124, (0.532, 0.524, 0.911, 0.952, 0.968)),
    "causal_reversal": (123, (0.602, 0.537, 0.911, 0.911, 0.911)),
    "quantity_error": (24, (0.458, 0.375, 0.917, 0.875, 0.917)),
    "step_modification": (3, (1.0,) * 5),
    "insufficient_input": (1, (0.0,) * 5),
}
TABLE_5 = {
    "Claude Sonnet 4.5, temporal": (-0.022, -0.106, 0.065, "ns"),
    "Claude Sonnet 4.5, causal": (-0.012, -0.025, 0.001, "ns"),
    "GPT-4o, temporal": (-0.014, -0.070, 0.042, "ns"),
    "GPT-4o, causal": (0.014, 0.002, 0.026, "p < 0.05"),
}
# 1 frame and 8 frames of Table 5; Tables 7 (cooking, repair, first aid) and 8 (30, 60, 180, 300 s) by model.
TABLE_5_MEANS = dict(zip(TABLE_5, ((0.365, 0.387), (0.491, 0.503), (0.203, 0.218), (0.397, 0.383)), strict=True))
TABLE_7 = (
    (0.211, 0.198, 0.232),
    (0.233, 0.226, 0.250),
    (0.242, 0.211, 0.259),
    (0.280, 0.242, 0.314),
    (0.265, 0.232, 0.296),
)
TABLE_8 = (
    (0.181, 0.206, 0.243, 0.212),
    (0.198, 0.222, 0.269, 0.230),
    (0.194, 0.252, 0.280, 0.271),
    (0.202, 0.269, 0.309, 0.279),
    (0.192, 0.245, 0.276, 0.267),
)
ITEMS = dict(zip(AXES, (423, 90, 225, 264, 1090), strict=True))
RESPONSES, OF_THE_SIXTH, LOST_OF_THE_SIXTH = 10_686, 364, 109  # §8: of its answers to 423 questions about steps


def published_figures() -> Table:
    """Compute the paper's sums again from its own numbers, and say which of them cannot be had from the text."""
    body: list[tuple[TableCell, ...]] = []
    for place, (model, printed) in enumerate(zip(MODELS, TABLE_4, strict=True)):
        composite = sum(printed[:5]) / 5
        rates = sum(n * each[place] for n, each in TABLE_6.values()) / sum(n for n, _ in TABLE_6.values())
        # A share of n right-or-wrong answers is a whole number of them over n.
        possible = round(printed[1] * ITEMS["temporal_ordering"]) / ITEMS["temporal_ordering"]
        body += [
            ("Table 4: composite", model, printed[5], composite, _compare(printed[5], composite)),
            ("Table 6: weighted mean", model, printed[4], rates, _compare(printed[4], rates)),
            ("Table 4: temporal accuracy, 90 questions", model, printed[1], possible, _compare(printed[1], possible)),
        ]
    for who, (_, low, high, call) in TABLE_5.items():
        again = significance(low, high)
        body.append(("Table 5: significance", who, call, again, "holds" if again == call else NOT_FOUND))
    responses = len(MODELS) * sum(ITEMS.values()) + OF_THE_SIXTH
    body.append(("responses", "six models", RESPONSES, responses, _compare(RESPONSES, responses)))
    asked = OF_THE_SIXTH + LOST_OF_THE_SIXTH
    steps = ITEMS["step_recognition"]
    body.append(("§8: 364 retained and 109 errors", "Gemini 2.5 Flash", steps, asked, _compare(steps, asked)))
    above = sum(mini > full for full, mini in zip(TABLE_4[0][:5], TABLE_4[1][:5], strict=True))
    body.append(("§5.1: above GPT-4o on every axis", "GPT-4o-mini", len(AXES), above, _compare(len(AXES), above)))
    body += [*_ablation_differences(), *_means_of_strata()]
    missed = sum(row[-1] == NOT_FOUND for row in body)
    return Table(
        id="published",
        title=f"{missed} of {len(body)} published figures do not follow from the paper's own numbers",
        columns=plain_columns("figure", "of", "printed", "computed again", "verdict"),
        rows=tuple(sorted(body, key=lambda row: str(row[0]))),
        note=f"within {TOLERANCE:g}; temporal accuracy: the nearest share that right-or-wrong answers can have;"
        " means of Tables 4, 7 and 8: how far apart they stay at best, however many items a domain or duration has",
        paper="Tables 4 to 8",
    )


def _ablation_differences() -> Iterator[tuple[TableCell, ...]]:
    """Yield each Δ of Table 5 with the difference of the two means beside it."""
    for who, (one, eight) in TABLE_5_MEANS.items():
        delta, again = TABLE_5[who][0], round(one - eight, 3)
        # Two means and their difference, each rounded to three digits, may differ by one in the last.
        verdict = "holds" if delta == again else ROUNDED if abs(delta - again) < 1.5 * TOLERANCE else NOT_FOUND
        yield "Table 5: Δ of 1 and 8 frames", who, delta, again, verdict


def _means_of_strata() -> Iterator[tuple[TableCell, ...]]:
    """Yield how far apart the means that Tables 4, 7 and 8 imply must be: all are of the same items."""
    weights = [ITEMS[axis] for axis in AXES[:-1]]
    whole = tuple(
        (sum(n * mean for n, mean in zip(weights, each[:4], strict=True)) / sum(weights),) for each in TABLE_4
    )
    for name, one, other in (("7 and 8", TABLE_7, TABLE_8), ("4 and 7", whole, TABLE_7), ("4 and 8", whole, TABLE_8)):
        apart = _least_difference(one, other)
        yield f"Tables {name}: same items, other means", "five models", 0.0, apart, _compare(0.0, apart)


def _least_difference(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return the smallest possible largest difference, over models, of two weighted means with weights of our choice.

    A line of a table is a model, its cells are strata. All models answer the same items, so weights are theirs, too.
    """
    from scipy.optimize import linprog  # slow to import, and only this table needs it

    cells = np.hstack([np.array(one), -np.array(other)])
    slack = np.ones((len(cells), 1))
    sums_to_1 = np.zeros((2, cells.shape[1] + 1))
    sums_to_1[0, : len(one[0])] = sums_to_1[1, len(one[0]) : -1] = 1
    found = linprog(
        [*np.zeros(cells.shape[1]), 1],
        A_ub=np.vstack([np.hstack([cells, -slack]), np.hstack([-cells, -slack])]),
        b_ub=np.zeros(2 * len(cells)),
        A_eq=sums_to_1,
        b_eq=[1, 1],
    )
    return float(found.fun)


def _compare(printed: float, again: float) -> str:
    return "holds" if abs(printed - again) <= TOLERANCE else NOT_FOUND
