"""The words of a step: its verb and those of another kind, what it counts, its tool, and the step inside a sentence."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Final

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.words import content_words, is_content, stem, word_set, words

# Verbs of one line may stand for each other, so none of them is ever put in another's place. A wide one ("put") is in
# every line of which it may be meant.
_VERBS: Final = """
cut slice chop saw carve trim halve dice split divide
stir whisk mix beat blend combine shake
pour fill add put drip tip empty drop
place put lay set stand drop insert bring move carry load rest position add
fry bake roast boil cook heat warm melt toast grill simmer burn light
cool freeze chill
peel shell crack open
paint varnish coat cover dip spread stain colour
sand polish scrape clean
wipe wash rinse clean scrub dry sweep dab
nail hammer attach fasten connect join put
screw bolt fasten tighten attach connect join put
glue tape stick attach fasten connect join put
drill pierce punch cut
plug connect insert attach put
measure weigh
draw mark sketch write
bend fold roll
squeeze press crush push hold put
lift raise hold elevate take carry put move
wrap bandage cover bind tie put
unscrew loosen remove open take
spray blow fan
pull stretch take remove
shovel rake dig
knead press
grate
sew stitch attach join
""".strip().splitlines()
# The second word of "turn on", "how warm": what follows is no thing to which something else could be done.
_NO_OBJECT = word_set(
    "on off up down in out away over together apart back by with how that if whether until till for to into onto from"
    " at while so then and or"
)
# Small words that tell one step from another: the tap is turned on, and off.
_WAYS = word_set("on off in out up down over under into onto from to back away with without not")
_PRONOUNS = word_set("it them they this that these those he she him her")
_NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {name: value for value, name in enumerate(_NUMBER_WORDS, start=2)}
# A number before a word that it counts; "tube 2" and "9V" are names, 1/2 and 0.5 are shares, 1 has another grammar.
_QUANTITY = re.compile(rf"(?<![\w.,/-])(\d+|{'|'.join(_NUMBER_WORDS)})(?=\s+([^\W\d_]+))", re.IGNORECASE)
_FEWEST = 2
_MOST = 1_000_000
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are about the same, so that nobody could tell which of them is meant.

    >>> same_words("Turn the tap on", "Turn on a tap"), same_words("Turn the tap on", "Turn the tap off")
    (True, False)
    """
    return _topic(one) == _topic(other)


@lru_cache(maxsize=4096)
def _topic(text: str) -> frozenset[str]:
    return frozenset(content_words(text)) | _WAYS.intersection(words(text))


def as_clause(text: str) -> str:
    """Return a step as a part of a sentence: without its full stop, and small where it begins.

    >>> as_clause("Put it down."), as_clause("PVC is cut")
    ('put it down', 'PVC is cut')
    """
    text = text.strip().rstrip(".!;:, ")
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def has_pronoun(text: str) -> bool:
    """Return whether a text points to something that another one names."""
    return not _PRONOUNS.isdisjoint(words(text))


# ── verbs ────────────────────────────────────────────────────────────────────────────────────────────────────────


def verb_kinds(verb: str) -> frozenset[int]:
    """Return the numbers of the kinds that a verb is of; none for a verb that the table does not know."""
    return _KINDS.get(stem(verb.casefold()), frozenset())


def mentioned_kinds(procedure: ProcedureRecord) -> frozenset[int]:
    """Return the kinds of all verbs that a procedure's record mentions anywhere, also as a noun (the saw)."""
    told = [procedure.title, procedure.narration, *(f"{step.verb} {step.tool} {step.text}" for step in procedure.steps)]
    return frozenset[int]().union(*(verb_kinds(word) for text in told for word in words(text)))


def plainest_verbs() -> tuple[str, ...]:
    """Return the plainest verb of each kind."""
    return tuple(line.split()[0] for line in _VERBS)


