"""Scores beside what people prefer: planted people, whose opinion of each score is known."""

from dataclasses import replace
from itertools import combinations

import pytest

from cutscore.core.card import Card
from cutscore.core.errors import BadInput
from cutscore.core.estimate import Estimate
from cutscore.labels.pairs import PairLabel
from cutscore.results.preferences import PublishedAgreement, preference_tables
from cutscore.results.tables.lines import CellLine, SampleMark

WORTH = {"good": 3.0, "fair": 2.0, "poor": 1.0}
CARD = Card(
    name="b",
    title="B",
    about="?",
    version="1",
    licence="Apache-2.0",
    headline="clear",
    splits={"all": 10},
    scores={name: {"about": name, "scale": (-9, 9)} for name in ("clear", "upside", "flat", "partly")},  # type: ignore[dict-item,misc]
)


def line(subject: str) -> CellLine:
    """Ten items; `clear` is what people see, `upside` its opposite, `flat` the same for all, `partly` not for all."""
    marks = []
    for number in range(10):
        worth = WORTH[subject] + number / 10
        scores = {"clear": worth, "upside": -worth, "flat": 1.0, **({"partly": worth} if number < 4 else {})}
        marks.append(SampleMark(f"i{number}", 1, f"i{number}", {}, scores, {}))
    return CellLine(subject, "", marks)


LINES = [line(name) for name in WORTH]


def people(score: str = "", *, names: tuple[str, ...] = ("ann", "bo")) -> list[PairLabel]:
    """Two people who see what is better; every other pair is shown the other way round."""
    made = []
    for number, (one, two) in enumerate(pair for _ in range(10) for pair in combinations(WORTH, 2)):
        first, second = (one, two) if number % 2 else (two, one)
        said = "A" if WORTH[first] > WORTH[second] else "B"
        made += [PairLabel(f"i{number // 3}", 1, first, second, score, person, said) for person in names]
    return made


def rows(labels: list[PairLabel], **more: PublishedAgreement) -> dict[str, dict[str, object]]:
    table = preference_tables(labels, LINES, CARD, "", **more)[0]
    names = [column.name for column in table.columns]
    return {str(row[0]): dict(zip(names, row, strict=True)) for row in table.rows}


def value(cell: object) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value


def test_on_the_whole_every_score_is_held_against_what_people_see() -> None:
    found = rows(people(), published=PublishedAgreement("Table 9", {"clear": 0.9}))
    assert {name: value(each["agreement"]) for name, each in found.items()} == {
        "clear": 1.0,
        "upside": 0.0,
        "flat": 0.0,
        "partly": 1.0,
    }
    assert [found[name]["judgements"] for name in ("clear", "partly")] == [60, 24]
    assert (found["clear"]["chance"], found["flat"]["chance"]) == (0.5, 0.0)
    assert value(found["clear"]["kappa"]) == 1.0
    assert (found["clear"]["published"], found["upside"]["published"]) == (0.9, None)
    assert (found["clear"]["leave one out"], found["clear"]["people"]) == ("1.000 to 1.000", 1.0)


def test_a_person_who_sees_otherwise_shows_when_left_out() -> None:
    contrary = [replace(each, said={"A": "B", "B": "A"}[each.said]) for each in people(names=("cy",))]
    found = rows([*people(names=("ann", "bo")), *contrary])["clear"]
    assert value(found["agreement"]) == pytest.approx(2 / 3)
    assert found["leave one out"] == "0.500 to 1.000"


def test_ties_are_those_of_all_judgements_and_tau_is_the_scores_own() -> None:
    tied = [replace(each, score="upside", said="neither") for each in people(names=("ann", "bo", "cy"))]
    found = rows([*people("clear", names=("ann",)), *tied])
    # 90 of 120 are ties, though none about `clear`; of its 30 differences 20 are 1, and 10 are 2.
    assert found["clear"]["tau"] == pytest.approx(2.0)
    assert value(found["clear"]["agreement"]) == 1.0  # a clear preference goes by the sign alone
    assert value(found["upside"]["agreement"]) == 1.0


def test_people_and_scores_rank_the_subjects() -> None:
    table = preference_tables(people(), LINES, CARD, "")[1]
    first, second, third, _ = table.rows
    assert first[:4] == ("clear", "on the whole", 3, "good 1.00 > fair 0.50 > poor 0.00")
    assert first[4] == "good 3.45 > fair 2.45 > poor 1.45"
    assert [value(cell) for cell in (*first[5:], *second[5:])] == pytest.approx([1, 1, -1, -1])
    assert value(third[5]) is None  # the same for all
    two = [label for label in people() if "poor" not in (label.first, label.second)]
    assert preference_tables(two, LINES, CARD, "")[1].rows[0][5] is None


def test_a_subject_that_the_run_lacks_is_named() -> None:
    odd = PairLabel("i0", 1, "good", "nobody", "", "ann", "A")
    with pytest.raises(BadInput, match="'nobody': is no subject of the run, which has good, fair, poor"):
        preference_tables([odd], LINES, CARD, "")
