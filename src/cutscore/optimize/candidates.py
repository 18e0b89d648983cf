"""Every prompt that a search tried (Algorithm 2's table T), and the rules by which one is refused unseen.

A candidate is written by a model that has read what videos say. So it is a claim of a stranger's until it was checked:
refused are those that are empty, too long, without a blank that the form needs, or that repeat a mark which stood
around the videos' words. Refusals are counted by their reason.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cutscore.core.matching import Confusion
from cutscore.optimize.problem import JudgeProblem, MarkedSample, total_confusion
from cutscore.prompts import Prompt

MOST_CHARS = 20_000
# Of all validation answers: a prompt that leaves more of them unread than p0 by this share is not compared with it.
MOST_UNREAD = 0.1
# Why a candidate is refused.
EMPTY, TOO_LONG, BLANKS, CANARY, REPEATED, UNMARKED = (
    "empty",
    "too long",
    "other blanks than the first prompt",
    "repeats a mark of the fence",
    "tried before",
    "no prompt between its marks",
)
_STRAY = re.compile(r"\{\{|\}\}")


def prompt_digest(text: str) -> str:
    """Return the digest of a prompt as a judge would read it."""
    return Prompt.of("", text).digest


@dataclass(frozen=True)
class CandidateRules:
    """What every candidate has to keep to.

    Args:
        blanks: Blanks of the first prompt; a candidate has the same.
        most_chars: Length limit.
    """

    blanks: tuple[str, ...] = ()
    most_chars: int = MOST_CHARS

    @classmethod
    def of(cls, first: str, *, most_chars: int = MOST_CHARS) -> "CandidateRules":
        """Return the rules for candidates that replace a prompt; one that is long already may stay as long."""
        return cls(Prompt.of("", first).blanks(), max(most_chars, len(first)))

    def refusal(self, text: str, *, canaries: Sequence[str] = ()) -> str:
        """Return why a text is no candidate; empty when it is one.

        >>> CandidateRules(("role",)).refusal("Judge strictly."), CandidateRules().refusal("Judge strictly.")
        ('other blanks than the first prompt', '')
        """
        if not text.strip():
            return EMPTY
        if len(text) > self.most_chars:
            return TOO_LONG
        prompt = Prompt.of("", text)
        own = prompt.blanks()
        without = prompt.text
        for blank in own:
            without = re.sub(r"\{\{ *" + blank + r" *\}\}", "", without)
        if set(own) != set(self.blanks) or _STRAY.search(without):
            return BLANKS
        return CANARY if any(canary in text for canary in canaries) else ""


@dataclass(frozen=True)
class Candidate:
    """A prompt that was validated.

    Args:
        parent: Number of the candidate that it was made from; None for p0.
        step: Of the search, from 1; 0 for p0.
        before, after: The minibatch with the parent and with this prompt, by S; None for p0, and where none was asked.
        validation, binary: Sums over the validation split, by S and by verdicts alone.
        phi: Φ of `validation`.
        unread: Validation answers that could not be read.
        calls, usd: What the walk had used when this was known.
    """

    number: int
    text: str
    parent: int | None
    step: int
    validation: Confusion
    binary: Confusion
    phi: float
    unread: int = 0
    before: Confusion | None = None
    after: Confusion | None = None
    calls: int = 0
    usd: float | None = None

    @property
    def digest(self) -> str:
        """Digest of the prompt."""
        return prompt_digest(self.text)


@dataclass
class CandidateTable:
    """Table T. The first candidate is p0; `proposed` counts usable prompts of the optimiser."""

    rows: list[Candidate] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    proposed: int = 0
    _digests: dict[str, int] = field(default_factory=dict)

    def add(self, problem: JudgeProblem, text: str, marks: Sequence[MarkedSample], **about: object) -> Candidate:
        """Enter a prompt with what the judge made of the validation split with it."""
        made = Candidate(
            number=len(self.rows),
            text=text,
            validation=total_confusion(marks),
            binary=total_confusion(marks, binary=True),
            phi=problem.worth(marks),
            unread=sum(each.unread for each in marks),
            **about,  # type: ignore[arg-type]
        )
        self.rows.append(made)
        self._digests[made.digest] = made.number
        return made

    def find(self, text: str) -> Candidate | None:
        """Return the candidate with this text; None when it was not validated."""
        number = self._digests.get(prompt_digest(text))
        return None if number is None else self.rows[number]

    @property
    def rejected(self) -> int:
        """How many prompts did no better than their parents on a minibatch, and were not validated."""
        return self.proposed - (len(self.rows) - 1)

    @property
    def first(self) -> Candidate:
        """p0."""
        return self.rows[0]

    @property
    def best(self) -> Candidate:
        """p*: the highest Φ on the validation split; of equals the earliest.

        A prompt with which the judge falls silent more often than with p0 would be chosen for what it does not answer;
        it is left out.
        """
        answers = self.first.validation.total + self.first.unread
        allowed = self.first.unread + MOST_UNREAD * answers
        return max((each for each in self.rows if each.unread <= allowed), key=lambda each: (each.phi, -each.number))

    def way(self, candidate: Candidate) -> Iterator[Candidate]:
        """Return the candidates from p0 to this one, each made from the one before."""
        if candidate.parent is not None:
            yield from self.way(self.rows[candidate.parent])
        yield candidate
