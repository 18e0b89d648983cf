"""Items that differ most, and the walk back to the second of video."""

from fractions import Fraction

from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.registry import benchmark
from cutscore.results.estimates import ScoreView, item_scores
from cutscore.results.flips import differing_items, item_flips


def row(item: str, value: float, *, epoch: int = 1, mode: str = "", findings: tuple[Finding, ...] = ()) -> Row:
    key = f"accuracy@{mode}" if mode else "accuracy"
    said = findings or (Finding(name="accuracy", value=value, because=f"{item} {epoch}", file="a.mp4", at=(1, 2)),)
    return Row(
        benchmark="b",
        version="1",
        cell="c",
        subject="s",
        item=item,
        epoch=epoch,
        cluster=f"clip of {item}",
        ending=Ending(status="marked", scores={key: value}, findings=said),
    )


def flipped(first: list[Row], second: list[Row], view: ScoreView = ScoreView("accuracy")):  # noqa: B008  frozen
    one, two = (item_scores(rows, benchmark("colorbars").card, view) for rows in (first, second))
    return item_flips(differing_items(one, two), one, two, rows=(first, second), view=view)


def test_the_widest_gap_comes_first_and_equal_ones_by_name() -> None:
    first = [row("d", 1.0), row("c", 0.25), row("b", 1.0), row("a", 0.75), row("only here", 1.0), row("e", 0.5)]
    second = [row("a", 0.75), row("b", 0.0), row("c", 1.0), row("d", 0.0), row("e", 0.25)]
    found = flipped(first, second)
    assert [(flip.item, flip.first.value, flip.second.value) for flip in found] == [
        ("b", 1.0, 0.0),
        ("d", 1.0, 0.0),
        ("c", 0.25, 1.0),
        ("e", 0.5, 0.25),
    ]
    assert found[0].cluster == "clip of b"
    assert found[0].as_json()["second"] == {
        "value": 0.0,
        "epoch": 1,
        "finding": {"name": "accuracy", "value": 0.0, "because": "b 1", "file": "a.mp4", "at": [1.0, 2.0]},
    }


def test_of_several_repeats_the_one_that_made_the_gap_is_shown() -> None:
    first = [row("a", 0.0, epoch=1), row("a", 1.0, epoch=2), row("a", 1.0, epoch=3)]
    second = [row("a", 0.5, epoch=1), row("a", 0.0, epoch=2)]
    (found,) = flipped(first, second)
    assert (found.first.value, found.first.epoch) == (2 / 3, 2)
    assert (found.second.value, found.second.epoch) == (0.25, 2)
    (found,) = flipped(second, first)
    assert (found.first.epoch, found.second.epoch) == (2, 2)


def test_the_reason_is_the_one_of_the_score_in_its_mode() -> None:
    loose = Finding(name="accuracy", value=1, because="near enough", mode="paper")
    strict = Finding(name="accuracy", value=0, because="not the word", mode="strict", at=(Fraction(1, 3), 1))
    other = Finding(name="order", value=0, because="wrong order")
    everything = row("a", 0.0, mode="strict", findings=(other, loose, strict))
    (found,) = flipped([everything], [row("a", 1.0, mode="strict")], ScoreView("accuracy", "strict"))
    assert found.first.finding == strict
    assert found.second.finding is not None
    assert found.second.finding.because == "a 1"
    only_other = row("a", 0.0, mode="strict", findings=(other,))
    (found,) = flipped([only_other], [row("a", 1.0, mode="strict")], ScoreView("accuracy", "strict"))
    assert found.first.finding == other
