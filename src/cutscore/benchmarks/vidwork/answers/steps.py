"""A list of steps against the annotated one: which steps were named, by fuzzy one-to-one matching.

The paper says "fuzzy-match F1" and names neither matcher nor threshold. Ours: two steps match when the sets of their
content words have a Dice coefficient of at least 0.5, and as many pairs as possible are formed, each step in at most
one. Order does not count in F1; Kendall's tau of the matched steps stands beside it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from cutscore.benchmarks.vidwork.words import MOST_CHARACTERS, dice, word_dice, words
from cutscore.stats.matching import maximum_matching

THRESHOLD = 0.5
# Each matcher has a scale of its own. Embeddings of steps that say the same in other words have a cosine of 0.16 to
# 0.95, of unrelated ones at most 0.26 (ten pairs of ours): at 0.3 seven of the ten are found, and nothing else.
MATCHERS = {"words": THRESHOLD, "chars": THRESHOLD, "embedding": 0.3}
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MOST_STEPS = 1_000  # said steps that are compared; those after them count as said and match nothing

_MARK = re.compile(
    r"^[\s>*_#]*(?:(?:step[\s_]+)?\d{1,3}\s*[.):\-–][*_]*(?=\s|$)|[-*•–·▪‣]\s|step[\s_]+\d{1,3}\b)[\s*_:.)\-–]*", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")

Similarity = Callable[[str, str], float]
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True)
class StepMatch:
    """How said steps meet the annotated ones.

    Args:
        pairs: (number of the annotated step, number of the said step), from 0, in order of the first.
        annotated, said: How many steps each list has.
    """

    pairs: tuple[tuple[int, int], ...]
    annotated: int
    said: int

    @property
    def precision(self) -> float:
        """Share of the said steps that match; 0 when nothing was said."""
        return len(self.pairs) / self.said if self.said else 0.0

    @property
    def f1(self) -> float:
        """2 × pairs over steps of both lists; 0 when there is nothing to match."""
        return 2 * len(self.pairs) / (self.annotated + self.said) if self.annotated + self.said else 0.0

    @property
    def tau(self) -> float | None:
        """Kendall's tau of the order of matched steps: 1 in order, -1 reversed; None with fewer than two."""
        turns = [1 if one[1] < two[1] else -1 for one, two in combinations(self.pairs, 2)]
        return sum(turns) / len(turns) if turns else None


def split_steps(text: str) -> list[str]:
    r"""Split an answer into steps: its list lines when it has two or more, else its sentences.

    A list line begins with a number, a bullet or "Step 3". Where there are such lines, all others (greetings, headings,
    explanations) are no steps; a bullet below a bullet is one. Without a list, a new line also ends a sentence.

    >>> split_steps("Sure!\n1. Crack the eggs\n2) Whisk them")
    ['Crack the eggs', 'Whisk them']
    >>> split_steps("Crack the eggs. Whisk them!")
    ['Crack the eggs.', 'Whisk them!']
    """
    lines = [line for line in text[:MOST_CHARACTERS].splitlines() if line.strip()]
    listed = [line for line in lines if _MARK.match(line)]
    parts = listed if len(listed) > 1 else _SENTENCE.split("\n".join(lines))
    steps = (_MARK.sub("", part).strip(" \t*_#") for part in parts)
    return [step for step in steps if words(step)]


def match_steps(
    said: Sequence[str],
    annotated: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    similarity: Similarity = word_dice,
) -> StepMatch:
    """Pair as many steps as can be paired, one to one, at a similarity of at least the threshold.

    Which pairs are chosen among equally many does not change F1. For tau the likest partner is tried first, then the
    earliest, so that the choice is always the same.
    """
    table = similarities(said, annotated, similarity=similarity)
    return pair_steps(table, said=len(said), threshold=threshold)


def similarities(said: Sequence[str], annotated: Sequence[str], *, similarity: Similarity) -> list[list[float]]:
    """Return the similarity of every annotated step (rows) to the first thousand said steps (columns)."""
    return [[similarity(other, step) for other in said[:MOST_STEPS]] for step in annotated]


def pair_steps(table: Sequence[Sequence[float]], *, said: int, threshold: float) -> StepMatch:
    """Pair the steps of a table of similarities, as `match_steps` says."""
    partners = [
        [place for place in sorted(range(len(row)), key=lambda each: -row[each]) if row[place] >= threshold]
        for row in table
    ]
    return StepMatch(pairs=maximum_matching(partners), annotated=len(partners), said=said)


def char_dice(one: str, other: str) -> float:
    """Return the Dice coefficient of runs of three letters: the matcher `chars` forgives spelling and compounds."""
    return dice(_runs(one), _runs(other))


def embedding_similarity(embed: Embed, texts: Sequence[str]) -> Similarity:
    """Return the cosine of the vectors of two of these texts: the alternative `embedding`, with any weights."""
    vectors = dict(zip(texts, embed(texts), strict=True))

    def cosine(one: str, other: str) -> float:
        first, second = vectors[one], vectors[other]
        size = sum(x * x for x in first) ** 0.5 * sum(y * y for y in second) ** 0.5
        return sum(x * y for x, y in zip(first, second, strict=True)) / size if size else 0.0

    return cosine


def step_similarity(name: str, texts: Sequence[str]) -> Similarity:
    """Return the similarity of any two of these texts that a name of `MATCHERS` means.

    `embedding` needs the extra `embed`.
    """
    if name == "embedding":
        from cutscore.models.embedding import embed

        return embedding_similarity(lambda given: embed(given).tolist(), texts)
    return {"words": word_dice, "chars": char_dice}[name]


@lru_cache(maxsize=4096)
def _runs(text: str) -> frozenset[str]:
    line = f" {' '.join(words(text))} "
    return frozenset(line[start : start + 3] for start in range(len(line) - 2))
