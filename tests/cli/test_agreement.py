"""`cutscore agreement`: its table, its list of disputes, its JSON."""

from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows

HEAD = "benchmark,item,axis,person,answer\n"
ROWS = [
    *("b,i1,order,ann,yes", "b,i1,order,bo,yes", "b,i1,order,cy,yes"),
    *("b,i2,order,ann,no", "b,i2,order,bo,yes", "b,i2,order,cy,no"),
    *("b,i3,steps,ann,no", "b,i3,steps,bo,no"),
    *("b,i4,steps,ann,yes", "b,i4,steps,cy,no"),
]


def test_a_table_of_three_people(cli: Any) -> None:
    Path("a.csv").write_text(HEAD + "\n".join(ROWS))
    ran = cli("agreement", "a.csv")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].startswith("b yes_no   alpha ")
    assert lines[0].endswith("3 people, 4 of 4 questions shared")
    assert lines[-3:] == [
        "people differ on 2 of 4 shared questions, most disputed first:",
        "1.000   i4   ann: yes, cy: no",
        "0.667   i2   ann: no, bo: yes, cy: no",
    ]
    assert any(line.split()[:2] == ["alpha", "axis=order"] for line in lines)
    shown = cli("agreement", "a.csv", "--most", 1).out.splitlines()
    assert shown[-2:] == ["1.000   i4   ann: yes, cy: no", "… and 1 more; --json has all"]


def test_json_has_every_item_and_who_said_what(cli: Any) -> None:
    Path("a.csv").write_text(HEAD + "\n".join(ROWS))
    plain = cli("agreement", "a.csv", "--json").json
    assert list(plain) == ["schema", "labels", "people", "parts", "items", "revise"]
    assert plain["people"] == ["ann", "bo", "cy"]
    (part,) = plain["parts"]
    assert [part["benchmark"], part["kind"], part["questions"], part["shared"]] == ["b", "yes_no", 4, 4]
    assert [each["name"] for each in part["estimates"] if each["group"]] == ["alpha", "same answer"] * 2
    assert [each["item"] for each in plain["revise"]] == ["i4", "i2"]
    assert [each["item"] for each in plain["items"]] == ["i4", "i2", "i1", "i3"]
    assert plain["items"][1]["answers"] == {"ann": "no", "bo": "yes", "cy": "no"}


def test_one_person_is_said_to_agree_with_nobody(cli: Any) -> None:
    Path("a.csv").write_text(HEAD + "\n".join(row for row in ROWS if ",ann," in row))
    ran = cli("agreement", "a.csv")
    assert ran.code == 0
    said = ["–", "–", "n=0 in 0 clusters", "no question was labelled by two people"]
    first = [word.strip() for word in ran.out.splitlines()[0].split("  ") if word.strip()]
    assert first == ["b yes_no", "alpha", *said, "1 person, 0 of 4 questions shared"]
    assert "people differ" not in ran.out


def test_files_of_several_people_are_put_together(cli: Any) -> None:
    for name in ("ann", "bo", "cy"):
        Path(f"{name}.csv").write_text(HEAD + "\n".join(row for row in ROWS if f",{name}," in row))
    Path("all.csv").write_text(HEAD + "\n".join(ROWS))
    apart = cli("agreement", "ann.csv", "bo.csv", "cy.csv", "--json").json
    assert apart["labels"] == cli("agreement", "all.csv", "--json").json["labels"]
    assert "cannot be read" in cli("agreement", "none.jsonl").err


def test_items_of_a_rubric_are_listed_for_revision(cli: Any) -> None:
    grades = [
        f"{grader},b,film,{question},ed-{film},{answer}"
        for film in (1, 2)
        for grader in ("ann", "bo")
        for question, answer in (("goal", "yes"), ("pace", "yes" if grader == "ann" else "no"))
    ]
    Path("a.csv").write_text("grader,benchmark,item,rubric item,editor,answer\n" + "\n".join(grades))
    lines = cli("agreement", "a.csv").out.splitlines()
    assert lines[-2:] == [
        "for revision, fewer than 80% of pairs say the same:",
        "0.000   film pace   of 2 deliverables",
    ]
    assert "for revision" not in cli("agreement", "a.csv", "--below", "0").out


@pytest.mark.real
def test_scores_of_a_run_are_held_against_labels_of_pairs(cli: Any) -> None:
    assert cli("run", "colorbars", "--subject", "oracle", "--subject", "blind", "--limit", 6).code == 0
    head = "benchmark,kind,item,question,subject,person,answer\n"
    rows = {row.item for row in read_rows(Path("logs"))}
    asked = [("accuracy", "A"), ("sharpness", "B")]
    lines = [f"colorbars,pairwise,{item},{name},oracle vs blind,ann,{said}" for item in rows for name, said in asked]
    Path("pairs.csv").write_text(head + "\n".join(lines))
    ran = cli("agreement", "pairs.csv", "--run", "logs")
    assert ran.code == 0, ran.err
    assert "How far scores prefer what people prefer: 12 judgements of 1 person, 0 of them 'neither'" in ran.out
    assert "labels ask about 'sharpness', which is no score of colorbars" in ran.err
    plain = cli("agreement", "pairs.csv", "--run", "logs", "--json").json
    (row,) = plain["preferences"][0]["tables"][0]["rows"]
    right = {row.item: row.ending.scores["accuracy"] for row in read_rows(Path("logs")) if row.subject == "blind"}
    assert row[4]["value"] == sum(1 - value for value in right.values()) / 6
    Path("other.csv").write_text(head + "repair,pairwise,a,,x vs y,ann,A")
    wrong = cli("agreement", "other.csv", "--run", "logs")
    assert wrong.code == 2
    assert "pairs are labelled of repair, the run has colorbars; give labels of kind pairwise" in wrong.err
