"""Search by textual gradients: criticism of the best prompt from a minibatch, then an update of the whole prompt.

    best prompt by Φ → minibatch → what should change, the gradient → the whole prompt anew, with the last few gradients
    → (with the gate) the same minibatch again → the validation split → table T

No library is needed for it. The whole prompt goes into every request, since one that is cut in the middle loses rules.
"""

import random
from collections import deque
from collections.abc import Iterator, Sequence

from cutscore.core.errors import BudgetReached
from cutscore.optimize.problem import LabelledSample, total_confusion
from cutscore.optimize.walk import SearchWalk, improves

GRADIENTS = 3  # that an update reads: the latest, and those whose effect it should not undo


def search_with_textgrad(walk: SearchWalk, first: str, *, gate: bool = False) -> None:
    """Search from p0, the first prompt, until the budget is used; candidates are in the walk's table.

    With the gate a new prompt is validated only when it does better than its parent on their minibatch; without it
    every new prompt is (Algorithm 2).
    """
    try:
        walk.begin(first)
        batches = _minibatches(walk.problem.train, walk.minibatch, random.Random(walk.seed))
        gradients: deque[str] = deque(maxlen=GRADIENTS)
        while not walk.why_stop:
            walk.step += 1
            _take_step(walk, next(batches), gradients, gate=gate)
    except BudgetReached as spent:  # in the middle of a batch: what was validated by then counts
        walk.budget.stopped = spent.fact
        if not walk.table.rows:
            raise


def _take_step(walk: SearchWalk, batch: Sequence[LabelledSample], gradients: deque[str], *, gate: bool) -> None:
    parent = walk.table.best
    marks = walk.try_on(parent.text, batch)
    if walk.is_perfect(marks):
        return
    gradient = walk.ask(walk.writer.gradient(parent.text, marks))
    if gradient.strip():
        gradients.append(gradient)
    request = walk.writer.update(parent.text, list(gradients))
    text = walk.take(walk.ask(request) if gradients else "", request)
    if text is None:
        return
    after = walk.try_on(text, batch) if gate else None
    if after is not None and not improves(marks, after):
        return
    walk.validate(text, parent=parent, before=total_confusion(marks), after=total_confusion(after) if after else None)


def _minibatches(samples: Sequence[LabelledSample], size: int, draws: random.Random) -> Iterator[list[LabelledSample]]:
    """Yield minibatches without end: all samples in drawn order, then all again in another."""
    size = min(size, len(samples))
    left: list[LabelledSample] = []
    while True:
        if len(left) < size:
            left += draws.sample(list(samples), len(samples))
        yield left[:size]
        del left[:size]
