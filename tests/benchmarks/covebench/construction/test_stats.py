"""covebench: the statistics of a set of tasks, counted by hand on small ones."""

import json
from pathlib import Path

import pytest

from cutscore.benchmarks.covebench.construction.stats import (
    count_key_words,
    count_lengths,
    count_points,
    count_questions,
    count_sizes,
    count_topics,
    count_types,
    count_words,
    describe_tasks,
)
from cutscore.benchmarks.covebench.dataset import EditTask, items
from cutscore.core.errors import BrokenData
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def tasks(store: Store) -> list[EditTask]:
    """The first three staged tasks, all of one park."""
    return items(store)[:3]


def test_questions_points_and_words_are_counted(tasks: list[EditTask]) -> None:
    asked = count_questions(tasks)
    every = sum(len(item.checklist.questions) for item in tasks)
    assert asked.rows[-1][-1] == every
    assert asked.title.startswith(f"{every} questions, {every / 3:.2f} (median ")
    points = count_points(tasks)
    assert sum(int(str(row[1])) for row in points.rows) == 3
    assert "about 3 in its appendix B and about 4 in I.1" in points.note
    words = [len(item.instruction.split()) for item in tasks]
    assert count_words(tasks).title.endswith(f"{min(words)} to {max(words)}")


def test_types_are_counted_by_edits_and_by_tasks(tasks: list[EditTask]) -> None:
    found = count_types(tasks)
    assert len(found.rows) == 19  # also those that nobody has
    edits = {row[1]: (row[2], row[4]) for row in found.rows}
    entries = [e.level_2 for item in tasks for point in item.checklist.points for e in point.categories]
    assert {name: pair[0] for name, pair in edits.items() if pair[0]} == {e: entries.count(e) for e in entries}
    removals = sum(any(e.level_2 == "Subject Removal" for e in item.checklist.categories) for item in tasks)
    assert edits["Subject Removal"][1] == removals


def test_lengths_and_sizes_are_of_every_source_once_and_blank_without_any() -> None:
    assert count_lengths([2.9, 3.0, 5.99, 21.0]).rows == (
        ("0 to under 3", 1, 0.25), ("3 to under 6", 2, 0.5), ("21 to under 24", 1, 0.25),
    )  # fmt: skip
    assert count_sizes([(320, 180), (640, 360), (320, 180)]).rows[0] == ("320 x 180", 2, pytest.approx(2 / 3))
    assert count_lengths([]).title == "No source is at hand to be measured"


def test_key_words_leave_grammar_out(tasks: list[EditTask]) -> None:
    plain = [
        item.model_copy(update={"instruction": "Add a red ball and the ball, maintain all."}) for item in tasks[:2]
    ]
    assert count_key_words(plain).rows == (("ball", 2, 4), ("add", 2, 2), ("red", 2, 2))


def test_topics_are_told_by_a_file_or_else_by_words(tasks: list[EditTask], tmp_path: Path) -> None:
    walk = tasks[0].model_copy(update={"description": "A dog walking in the forest, wide shot."})
    by_words = count_topics([walk], tmp_path)
    assert {row[1] for row in by_words.rows} == {"Wide shot", "Nature", "Travel", "Animals"}
    assert "a rule of ours" in by_words.note
    (tmp_path / "topics.json").write_text(json.dumps({walk.id: ["Pets"]}))
    by_file = count_topics([walk], tmp_path)
    assert by_file.rows == (("", "Pets", 1, 1.0),)
    assert by_file.note.startswith("as topics.json says")
    (tmp_path / "topics.json").write_text("[]")
    with pytest.raises(BrokenData, match="is not an object of lists"):
        count_topics([walk], tmp_path)


@pytest.mark.real
def test_the_statistics_of_a_folder_are_printed_with_what_was_published(
    cli, store: Store, shared: Path, tmp_path
) -> None:
    (tmp_path / "data").mkdir()
    sample = shared / "data" / "covebench" / "checklist_sample.json"
    (tmp_path / "data" / "checklist.json").write_bytes(sample.read_bytes())
    ran = cli("build", "covebench", str(tmp_path / "data"), "--stats", "--json")
    assert (ran.code, ran.json["items"]) == (0, 6), ran.out
    tables = {each["id"]: each for each in ran.json["tables"]}
    assert tables["similarity"]["rows"][-1] == ["published", 195_625, 0.0168, 0.0106]
    assert tables["questions"]["rows"][-1] == ["all", 19, 40, 10, 26, 95]
    staged = items(store)
    sizes = describe_tasks(staged, store)[4]  # of sources that are at hand
    assert sizes.rows == (("320 x 180", len({each.cluster for each in staged}), 1.0),)


def test_statistics_need_one_folder_and_a_benchmark_that_has_them(cli, tmp_path: Path) -> None:
    assert "--stats: is about one folder of tasks" in cli("build", "covebench", "nowhere", "--stats").err
    assert "benchmark 'colorbars' tells nothing of its tasks" in cli("build", "colorbars", str(tmp_path), "--stats").err
    assert "missing option '-o'" in cli("build", "vidwork", str(tmp_path)).err
