"""What every search does: validate a prompt, try it on a minibatch, ask for a better one, and book all of it.

A search decides which prompt comes next; nothing else is its own. So both search through the same table, stop by the
same budget, and end with the same p*.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cutscore.core.errors import BudgetReached, RunBroken
from cutscore.core.matching import Confusion
from cutscore.optimize.budget import SearchBudget
from cutscore.optimize.candidates import REPEATED, Candidate, CandidateTable
from cutscore.optimize.problem import JudgeProblem, LabelledSample, MarkedSample
from cutscore.optimize.proposer import OptimizerRequest, PromptWriter

MINIBATCH = 3


@dataclass(frozen=True)
class ValidatedPrompt:
    """A candidate with the marks of the validation split."""

    candidate: Candidate
    marks: list[MarkedSample]


@dataclass
class SearchWalk:
    """A search on its way.

    Args:
        on_candidate: Called for every candidate that was validated.
        optimizer_calls: How often the optimiser was asked.
        refused_pairs: Pairs that a matcher claimed and that cannot be.
    """

    problem: JudgeProblem
    budget: SearchBudget
    writer: PromptWriter
    minibatch: int = MINIBATCH
    seed: int = 0
    on_candidate: Callable[[Candidate], None] = lambda candidate: None
    table: CandidateTable = field(default_factory=CandidateTable)
    step: int = 0
    optimizer_calls: int = 0
    refused_pairs: int = 0

    @property
    def why_stop(self) -> str:
        """Why the search ends here; empty while it may go on."""
        if self.table.rows and self.table.best.phi >= 1:
            return "the best prompt makes no error on the validation split"
        return self.budget.why_stop(step=2 * self.minibatch + len(self.problem.validation))

    def begin(self, first: str) -> ValidatedPrompt:
        """Validate p0.

        Raises:
            RunBroken: The judge gave no readable answer at all.
        """
        made = self.validate(first)
        if not made.candidate.validation.total:
            fact = f"gave no readable answer to any of {made.candidate.unread} questions of the validation split"
            why = f"{fact}: {made.marks[0].because}".rstrip(": ")
            raise RunBroken("judge", why, "see what it replies, then run again")
        return made

    def validate(
        self,
        text: str,
        *,
        parent: Candidate | None = None,
        before: Confusion | None = None,
        after: Confusion | None = None,
    ) -> ValidatedPrompt:
        """Measure a prompt on the validation split, and enter it into the table.

        Before and after are the minibatch with its parent and with itself.
        """
        marks = self.try_on(text, self.problem.validation)
        made = self.table.add(
            self.problem,
            text,
            marks,
            parent=None if parent is None else parent.number,
            step=self.step,
            before=before,
            after=after,
            calls=self.budget.used,
            usd=self.budget.spent_usd(),
        )
        self.on_candidate(made)
        return ValidatedPrompt(made, marks)

    def try_on(self, text: str, batch: Sequence[LabelledSample]) -> list[MarkedSample]:
        """Measure a prompt on some samples."""
        marks = self.problem.evaluate(text, batch)
        self.budget.used += len(batch)
        self.refused_pairs += sum(each.refused_pairs for each in marks)
        return marks

    def ask(self, request: OptimizerRequest) -> str:
        """Return what the optimiser says; nothing when the money is spent."""
        self.optimizer_calls += 1
        try:
            return self.problem.optimizer(request.text)
        except BudgetReached as spent:
            self.budget.stopped = spent.fact
            return ""

    def take(self, reply: str, request: OptimizerRequest) -> str | None:
        """Return the new prompt of a reply; None, counted by its reason, where there is none that can be used."""
        proposed = self.writer.read(reply, request)
        refusal = proposed.refusal or (REPEATED if self.table.find(proposed.text) else "")
        if self.budget.stopped:
            return None
        if refusal:
            self.table.refused[refusal] += 1
            self.budget.refused_in_a_row += 1
            return None
        self.budget.refused_in_a_row = 0
        self.table.proposed += 1
        return proposed.text

    def is_perfect(self, marks: Sequence[MarkedSample]) -> bool:
        """Return whether a batch has nothing to teach."""
        return all(each.score >= 1 and not each.unread for each in marks)


def improves(before: Sequence[MarkedSample], after: Sequence[MarkedSample]) -> bool:
    """Return whether a minibatch is more right with the new prompt than with its parent: GEPA's gate."""
    return sum(each.score for each in after) > sum(each.score for each in before)
