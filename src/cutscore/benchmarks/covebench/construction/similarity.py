"""How alike instructions are: TF-IDF vectors of their words, and the cosine of every pair.

A word weighs how often it stands in the text, times ln((1 + n) / (1 + texts that have it)) + 1; each vector has length
one. Words have two letters or digits at least, in lower case. These are the defaults of scikit-learn's vectoriser.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

BLOCK = 1000  # texts that are compared with all others at a time


@dataclass(frozen=True)
class PairSimilarity:
    """Mean and median cosine over pairs of texts; None without a pair."""

    pairs: int
    mean: float | None
    median: float | None


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> split_words("Add a dog's 2nd ball.")
    ['add', 'dog', '2nd', 'ball']
    """
    return re.findall(r"\b\w\w+\b", text.lower())


def compare_texts(texts: Sequence[str], *, without: Collection[str] = ()) -> PairSimilarity:
    """Return how alike texts are, over all pairs; words in `without` do not count."""
    pairs = len(texts) * (len(texts) - 1) // 2
    if not pairs:
        return PairSimilarity(0, None, None)
    vectors = _weigh([Counter(word for word in split_words(text) if word not in without) for text in texts])
    found = np.concatenate([_above_diagonal(vectors, first) for first in range(0, len(texts), BLOCK)])
    return PairSimilarity(pairs, float(found.mean()), float(np.median(found)))


def _weigh(texts: Sequence[Counter[str]]) -> csr_array:
    """Return a row of length one for each text; a text without words is a row of zeros."""
    columns = {word: number for number, word in enumerate(sorted({word for text in texts for word in text}))}
    entries = [(row, columns[word], times) for row, text in enumerate(texts) for word, times in sorted(text.items())]
    if not entries:
        return csr_array((len(texts), 1))
    rows, places, counts = (np.array(each) for each in zip(*entries, strict=True))
    texts_with = np.bincount(places, minlength=len(columns))
    weights = counts * (np.log((1 + len(texts)) / (1 + texts_with)) + 1)[places]
    lengths = np.sqrt(np.bincount(rows, weights**2, minlength=len(texts)))
    return csr_array((weights / lengths[rows], (rows, places)), shape=(len(texts), len(columns)))


def _above_diagonal(vectors: csr_array, first: int) -> np.ndarray:
    """Return the cosines of a block of texts with all that come after each of them."""
    block = (vectors[first : first + BLOCK] @ vectors.T).toarray()
    rows, others = np.triu_indices(len(block), k=1 + first, m=block.shape[1])
    return np.asarray(block[rows, others])
