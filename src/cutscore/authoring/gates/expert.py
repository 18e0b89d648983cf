"""Expert: two people have looked at the task, its author and somebody else, and both let it pass.

They sign in `signoffs.csv` or `signoffs.json` of the pack, without their names:

    item,reviewer,role,decision,reason,content
    film-1,3fa91c02d4e7,author,accept,,
    film-1,77ab01e2c9d0,independent,reject,ambiguous,

`reviewer` is a hash of whatever the maintainers know a person by. A later line of the same person about the same item
replaces the earlier one. `content`, where given, is the digest of the item that was looked at (as
`cutscore check --json` tells it): once the item is another, the sign-off is void.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from pydantic import model_validator

from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.gate import Gate
from cutscore.core.item import Item
from cutscore.labels.signoffs import ReviewerHash, read_signed

REASONS = {
    "ambiguous": "two readings of the brief are possible",
    "non-atomic": "a rubric item asks two things",
    "outside-brief": "something is measured that the brief does not ask",
    "unobservable": "an item cannot be answered from what is delivered",
    "unrealistic": "no client would ask this",
    "infeasible": "it cannot be done in the stated time or with the materials",
    "too-easy": "it can be done without understanding",
    "leak": "the materials give the answer away",
    "media": "a file is damaged or of poor quality",
    "licence": "the rights are not clear",
    "duplicate": "another task asks the same",
    "other": "told in the maintainers' own records",
}


class Signoff(FrozenModel):
    """One person's word on one task."""

    item: SafeName
    reviewer: ReviewerHash
    role: Literal["author", "independent"]
    decision: Literal["accept", "revise", "reject"]
    reason: str = ""
    content: str = ""

    @model_validator(mode="after")
    def _has_a_reason(self) -> Self:
        if self.reason and self.reason not in REASONS:
            raise ValueError(f"reason '{self.reason}' is none of {', '.join(REASONS)}")
        if (self.decision == "accept") == bool(self.reason):
            raise ValueError("who does not accept gives a reason code, and only they")
        return self


def read_signoffs(folder: Path) -> list[Signoff]:
    """Return the sign-offs of a pack, none when there is no such file.

    Raises:
        BrokenData: A line cannot be used; it is named with its fault.
    """
    return read_signed(folder, Signoff)


def check_expert(item: Item, signoffs: Iterable[Signoff]) -> Gate:
    """Return the gate of the two sign-offs of a task.

    A rejection or a wish for revision fails it, until the same person accepts. It is pending until two people have
    accepted it: its author, and somebody else.
    """
    valid = [each for each in signoffs if each.item == item.id and each.content in ("", item.digest())]
    last = {each.reviewer: each for each in valid}.values()
    against = [each for each in last if each.decision != "accept"]
    if against:
        told = (f"{each.role} {each.reviewer[:8]}: {each.decision}, {each.reason}" for each in against)
        return Gate(name="expert", state="failed", faults=tuple(told))
    missing = [role for role in ("author", "independent") if role not in {each.role for each in last}]
    if missing:
        there = f"{len(last)} of 2 signed" if last else "nobody signed"
        return Gate(name="expert", state="pending", faults=(f"{there}: no {' and no '.join(missing)} sign-off",))
    return Gate(name="expert")
