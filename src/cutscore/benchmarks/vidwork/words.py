"""Free text → words that can be compared: one spelling for each word, number and inflection.

Scores stand on this, so it is our own and small: a stemmer from elsewhere would move scores whenever it is released
anew. It knows English endings; words of other languages are compared as they are written.
"""

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

# What follows is not read: nobody answers a question with the length of a novel, and marking stays quick.
MOST_CHARACTERS = 200_000

_WORD = re.compile(r"\d+ \d+/\d+|\d+(?:[.,]\d+)*(?:/\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_LONGEST_NUMBER = 18  # digits; more is no quantity but a serial number, and is compared as text
_VOWEL = re.compile(r"[aeiouy]")

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {name: str(value) for value, name in enumerate(_SMALL.split())}
_NUMBERS |= {name: str(10 * ten) for ten, name in enumerate(_TENS.split(), start=2)}
_NUMBERS |= {"hundred": "100", "thousand": "1000", "half": "1/2", "quarter": "1/4", "dozen": "12"}


def word_set(text: str) -> frozenset[str]:
    """Return the words of a line as a set; how this package writes its vocabularies."""
    return frozenset(text.split())


_NEGATORS = word_set("not no never none nothing neither nor without cannot")

# Words that say how a sentence is built and not what it is about.
_STOP = _NEGATORS | word_set(
    "a an the this that these those here there it its he she they them their his her him we us our you your i me"
    " my who whom whose which what when where why how and or but if so as than then else while because since"
    " though although is are was were be been being am do does did doing done have has had having will would shall"
    " should can could may might must to of in on at by for from with into onto over under up down out off about"
    " across through during between again also just only very too more most some any each all both few such own"
    " same other first next finally lastly step"
)


def words(text: str) -> list[str]:
    """Return words and numbers in order: lower case, compatibility forms folded, numbers in one spelling.

    Numbers are exact fractions (`0.5`, `½`, `1/2` and `half` are one; so are `1,000` and `1000`, `1½` and `1.5`). A
    compound such as "twenty five" stays two numbers. Characters that are not seen (soft hyphens, zero widths) do not
    part a word. Only the first 200,000 characters are read.

    >>> words("Add TWO cups, then 1½ spoons; don't stir.")
    ['add', '2', 'cups', 'then', '3/2', 'spoons', "don't", 'stir']
    """
    return [
        _number(found) if found[0].isdigit() else _NUMBERS.get(found, found) for found in _WORD.findall(_fold(text))
    ]


def content_words(text: str) -> list[str]:
    """Return the stems of the words that say what a text is about, in order; all stems when every word is a stop word.

    >>> content_words("The onions are being chopped.")
    ['onion', 'chop']
    """
    every = words(text)
    return [stem(word) for word in every if is_content(word)] or [stem(word) for word in every]


def is_content(word: str) -> bool:
    """Return whether a word of `words` counts in `content_words`."""
    return not (word in _STOP or negates(word) or word.partition("'")[0] in _STOP)


def negates(word: str) -> bool:
    """Return whether a word turns a sentence around.

    >>> [word for word in words("It isn't hot, never was") if negates(word)]
    ["isn't", 'never']
    """
    return word in _NEGATORS or word.endswith("n't")


def stem(word: str) -> str:
    """Take off the endings of English nouns and verbs, so that the forms of one word become equal.

    Plural and third person (-s, -es, -ies), past (-ed, -ied), -ing; then a doubled last letter, a silent e, and y for
    i. What is left is no dictionary form, only the same for all forms. Irregular forms (cut, took) stay apart.

    >>> [stem(word) for word in ("chop", "chops", "chopped", "chopping")]
    ['chop', 'chop', 'chop', 'chop']
    >>> [stem(word) for word in ("dry", "dries", "dried", "slice", "slicing")]
    ['dri', 'dri', 'dri', 'slic', 'slic']
    """
    word = word.removesuffix("'s")
    if not (word.isascii() and word.isalpha()):
        return word
    if word.endswith(("ies", "ied", "sses", "shes", "ches", "xes", "zes")) and len(word) > 3:
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        kept = word.removesuffix(ending)
        if kept != word and _VOWEL.search(kept) and len(kept) > 1 and not word.endswith("eed"):
            word = kept
            break
    # A doubled last consonant is written once: in "chopp" of chopping, but also in "add", so that adding meets it.
    word = word[:-1] if len(word) > 2 and word[-1] == word[-2] and word[-1] not in "aeiou" else word
    word = word.removesuffix("e") if len(word) > 2 else word
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 else word


def word_dice(one: str, other: str) -> float:
    """Return twice the shared content words over those of both, as sets of stems.

    >>> word_dice("Chop two onions", "The onions are chopped")
    0.8
    """
    return dice(_stems(one), _stems(other))


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Dice coefficient of two sets; 0 for two empty ones."""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _fold(text: str) -> str:
    text = text[:MOST_CHARACTERS]
    if not text.isascii():
        # 1½ is one and a half; the compatibility form alone would make eleven halves of it.
        text = "".join(f" {each}" if "<fraction>" in unicodedata.decomposition(each) else each for each in text)
        text = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("’", "'")
        text = "".join(each for each in text if unicodedata.category(each) != "Cf")
    return text.casefold()


def _number(text: str) -> str:
    if len(text) > _LONGEST_NUMBER:
        return text
    plain = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text.replace(",", ".")
    try:
        return str(sum(map(Fraction, plain.split())))
    except (ValueError, ZeroDivisionError):  # 1.2.3, 3/0: versions and nonsense, compared as text
        return text
