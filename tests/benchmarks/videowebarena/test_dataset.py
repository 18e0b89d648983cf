"""videowebarena: items of the released folder: ids, groups, clusters, files at hand, numbers in WebArena, speed."""

import json
import resource
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.media_files import image_path
from cutscore.cells.selection import ItemSelection
from cutscore.core.errors import BrokenData
from cutscore.store import Store

PHOTO = "https://images.example.org/photos/1/cup.jpeg?w=1260&h=750"


def test_groups_and_clusters_of_all_tasks(released_items: dict[str, WebItem]) -> None:
    every = list(released_items.values())
    assert Counter(item.set for item in every) == {"factual": 400, "vwa": 876, "wa": 745}
    assert len({item.cluster for item in every}) == 74
    factual = [item for item in every if item.set == "factual"]
    assert Counter(item.groups["difficulty"] for item in factual) == {"easy": 80, "medium": 179, "hard": 141}
    assert Counter(item.groups["visual"] for item in factual) == {"yes": 354, "no": 46}
    assert {item.groups["difficulty"] for item in every if item.set == "wa"} == {"not told"}
    assert {item.groups["difficulty"] for item in every if item.set == "vwa"} == {"easy", "medium", "hard"}


def test_starts_of_tasks(released_items: dict[str, WebItem]) -> None:
    every = list(released_items.values())
    assert sum(len(item.start_urls) > 1 for item in every if item.set == "factual") == 2
    sizes = Counter((item.viewport.width, item.viewport.height) for item in every if item.viewport)
    assert sizes == {(1280, None): 65, (430, 932): 2, (844, 393): 1, (896, 414): 1}
    assert released_items["wa-225"].login == ()  # a map task whose login is required, and has no state
    assert sum(item.reset for item in every) == 62
    assert sum(bool(item.question) for item in every) == 400


def test_743_tasks_have_their_number_in_webarena(released_items: dict[str, WebItem]) -> None:
    found = {item.id: item.webarena_id for item in released_items.values() if item.webarena_id is not None}
    assert len(found) == len(set(found.values())) == 743
    assert (found["wa-0"], found["wa-225"], found["wa-744"]) == (0, 267, 811)
    assert {"wa-208", "wa-311"} & set(found) == set()


def test_numbers_agree_with_webarenas_file(released_items: dict[str, WebItem]) -> None:
    package = pytest.importorskip("webarena_verified", reason="webarena-verified, which has the 812 tasks, is not here")
    file = Path(package.__file__).parent / "assets" / "dataset" / "test.raw.json"
    original = {task["task_id"]: task for task in json.loads(file.read_text(encoding="utf-8"))}
    for item in released_items.values():
        if item.webarena_id is not None:
            there = original[item.webarena_id]
            assert (there["intent"], tuple(there["sites"])) == (item.intent, item.sites)


