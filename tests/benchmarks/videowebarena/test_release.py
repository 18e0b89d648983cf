"""videowebarena: what a check says of a folder: the paper's tables and figures, what is missing, which are the same."""

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutscore import registry
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.untried import untried_items
from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.release import check_tables, find_missing, remarks, task_tables
from cutscore.benchmarks.videowebarena.task_stats import count_videos
from cutscore.store import Store

OWN_VIDEO = registry.benchmark("videowebarena").folder / "own" / "videos" / "forum_posting.mp4"  # 94.4 s


def test_tables_of_the_released_files(released_items: dict[str, WebItem]) -> None:
    videos, sites, difficulties, categories, templates = check_tables(list(released_items.values()))
    assert videos.rows[0] == ("videos", "74", "74")
    assert videos.rows[1] == ("total duration", None, "3:48:19")
    assert videos.rows[6] == ("skill tasks a video", "21.9", "19.6")
    assert sites.rows[0] == ("reddit", 87, 320, 407, 87, 206, 293)
    assert sites.rows[1] == ("classifieds", 60, 206, 266, 60, 320, 380)
    assert sites.rows[-1] == ("total", 400, 1621, 2021, 400, 1621, 2021)
    assert "reddit and classifieds have changed places" in sites.title
    assert difficulties.rows[:3] == (("easy", 128, 80, 192), ("medium", 121, 179, 361), ("hard", 151, 141, 323))
    assert categories.rows == (("visual", 354), ("audio", 85), ("full video", 178), ("temporal", 176))
    assert templates.rows == (("factual", 400, 110, 111), ("vwa", 876, 300, 297), ("wa", 745, 221, 220))


def test_remarks_on_the_released_files(released_items: dict[str, WebItem], released: Path) -> None:
    said = remarks(list(released_items.values()), released)
    assert "factual-shopping-95 and factual-shopping-96 are the same task" in said
    assert "33 tasks repeat 8 intents at the same start page, mostly with other videos" in said
    assert "743 of 745 tasks of wa/ are joined to their numbers in WebArena" in said
    assert sum(" is mended: " in each for each in said) == 13
    assert said[0].startswith("74 tutorial videos not at hand: ")
    assert "2,021 tasks without these files: stopped, unless --set missing_files=ignore is given" in said


def test_durations_are_told_when_every_video_is_at_hand(
    write_task: Callable[..., Path], tmp_path: Path, make_entry: Callable[..., Any]
) -> None:
    folder = write_task(make_entry(), make_entry(task_id=1, video="other"))
    found = items(Store(tmp_path / "store"), folder)
    half = count_videos(found, {"buy_cup": Fraction(76)})
    assert half.rows[2] == ("shortest", None, "01:16")
    whole = count_videos(found, {"buy_cup": Fraction(76), "other": Fraction(185)})
    assert [row[1] for row in whole.rows[1:5]] == ["4:21", "1:16", "3:05", "2:10"]


def test_what_is_missing_is_told_with_its_place(write_task: Callable[..., Path], tmp_path: Path) -> None:
    (item,) = items(Store(tmp_path / "store"), write_task(image="https://h.org/a.png"))
    assert find_missing([item]) == [
        "set 'vwa' is not in the folder (vwa/)",
        "set 'wa' is not in the folder (wa/)",
        "1 tutorial video not at hand: buy_cup; looked for are videos/NAME.mov and .mp4",
        "1 input image not at hand: images/h.org/a.png",
        "1 task without these files: stopped, unless --set missing_files=ignore is given",
    ]


@pytest.mark.real
def test_a_video_that_cannot_be_read_has_no_duration(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task()
    (folder / "buy_cup.mp4").write_bytes(b"no film")
    store = Store(tmp_path / "store")
    assert task_tables(items(store, folder), store, folder)[0].rows[1] == ("total duration", None, "3:48:19")


@pytest.mark.real
def test_table_2_has_the_durations_of_the_videos(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task()
    (folder / "videos").mkdir(exist_ok=True)
    shutil.copy(OWN_VIDEO, folder / "videos" / "buy_cup.mp4")
    store = Store(tmp_path / "store")
    told = {str(line[0]): line[1] for line in task_tables(items(store, folder), store, folder)[0].rows}
    assert [told[name] for name in ("total duration", "shortest", "longest", "mean")] == ["1:34"] * 4


def test_a_check_opens_no_site_for_work_that_nobody_knows(
    write_task: Callable[..., Path], tmp_path: Path, make_entry: Callable[..., Any]
) -> None:
    folder = write_task(make_entry(), make_entry(task_id=1))
    work = {"about": "answers", "answer": "9.50"}
    (folder / "scripts.json").write_text(json.dumps({"factual-shopping-1": {"perfect": work, "near_misses": [work]}}))
    bench = load_benchmark(registry.benchmark("videowebarena"), Store(tmp_path / "store"), data=folder)
    untried = untried_items(bench)
    for check in ("an empty deliverable gets the floor", "judges are asked in our words", "the oracle gets full marks"):
        assert list(untried[check]) == ["factual-shopping-0"]


@pytest.mark.real
def test_a_check_of_the_released_folder_prints_all(cli: Any, released: Path) -> None:
    ran = cli("check", str(released), "--bench", "videowebarena", "--json")
    assert ran.code == 0, ran.out
    assert ran.json["items"] == 2021
    printed = [table["paper"] for table in ran.json["tables"]]
    assert printed == ["Table 2", "Table 3", "Figure 2", "Figure 3", "Section 3"]
    untried = {each["name"] for each in ran.json["checks"] if each["untried"]}
    assert "an empty deliverable gets the floor" in untried  # nobody's site is opened for a check
