import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.stats.intervals import estimate, wilson_interval
from cutscore.stats.paired import paired_difference
from cutscore.stats.tables import (
    ResampledTable,
    all_pairs,
    cluster_table,
    resample_table,
    table_differences,
    table_intervals,
)


def study(seed: int, *, clusters: int = 23, columns: int = 4) -> dict[tuple[str, int, str], float]:
    """Three questions a clip, each answered by every column: (clip, question, column) → score."""
    generator = np.random.default_rng(seed)
    return {
        (f"clip {clip:02d}", question, f"model {column}"): float(generator.random())
        for clip in range(clusters)
        for question in range(3)
        for column in range(columns)
    }


def resampled(scores: dict[tuple[str, int, str], float], **options: object) -> ResampledTable:
    table = cluster_table((clip, column, score) for (clip, _, column), score in scores.items())
    return resample_table(table.sums, table.counts, **options)  # type: ignore[arg-type]


def test_every_cell_is_the_estimate_of_its_column() -> None:
    scores = study(1)
    found = table_intervals(resampled(scores, resamples=400, seed=5))
    for number in range(4):
        rows = [(score, clip) for (clip, _, column), score in scores.items() if column == f"model {number}"]
        alone = estimate(*zip(*rows, strict=True), name="x", resamples=400, seed=5)  # type: ignore[misc]
        assert found.values[number] == pytest.approx(alone.value, abs=1e-12)
        assert (found.low[number], found.high[number]) == pytest.approx((alone.low, alone.high), abs=1e-9)


def test_every_difference_is_the_paired_one() -> None:
    scores = study(2)
    pairs = all_pairs(4, 1)
    found = table_differences(resampled(scores, resamples=400, seed=6), pairs)
    for number, (one, two) in enumerate(pairs):
        sides = [
            {(clip, question): score for (clip, question, column), score in scores.items() if column == f"model {side}"}
            for side in (one, two)
        ]
        alone = paired_difference(
            *sides,
            {key: key[0] for key in sides[0]},
            name="x",
            first_label="a",
            second_label="b",
            resamples=400,
            seed=6,
        ).estimate
        assert found.values[number] == pytest.approx(alone.value, abs=1e-12)
        assert (found.low[number], found.high[number]) == pytest.approx((alone.low, alone.high), abs=1e-9)


def test_columns_and_pairs_are_in_the_order_model_by_model() -> None:
    assert all_pairs(2, 3) == [(0, 3), (1, 4), (2, 5)]
    assert len(all_pairs(6, 5)) == 15 * 5
    table = cluster_table([("b", "x", 1.0), ("a", "y", 0.5), ("b", "x", 0.25)])
    assert (table.clusters, table.columns) == (("a", "b"), ("x", "y"))
    assert table.sums.tolist() == [[0, 0.5], [1.25, 0]]
    assert table.counts.tolist() == [[0, 1], [2, 0]]


@given(st.permutations(list(range(12))))
def test_order_of_scores_does_not_matter(order: list[int]) -> None:
    rows = [(f"clip {number % 4}", "x", 0.1 * number) for number in range(12)]
    there, back = cluster_table(rows), cluster_table(rows[number] for number in order)
    assert (there.sums == back.sums).all()
    assert (there.counts == back.counts).all()


def test_flat_columns_are_wilson_at_the_ends_and_undefined_between() -> None:
    sums = np.array([[2.0, 0.0, 1.0, 2.0]] * 10)
    table = resample_table(sums, np.full((10, 4), 2.0), resamples=50)
    found = table_intervals(table)
    assert (found.low[0], found.high[0]) == wilson_interval(10, 10)
    assert (found.low[1], found.high[1]) == wilson_interval(0, 10)
    assert np.isnan(found.low[2])
    assert np.isnan(found.high[2])
    apart = table_differences(table, [(0, 1), (0, 2), (0, 3)])
    assert (apart.low[0], apart.high[0]) == (2 * wilson_interval(10, 10)[0] - 1, 1)
    assert np.isnan(apart.low[1:]).all()
    assert apart.values.tolist() == [1.0, 0.5, 0.0]


def test_one_cluster_or_none_has_no_interval() -> None:
    one = table_intervals(resample_table(np.array([[1.0, 0.5]]), np.array([[2.0, 1.0]]), resamples=20))
    assert one.values.tolist() == [0.5, 0.5]
    assert np.isnan(one.low).all()
    none = resample_table(np.zeros((0, 2)), np.zeros((0, 2)), resamples=20)
    assert np.isnan(table_intervals(none).values).all()
    assert np.isnan(table_differences(none, [(0, 1)]).low).all()
    assert len(table_differences(none, []).values) == 0


def test_a_column_that_few_clusters_have_is_cut_for_them() -> None:
    """Three of forty clips: often none of them is drawn, and a resample without a value may lie anywhere."""
    generator = np.random.default_rng(3)
    counts = np.ones((40, 2))
    counts[3:, 1] = 0
    sums = generator.random((40, 2)) * counts
    found = table_intervals(resample_table(sums, counts, resamples=500))
    assert found.values[1] == pytest.approx(sums[:3, 1].mean())
    assert np.isnan(found.low[1])
    assert not np.isnan(found.low[0])


@pytest.mark.parametrize(
    ("sums", "counts", "options", "text"),
    [
        ([[1.0]], [[1.0, 1.0]], {}, r"table: sums are \(1, 1\) and counts \(1, 2\); give clusters × columns for both"),
        ([[1.0]], [[0.0]], {}, "a sum without scores, a negative count"),
        ([[math.nan]], [[1.0]], {}, "or a sum that is no number"),
        ([[1.0]], [[1.0]], {"resamples": 0}, "table: 0 resamples on a scale from 0.0 to 1.0 cannot be"),
    ],
)
def test_wrong_tables_are_named(
    sums: list[list[float]], counts: list[list[float]], options: dict[str, int], text: str
) -> None:
    with pytest.raises(BadInput, match=text):
        resample_table(np.array(sums), np.array(counts), **options)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="table column 'x': cluster 'a' scored nan; count it as unscored"):
        cluster_table([("a", "x", math.nan)])
