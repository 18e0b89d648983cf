"""Does the text alone give away which descriptions are wrong? A probe that reads words and lengths, and no clip.

It learns from some clips and is asked about others, so that it cannot know a clip's own words. What it finds anyway is
a habit of whoever made the texts, and every subject could find it, too.

An interval by clip does not know that other texts would have taught the probe something else: without any habit it
leaves out 0.5 two to three times as often as it should. So what it finds is checked by shuffling right and wrong within
each clip.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.vidwork.words import words
from cutscore.core.estimate import Estimate
from cutscore.stats.detection import auc
from cutscore.stats.resampling import RESAMPLES, ROUNDING, SEED, Floats, Indices, check_columns

FOLDS: Final = 5
FEWEST_CLIPS: Final = 5  # with fewer, what looks like a habit may be one clip
FEWEST_TEXTS: Final = 5  # of either class
RIDGE: Final = 1.0  # weight of the squared coefficients (of features with unit variance) beside the log likelihood
CHANCE: Final = 0.5
SHUFFLES: Final = 59  # with the finding itself 60, of which 3 may come as far
LEVEL: Final = 0.05
MOST_STEPS: Final = 100  # of Newton's method; five to ten do
CLOSE: Final = 1e-10  # a smaller step changes no score
ALL: Final = "all"
MOST_WORDS: Final = 500  # the most frequent ones: bounds time and memory, whatever the number of texts
CARRIERS: Final = 5  # words that are named
LENGTHS: Final = ("(length in characters)", "(length in words)")

Verdict = Literal["leaks", "holds", "undecidable"]


@dataclass(frozen=True)
class Leak:
    """What the text alone tells of one kind of description.

    Args:
        kind: Which kind; `all` for all together.
        auc: Chance that the probe finds a wrong description more suspicious than a right one; 0.5 is nothing.
        verdict: leaks: the interval leaves out 0.5, on either side, and so it is by more than chance. holds: it is not.
            undecidable: too few clips or texts.
        p_value: Share of shuffles that come at least as far from 0.5; None where the interval holds 0.5.
        carriers: Words (or lengths) that weigh most, each with the class that it speaks for; only of a leak.
    """

    kind: str
    auc: Estimate
    verdict: Verdict
    p_value: float | None = None
    carriers: tuple[str, ...] = ()

    def __str__(self) -> str:
        value = "undefined" if self.auc.value is None else f"{self.auc.value:.3f}"
        ends = "" if self.auc.low is None else f" [{self.auc.low:.3f}, {self.auc.high:.3f}]"
        p_value = "" if self.p_value is None else f", p = {self.p_value:.2f}"
        by = f", by {', '.join(self.carriers)}" if self.carriers else ""
        of = f"{self.auc.n} texts of {self.auc.clusters} clips"
        return f"{self.kind}: {self.verdict}, AUC {value}{ends}{p_value}, {of}{by}"


def probe_leaks(
    texts: Sequence[str],
    wrong: Sequence[bool],
    clips: Sequence[str],
    types: Sequence[str],
    *,
    resamples: int = RESAMPLES,
) -> list[Leak]:
    """Probe all texts together and each kind by itself; the first is of all, then kinds in order of their names.

    An AUC below 0.5 is a leak, too: a word that is wrong in every clip but its own would give one. Of kinds without any
    leak at most one in twenty is called one by chance. Texts of one clip are never learnt from and asked about at once.
    """
    check_columns("leak probe", clips, texts, wrong, types)
    found = []
    for kind in (ALL, *sorted(set(types))):
        chosen = [place for place, each in enumerate(types) if kind in (ALL, each)]
        found.append(_probe_kind(kind, _TextFeatures.of(texts, wrong, clips, chosen), resamples=resamples))
    return found


@dataclass(frozen=True)
class _TextFeatures:
    """Texts as features: which words each has, and its lengths."""

    names: tuple[str, ...]
    features: Floats
    wrong: Floats
    clips: tuple[str, ...]

    @classmethod
    def of(
        cls, texts: Sequence[str], wrong: Sequence[bool], clips: Sequence[str], chosen: Sequence[int]
    ) -> "_TextFeatures":
        said = [words(texts[each]) for each in chosen]
        # A word of one text can neither be learnt nor asked about.
        seen = Counter(word for each in said for word in set(each))
        often = sorted((word for word, count in seen.items() if count > 1), key=lambda word: (-seen[word], word))
        known = {word: number for number, word in enumerate(often[:MOST_WORDS])}
        features = np.zeros((len(chosen), len(known) + len(LENGTHS)))
        for row, each in enumerate(said):
            features[row, [known[word] for word in set(each) if word in known]] = 1.0
            features[row, len(known) :] = len(texts[chosen[row]]), len(each)
        truth = np.array([float(wrong[each]) for each in chosen])
        return cls((*known, *LENGTHS), features, truth, tuple(clips[each] for each in chosen))


@dataclass(frozen=True)
class _Fold:
    """What one probe learns from and is asked about.

    Args:
        asked: Whether each text is asked about; the others are learnt from.
        learnt: Features of those, in few directions.
        different: Features of what is asked about, each different text once.
        which: Which of them each text that is asked about is.
    """

    asked: npt.NDArray[np.bool_]
    learnt: Floats
    different: Floats
    which: Indices


def _probe_kind(kind: str, texts: _TextFeatures, *, resamples: int) -> Leak:
    clips = sorted(set(texts.clips))
    fewest = int(min(texts.wrong.sum(), len(texts.wrong) - texts.wrong.sum()))
    few = len(clips) < FEWEST_CLIPS or fewest < FEWEST_TEXTS
    folds = [] if few else _folds(texts, clips)
    scores = suspicion_scores(folds, texts.wrong)
    area = auc(
        [bool(each) for each in texts.wrong],
        [float(each) for each in scores],
        texts.clips,
        name=f"leak probe of {kind}",
        resamples=resamples,
    )
    if few:
        why = f"undefined: {len(clips)} clips and {fewest} texts of the rarer class are too few"
        nothing = area.model_copy(update={"value": None, "low": None, "high": None, "method": why})
        return Leak(kind, nothing, "undecidable")
    low, high = area.low, area.high
    if low is None and area.value in (0.0, CHANCE, 1.0):
        low = high = area.value  # no resample has another: all words are shared, or one of them tells everything
    if area.value is None or low is None or high is None:
        return Leak(kind, area, "undecidable")
    if low <= CHANCE <= high:
        return Leak(kind, area, "holds")
    p_value = _permutation_p_value(texts, folds, abs(area.value - CHANCE))
    found = p_value <= LEVEL
    return Leak(kind, area, "leaks" if found else "holds", p_value, _carriers(texts) if found else ())


def _permutation_p_value(texts: _TextFeatures, folds: Sequence[_Fold], distance: float) -> float:
    """Return the share of shuffles of right and wrong within clips that come as far from 0.5, the finding among them.

    Once too many have come as far, no more are made (Besag and Clifford, 1991).
    """
    draw = np.random.default_rng(SEED)
    of_clip = [np.flatnonzero([each == clip for each in texts.clips]) for clip in sorted(set(texts.clips))]
    as_far = 1
    for done in range(1, SHUFFLES + 1):
        wrong = texts.wrong.copy()
        for rows in of_clip:
            wrong[rows] = draw.permutation(wrong[rows])
        as_far += abs(roc_area(wrong, suspicion_scores(folds, wrong)) - CHANCE) >= distance - ROUNDING
        if as_far > LEVEL * (SHUFFLES + 1):
            return as_far / (done + 1)
    return as_far / (SHUFFLES + 1)


def roc_area(wrong: Floats, scores: Floats) -> float:
    """Return the share of pairs of a wrong and a right text in which the wrong one scores higher, ties half."""
    ranks = import_module("scipy.stats").rankdata(scores)
    cases = float(np.count_nonzero(wrong))
    return float((ranks[wrong > 0].sum() - cases * (cases + 1) / 2) / (cases * (len(ranks) - cases)))


def _folds(texts: _TextFeatures, clips: Sequence[str]) -> list[_Fold]:
    """Part the clips, and give the features of either side in the few directions in which the learnt ones differ."""
    shuffled = Random(SEED).sample(clips, len(clips))
    fold = {clip: number % FOLDS for number, clip in enumerate(shuffled)}
    numbers = np.array([fold[clip] for clip in texts.clips])
    found = []
    for number in range(min(FOLDS, len(clips))):
        asked = numbers == number
        middle, spread = _scale(texts.features[~asked])
        scaled = (texts.features - middle) / spread
        _, sizes, directions = np.linalg.svd(scaled[~asked], full_matrices=False)
        kept = directions[sizes > ROUNDING * sizes[0]]
        # Texts of equal features get equal scores, to the last bit: twins of the same words must tie.
        different, which = np.unique(scaled[asked], axis=0, return_inverse=True)
        found.append(_Fold(asked, scaled[~asked] @ kept.T, different @ kept.T, which.reshape(-1)))
    return found


def suspicion_scores(folds: Sequence[_Fold], wrong: Floats) -> Floats:
    """Return each text its score by a probe that has not read its clip."""
    scores = np.zeros(len(wrong))
    for fold in folds:
        weights = fit_logistic(fold.learnt, wrong[~fold.asked])
        # Sums in another order differ in their last bits, which is no order of suspicion.
        scores[fold.asked] = np.round(fold.different @ weights[1:] + weights[0], 9)[fold.which]
    return scores


def _scale(features: Floats) -> tuple[Floats, Floats]:
    spread = features.std(axis=0)
    return features.mean(axis=0), np.where(spread > 0, spread, 1.0)


def fit_logistic(features: Floats, wrong: Floats, *, ridge: float = RIDGE) -> Floats:
    """Fit the logistic regression that is likeliest under a normal prior: intercept first, then the weights.

    Minimises −log likelihood + ridge / 2 × Σ weight², the intercept free, by Newton's method with halved steps where a
    whole one would not go down. That is strictly convex in the weights, so there is one minimum.
    """
    design = np.column_stack([np.ones(len(features)), features])
    signs = np.where(wrong > 0, 1.0, -1.0)
    penalty = np.full(design.shape[1], ridge)
    penalty[0] = 0.0

    def cost(weights: Floats) -> float:
        return float(np.logaddexp(0.0, -signs * (design @ weights)).sum() + penalty @ weights**2 / 2)

    weights = np.zeros(design.shape[1])
    for _ in range(MOST_STEPS):
        chance = 0.5 * (1.0 + np.tanh(design @ weights / 2))
        slope = design.T @ (chance - (signs > 0)) + penalty * weights
        bend = (design.T * (chance * (1 - chance))) @ design + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        size = next((2.0**-half for half in range(30) if cost(weights - 2.0**-half * step) <= cost(weights)), 0.0)
        weights = weights - size * step
        if size * float(np.abs(step).max()) < CLOSE:
            break
    return weights


def _carriers(texts: _TextFeatures) -> tuple[str, ...]:
    middle, spread = _scale(texts.features)
    weights = fit_logistic((texts.features - middle) / spread, texts.wrong)[1:]
    order = sorted(range(len(weights)), key=lambda each: (-abs(weights[each]), texts.names[each]))
    chosen = [each for each in order[:CARRIERS] if abs(weights[each]) > abs(weights[order[0]]) / 4]
    return tuple(f"{texts.names[each]} → {'wrong' if weights[each] > 0 else 'right'}" for each in chosen)
