"""What a hint, or a field left out, does to the score: arms × stacks in points, and the mean over stacks."""

from collections.abc import Sequence

from cutscore.core.estimate import Estimate
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.results.tables.differences import arm_pairs
from cutscore.results.tables.lines import CellLine
from cutscore.results.tables.pooled_lines import in_points, pair_pooled, pooled_difference
from cutscore.results.wording import number

MEAN = "mean lift"
Stack = tuple[str, str]  # subject and model


def lift_table(
    lines: Sequence[CellLine], score: str, *, scale: tuple[float, float] = (0.0, 1.0), paper: str = "", by: str = "clip"
) -> Table:
    """Return arm minus whole for each arm and stack in points, and the mean over the stacks that have the arm.

    A stack is a subject with its model; who knows the answers is none. The mean is over items that all of these stacks
    have in both arms, and each stack weighs the same. `by` names what a cluster is.
    """
    pairs = [(arm, whole) for arm, whole in arm_pairs(lines) if whole.competes]
    stacks = {(whole.subject, whole.model): " ".join(filter(None, whole.who[:2])) for _, whole in pairs}
    arms = sorted({arm.arm for arm, _ in pairs})
    body = [_row(arm, [pair for pair in pairs if pair[0].arm == arm], list(stacks), score, scale) for arm in arms]
    columns = [Column(name=name, digits=1, unit="points") for name in (*stacks.values(), MEAN)]
    return Table(
        id="lift",
        title=_title(body),
        columns=(Column(name="arm"), Column(name="stacks"), *columns),
        rows=tuple(body),
        note="arm minus whole task, paired by item, in points of 100; mean: over stacks, on the items that all of them"
        f" have; 95% by {by}, of each alone",
        paper=paper,
        plot=Plot(values=(MEAN,), labels=("arm",), level=0.0, level_name="no difference", tight=True) if body else None,
    )


def _row(
    arm: str,
    pairs: Sequence[tuple[CellLine, CellLine]],
    stacks: Sequence[Stack],
    score: str,
    scale: tuple[float, float],
) -> tuple[TableCell, ...]:
    by_stack: dict[Stack, tuple[CellLine, CellLine]] = {}
    for mine, whole in pairs:
        by_stack.setdefault((whole.subject, whole.model), (mine, whole))

    def lift(chosen: Sequence[tuple[CellLine, CellLine]]) -> Estimate | None:
        arms, wholes = [mine for mine, _ in chosen], [whole for _, whole in chosen]
        found = pooled_difference(pair_pooled(arms, wholes, score, labels=(arm, "whole"), scale=scale))
        return None if found is None else in_points(found.estimate)

    single = [lift([by_stack[stack]]) if stack in by_stack else None for stack in stacks]
    return arm, len(by_stack), *single, lift(list(by_stack.values()))


def _title(body: Sequence[tuple[TableCell, ...]]) -> str:
    means = [(each.value, row[0], row[1]) for row in body if isinstance(each := row[-1], Estimate) and each.value]
    if not body:
        return "No lift: nobody was measured on the whole task and on a variant of it"
    if not means:
        return "No variant of the task moves the mean"
    lift, arm, stacks = max(means, key=lambda each: abs(each[0] or 0.0))
    sign = "+" if (lift or 0.0) > 0 else ""
    over = f"{stacks} stack{'' if stacks == 1 else 's'}"
    return f"'{arm}' moves the mean most: {sign}{number(lift, 1)} points over {over}"
