"""covebench: scores by dimension, lengths of clips, edits of each type as in the full file, and printed tables."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.analysis.dimension_table import dimension_table
from cutscore.benchmarks.covebench.analysis.length_tables import length_tables
from cutscore.benchmarks.covebench.analysis.published_tables import published, published_tables
from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.benchmarks.covebench.mark import describe_types
from cutscore.benchmarks.covebench.released import parse_tasks
from cutscore.benchmarks.covebench.scores import SCORES
from cutscore.benchmarks.covebench.tables import describe_entries, metric_ranks
from cutscore.core.estimate import Estimate
from cutscore.registry import benchmark
from cutscore.results.tables.lines import CellLine, SampleMark

TYPES: list[str] = published()["columns_8"]
FULL: list[int] = published()["entries_8"]


def mark(item: str, *, scores: dict[str, float] | None = None, found: dict[str, float] | None = None) -> SampleMark:
    keyed = {f"{name}@reference": value for name, value in (scores or {}).items()}
    return SampleMark(item=item, epoch=1, cluster=item, groups={}, scores=keyed, found=found or {})


def types_line(checklists: Sequence[Checklist]) -> CellLine:
    """A line of somebody who does everything, marked as any other."""
    marks = []
    for number, checklist in enumerate(checklists):
        done = describe_types(checklist, {each.id: each.expected for each in checklist.questions})
        found = {each.name: each.score for each in done if each.score is not None}
        wholes = {each.name: each.whole for each in done if each.whole}
        marks.append(SampleMark(f"t{number}", 1, f"c{number}", {}, {}, found, wholes=wholes))
    return CellLine("mine", "", marks)


def full_file() -> list[dict[str, Any]]:
    """As many edits of each type as the paper's percentages allow, in a few tasks with one question each."""
    kinds = [kind for kind, count in zip(TYPES, FULL, strict=True) for _ in range(count)]
    asked = {"id": "Q1", "type": "Single-TF", "dimension": "Execution Accuracy", "question": "?"}
    tasks: list[dict[str, Any]] = []
    for number in range(20):
        levels = [("Subject", kind) if kind.startswith("Subject") else (kind, "any") for kind in kinds[number::20]]
        entries = [{"Level 1": one, "Level 2": two, "Question IDs": ["Q1"]} for one, two in levels]
        group = {"target_element": "x", "questions": [asked | {"expected_answer": "Yes"}], "category": entries}
        tasks.append({"id": number, "editing_instruction": "Do.", "videoA_path": "a.mp4", "evaluation_groups": [group]})
    return tasks


def test_the_full_file_has_the_published_number_of_edits_of_each_type() -> None:
    line = types_line([task.checklist for task in parse_tasks(full_file()).tasks])
    numbers = "176/117/216/377/246/295/527/333/134/132"
    assert describe_entries([line], TYPES) == f"counted: {numbers}; full file: {numbers}"


def test_a_full_file_with_other_edits_than_the_published_is_remarked() -> None:
    marks = [
        SampleMark(f"t{at}", 1, "c", {}, {}, {"entry/Style": 100.0}, wholes={"entry/Style": 1}) for at in range(626)
    ]
    said = describe_entries([CellLine("mine", "", marks)], TYPES)
    assert said.startswith("counted: 0/0/0/0/0/0/0/0/0/626; ")
    assert said.endswith("; other than in print: " + ", ".join(TYPES))
    assert "other" not in describe_entries([CellLine("mine", "", marks[:-1])], TYPES)


def test_every_entry_of_the_released_sample_is_counted(shared: Path) -> None:
    plain = json.loads((shared / "data" / "covebench" / "checklist_sample.json").read_text())
    entries = [
        {key.replace("_", " "): value for key, value in entry.items()}
        for task in plain
        for group in task["evaluation_groups"]
        for entry in group.get("category", [])
    ]
    counts = Counter(each["Level 2"] if each["Level 1"] == "Subject" else each["Level 1"] for each in entries)
    line = types_line([task.checklist for task in parse_tasks(plain).tasks])
    said = describe_entries([line], TYPES)
    assert said.startswith(f"counted: {'/'.join(str(counts[name]) for name in TYPES)}; full file: 176/117/")
    assert sum(counts.values()) == 23
    assert "other than in print" not in said  # six tasks are not the whole file


