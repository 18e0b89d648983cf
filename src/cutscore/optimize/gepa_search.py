"""Search by reflection with Pareto selection: the library `gepa` behind an adapter of ours.

What the library decides is which prompt is worked on next (per validation sample, who is best; drawn by how often) and,
with the gate, whether a child is worth a validation. What it must not decide stays here: its score of a prompt is a
mean of samples, and Φ is none, so p* comes from our table; its limits know neither our judge's nor our matcher's
price, so our own callback stops it; its state is a pickle that it would read back, so it gets no folder, and a search
that was killed is walked again from the journal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutscore.core.errors import BudgetReached, CutscoreError, MissingExtra
from cutscore.core.matching import Confusion
from cutscore.optimize.problem import LabelledSample, MarkedSample, total_confusion
from cutscore.optimize.walk import SearchWalk

COMPONENT = "judge"


def search_with_gepa(walk: SearchWalk, first: str, *, gate: bool = True) -> None:
    """Search from p0, the first prompt, until the budget is used; candidates are in the walk's table.

    With the gate a child is validated only when it does better than its parent on their minibatch, as GEPA does.
    Without it every child is (Algorithm 2).
    """
    try:
        from gepa.api import optimize
        from gepa.strategies.acceptance import StrictImprovementAcceptance
    except ModuleNotFoundError as error:
        raise MissingExtra.of("the search 'gepa'", "optimize") from error

    adapter: Any = _Adapter(walk)
    try:
        optimize(
            seed_candidate={COMPONENT: first},
            trainset=list(walk.problem.train),
            valset=list(walk.problem.validation),
            adapter=adapter,
            candidate_selection_strategy="pareto",
            reflection_minibatch_size=min(walk.minibatch, len(walk.problem.train)),
            acceptance_criterion=StrictImprovementAcceptance() if gate else _AcceptAll(),
            stop_callbacks=[lambda state: bool(walk.why_stop)],
            logger=_Silence(),
            run_dir=None,
            track_best_outputs=False,
            raise_on_exception=True,
            seed=walk.seed,
        )
    except BudgetReached as spent:  # in the middle of a batch: what was validated by then counts
        walk.budget.stopped = spent.fact
    if adapter.failed:
        raise adapter.failed
    if not walk.table.rows:
        raise BudgetReached("optimize", walk.budget.stopped, "raise --cost-limit and run the same command again")


class _Silence:
    def log(self, message: str) -> None:
        """Drop a line of the library: it would mix with results."""


class _AcceptAll:
    def should_accept(self, proposal: object, state: object) -> bool:
        """Return that every child is validated."""
        return True


@dataclass
class _Adapter:
    """What the library asks of us: to judge batches, and to write a new prompt.

    Args:
        trials: The last minibatch with each of two prompts, for the table.
        made_from: The last child, and its parent.
        failed: What the optimiser could not be asked for; the library would swallow it and ask again.
    """

    walk: SearchWalk
    trials: dict[str, Confusion] = field(default_factory=dict)
    made_from: tuple[str, str] = ("", "")
    failed: CutscoreError | None = None

    def evaluate(self, batch: list[LabelledSample], candidate: Mapping[str, str], capture_traces: bool = False) -> Any:
        """Judge a batch; the whole validation split is an entry into the table."""
        from gepa.core.adapter import EvaluationBatch

        text = candidate[COMPONENT]
        marks = self._validate(text) if self._is_validation(batch) else self._try(text, batch)
        return EvaluationBatch(
            outputs=[None] * len(marks),
            scores=[each.score for each in marks],
            trajectories=marks if capture_traces else None,
            objective_scores=None,
        )

    def make_reflective_dataset(
        self, candidate: Mapping[str, str], eval_batch: Any, components_to_update: Sequence[str]
    ) -> dict[str, list[dict[str, Any]]]:
        """Hand the marks of a minibatch on to `propose_new_texts`."""
        return {COMPONENT: [{"mark": each} for each in eval_batch.trajectories]}

    def propose_new_texts(
        self,
        candidate: Mapping[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: Sequence[str],
    ) -> dict[str, str]:
        """Return the child of a prompt; nothing where the optimiser's reply is refused, which costs no metric call."""
        parent, marks = candidate[COMPONENT], [each["mark"] for each in reflective_dataset[COMPONENT]]
        self.walk.step += 1
        request = self.walk.writer.reflect(parent, marks)
        try:
            text = self.walk.take(self.walk.ask(request), request)
        except CutscoreError as error:
            self.failed, self.walk.budget.stopped, text = error, error.fact or error.what, None
        if text is None:
            return {}
        self.made_from = (text, parent)
        return {COMPONENT: text}

    def _is_validation(self, batch: Sequence[LabelledSample]) -> bool:
        whole = self.walk.problem.validation
        return len(batch) == len(whole) and all(one is other for one, other in zip(batch, whole, strict=True))

    def _try(self, text: str, batch: Sequence[LabelledSample]) -> list[MarkedSample]:
        marks = self.walk.try_on(text, batch)
        child, parent = self.made_from
        self.trials = {name: kept for name, kept in self.trials.items() if name == parent and text == child}
        self.trials[text] = total_confusion(marks)
        return marks

    def _validate(self, text: str) -> list[MarkedSample]:
        child, parent = self.made_from
        if text != child:
            return self.walk.begin(text).marks
        before, after = self.trials.get(parent), self.trials.get(child)
        return self.walk.validate(text, parent=self.walk.table.find(parent), before=before, after=after).marks
