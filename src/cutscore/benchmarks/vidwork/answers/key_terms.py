"""An answer in words against a reference by its key terms, and what that can and cannot see.

Two scores. `paper`: F1 of the set of terms over the whole answer, which a long answer loses by its length alone.
`robust`: the best F1 of any stretch of the answer that is at most twice as long as the reference, which it does not.
Neither understands a sentence: a negation that only one side has is told beside the score and does not change it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.benchmarks.vidwork.words import content_words, is_content, negates, stem, words

WINDOW = 2  # lengths of the reference, counted in words
MOST_WORDS = 5_000  # of an answer, in which stretches are looked for: the time grows with words × length of a stretch


@dataclass(frozen=True)
class KeyTerms:
    """What an answer is searched for.

    Args:
        neutral: Stems of question and reference that are no key terms: they neither help nor harm.
        length: Words of the reference, stop words included.
    """

    wanted: frozenset[str]
    neutral: frozenset[str]
    length: int
    negated: bool


@dataclass(frozen=True)
class TermScore:
    """Both scores, and the key terms that occur and that do not, sorted.

    Args:
        others: Different words of the answer that are neither wanted nor neutral.
        negation_differs: Whether exactly one of the reference and the best stretch of the answer has a negation.
    """

    paper: float
    robust: float
    found: tuple[str, ...]
    missing: tuple[str, ...]
    others: int
    negation_differs: bool


def key_terms(reference: str, question: str, listed: Sequence[str] = ()) -> KeyTerms:
    """Return the terms to search for: the listed ones, else the content words of the reference without the question's.

    A listed term of several words counts word by word. The rest of the reference is neutral, so that the reference
    itself always scores 1.

    >>> sorted(key_terms("To stop the bleeding", "Why did she press the wound?").wanted)
    ['bleed', 'stop']
    """
    asked, told = set(content_words(question)), set(content_words(reference))
    wanted = {word for term in listed for word in content_words(term)} or told - asked
    every = words(reference)
    return KeyTerms(frozenset(wanted), frozenset((asked | told) - wanted), len(every), any(map(negates, every)))


def score_terms(answer: str, terms: KeyTerms) -> TermScore:
    """Score an answer; one without words scores 0.

    >>> terms = key_terms("To stop the bleeding", "Why did she press the wound?")
    >>> score_terms("It stops bleeding", terms).paper
    1.0
    >>> round(score_terms("It stops bleeding, cools, soothes and cleans", terms).paper, 3)
    0.571
    """
    every = words(answer)
    stems = [stem(word) if is_content(word) else "" for word in every]
    said = {each for each in stems if each and each not in terms.neutral}
    start, end, robust = _best_stretch(stems[:MOST_WORDS], terms)
    negated = any(map(negates, every[start:end]))
    return TermScore(
        paper=_f1(len(said & terms.wanted), len(said), len(terms.wanted)),
        robust=robust,
        found=tuple(sorted(said & terms.wanted)),
        missing=tuple(sorted(terms.wanted - said)),
        others=len(said - terms.wanted),
        negation_differs=bool(every) and negated != terms.negated,
    )


def _best_stretch(stems: Sequence[str], terms: KeyTerms) -> tuple[int, int, float]:
    """Return start, end and F1 of the best stretch; of equals the first and shortest, of none the start of the answer.

    Taking a word that is not wanted off an end never lowers F1, so only stretches between two wanted words are tried.
    """
    longest = max(1, WINDOW * terms.length)
    best = (0, min(len(stems), longest), 0.0)
    for start, first in enumerate(stems):
        if first not in terms.wanted:
            continue
        seen: Counter[bool] = Counter()
        different: set[str] = set()
        for end, word in enumerate(stems[start : start + longest], start=start + 1):
            if word and word not in different and word not in terms.neutral:
                different.add(word)
                seen[word in terms.wanted] += 1
            if word in terms.wanted:
                value = _f1(seen[True], seen.total(), len(terms.wanted))
                best = (start, end, value) if value > best[2] else best
        if best[2] == 1.0:
            break
    return best


def _f1(shared: int, said: int, wanted: int) -> float:
    return 2 * shared / (said + wanted) if shared else 0.0