def test_dimensions_are_headed_and_what_nobody_measured_is_blank() -> None:
    line = CellLine("mine", "", [mark("a", scores={"uas": 50, "sem": 80, "psnr": 30}), mark("b", scores={"uas": 100})])
    table = dimension_table([line], benchmark("covebench").card, "reference")
    assert [(row[0], row[1]) for row in table.rows if row[0]] == [
        ("Instruction Compliance", "uas"),
        ("Video Quality", "vqr"),
        ("Video Fidelity", "sem"),
    ]
    found = {row[1]: row[2].value if isinstance(row[2], Estimate) else row[2] for row in table.rows}
    assert (found["uas"], found["sem"], found["psnr"]) == (75, 80, 30)
    assert set(published()["columns_3"]) <= set(found)
    assert found["vqr"] is None
    assert "mf_lk" not in found  # ours alone, and nobody measured it
    assert "not measured here: ifs, vrs, vqr, " in table.note


def test_accuracy_is_shown_by_seconds_of_the_source_and_frames_delivered() -> None:
    marks = [
        mark("a", scores={"acc": 100}, found={"source seconds": 4.96, "delivered frames": 33}),
        mark("b", scores={"acc": 50}, found={"source seconds": 12.0, "delivered frames": 161}),
        mark("c", scores={"acc": 0}),
    ]
    seconds, frames = length_tables([CellLine("mine", "", marks)], "reference")
    assert [each.name for each in seconds.columns[3:]] == ["0–4", "10–14", "other"]
    assert [each.name for each in frames.columns[3:]] == ["0–39", "160–199", "other"]
    assert [each.value for each in seconds.rows[0][3:] if isinstance(each, Estimate)] == [100, 50, 0]
    assert length_tables([CellLine("mine", "", marks[2:])], "reference") == []
    alone = length_tables([CellLine("mine", "", marks[:1])], "reference")
    assert [each.title for each in alone] == [
        "By seconds of the source: all lie in 0–4",
        "By frames that were delivered: all lie in 0–39",
    ]


@pytest.mark.parametrize(
    ("id", "model", "column", "value", "digits"),
    [
        ("published-scores", "Wan2.7", "uas", 56.89, 2),
        ("published-scores", "VACE", "src", 0.783, 3),
        ("published-clip", "OmniWeaving", "clip", 23.297, 4),
        ("published-types", "Ditto", "Style", 82.58, 2),
    ],
)
def test_printed_figures_keep_their_decimals(id: str, model: str, column: str, value: float, digits: int) -> None:
    (table,) = [each for each in published_tables({}) if each.id == id]
    (at,) = [at for at, each in enumerate(table.columns) if each.name == column]
    assert next(row[at] for row in table.rows if row[0] == model) == value
    assert table.columns[at].digits == digits


def test_metrics_that_were_measured_are_ranked_beside_the_checklist() -> None:
    marks = [mark(f"t{at}", scores={"uas": 10.0 * at, "ssim": 1 - 0.1 * at, "ifs": 10.0 * at}) for at in range(9)]
    table = metric_ranks([CellLine("mine", "", marks)])
    found = {(row[0], row[1]): row[3] for row in table.rows}
    assert {name for pair in found for name in pair} == {*SCORES, "ssim"}
    assert isinstance(over := found["uas", "ssim"], Estimate)
    assert over.value == pytest.approx(-1)
    assert found["vrs", "ssim"] is None


def test_our_clip_stands_below_the_printed_one() -> None:
    (table,) = [each for each in published_tables({"mine": 22.5}) if each.id == "published-clip"]
    assert table.rows[-1] == ("mine (measured here)", 22.5)
    assert "nothing here was measured" not in table.note


def test_the_papers_slip_is_named() -> None:
    assert "about 3 edits a task in its introduction and of about 4 in I.1" in published_tables({})[0].note