def opening_verb(step: ProcedureStep) -> str | None:
    """Return the verb that a step's text begins with; None unless the table knows it and an object follows.

    >>> opening_verb(ProcedureStep(id="a", text="Slice the bread", start_s=0, end_s=1))
    'slice'
    """
    first, *others = words(step.text) or [""]
    said = words(step.verb)[:1] or [first]
    bare = len(others) < 1 or others[0] in _NO_OBJECT or others[-1] in _NO_OBJECT
    return first if first == said[0] and verb_kinds(first) and not bare else None


def after_verb(text: str) -> str:
    """Return a step's text without its first word."""
    return as_clause(text).partition(" ")[2].strip()


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────


def counted_number(text: str) -> int | None:
    """Return the one number in a text that counts something; None when there is none, or more than one.

    >>> texts = "Crack 2 eggs", "Crack two eggs", "Fill tube 2", "Cut 2 apples into 8 slices"
    >>> [counted_number(text) for text in texts]
    [2, 2, None, None]
    """
    found = [each for each in _QUANTITY.finditer(text) if is_content(each[2].casefold())]
    numbers = re.findall(rf"\d+|\b(?:{'|'.join(_NUMBER_WORDS)})\b", text, re.IGNORECASE)
    if len(found) != 1 or len(numbers) != 1 or not found[0][1].isascii():
        return None
    number = _NUMBERS.get(found[0][1].casefold()) or int(found[0][1][:9])
    return number if _FEWEST <= number <= _MOST else None


def spell_number(number: int, text: str) -> str:
    """Write a number as a text writes its own: in digits or in letters, where there are letters for it."""
    in_digits = re.search(r"\d", text) is not None
    return str(number) if in_digits or number not in _NUMBERS.values() else _NUMBER_WORDS[number - _FEWEST]


def with_count(text: str, number: int) -> str:
    """Return the text with another number in the place of the one that it counts with."""
    return _QUANTITY.sub(spell_number(number, text), text, count=1)


def near_numbers(text: str) -> tuple[int, ...]:
    """Return numbers that somebody might take for the text's own: one or two off a few, half or double of many."""
    number = counted_number(text)
    if number is None:
        return ()
    few = number <= max(_NUMBERS.values())
    near = range(number - 2, number + 3) if few else (number // 2, number * 2)
    most = _MOST if re.search(r"\d", text) else max(_NUMBERS.values())
    return tuple(each for each in near if each != number and _FEWEST <= each <= most)


# ── tools ────────────────────────────────────────────────────────────────────────────────────────────────────────


def without_article(tool: str) -> str:
    """Return a tool's name without its article."""
    return _ARTICLE.sub("", tool.strip())


def with_tool(step: ProcedureStep, tool: str) -> str | None:
    """Return the step's text with a tool in the place of its own, or added where the text does not name its own.

    None when the text names its own more than once: one of them may be meant otherwise.

    >>> cut = ProcedureStep(id="a", text="Cut it with a knife", tool="knife", start_s=0, end_s=1)
    >>> with_tool(cut, "the saw"), with_tool(cut.model_copy(update={"text": "Cut it"}), "saw")
    ('Cut it with the saw', 'Cut it, using the saw')
    """
    own = re.escape(without_article(step.tool))
    named = rf"\b(?:(?P<by>with|using)\s+)?(?P<the>(?:the|a|an|his|her|their|your)\s+)?{own}\b"
    found = [each for each in re.finditer(named, step.text, re.IGNORECASE) if each["by"] or each["the"]]
    if not found:
        return f"{step.text.rstrip('. ')}, using the {without_article(tool)}"
    start, end = found[0].span()
    by = f"{found[0]['by']} " if found[0]["by"] else ""
    return f"{step.text[:start]}{by}the {without_article(tool)}{step.text[end:]}" if len(found) == 1 else None


def _by_verb() -> dict[str, frozenset[int]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(_VERBS):
        for verb in line.split():
            found[stem(verb)].add(number)
    return {verb: frozenset(numbers) for verb, numbers in found.items()}


_KINDS: Final = _by_verb()
