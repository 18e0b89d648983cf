"""The test split answer by answer, in tables and on a page."""

import re
from pathlib import Path

import pytest

from cutscore.core.judgement import Weakness
from cutscore.core.table import Column, Table
from cutscore.optimize.answer_tables import answer_table, confusion_table, weakness_table
from cutscore.optimize.held_out import HeldOutReading, compare_prompts
from cutscore.optimize.problem import LabelledQuestion, LabelledSample, MarkedSample, PredictedAnswer, mark_sample
from cutscore.report.site import build_table_page

HANDS, CUPS = Weakness(text="hands melt", code="hands"), Weakness(text="a cup floats", code="cups")


def marked(people: tuple[Weakness, ...], *judge: Weakness, name: str, folder: Path, read: bool = True) -> MarkedSample:
    question = LabelledQuestion("w", bool(people), people, "Which weaknesses?")
    said = PredictedAnswer(bool(judge) if read else None, judge, because="It said nothing." if not read else "")
    sample = LabelledSample(name, (question,), name, link=str(folder / "films" / f"{name}.mp4"))
    return mark_sample(sample, [said], None)


@pytest.fixture
def reading(tmp_path: Path) -> HeldOutReading:
    """Four samples: hands that p* finds, cups that nobody finds, nothing that p0 takes for hands, one unread."""
    people = {"a": (HANDS,), "b": (HANDS, CUPS), "c": (), "d": (CUPS,)}
    before = {"c": (HANDS,)}
    after = {"a": (HANDS,), "b": (HANDS,)}
    first, best = (
        [
            marked(truth, *said.get(name, ()), name=name, folder=tmp_path, read=name != "d")
            for name, truth in people.items()
        ]
        for said in (before, after)
    )
    return compare_prompts(first, best, folder=tmp_path / "work", resamples=50)


def test_the_four_cells_stand_beside_those_of_who_never_looks(reading: HeldOutReading) -> None:
    rows = {row[1]: row[2:] for row in confusion_table({"better": reading}).rows}
    assert rows["p0"] == (0, 1, 2, 0, 1)
    assert rows["p*"] == (2, 0, 0, 1, 1)
    assert rows["always fail"] == (3, 1, 0, 0, 0)


def test_agreement_is_told_for_each_code(reading: HeldOutReading) -> None:
    rows = {row[1]: row for row in weakness_table({"better": reading}).rows}
    assert set(rows) == {"hands", "cups"}
    assert rows["hands"][2:7] == (2, 0, 1, 2, 0)
    assert [each.value for each in rows["hands"][7:]] == [pytest.approx(-1), pytest.approx(1)]
    assert rows["cups"][2:7] == (1, 0, 0, 0, 0)


def test_a_question_without_codes_goes_by_its_verdicts(tmp_path: Path) -> None:
    plain = [
        marked(
            (Weakness(text="x"),) if n % 2 else (),
            *([Weakness(text="y")] if n % 2 else []),
            name=str(n),
            folder=tmp_path,
        )
        for n in range(4)
    ]
    (row,) = weakness_table({"r": compare_prompts(plain, plain, resamples=50)}).rows
    assert row[1:7] == ("Which weaknesses?", 2, 2, 0, 2, 0)
    (alone,) = [compare_prompts(plain[:1], plain[:1], resamples=50)]
    assert weakness_table({"r": alone}).rows == ()


def test_answers_name_both_sides_and_lead_to_the_film(reading: HeldOutReading, tmp_path: Path) -> None:
    table = answer_table({"better": reading}, {"better": tmp_path / "work"}, seen_from=tmp_path / "site" / "deep")
    assert [(row[1], *row[3:5]) for row in table.rows] == [
        ("d", "unread", "unread"), ("a", "FN", "TP"), ("b", "FN", "TP"), ("c", "FP", "TN")
    ]  # fmt: skip
    by_name = {row[1]: row for row in table.rows}
    assert by_name["b"][5:] == ("hands: hands melt | cups: a cup floats", "none", "hands: hands melt")
    assert by_name["b"][2] == "../../films/b.mp4"
    assert by_name["d"][7] == "It said nothing."
    assert reading.answers[0].link == "../films/a.mp4"
    assert "asked was 'Which weaknesses?'" in table.note  # once, as all were asked the same


def test_a_page_links_paths_and_nothing_else(tmp_path: Path) -> None:
    odd = "<script>alert(1)</script>"
    table = Table(
        id="answers",
        title="Answers",
        columns=(Column(name="sample"), Column(name="see", link=True)),
        rows=((odd, "../films/a b.mp4"), ("plain", "javascript:alert(1)"), ("none", ""), ("kept", "../store/0f")),
    )
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "0f").write_bytes(b"\0\0\0\x18ftypisom" + bytes(64))
    page = build_table_page([table], out=tmp_path / "site", title="T", lines=["A simulation."])
    html = page.read_text()
    *others, film = re.findall(r'<td><a href="([^"]*)"><bdi>see</bdi>', html)
    assert others == ["../films/a%20b.mp4", "javascript%3Aalert%281%29"]
    assert film.endswith(".mp4")  # a file of a store has no ending, and a browser would not play it
    assert (tmp_path / "site" / film).is_file()
    assert odd not in html
    assert "<p>A simulation.</p>" in html
    assert (tmp_path / "site" / "static" / "report.css").is_file()
