"""Which items a subject can work on at all, sorted out before anybody is asked and anything is spent.

A subject may say what it hands over (`delivers`) and what it takes in (`takes`). An item beyond that leaves its plan:
it is neither unscored nor 0. A subject that can work on none of the items is bad input.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutscore.core.ask import Ask
from cutscore.core.card import Card
from cutscore.core.errors import BadInput
from cutscore.core.subject import AcceptedInput, Subject


@dataclass(frozen=True)
class LeftOut:
    """How many of the items that were asked for are not in a subject's plan, and why.

    >>> str(LeftOut(12, 60, "takes no audio"))
    'left out 12 of 60: takes no audio'
    """

    items: int
    of: int
    reason: str

    def __str__(self) -> str:
        return f"left out {self.items:,} of {self.of:,}: {self.reason}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"items": self.items, "of": self.of, "reason": self.reason}


def sort_out(asks: Mapping[str, Ask], subject: Subject, card: Card, *, who: str) -> dict[str, str]:
    """Return the items that a subject cannot work on, each with the reason; `who` names it in an error.

    Raises:
        BadInput: There is none that it can work on.
    """
    refused = {item: reason for item, ask in asks.items() if (reason := _refuse(ask, subject, card))}
    if not asks or len(refused) < len(asks):
        return refused
    first = next(iter(asks.values()))
    reason = refused[first.item]
    if reason == _unable(first):
        wanted = ", ".join(file.name for file in first.wanted)
        fact = f"wants files ({wanted}), {who} answers in words"
        raise BadInput(f"benchmark '{card.name}'", fact, "measure an agent or files: --subject folder:DIR")
    fact = f"can work on none of {len(asks):,} items of benchmark '{card.name}': it {reason}"
    raise BadInput(who, fact, "name other items with --where, or another subject")


def count_left_out(refused: Mapping[str, str], *, of: int) -> tuple[LeftOut, ...]:
    """Return how many items were left out for each reason, the most frequent first."""
    return tuple(LeftOut(times, of, reason) for reason, times in Counter(refused.values()).most_common())


def _refuse(ask: Ask, subject: Subject, card: Card) -> str:
    delivers = getattr(subject, "delivers", None)
    if delivers is not None and ask.wanted and not {*delivers} & {*(card.delivered_as or ("files",))}:
        return _unable(ask)
    takes: AcceptedInput | None = getattr(subject, "takes", None)
    return takes.refuse(ask) if takes is not None else ""


def _unable(ask: Ask) -> str:
    return f"hands over no {', '.join(file.name for file in ask.wanted)}"
