"""Each score of a sample can be missing by itself: excluded, unscored or stopped, and counted so."""

from cutscore.core.card import Card, ScoreCard
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.row import Row
from cutscore.results.estimates import ScoreView, count_unscored, estimate_views, estimates

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
