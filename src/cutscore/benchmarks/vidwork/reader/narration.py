"""What a narrator tells: which sentences are steps, which are reasons for one, when, and what follows from that.

Grammar alone decides, without a list of what can be done: a step is a request ("Crack 3 eggs into the bowl") or what
the narrator is doing ("Now we crack the eggs"). It errs where English does: "Heat sets the batter" begins like a
request, and only its second word says that it is none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from cutscore.benchmarks.vidwork.words import content_words, word_dice, word_set
from cutscore.media.transcript import Transcript

MOST_SENTENCES = 500  # nobody tells more in five minutes; subtitles come from strangers

_ENDS = re.compile(r"(?<=[.!?;])\s+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# What may stand before a step without being a part of it.
_LEADS = word_set("now then next first second third finally lastly and so okay ok well please afterwards just")
_DOERS = word_set("we you i")
_DOING = word_set("will can should must need have want to are am going now then just first also")
# With these begins a sentence that has somebody or something who does it.
_SUBJECTS = word_set(
    "a an the this that these those it its he she they them their his her our your my who what which when where why how"
    " there here if because since as while though although to for of in on at by with without from about off out"
    " everybody everyone everything nobody no nothing somebody someone something anybody all some any each every many"
    " most both not never only otherwise or but today hello hi welcome thanks thank yes one"
)
_VERBS = word_set(
    "is are was were be been has have had do does did will would can could may might must shall should isn't aren't"
    " don't doesn't can't won't"
)
# After the verb of a request stands what it is done to, or where: "turn on", "stir it", "cut 3", "lay the".
_OBJECTS = word_set(
    "a an the this that these those it its them him her his their your our my some any all both each every more one two"
    " three four five six seven eight nine ten half on off up down in into out onto over under around away with from"
    " until till to together back apart"
)
_SAME_STEP = 0.5  # Dice coefficient of the words of two texts from which on they are about one step
_LONGEST = 60  # words of a sentence that may be a step
_BREATH_S = Fraction(1)  # after which a narrator begins anew


@dataclass(frozen=True)
class NarratedSentence:
    """One sentence of a narrator.

    Args:
        at_s: When it begins; shared out by letters where only the whole line has a time.
        text: Without what leads to it ("now", "then") if it is a step, and without a full stop.
        is_step: Whether it says what is done.
        explains: Number, among all sentences, of the step told in the same breath that it may be the reason for.
    """

    at_s: Fraction
    text: str
    is_step: bool = False
    explains: int | None = None


@dataclass(frozen=True)
class SilentGap:
    """From when on somebody was silent for so long that steps may have been done, and how many."""

    at_s: Fraction
    steps: int


@dataclass(frozen=True)
class Narration:
    """All that was told about a procedure, sentences in order of time: a listener's only knowledge of it.

    Texts are compared by their content words. Of steps that nobody mentioned, only the gaps are known in which they
    may have been done.
    """

    sentences: Sequence[NarratedSentence]

    @cached_property
    def steps(self) -> tuple[NarratedSentence, ...]:
        """The sentences that say what is done."""
        return tuple(each for each in self.sentences if each.is_step)

    def find(self, text: str) -> NarratedSentence | None:
        """Return the told step that a text is about; the first of equals, None when none is near enough."""
        best = max(self.steps, key=lambda step: word_dice(text, step.text), default=None)
        return best if best is not None and word_dice(text, best.text) >= _SAME_STEP else None

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
        largest = max(self.gaps, key=lambda gap: gap.steps, default=None)
        return largest.at_s if largest is not None else None

    @cached_property
    def gaps(self) -> tuple[SilentGap, ...]:
        """Where steps may have been done that nobody told of.

        A gap holds as many as there are shortest gaps in it, less the one that was told. What comes before the first
        sentence or after the last one is not known.
        """
        starts = sorted({each.at_s for each in self.sentences if each.explains is None})
        lengths = [(one, two - one) for one, two in pairwise(starts)]
        shortest = min((length for _, length in lengths), default=Fraction(0))
        if not shortest:
            return ()
        return tuple(SilentGap(at_s, steps) for at_s, length in lengths if (steps := round(length / shortest) - 1) > 0)

    def is_before(self, first: str, second: str) -> bool | None:
        """Return whether one step came before another one; None when it is anybody's guess.

        Of a step that nobody told of, all that is known is that it was done in a gap: there may be more room for it
        before the other one, or after it.
        """
        one, two = self.find(first), self.find(second)
        if one is not None and two is not None:
            return None if one.at_s == two.at_s else one.at_s < two.at_s
        told = one or two
        if told is None:
            return None
        before = sum(gap.steps for gap in self.gaps if gap.at_s < told.at_s)
        after = sum(gap.steps for gap in self.gaps if gap.at_s >= told.at_s)
        return None if before == after else (after > before) == (told is one)

    def blocked_without(self, text: str) -> NarratedSentence | None:
        """Return the told step that most likely could not be done if another one had been left out.

        It comes later, and shares a word with it; of several the first, and without any the very next one.
        """
        missing, wanted = self.find(text), set(content_words(text))
        later = [step for step in self.steps if step is not missing and (missing is None or step.at_s > missing.at_s)]
        sharing = [step for step in later if wanted & set(content_words(step.text))]
        return next(iter([*sharing, *(later if missing is not None else [])]), None)


def read_narration(transcript: Transcript) -> Narration:
    """Read what is told, sentence by sentence, in order of time."""
    found: list[NarratedSentence] = []
    over_s = Fraction(0)
    for at_s, end_s, text in sorted(_sentences(transcript))[:MOST_SENTENCES]:
        step, explains = step_in(text), None
        if found and not step and at_s - over_s <= _BREATH_S:
            explains = len(found) - 1 if found[-1].is_step else found[-1].explains
        found.append(NarratedSentence(at_s, step or text.rstrip(" .!?;"), bool(step), explains))
        over_s = end_s
    return Narration(tuple(found))


def step_in(sentence: str) -> str:
    """Return the step that a sentence tells, as a request; empty when it tells none.

    >>> step_in("Now we crack 3 eggs into the bowl."), step_in("Heat sets the batter."), step_in("How to make tea.")
    ('Crack 3 eggs into the bowl', '', '')
    """
    places = list(_WORD.finditer(sentence))
    plain = [place[0].casefold() for place in places]
    first = 0
    while first < len(plain) and plain[first] in _LEADS:
        first += 1
    if plain[first : first + 1] and plain[first] in _DOERS:
        first += 1
        while first < len(plain) and plain[first] in _DOING:
            first += 1
    rest = plain[first:]
    if not 2 <= len(rest) <= _LONGEST or sentence.rstrip().endswith("?") or not _is_request(rest):
        return ""
    text = sentence[places[first].start() :].strip().rstrip(" .!;")
    return text[:1].upper() + text[1:]


def _is_request(plain: list[str]) -> bool:
    verb, second = plain[0], plain[1]
    if verb in _SUBJECTS or verb in _VERBS or verb[0].isdigit() or second in _VERBS:
        return False
    if second in _OBJECTS or second[0].isdigit():
        return not _is_plural(verb)
    # "Pour milk into the bowl" is a request; "water takes the dirt away" and "nails hold the walls" have a subject.
    has_subject = _is_plural(verb) or (_is_plural(second) and plain[2:3] != [] and plain[2] in _OBJECTS)
    return not has_subject and any(word in _OBJECTS for word in plain[2:])


def _is_plural(word: str) -> bool:
    """Return whether a word ends like a noun in the plural, or like the verb of somebody else."""
    return word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 2


def _sentences(transcript: Transcript) -> Iterator[tuple[Fraction, Fraction, str]]:
    """Return sentences from when to when; a sentence may go on in the next line of subtitles."""
    held: tuple[Fraction, Fraction, str] | None = None
    for line in transcript.segments:
        text, place = line.text.strip(), 0
        for part in filter(None, _ENDS.split(text)):
            start = place
            place = text.index(part, place) + len(part)
            at_s, end_s = (line.start_s + line.length_s * letters / len(text) for letters in (start, place))
            if held is not None and part[:1].islower():
                held = held[0], end_s, f"{held[2]} {part}"
            else:
                if held is not None:
                    yield held
                held = at_s, end_s, part
            if held[2][-1:] in (".", "!", "?", ";"):
                yield held
                held = None
    if held is not None:
        yield held
