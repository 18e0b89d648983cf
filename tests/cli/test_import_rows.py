"""`import-rows`: tasks in published words are shown, exported, handed out, and marked where their truth is known."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """One film in two clips, which nobody can play."""
    (tmp_path / "files/clips").mkdir(parents=True)
    for name in ("a.mp4", "b.mp4"):
        (tmp_path / "files/clips" / name).write_text(name)
    file = tmp_path / "rows.jsonl"
    row = {"id": "film", "prompt": "Which comes first?", "reference_file_urls": ["https://example.org/clips.zip"]}
    file.write_text(json.dumps(row) + "\n")
    return file


def test_without_its_truth_a_task_can_be_used_and_is_unscored(cli, rows: Path) -> None:
    made = cli("import-rows", "sequencing", rows, "--files", "files", "-o", "pack")
    assert made.code == 0
    assert made.out.startswith("pack: 1 item of sequencing, 1 without a truth\nnext: cutscore export harbor sequencing")
    shown = cli("show", "sequencing", "film", "--data", "pack", "--json").json
    assert shown["brief"] == "Which comes first?"
    assert [wanted["name"] for wanted in shown["wanted"]] == ["solution.json", "solution.mp4"]
    Path("mine").mkdir()
    Path("mine/solution.json").write_text('["b.mp4", "a.mp4"]')
    scored = cli("score", "sequencing", "film", "mine", "--data", "pack", "--json").json
    assert (scored["status"], scored["because"]) == ("unscored", "its truth was not published with it")
    checked = cli("check", "pack", "--bench", "sequencing")
    assert checked.code == 0
    assert ", 0 items: 13 of 13 promises kept\n" in checked.out
    assert "next:" not in checked.out  # nobody knows what its oracle would hand over
    assert "remark: the truth of 1 item is not known: to be run, and not to be scored" in checked.out
    assert cli("export", "harbor", "sequencing", "--data", "pack", "-o", "tasks").code == 0
    assert Path("tasks/film/instruction.md").read_text().startswith("Which comes first?\n")
    assert not Path("tasks/film/solution").exists()
    assert cli("handout", "sequencing", "--data", "pack", "-o", "study", "--editors", 1).code == 0


def test_with_its_truth_it_is_marked(cli, rows: Path) -> None:
    Path("truth.jsonl").write_text(json.dumps({"id": "film", "order": ["film/b.mp4", "film/a.mp4"]}))
    made = cli("import-rows", "sequencing", rows, "--files", "files", "--truth", "truth.jsonl", "-o", "pack", "--json")
    assert (made.json["told"], made.json["untold"]) == (1, 0)
    Path("mine").mkdir()
    Path("mine/solution.json").write_text('["b.mp4", "a.mp4"]')
    assert cli("score", "sequencing", "film", "mine", "--data", "pack", "--json").json["score"] == 1
    assert cli("show", "sequencing", "film", "--data", "pack", "--json").json["brief"] == "Which comes first?"


def test_what_does_not_fit_is_said(cli, rows: Path) -> None:
    words = ("import-rows", "sequencing", rows, "--files", "files", "-o", "pack")
    assert "no benchmark with published rows 'vidwork'" in cli("import-rows", "vidwork", *words[2:]).err
    assert "there is no such folder" in cli(*words[:4], "nowhere", *words[5:]).err
    Path("truth.jsonl").write_text("{}")
    assert "entry 1 has no id of its own" in cli(*words, "--truth", "truth.jsonl").err
    Path("truth.jsonl").write_text('{"id": "film", "order": ["film/b.mp4"]}')
    assert "order names at least two clips" in cli(*words, "--truth", "truth.jsonl").err
    assert not Path("pack").exists(), "half a pack is none"
    Path("empty").mkdir()
    refused = cli("import-rows", "sequencing", rows, "--files", "empty", "-o", "none").err
    assert (
        "row 1 (film): 'clips.zip' is not in the folder of files; get it from https://example.org/clips.zip" in refused
    )
