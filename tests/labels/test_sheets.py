"""Labels as a table: which column is what, and what is refused in which words."""

import hashlib
from pathlib import Path

import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.label import Label
from cutscore.labels.files import labels_digest, merge_labels, read_labels


def table(folder: Path, text: str | bytes, name: str = "a.csv") -> Path:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder / name


def test_fields_are_fields_and_other_columns_are_groups(tmp_path: Path) -> None:
    text = (
        "\ufeffbenchmark,item, axis ,person,kind,answer,epoch,because\r\n"
        'b,i1,order,ann,,yes,,"cut, at\n3 s"\r\n'
        ",,,,,,,\r\n"
        "b,i2,,bo,scale,7.5,2,\r\n"
        "b,i3,steps,cy,,,,\r\n"
    )
    assert [each.label for each in read_labels(table(tmp_path, text))] == [
        Label(benchmark="b", item="i1", person="ann", answer="yes", because="cut, at\n3 s", groups={"axis": "order"}),
        Label(benchmark="b", item="i2", person="bo", kind="scale", answer=7.5, epoch=2),
        Label(benchmark="b", item="i3", person="cy", answer=None, groups={"axis": "steps"}),
    ]


def test_tables_and_lines_are_merged_and_places_are_named(tmp_path: Path) -> None:
    first = table(tmp_path, "benchmark,item,person,answer\nb,i,ann,yes\n")
    second = table(tmp_path, '{"benchmark": "b", "item": "i", "person": "ann", "answer": "yes"}', "b.jsonl")
    assert merge_labels([first, second]).repeats == (
        f"labels '{second}' line 1 repeats labels '{first}' line 2; it counts once",
    )


def test_groups_count_in_the_digest_only_where_there_are_some() -> None:
    plain = Label(benchmark="b", item="i", person="ann", answer="yes")
    before = (
        '{"answer":"yes","because":"","benchmark":"b","epoch":1,"item":"i","kind":"yes_no","person":"ann",'
        '"question":"","split":"","subject":"","weaknesses":[]}'
    )
    assert labels_digest([plain]) == hashlib.sha256(before.encode()).hexdigest()
    assert labels_digest([plain]) != labels_digest([plain.model_copy(update={"groups": {"axis": "order"}})])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: has no column 'item'; name the columns in the first line"),
        ("item,person\ni,ann\n", "line 1: has no column 'answer'"),
        ("item,person,answer,answer\n", "line 1: has a column 'answer' twice or without a name"),
        ("item,person,answer,\n", "line 1: has a column '' twice or without a name"),
        ("item,person,answer\ni,ann\n", "line 2: has 2 cells, the heading has 3; correct the row"),
        ("item,person,answer\ni,ann,maybe\n", "line 2: 'maybe' cannot answer a question of kind 'yes_no'"),
        ("item,person,answer,kind\ni,ann,high,scale\n", "line 2: 'high' cannot answer .* number from 1 to 10"),
        ("item,person,answer,kind\ni,ann,nan,scale\n", "line 2: answer.float: Input should be a finite number"),
        ("item,person,answer,epoch\ni,ann,yes,first\n", "line 2: epoch: Input should be a valid integer"),
        ("item,person,answer\n,ann,yes\n", "line 2: item: Field required"),
        ('item,person,answer\ni,ann,"yes\n', "line 2: is no row of a table: unexpected end of data"),
        (b"item,person,answer\n\xff\n", "line 2: is not UTF-8 text; save the file as UTF-8"),
        ("item,person,answer\n" + "x" * 1_000_001, "line 2: is longer than 1 MB"),
        ('item,person,answer\ni,ann,"' + "x" * 200_000 + '"\n', "line 2: is no row of a table: field larger than"),
    ],
)
def test_a_bad_table_is_named_by_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        list(read_labels(table(tmp_path, text)))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot be read \(No such file or directory\); name a .csv file"):
        list(read_labels(tmp_path / "none.CSV"))


def test_a_sheet_of_a_grader_is_read_by_its_own_words(tmp_path: Path) -> None:
    text = "Grader,benchmark,item,Rubric item,editor,pillar,answer\nann,repurpose,talk,claim,ed,narrative,Yes\n"
    (read,) = read_labels(table(tmp_path, text))
    assert read.label == Label(
        benchmark="repurpose",
        item="talk",
        question="claim",
        subject="ed",
        person="ann",
        answer="yes",
        groups={"pillar": "narrative"},
    )


@pytest.mark.parametrize("editor", ["ann", "Ann"])
def test_nobody_grades_own_work(tmp_path: Path, editor: str) -> None:
    text = f"grader,item,editor,answer\nbo,talk,{editor},yes\nann,talk,{editor},yes\n"
    with pytest.raises(BrokenData, match="line 3: 'ann' grades own work on item 'talk'; leave it out"):
        list(read_labels(table(tmp_path, text)))


def test_a_column_under_both_of_its_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="a column 'person' twice"):
        list(read_labels(table(tmp_path, "grader,person,item,answer\na,b,i,yes\n")))
