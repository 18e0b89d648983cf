"""What text alone gives away: planted habits are found by name, texts of equal words give nothing away."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import mannwhitneyu

from cutscore.benchmarks.vidwork.packs.leak_probe import (
    ALL,
    FEWEST_CLIPS,
    Leak,
    _folds,
    _TextFeatures,
    fit_logistic,
    probe_leaks,
    roc_area,
    suspicion_scores,
)
from cutscore.core.errors import BadInput

WORDS = ("pour", "slice", "whisk", "bake", "paint", "sand", "hold", "open", "lamp", "bowl", "chair", "board", "milk")
QUICK = {"resamples": 400}


def drawn(clips: int, *, seed: int, each: int = 2, marker: str = "", share: float = 1.0, longer: int = 0):
    """Draw `each` pairs a clip; wrong texts have a marker in a share of cases, and are longer by some words."""
    draw = Random(seed)
    texts, wrong, clip = [], [], []
    for number in range(clips):
        for false in (True, False) * each:
            said = draw.choices(WORDS, k=6 + longer * false)
            said += [marker] if marker and false and draw.random() < share else [draw.choice(WORDS)]
            texts.append(" ".join(said))
            wrong.append(false)
            clip.append(f"clip-{number}")
    return texts, wrong, clip, ["a_kind"] * len(texts)


def scored(texts: _TextFeatures) -> np.ndarray:
    return suspicion_scores(_folds(texts, sorted(set(texts.clips))), texts.wrong)


def test_a_word_that_marks_what_is_wrong_is_found_and_named():
    whole, kind = probe_leaks(*drawn(12, seed=1, marker="actually", share=0.8), **QUICK)
    assert (whole.kind, kind.kind) == (ALL, "a_kind")
    for each in (whole, kind):
        assert each.verdict == "leaks"
        assert each.auc.low > 0.5
        assert each.carriers[0] == "actually → wrong"
    assert str(kind).startswith("a_kind: leaks, AUC 0.")
    assert str(kind).endswith("48 texts of 12 clips, by " + ", ".join(kind.carriers))


def test_a_length_that_marks_what_is_wrong_is_found_and_named():
    found = probe_leaks(*drawn(12, seed=2, longer=3), **QUICK)[0]
    assert found.verdict == "leaks"
    assert any("length" in each and each.endswith("wrong") for each in found.carriers)


def test_a_word_that_tells_everything_leaks_without_an_interval():
    draw = Random(0)
    shared = [" ".join(draw.choices(WORDS, k=4)) for _ in range(16)]
    texts = [text for each in shared for text in (f"{each} never", f"{each} often")]
    clips = [f"c{number}" for number in range(16) for _ in range(2)]
    found = probe_leaks(texts, [True, False] * 16, clips, ["k"] * 32, **QUICK)[0]
    assert (found.auc.value, found.auc.low, found.verdict) == (1.0, None, "leaks")
    assert set(found.carriers) == {"never → wrong", "often → right"}


def test_below_chance_is_a_leak_too():
    """Each clip's right texts hold a word that is in the wrong texts of all others: who learns from those is misled."""
    texts, wrong, clips = [], [], []
    for number in range(8):
        for other in range(8):
            if other != number:
                texts += [f"it is thing{number}", f"it is thing{other}"]
                wrong += [False, True]
                clips += [f"c{number}"] * 2
    found = probe_leaks(texts, wrong, clips, ["k"] * len(texts), **QUICK)[0]
    assert (found.verdict, found.auc.value < 0.5) == ("leaks", True)


def test_twins_of_the_same_words_give_exactly_nothing_away():
    draw = Random(3)
    texts = []
    for _ in range(12):
        said = draw.choices(WORDS, k=8)
        texts += [" ".join(said), " ".join(draw.sample(said, 8))]
    clips = [f"c{number}" for number in range(12) for _ in range(2)]
    found = probe_leaks(texts, [True, False] * 12, clips, ["k"] * 24, **QUICK)
    assert {(each.auc.value, each.verdict) for each in found} == {(0.5, "holds")}


def test_exchangeable_texts_are_rarely_called_a_leak():
    """Of 16 pools without a habit about one should be called a leak; four or more would happen once in 140 times."""
    verdicts = [probe_leaks(*drawn(10, seed=seed, each=1), **QUICK)[0].verdict for seed in range(16)]
    assert verdicts.count("leaks") < 4
    assert "undecidable" not in verdicts


