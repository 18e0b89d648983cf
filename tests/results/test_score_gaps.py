"""Each score of a sample can be missing by itself: excluded, unscored or stopped, and counted so."""

from cutscore.core.card import Card, ScoreCard
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.row import Row
from cutscore.results.comparison import ScorePair, compare_scores
from cutscore.results.estimates import ScoreView, count_unscored, estimate_views, estimates, item_scores
from cutscore.results.tables.lines import cell_lines
from cutscore.results.tables.score_tables import group_table, scores_table

CARD = Card(
    name="cuts",
    title="Cuts",
    about="",
    version="1",
    licence="",
    headline="score",
    scores={"score": ScoreCard(about=""), "timing": ScoreCard(about="")},
    splits={},
)


def row(number: int, gaps: dict[str, str] | None = None, *, status: str = "marked") -> Row:
    """A sample with both scores at 1, but for its gaps."""
    lost = tuple(ScoreGap(name=name, status=how, because=f"why {name}") for name, how in (gaps or {}).items())  # type: ignore[arg-type]
    scores = {name: 1.0 for name in CARD.scores if name not in (gaps or {})}
    marked = Ending(status="marked", scores=scores, gaps=lost)
    ending = marked if status == "marked" else Ending(status=status, because="why")  # type: ignore[arg-type]
    item = f"item-{number}"
    return Row(benchmark="cuts", version="1", cell="c", subject="s", item=item, epoch=1, cluster=item, ending=ending)


ROWS = [
    row(1),
    row(2, {"timing": "unscored"}),
    row(3, {"timing": "excluded"}),
    row(4, {"timing": "stopped"}),
    row(5, {"score": "unscored"}),
    row(6, status="stopped"),
]


def test_a_gap_counts_for_its_score_alone() -> None:
    score, timing = estimate_views([(ROWS, ScoreView(name)) for name in CARD.scores], CARD)
    assert (score.n, score.unscored, score.stopped) == (4, 2, 1)
    assert (timing.n, timing.unscored, timing.stopped) == (2, 3, 2)
    assert score.bounds == (4 / 6, 1.0)
    assert timing.bounds == (2 / 5, 1.0)
    assert count_unscored(ROWS, CARD, ScoreView("timing")) == {"unscored": 1, "stopped": 2}


def test_how_a_score_ended() -> None:
    assert [each.ending.status_of("timing") for each in ROWS] == [
        *("marked", "unscored", "excluded", "stopped", "marked", "stopped")
    ]


def test_a_score_that_a_sample_does_not_have_is_nobodys_loss() -> None:
    alone = ROWS[0].model_copy(update={"ending": Ending(status="marked", scores={"score": 1.0})})
    assert alone.ending.status_of("timing") == "excluded"
    assert alone.ending.status_of("timing", judged=True) == "unscored"
    assert [each.name for each in estimates([alone], CARD)] == ["score"]


BY_AXIS = CARD.model_copy(
    update={
        "scores": {
            "score": ScoreCard(about=""),
            **{axis: ScoreCard(about="", items={"axis": (axis,)}) for axis in ("order", "cause")},
        }
    }
)


def on_axis(number: int, axis: str, value: float | None, *, cell: str = "c") -> Row:
    """A sample of one axis; without a value we failed to mark it."""
    lost = Ending(status="unscored", because="503")
    marked = lost if value is None else Ending(status="marked", scores={"score": value, axis: value})
    made = row(number)
    return made.model_copy(update={"cell": cell, "ending": marked, "groups": {"axis": axis}})


def test_an_unscored_sample_counts_on_its_own_axis_alone() -> None:
    rows = [on_axis(1, "order", 1.0), on_axis(2, "order", None), on_axis(3, "cause", 0.5)]
    views = [ScoreView(name) for name in BY_AXIS.scores]
    found = estimate_views([(rows, view) for view in views], BY_AXIS)
    assert [(each.n, each.unscored, each.bounds) for each in found] == [
        (2, 1, (0.5, 2.5 / 3)),
        (1, 1, (0.5, 1.0)),
        (1, 0, (0.5, 0.5)),
    ]
    other = [on_axis(number, axis, 1.0, cell="d") for number, axis in ((1, "order"), (2, "order"), (3, "cause"))]
    pairs = [ScorePair(*(item_scores(each, BY_AXIS, view) for each in (rows, other)), BY_AXIS, view) for view in views]
    assert [made.unscored for made in compare_scores(pairs)] == [1, 1, 0]


def test_a_table_counts_a_gap_in_its_own_column() -> None:
    lines = cell_lines(ROWS)
    table = scores_table("scores", "Scores", lines, ("score", "timing"), mode="", compared=("score",), note="")
    ((*_, score, timing),) = table.rows
    assert (score.n, score.unscored) == (4, 2)  # type: ignore[union-attr]
    assert (timing.n, timing.unscored) == (2, 3)  # type: ignore[union-attr]
    ((*_, whole),) = group_table("all", "All", lines, "axis", (), score="timing", note="").rows
    assert (whole.n, whole.unscored) == (2, 3)  # type: ignore[union-attr]
