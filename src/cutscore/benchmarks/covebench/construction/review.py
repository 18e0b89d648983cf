"""People go through drafted checklists: two in sequence, and an adjudicator where they differ (Appendix D).

They sign in `signoffs.csv` or `signoffs.json` of the pack, a line for a question, or one without a question for all of
a task that have no line of their own:

    item,question,text,reviewer,role,decision,reason,revised,expected
    film-1,,,3fa91c02d4e7,first,accept,,,
    film-1,Q4,,3fa91c02d4e7,first,reject,subjective,,
    film-1,,,77ab01e2c9d0,second,accept,,,
    film-1,Q7,,77ab01e2c9d0,second,revise,unclear,"In Video B, is the ball blue throughout?",
    film-1,Q4,,c01dbeefc01d,adjudicator,reject,subjective,,

What both drop is not asked, and neither is what the adjudicator drops. `text`, where given, is the question as it was
read: once it is another, the line is void.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import model_validator

from cutscore.benchmarks.covebench.checklist import Category, Checklist, ChecklistQuestion, EditPoint
from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.labels.signoffs import ReviewerHash, read_signed

Role = Literal["first", "second", "adjudicator"]
State = Literal["kept", "dropped", "open", "unsigned"]

ROLES: tuple[Role, ...] = ("first", "second", "adjudicator")
REASONS = {
    "factual-error": "it says something of the source or of the instruction that is not so",
    "contradiction": "it contradicts another question, or its own answer",
    "misclassified": "its format, dimension or type of edit is another",
    "subjective": "two people would answer as they like",
    "omission": "something that the instruction asks for is asked nowhere",
    "meaningless": "its answer says nothing about the edit",
    "imperceptible": "people cannot see the difference",
    "unclear": "it can be read in two ways",
    "duplicate": "another question asks the same",
    "other": "told in the maintainers' own records",
}
PUBLISHED_RETENTION = 0.672  # of the drafted questions, section 2.1
MOST_NAMED = 5


class ReviewLine(FrozenModel):
    """One person's word on one question, or on all of a task.

    Args:
        text: The question as it was read; a line about another wording is void.
        revised, expected: Its new wording, and its new answer; either, or both, of whoever revises.
    """

    item: SafeName
    question: str = ""
    text: str = ""
    reviewer: ReviewerHash
    role: Role
    decision: Literal["accept", "revise", "reject"]
    reason: str = ""
    revised: str = ""
    expected: str = ""

    @model_validator(mode="after")
    def _says_what_is_meant(self) -> Self:
        if self.reason and self.reason not in REASONS:
            raise ValueError(f"reason '{self.reason}' is none of {', '.join(REASONS)}")
        if (self.decision == "accept") == bool(self.reason):
            raise ValueError("who does not accept gives a reason code, and only they")
        if (self.decision == "revise") != bool(self.revised or self.expected):
            raise ValueError("who revises gives the question as 'revised', or its answer as 'expected', and only they")
        if self.decision == "revise" and not self.question:
            raise ValueError("a revision names its question")
        return self

    @property
    def changes(self) -> dict[str, str]:
        """What a revision makes of the question, empty where it changes nothing."""
        return {"text": self.revised, "expected": self.expected}


@dataclass(frozen=True)
class QuestionReview:
    """What came of a question.

    Args:
        state: `unsigned` until two people have signed it, `open` while they differ and nobody decided.
        keeps: Whether the first and the second would keep it; None for whoever has not signed.
        reason: Why it is dropped.
        question: As it is after all revisions.
    """

    state: State
    keeps: tuple[bool | None, bool | None]
    reason: str
    question: ChecklistQuestion


@dataclass(frozen=True)
class ChecklistReview:
    """The sign-offs of a pack; a later line of one role about the same question replaces the earlier one."""

    lines: Mapping[tuple[str, str, Role], ReviewLine]

    def read_question(self, item: str, question: ChecklistQuestion) -> QuestionReview:
        """Return what came of one question."""
        lines = self.find_lines(item, question.id)
        wordings = {question.text, *(line.revised for line in lines.values())}
        rewritten = any(line.revised == question.text for line in lines.values())
        valid = {role: line for role, line in lines.items() if rewritten or line.text in ("", *wordings)}
        changes = {name: value for line in valid.values() for name, value in line.changes.items() if value}
        return QuestionReview(*_decide(valid), question.model_copy(update=changes))

    def find_lines(self, item: str, question: str = "") -> dict[Role, ReviewLine]:
        """Return what each role says of a question, or of a whole task; nobody is heard in two roles."""
        said: dict[Role, ReviewLine] = {}
        for role in ROLES:
            line = self.lines.get((item, question, role)) or self.lines.get((item, "", role))
            if line and line.reviewer not in {each.reviewer for each in said.values()}:
                said[role] = line
        return said

    def drops_task(self, item: str) -> str:
        """Return why a whole task is dropped, nothing where it is not."""
        state, _, reason = _decide(self.find_lines(item))
        return reason if state == "dropped" else ""

    def apply(self, item: str, checklist: Checklist) -> Checklist:
        """Return a checklist without what was dropped, and with what was revised.

        Raises:
            BrokenData: Nothing is left to ask.
        """
        found = {each.id: self.read_question(item, each) for each in checklist.questions}
        kept = {id: each.question for id, each in found.items() if each.state != "dropped"}
        left = [point for each in checklist.points if (point := _leave(each, kept))]
        if not left:
            next_step = "reject the whole task by lines without a question"
            raise BrokenData(f"item '{item}'", "its reviewers leave no question of it", next_step)
        return checklist.model_copy(update={"points": tuple(left)})


def read_review(folder: Path) -> ChecklistReview:
    """Return the sign-offs of a pack, none when there is no such file."""
    return ChecklistReview({(line.item, line.question, line.role): line for line in read_signed(folder, ReviewLine)})


def _decide(said: Mapping[Role, ReviewLine]) -> tuple[State, tuple[bool | None, bool | None], str]:
    """Return what the lines about one question come to, whether the two would keep it, and why it is dropped."""
    first, second = (said.get(role) for role in ("first", "second"))
    keeps = tuple(line.decision != "reject" if line else None for line in (first, second))
    last = said.get("adjudicator") or second
    if first is None or second is None or last is None:
        return "unsigned", (keeps[0], keeps[1]), ""
    if keeps[0] != keeps[1] and "adjudicator" not in said:
        return "open", (keeps[0], keeps[1]), ""
    return ("dropped" if last.decision == "reject" else "kept"), (keeps[0], keeps[1]), last.reason


def _leave(point: EditPoint, kept: Mapping[str, ChecklistQuestion]) -> EditPoint | None:
    """Return a group with the questions that are kept; a type of edit goes with the last question about it."""
    asked = tuple(kept[each.id] for each in point.questions if each.id in kept)
    types = [each.model_copy(update={"questions": _still(each, kept)}) for each in point.categories]
    left = [new for old, new in zip(point.categories, types, strict=True) if new.questions or not old.questions]
    return point.model_copy(update={"questions": asked, "categories": tuple(left)}) if asked else None


def _still(category: Category, kept: Mapping[str, ChecklistQuestion]) -> tuple[str, ...]:
    return tuple(id for id in category.questions if id in kept)


def describe_review(review: ChecklistReview, drafts: Mapping[str, Checklist]) -> list[str]:
    """Return how much of the drafts is kept, why the rest is not, how far the two agree, and who has yet to sign."""
    found = {
        (item, each.id): review.read_question(item, each) for item, draft in drafts.items() for each in draft.questions
    }
    states = Counter(each.state for each in found.values())
    said, signed = [], states["kept"] + states["dropped"]
    if signed:
        share = f"{states['kept']:,} of {signed:,} reviewed questions are kept, {states['kept'] / signed:.1%}"
        said.append(f"{share} (published: {PUBLISHED_RETENTION:.1%} of the drafts)")
    if reasons := Counter(each.reason for each in found.values() if each.state == "dropped"):
        said.append(f"dropped: {', '.join(f'{times:,} {reason}' for reason, times in reasons.most_common())}")
    said += _describe_agreement({key: each.keeps for key, each in found.items()})
    if waiting := [f"task {item}: {question}" for (item, question), each in found.items() if each.state == "open"]:
        said.append(f"the adjudicator has yet to decide on {_name_some(waiting)}")
    if unsigned := list(dict.fromkeys(item for (item, _), each in found.items() if each.state == "unsigned")):
        who = f"{len(unsigned):,} of {len(drafts):,} tasks are not signed off by two people"
        said.append(f"{who}: {_name_some(unsigned)}")
    return said


def _describe_agreement(keeps: Mapping[tuple[str, str], tuple[bool | None, bool | None]]) -> Iterator[str]:
    both = [(item, *pair) for (item, _), pair in keeps.items() if None not in pair]
    if not both:
        return
    from cutscore.stats.agreement import cohen_kappa

    names = {True: "keep", False: "drop"}
    clusters, first, second = ([*column] for column in zip(*both, strict=True))
    alike = sum(one == other for _, one, other in both)
    found = cohen_kappa(
        [names[bool(each)] for each in first],
        [names[bool(each)] for each in second],
        clusters,
        categories=("keep", "drop"),
    )
    kappa = "undefined" if found.kappa.value is None else f"{found.kappa.value:.2f}"
    yield f"the two reviewers agree on {alike:,} of {len(both):,} questions, kappa {kappa}"


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def left_out_by_review(review: ChecklistReview) -> list[str]:
    """Return which tasks are not asked, since their reviewers dropped them."""
    signed = dict.fromkeys(item for item, _, _ in review.lines)
    return [f"task {item} is left out by its reviewers: {why}" for item in signed if (why := review.drops_task(item))]
