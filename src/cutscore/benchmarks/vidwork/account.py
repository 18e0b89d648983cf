"""What was told, put to use: which step a text is about, what came before what, and why something was done.

Who only listens knows the steps that were mentioned, and guesses where the others were. Texts are compared by their
content words; which words those are, and which forms are one word, is for the caller to say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from cutscore.benchmarks.vidwork.narration import Told, unsaid

Content = Callable[[str], Sequence[str]]

_SAME = 0.5  # Dice coefficient of the words of two texts from which on they are about one step


@dataclass(frozen=True)
class Account:
    """All that was told about a procedure.

    Args:
        sentences: In order of time.
        content: Gives the content words of a text, each in one form.
    """

    sentences: Sequence[Told]
    content: Content = field(repr=False)

    @cached_property
    def steps(self) -> tuple[Told, ...]:
        return tuple(each for each in self.sentences if each.is_step)

    def find(self, text: str) -> Told | None:
        """Return the told step that a text is about; the first of equals, None when none is near enough."""
        wanted = set(self.content(text))
        rated = [(self._likeness(wanted, step), step) for step in self.steps]
        best = max(rated, key=lambda each: each[0], default=(0.0, None))
        return best[1] if best[0] >= _SAME else None

    def _likeness(self, wanted: set[str], step: Told) -> float:
        own = set(self.content(step.text))
        return 2 * len(wanted & own) / (len(wanted) + len(own)) if wanted and own else 0.0

    def reason(self, text: str) -> str | None:
        """Return what was said right after a step, which may be why it is done; None when nothing was."""
        step = self.find(text)
        number = self.sentences.index(step) if step is not None else None
        return next((each.text for each in self.sentences if number is not None and each.explains == number), None)

    def when(self, text: str) -> Fraction | None:
        """Return when a step was told of, or the start of the largest gap if nobody did; None when there is no gap."""
        step = self.find(text)
        if step is not None:
            return step.at_s
        return max(self.gaps, key=lambda gap: gap[1], default=(None, 0))[0]

    @cached_property
    def gaps(self) -> tuple[tuple[Fraction, int], ...]:
        """When somebody was silent for so long that steps may have been done, and how many."""
        return unsaid(self.sentences)

    def is_before(self, first: str, second: str) -> bool | None:
        """Return whether one step came before another one; None when it is anybody's guess.

        Of a step that nobody told of, all that is known is that it was done in a gap: there may be more room for it
        before the other one, or after it.
        """
        one, two = self.find(first), self.find(second)
        if one is not None and two is not None:
            return None if one.at_s == two.at_s else one.at_s < two.at_s
        if one is None and two is None:
            return None
        told = one or two
        assert told is not None
        before = sum(count for at_s, count in self.gaps if at_s < told.at_s)
        after = sum(count for at_s, count in self.gaps if at_s >= told.at_s)
        return None if before == after else (after > before) == (told is one)

    def blocked_without(self, text: str) -> Told | None:
        """Return the told step that most likely could not be done if another one had been left out.

        It comes later, and shares a word with it; of several the first, and without any the very next one.
        """
        missing, wanted = self.find(text), set(self.content(text))
        later = [step for step in self.steps if step is not missing and (missing is None or step.at_s > missing.at_s)]
        sharing = [step for step in later if wanted & set(self.content(step.text))]
        return next(iter([*sharing, *(later if missing is not None else [])]), None)
