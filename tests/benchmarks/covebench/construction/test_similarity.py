"""covebench: TF-IDF cosines by scikit-learn's formula, held against a plain computation in loops."""

import re
from collections import Counter
from itertools import combinations
from math import log, sqrt
from statistics import fmean, median

import pytest

from cutscore.benchmarks.covebench.construction import similarity
from cutscore.benchmarks.covebench.construction.similarity import compare_texts

TEXTS = [
    "Remove the red ball, and pan the camera slowly to the right.",
    "Replace the ball with a blue cube; the camera stays.",
    "Make it night. Make it rain. Make it night!",
    "a I .",  # no word of two letters
    "Turn the dog's coat white and slow its run.",
    "Remove the red ball, and pan the camera slowly to the right.",
]


def cosines(texts: list[str]) -> list[float]:
    """Compute every cosine by the book, one pair after the other."""
    counts = [Counter(re.findall(r"(?u)\b\w\w+\b", text.lower())) for text in texts]
    n = len(texts)
    vectors = []
    for own in counts:
        raw = {w: tf * (log((1 + n) / (1 + sum(w in each for each in counts))) + 1) for w, tf in own.items()}
        length = sqrt(sum(value**2 for value in raw.values()))
        vectors.append({word: value / length for word, value in raw.items()})
    return [sum(value * other.get(word, 0) for word, value in one.items()) for one, other in combinations(vectors, 2)]


@pytest.mark.parametrize("block", [1, 4, 1000])
def test_every_pair_is_compared_by_the_formula(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "BLOCK", block)
    found, expected = compare_texts(TEXTS), cosines(TEXTS)
    assert found.pairs == len(expected) == 15
    assert found.mean == pytest.approx(fmean(expected), abs=1e-12)
    assert found.median == pytest.approx(median(expected), abs=1e-12)


def test_the_worked_example() -> None:
    # 'red' is in both texts and weighs 1; 'dog' and 'cat' weigh ln(3/2) + 1 = 1.405465: 1 / (1 + 1.405465²)
    assert compare_texts(["red dog", "Red cat"]).mean == pytest.approx(0.336097, abs=1e-6)
    assert compare_texts(["red dog", "Red cat"], without={"red"}).mean == 0
    assert compare_texts(["red dog", "dog red"]).mean == pytest.approx(1)


def test_all_pairs_of_626_tasks_are_as_many_as_the_paper_has() -> None:
    assert compare_texts([f"word{number}" for number in range(626)]).pairs == 195_625


def test_without_a_pair_or_a_word_there_is_nothing_to_tell() -> None:
    assert compare_texts(["alone"]).mean is None
    assert compare_texts(["a", "b"]).mean == 0
