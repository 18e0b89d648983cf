"""The paper's own figures, computed again from the numbers that it prints: which of them follow, and which do not."""

from cutscore.benchmarks.vidwork.dataset import AXES
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.differences import significance
from cutscore.results.tables.lines import plain_columns

NOT_FOUND = "cannot be reproduced"
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
ITEMS = dict(zip(AXES, (423, 90, 225, 264, 1090), strict=True))
RESPONSES, OF_THE_SIXTH = 10_686, 364


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
    missed = sum(row[-1] == NOT_FOUND for row in body)
    return Table(
        id="published",
        title=f"{missed} of {len(body)} published figures do not follow from the paper's own numbers",
        columns=plain_columns("figure", "of", "printed", "computed again", "verdict"),
        rows=tuple(sorted(body, key=lambda row: str(row[0]))),
        note=f"within {TOLERANCE:g}; temporal accuracy: the nearest share that right-or-wrong answers can have",
        paper="Tables 4, 5, 6",
    )


def _compare(printed: float, again: float) -> str:
    return "holds" if abs(printed - again) <= TOLERANCE else NOT_FOUND