def test_too_few_clips_or_texts_are_undecidable():
    few = probe_leaks(*drawn(FEWEST_CLIPS - 1, seed=4, marker="actually"), **QUICK)[0]
    assert (few.verdict, few.auc.value, few.carriers) == ("undecidable", None, ())
    assert "4 clips and 8 texts of the rarer class are too few" in few.auc.method
    texts, _, clips, types = drawn(10, seed=4)
    assert probe_leaks(texts, [False] * len(texts), clips, types, **QUICK)[0].verdict == "undecidable"
    assert [each.verdict for each in probe_leaks([], [], [], [])] == ["undecidable"]


def test_each_kind_is_probed_by_itself():
    honest, leaky = drawn(10, seed=5), drawn(10, seed=6, marker="actually")
    texts, wrong, clips, _ = ([*one, *two] for one, two in zip(honest, leaky, strict=True))
    types = ["honest"] * len(honest[0]) + ["leaky"] * len(leaky[0])
    assert {each.kind: each.verdict for each in probe_leaks(texts, wrong, clips, types, **QUICK)} == {
        ALL: "leaks",
        "honest": "holds",
        "leaky": "leaks",
    }


def test_the_order_of_texts_changes_nothing():
    columns = drawn(8, seed=7, marker="actually", share=0.5)
    turned = [column[::-1] for column in columns]
    first = probe_leaks(*columns, **QUICK)
    assert probe_leaks(*columns, **QUICK) == first
    for one, two in zip(first, probe_leaks(*turned, **QUICK), strict=True):
        assert one.auc.value == pytest.approx(two.auc.value, abs=1e-9)
        assert one.verdict == two.verdict


def test_the_area_is_that_of_mann_and_whitney():
    texts, wrong, clips, types = drawn(9, seed=8, marker="actually", share=0.3)
    scores = scored(_TextFeatures.of(texts, wrong, clips, range(len(texts))))
    chosen = np.array(wrong)
    reference = mannwhitneyu(scores[chosen], scores[~chosen]).statistic / (chosen.sum() * (~chosen).sum())
    by_hand = np.mean([(one > two) + (one == two) / 2 for one in scores[chosen] for two in scores[~chosen]])
    assert probe_leaks(texts, wrong, clips, types, **QUICK)[0].auc.value == pytest.approx(reference, abs=1e-9)
    assert by_hand == pytest.approx(reference, abs=1e-9)
    assert roc_area(chosen, scores) == pytest.approx(reference, abs=1e-9)


def test_a_clip_is_not_asked_about_by_who_has_read_it():
    """A word that occurs in one clip alone has weight in no probe that is asked about it."""
    texts, wrong, clips, _ = drawn(8, seed=9)
    rows = [clip == "clip-3" for clip in clips]
    marked = [f"{text} only" if row and each else text for text, each, row in zip(texts, wrong, rows, strict=True)]
    told = _TextFeatures.of(marked, wrong, clips, range(len(texts)))
    without = replace(told, features=told.features.copy())
    without.features[:, told.names.index("only")] = 0.0
    assert scored(told)[rows] == pytest.approx(scored(without)[rows], abs=1e-8)
    assert scored(told).tolist() != pytest.approx(scored(without).tolist(), abs=1e-3)


def test_the_fit_is_the_one_minimum():
    """Another method comes to the same weights, also where nothing but the prior keeps them finite."""
    generator = np.random.default_rng(0)
    features = generator.normal(size=(60, 7))
    for wrong in (features[:, 0] + generator.normal(size=60) > 0, features[:, 1] > 1):
        signs = np.where(wrong, 1.0, -1.0)
        reference = minimize(_cost, np.zeros(8), args=(features, signs, 2.5), method="BFGS", options={"gtol": 1e-6}).x
        assert fit_logistic(features, wrong.astype(float), ridge=2.5) == pytest.approx(reference, abs=1e-4)


def _cost(weights: np.ndarray, features: np.ndarray, signs: np.ndarray, ridge: float) -> float:
    losses = np.log1p(np.exp(-signs * (features @ weights[1:] + weights[0])))
    return losses.sum() + ridge / 2 * (weights[1:] ** 2).sum()


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(BadInput, match="leak probe"):
        probe_leaks(["a"], [True], ["c", "d"], ["k"])


def test_what_has_no_value_says_so():
    assert "AUC undefined" in str(probe_leaks([], [], [], [])[0])
    assert isinstance(probe_leaks([], [], [], [])[0], Leak)