def test_another_file_has_no_numbers(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task(set="wa", site="webarena")
    assert [item.webarena_id for item in items(Store(tmp_path / "store"), folder)] == [None]


@pytest.mark.parametrize("ending", [".mov", ".mp4"])
@pytest.mark.parametrize("place", ["videos", "."])
def test_a_video_is_found_and_hashed(write_task: Callable[..., Path], tmp_path: Path, ending: str, place: str) -> None:
    folder = write_task()
    (folder / place).mkdir(exist_ok=True)
    (folder / place / f"buy_cup{ending}").write_bytes(b"film")
    (item,) = items(Store(tmp_path / "store"), folder)
    assert item.tutorial is not None
    assert (item.tutorial.name, item.tutorial.size_bytes) == (f"tutorial{ending}", 4)


def test_a_mov_counts_before_an_mp4(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task()
    (folder / "videos").mkdir()
    for ending in (".mov", ".mp4"):
        (folder / "videos" / f"buy_cup{ending}").write_bytes(ending.encode())
    (item,) = items(Store(tmp_path / "store"), folder)
    assert item.tutorial is not None
    assert item.tutorial.name == "tutorial.mov"


def test_images_are_found_by_their_address(write_task: Callable[..., Path], tmp_path: Path) -> None:
    addresses = [PHOTO, "__REDDIT__/submission_images/a.jpg", "coco_images/1.jpg", "https://h.org/away.png"]
    folder = write_task(set="vwa", image=addresses)
    places = [
        "images/images.example.org/photos/1/cup.jpeg",
        "images/reddit/submission_images/a.jpg",
        "coco_images/1.jpg",
    ]
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(place.encode())
    (item,) = items(Store(tmp_path / "store"), folder)
    assert [each.file and each.file.name for each in item.images] == [
        "input-1.jpeg",
        "input-2.jpg",
        "input-3.jpg",
        None,
    ]


def test_images_to_compare_with_are_truth(write_task: Callable[..., Path], tmp_path: Path) -> None:
    query = {
        "eval_image_url": "last",
        "eval_image_class": "",
        "eval_fuzzy_image_match": f"{PHOTO} |OR| coco_images/1.jpg",
    }
    folder = write_task(eval={"eval_types": ["page_image_query"], "page_image_query": [query]})
    (folder / "coco_images").mkdir()
    (folder / "coco_images" / "1.jpg").write_bytes(b"picture")
    (item,) = items(Store(tmp_path / "store"), folder)
    assert list(item.reference_images) == ["coco_images/1.jpg"]
    assert "reference_images" in WebItem.truth_fields()


@pytest.mark.parametrize(
    "address",
    [
        "../../etc/passwd",
        "https://h.org/a/../../b.png",
        "file:///etc/passwd",
        "/etc/passwd",
        "a//b.png",
        "a\nb.png",
        "...",
    ],
)
def test_an_address_that_leads_out_is_no_path(address: str) -> None:
    assert image_path(address) is None


def test_a_link_is_no_file_of_the_folder(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task(video="secret")
    (tmp_path / "secret.mov").write_bytes(b"film")
    (folder / "videos").mkdir()
    (folder / "videos" / "secret.mov").symlink_to(tmp_path / "secret.mov")
    (item,) = items(Store(tmp_path / "store"), folder)
    assert item.tutorial is None


@pytest.mark.parametrize("video", ["../secret", "/etc/passwd", "..", "a/b"])
def test_the_name_of_a_video_leads_nowhere_else(write_task: Callable[..., Path], tmp_path: Path, video: str) -> None:
    folder = write_task(video=video)
    (tmp_path / "secret.mov").write_bytes(b"film")
    (item,) = items(Store(tmp_path / "store"), folder)
    assert item.tutorial is None


def test_scripts_of_a_pack_are_read(write_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_task()
    work = {"about": "answers", "answer": "9.50"}
    scripts = {"factual-shopping-0": {"perfect": work, "near_misses": [{**work, "answer": "19.50"}]}}
    (folder / "scripts.json").write_text(json.dumps(scripts))
    (item,) = items(Store(tmp_path / "store"), folder)
    assert item.scripts is not None
    assert item.scripts.perfect.answer == "9.50"
    (folder / "scripts.json").write_text("{")
    with pytest.raises(BrokenData, match=r"scripts.json': cannot be used: is not JSON from character 2 on"):
        items(Store(tmp_path / "store"), folder)


@pytest.mark.real
def test_loading_takes_little_time_and_the_same_memory_every_time(released: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    items(store, released)
    items(store, released)
    peak_kb, before_s = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    for _ in range(3):
        assert len(items(store, released)) == 2021
    assert (time.process_time() - before_s) / 3 < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak_kb < 20_000


def test_items_are_equal_at_the_second_call(
    write_task: Callable[..., Path], tmp_path: Path, make_entry: Callable[..., Any]
) -> None:
    folder = write_task(make_entry(), make_entry(task_id=1))
    assert items(Store(tmp_path / "a"), folder) == items(Store(tmp_path / "b"), folder)


def test_people_do_one_task_of_each_template_and_one_skill_task_of_each_video(
    released_items: dict[str, WebItem],
) -> None:
    listed = list(released_items.values())
    for seed in (0, 1):
        drawn = ItemSelection(draw=seed).choose(listed, bench="videowebarena")
        factual = [item.template for item in drawn if isinstance(item, WebItem) and item.set == "factual"]
        skill = [item.video for item in drawn if isinstance(item, WebItem) and item.set != "factual"]
        assert len(factual) == len(set(factual)) == 110  # the paper counts 111
        assert len(skill) == len(set(skill)) == 73  # of its 74 videos one has factual tasks alone
