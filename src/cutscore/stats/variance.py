"""What scores differ by: how much of their variance goes with the model, the harness, the task and the repetition.

The model is additive with random effects: model, harness, their combination (the stack), task, what a stack makes of
one task in particular, and what differs when the same is done again. Not every harness runs every model, so the design
is unbalanced. The components are those of Henderson's method 3 (Estimation of variance and covariance components,
1953): sums of squares, that of a model net of its harnesses and the other way round, are set equal to what is expected
of them. Where everybody does everything, that is the analysis of variance of the textbooks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cutscore.core.estimate import Estimate
from cutscore.stats.resampling import (
    DECIMALS,
    RESAMPLES,
    ROUNDING,
    SEED,
    Draws,
    Floats,
    bootstrap_method,
    draw_cluster_counts,
    percentile_interval,
)

MODEL, HARNESS, STACK = "model", "harness", "model × harness"
TASK, CELL, REPETITION = "task", "stack × task", "repetition"
MOST_CONDITION = 1e9  # of equations that are taken to have a single solution
COMPONENTS = (MODEL, HARNESS, STACK, TASK, CELL, REPETITION)


@dataclass(frozen=True)
class RepeatedScore:
    """One score: of which stack, for which task of which cluster; repetitions have the same of all that."""

    model: str
    harness: str
    task: str
    cluster: str
    score: float


@dataclass(frozen=True)
class VarianceSplit:
    """The whole variance of a single score, and the share of each component that these data tell apart."""

    variance: float | None
    shares: dict[str, Estimate]


def split_variance(scores: Sequence[RepeatedScore], **draws: Unpack[Draws]) -> VarianceSplit:
    """Return the share of each component with its 95% interval; none where nothing can be told apart.

    Tasks are drawn again, by cluster; models and harnesses are those that were measured. A component that these data
    cannot tell from another is left out: the harness where there is one, the repetition where nothing was done twice
    (it is then part of `stack × task`). A negative component is 0, which is what it means.
    """
    seed, resamples = draws.get("seed", SEED), draws.get("resamples", RESAMPLES)
    if not scores:
        return VarianceSplit(None, {})
    design = _Design(scores)
    names = design.told_apart()
    values = _components(design, names, np.ones((1, design.clusters)))
    total = float(values[0].sum())
    if not total > ROUNDING:
        return VarianceSplit(None, {})
    drawn = draw_cluster_counts(design.clusters, resamples=resamples, seed=seed, columns=design.width)
    resampled = np.concatenate([_shares(_components(design, names, times)) for times in drawn])
    shares = _shares(values)[0]
    made = {}
    for number, name in enumerate(names):
        ends, why = None, "one cluster"
        if design.clusters > 1:
            ends, why = percentile_interval(resampled[:, number], clusters=design.clusters, width=1.0)
        made[name] = Estimate(
            name=name,
            value=round(float(shares[number]), DECIMALS),
            low=ends and ends[0],
            high=ends and ends[1],
            n=len(scores),
            clusters=design.clusters,
            method=f"undefined: {why}" if why else bootstrap_method(resamples, seed),
        )
    return VarianceSplit(total, made)


def _shares(components: Floats) -> Floats:
    total = components.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(components, total, out=np.full_like(components, np.nan), where=total > ROUNDING)
    return shares


Numbers = npt.NDArray[np.intp]


def _number(values: Sequence[object]) -> tuple[Numbers, int]:
    order = {value: number for number, value in enumerate(sorted(set(values), key=repr))}
    return np.array([order[value] for value in values], dtype=np.intp), len(order)


class _Design:
    """Counts and sums by cluster, from which every sum of squares of every resample is made.

    Attributes:
        of_model, of_harness: Which stack is of which, stacks × levels.
        count, total: Samples and sums of each stack, clusters × stacks.
        cell_squares: Of each stack the squares of its samples by task, clusters × stacks.
        shared: Of each two stacks the products of their samples by task, clusters × stacks².
        nested: By cluster: tasks, cells, samples; sums of squares of tasks, cells and samples; and how often the
            variance of model, harness, stack and cell is expected in that of tasks.
    """

    def __init__(self, scores: Sequence[RepeatedScore]) -> None:
        cluster, self.clusters = _number([each.cluster for each in scores])
        stack, stacks = _number([(each.model, each.harness) for each in scores])
        task, tasks = _number([(each.cluster, each.task) for each in scores])
        model, models = _number([each.model for each in scores])
        harness, harnesses = _number([each.harness for each in scores])
        self.levels = models, harnesses, stacks
        # About their mean, squares of scores that lie far from 0 forget less.
        y = np.array([each.score for each in scores])
        y = y - y.mean()
        self.cells, sums, squares = np.zeros((tasks, stacks)), np.zeros((tasks, stacks)), np.zeros(tasks)
        np.add.at(self.cells, (task, stack), 1.0)
        np.add.at(sums, (task, stack), y)
        np.add.at(squares, task, y**2)
        of = np.zeros((self.clusters, tasks))
        of[cluster, task] = 1.0
        self.of_model, self.of_harness = np.zeros((stacks, models)), np.zeros((stacks, harnesses))
        self.of_model[stack, model] = 1.0
        self.of_harness[stack, harness] = 1.0
        cells, size = self.cells, self.cells.sum(axis=1)
        self.count, self.total, self.cell_squares = of @ cells, of @ sums, of @ cells**2
        self.shared = of @ (cells[:, :, None] * cells[:, None, :]).reshape(tasks, stacks * stacks)
        in_cells = np.divide(sums**2, cells, out=np.zeros_like(sums), where=cells > 0).sum(axis=1)
        counted = [np.ones(tasks), (cells > 0).sum(axis=1), size]
        found = [sums.sum(axis=1) ** 2 / size, in_cells, squares]
        expected = [((cells @ each) ** 2).sum(axis=1) / size for each in (self.of_model, self.of_harness)]
        expected += [(cells**2).sum(axis=1) / size] * 2
        self.nested = of @ np.column_stack([*counted, *found, *expected])
        self.width = max(self.clusters, stacks * stacks)

    def told_apart(self) -> list[str]:
        """Return the components that these data tell apart."""
        models, harnesses, stacks = self.levels
        alike = models == harnesses == stacks  # each harness has a model of its own: they cannot be told apart
        repeated = bool((self.cells > 1).any())
        kept = {
            MODEL: models > 1 and not alike,
            HARNESS: harnesses > 1 and not alike,
            STACK: stacks > max(models, harnesses) or (alike and stacks > 1),
            TASK: len(self.cells) > 1,
            CELL: stacks > 1 or not repeated,
            REPETITION: repeated,
        }
        return [name for name in COMPONENTS if kept[name]]


def _components(design: _Design, names: Sequence[str], times: Floats) -> Floats:
    """Return the components, resamples × names: none below 0, and not-a-number where they cannot be told."""
    count, total = times @ design.count, times @ design.total
    nested = times @ design.nested
    samples = nested[:, 2]
    both = count[:, :, None] * count[:, None, :]
    covariance = {
        MODEL: both * (design.of_model @ design.of_model.T),
        HARNESS: both * (design.of_harness @ design.of_harness.T),
        STACK: both * np.eye(count.shape[1]),
        TASK: (times @ design.shared).reshape(both.shape),
        CELL: _diagonal(times @ design.cell_squares),
        REPETITION: _diagonal(count),
    }

    def equation(form: Floats) -> Floats:
        """Return a sum of squares between stacks, how often the squared mean is in it, and each component."""
        found = np.einsum("rs,rst,rt->r", total, form, total)
        expected = [(form * each).sum(axis=(1, 2)) for each in (both, *(covariance[name] for name in COMPONENTS))]
        return np.stack([found, *expected], axis=1)

    models, harnesses, stacks = design.levels
    mean, stack = (equation(_projection(count, each)) for each in (np.ones((stacks, 1)), np.eye(stacks)))
    model, harness = (equation(_projection(count, each)) for each in (design.of_model, design.of_harness))
    either = equation(_projection(count, np.hstack([design.of_model, design.of_harness])))
    all_samples = [samples] * len(COMPONENTS)
    task = np.stack([nested[:, 3], samples, *nested[:, 6:9].T, samples, nested[:, 9], nested[:, 0]], axis=1)
    cell = np.stack([nested[:, 4], samples, *all_samples[1:], nested[:, 1]], axis=1)
    sample = np.stack([nested[:, 5], samples, *all_samples], axis=1)
    equations = {
        # A harness that is known by its model has nothing of its own beyond it: then it is set against the mean.
        MODEL: model - mean if stacks == harnesses else either - harness,
        HARNESS: harness - mean if stacks == models else either - model,
        STACK: stack - (either if {MODEL, HARNESS} & {*names} else mean),
        TASK: task - mean,
        CELL: (cell if REPETITION in names else sample) - stack - task + mean,
        REPETITION: sample - cell,
    }
    system = np.stack([mean, *(equations[name] for name in names)], axis=1)
    used = [1, *(2 + COMPONENTS.index(name) for name in names)]
    return np.maximum(_solve(system[:, :, used], system[:, :, 0])[:, 1:], 0.0)


def _projection(count: Floats, members: Floats) -> Floats:
    """Return, for each resample, the matrix that makes of the sums of stacks what the levels of a factor explain."""
    weights = np.einsum("rs,sa,sb->rab", count, members, members)
    inverse = np.linalg.pinv(weights, hermitian=True)
    explained: Floats = np.einsum("sa,rab,tb->rst", members, inverse, members, optimize=True)
    return explained


def _diagonal(values: Floats) -> Floats:
    return values[:, :, None] * np.eye(values.shape[1])


def _solve(left: Floats, right: Floats) -> Floats:
    """Solve each system; not-a-number where one has no single solution."""
    scale = np.abs(left).max(axis=2, keepdims=True)
    scaled = np.divide(left, scale, out=np.zeros_like(left), where=scale > 0)
    found = np.full_like(right, np.nan)
    able = np.linalg.cond(scaled) < MOST_CONDITION
    if able.any():
        found[able] = np.linalg.solve(scaled[able], right[able][:, :, None] / scale[able])[:, :, 0]
    return found
