"""Matchers that compare wordings: fast, offline, and approximate. They tell topics apart, not truths.

That two faults are of the same thing makes them alike; that they are not the same fault, no wording tells. On our own
triples (`quality.py`) such a matcher takes more of the other faults of a thing for the same than it finds rewordings.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cutscore.core.judgement import Weakness
from cutscore.core.matching import WeaknessPairs
from cutscore.scoring.matching.cleaning import fold_words
from cutscore.stats.matching import Floats, best_assignment

# Likeness of every first text to every second.
Similarity = Callable[[Sequence[str], Sequence[str]], Floats]

# The lowest hundredths, in steps of five, at which no unrelated pair of our triples is taken for the same, in either
# language. For sentence embeddings of another kind the first was measured too.
EMBEDDING_THRESHOLD, CHARACTERS_THRESHOLD = 0.35, 0.25
RUN_LENGTH = 3  # letters


@dataclass(frozen=True)
class SimilarityMatcher:
    """Pairs what is alike by its wording, as many as possible and of these the likest.

    What has codes is the same by its code alone, and what has places in time that do not meet is not the same.
    """

    name: str
    similarity: Similarity
    threshold: float
    approximate: bool = True

    def pair(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness], *, coverage: bool = False
    ) -> WeaknessPairs:
        """Pair two lists; with `coverage`, each of the reference with the likest prediction, whoever has that too."""
        if not reference or not predicted:
            return WeaknessPairs()
        table = self.similarity([each.text for each in reference], [each.text for each in predicted])
        table = settle_by_code(table, reference, predicted)
        if not coverage:
            return WeaknessPairs(best_assignment(table, at_least=self.threshold))
        likest = table.argmax(axis=1)
        covered = [(row, int(column)) for row, column in enumerate(likest) if table[row, column] >= self.threshold]
        return WeaknessPairs(tuple(covered))


@dataclass(frozen=True)
class CodeMatcher:
    """Pairs equal codes of a closed catalogue whose places in time meet; without a code nothing is the same."""

    name: str = "code and time"
    approximate: bool = False

    def pair(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness], *, coverage: bool = False
    ) -> WeaknessPairs:
        """Pair two lists by code."""
        nothing = SimilarityMatcher(self.name, lambda ours, theirs: np.zeros((len(ours), len(theirs))), threshold=1.0)
        return nothing.pair(reference, predicted, coverage=coverage)


def settle_by_code(table: Floats, reference: Sequence[Weakness], predicted: Sequence[Weakness]) -> Floats:
    """Return a table of likeness in which codes and places have the last word: 1 for the same, minus infinity for not.

    Two places meet where they share some time or are the same instant; without both places there is nothing to meet.
    """
    settled = np.array(table, dtype=np.float64)
    for row, one in enumerate(reference):
        for column, other in enumerate(predicted):
            apart = one.at is not None and other.at is not None and not one.at.overlap(other.at) and one.at != other.at
            if apart or (one.code and other.code and one.code != other.code):
                settled[row, column] = -np.inf
            elif one.code and one.code == other.code:
                settled[row, column] = 1.0
    return settled


def character_similarity(ours: Sequence[str], theirs: Sequence[str]) -> Floats:
    """Return the cosine of runs of three letters, rarer runs weighing more (TF-IDF over both lists).

    >>> character_similarity(["The hand melts"], ["the hand, it melts!", "sky"]).round(1).tolist()
    [[0.8, 0.0]]
    """
    counts = [_letter_runs(text) for text in (*ours, *theirs)]
    spread = Counter(run for each in counts for run in each)
    weights = {run: math.log((1 + len(counts)) / (1 + lists)) + 1 for run, lists in spread.items()}
    place = {run: number for number, run in enumerate(weights)}
    vectors = np.zeros((len(counts), len(place)))
    for row, each in enumerate(counts):
        for run, times in each.items():
            vectors[row, place[run]] = times * weights[run]
    sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(sizes == 0, 1.0, sizes)
    cosine: Floats = vectors[: len(ours)] @ vectors[len(ours) :].T
    return cosine


def embedding_similarity(ours: Sequence[str], theirs: Sequence[str]) -> Floats:
    """Return the cosine of embeddings; needs the extra `embed`."""
    from cutscore.models.embedding import embed

    vectors = embed([*ours, *theirs]).astype(np.float64)
    cosine: Floats = vectors[: len(ours)] @ vectors[len(ours) :].T
    return cosine


def _letter_runs(text: str) -> Counter[str]:
    line = f" {fold_words(text)} "
    return Counter(line[start : start + RUN_LENGTH] for start in range(len(line) - RUN_LENGTH + 1))


CHARACTERS = SimilarityMatcher("characters", character_similarity, CHARACTERS_THRESHOLD)
EMBEDDING = SimilarityMatcher("embedding", embedding_similarity, EMBEDDING_THRESHOLD)
