"""What is written on screen, from when to when: the same line in the same place, reading after reading."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from cutscore.core.timeline import Span
from cutscore.perception.report import Written
from cutscore.perception.text import TextBox

# Share of two boxes in common from which on a line stays in its place.
_SAME_PLACE = 0.4


@dataclass(eq=False)
class Lines:
    """Puts readings of single pictures together.

    A line is there from the reading that first shows it up to the first one that does not. Spaces and case do not make
    another line, since the reader is not sure of them; of two readings the surer one counts.
    """

    _over: list[Written] = field(default_factory=list)
    _there: list[Written] = field(default_factory=list)

    def see(self, at_s: Fraction, boxes: Iterable[TextBox]) -> None:
        before, self._there = self._there, []
        for box in boxes:
            new = Written(Span(start_s=at_s, end_s=at_s), box.text, box.box, box.confidence)
            same = next((each for each in before if _same(each, new)), None)
            if same is not None:
                before.remove(same)
                surer = max(same, new, key=lambda each: each.confidence)
                new = replace(surer, span=same.span)
            self._there.append(new)
        self._over += [_until(each, at_s) for each in before]

    def result(self, end_s: Fraction) -> tuple[Written, ...]:
        found = [*self._over, *(_until(each, end_s) for each in self._there)]
        return tuple(sorted(found, key=lambda each: (each.span.start_s, each.box[1], each.box[0])))


def _until(line: Written, at_s: Fraction) -> Written:
    return replace(line, span=Span(start_s=line.span.start_s, end_s=at_s))


def _same(one: Written, other: Written) -> bool:
    if _plain(one.text) != _plain(other.text):
        return False
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    shared = max(0, right - left) * max(0, bottom - top)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one.box, other.box)]
    return shared > _SAME_PLACE * (sum(areas) - shared)


def _plain(text: str | None) -> str | None:
    return None if text is None else "".join(text.split()).casefold()
