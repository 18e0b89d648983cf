"""Criteria × subjects: failures first, what is the same folded, measures with their units."""

from fractions import Fraction

from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.report.criteria import CriteriaMatrix, CriterionRow
from cutscore.report.embed import Media
from cutscore.report.item import item_page


def matrix(run, tmp_path, **found: tuple[Finding, ...]) -> CriteriaMatrix:
    """Lay out the criteria of the first item with these findings, by subject; `null` is the floor."""
    run.rows = [
        row.model_copy(
            update={"ending": Ending(status="marked", scores={"accuracy": 0.5}, findings=found[row.subject])}
        )
        for row in run.rows
        if row.subject in found and row.item == "red-1"
    ]
    site = run.site()
    (tmp_path / "pages").mkdir()
    return item_page(site, site.items[0], media=Media(tmp_path / "pages", clean=str)).criteria


def told(lines: tuple[CriterionRow, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(line.name, line.modes) for line in lines]


def graded(name: str, value: float, because: str = "x", **more) -> Finding:
    return Finding(name=name, value=value, because=because, **more)


def test_the_headline_is_first_then_what_failed_and_the_rest_is_folded(run, tmp_path):
    one = (graded("fine", 1), graded("half", 0.5), graded("accuracy", 1), graded("none", 0))
    made = matrix(run, tmp_path, model=one)
    assert told(made.open) == [("accuracy", ()), ("none", ()), ("half", ())]
    assert [(words, told(lines)) for words, lines in made.folds] == [
        ("1 more criterion that every contestant passed", [("fine", ())])
    ]


def test_measures_have_units_and_modes_that_found_the_same_share_a_line(run, tmp_path):
    run.cards["colorbars"] = run.cards["colorbars"].model_copy(update={"measures": ("*_s",), "modes": ("a", "b", "c")})
    found = [graded("late_s", 30)]
    found += [graded("accuracy", 0.5 if mode == "c" else 1, mode=mode) for mode in ("a", "b", "c")]
    made = matrix(run, tmp_path, model=tuple(found))
    assert told(made.open) == [("accuracy", ("a", "b"))]
    ((_, entry),) = made.open[0].cells[0].found
    assert (entry.id, entry.also) == ("r1-f2", ("r1-f3",))
    (measures, lines), (elsewhere, others) = made.folds
    assert (measures, lines[0].unit, lines[0].cells[0].worst.tone) == (
        "1 measure, which is no grade",
        "s",
        "measured",
    )
    assert (elsewhere, told(others)) == ("1 in other scoring modes", [("accuracy", ("c",))])


def test_references_come_last_and_their_failures_are_no_failures(run, tmp_path):
    question = "Is the panel red? "
    run.rows = [row.model_copy(update={"subject": "human-1"}) if row.subject == "oracle" else row for row in run.rows]
    person = (graded("q1", 0, question + "No: it is blue"), graded("black", 0))
    made = matrix(run, tmp_path, **{"human-1": person, "model": (graded("q1", 1, question + "Yes: it is"),)})
    assert [(column.label, column.role) for column in made.columns] == [("openai/x-1", ""), ("human-1", "people")]
    ((words, lines),) = made.folds
    assert (made.open, words) == ((), "2 more criteria that every contestant passed")
    assert [(line.name, line.words) for line in lines] == [("q1", "Is the panel red?"), ("black", "")]


def test_what_is_outside_a_stretch_leads_outside(run, tmp_path):
    made = matrix(run, tmp_path, model=(graded("s_out", 0.5, file="bars.mp4", at=(1, 3)),))
    (line,) = made.open
    spans = line.cells[0].worst.spans
    assert [(span.start_s, span.end_s) for span in spans] == [(Fraction(0), Fraction(1)), (Fraction(3), Fraction(4))]
