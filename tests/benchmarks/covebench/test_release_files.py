"""covebench: edited videos in one folder are matched by the names that the released code knows."""

from pathlib import Path

import pytest

from cutscore.benchmarks.covebench.release_files import match_files
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.store import Store
from cutscore.subjects.choose import open_subject
from cutscore.subjects.folder import FolderSubject
from cutscore.submissions import read_matched_file

ITEMS = [str(number) for number in range(1, 627)]


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("run2_task_5_output.mp4", "5"),
        ("9_output_id17.mov", "17"),
        ("seed3_video_8.MKV", "8"),
        ("video-9.webm", "9"),
        ("007.Mp4", "7"),
        ("clip_12_take3.avi", "3"),  # the last digits, whatever they mean
        ("deep/er/626.m4v", "626"),
        ("task_5_output_final6.flv", "6"),  # it does not end so, so the last digits count
    ],
)
def test_a_file_is_matched_as_the_released_code_matches_it(name: str, task: str) -> None:
    assert match_files([name], ITEMS).files == {task: name}


def test_doubles_and_strangers_are_told_and_other_files_are_nobodys() -> None:
    found = match_files(["b/1.mp4", "a/1.mp4", "627.mp4", "final.mov", "2.txt", "1.json", "video_2.mp4"], ITEMS)
    assert found.files == {"1": "b/1.mp4", "2": "video_2.mp4"}
    assert found.doubled == {"1": ("a/1.mp4", "b/1.mp4")}
    assert found.strange == ("627.mp4", "final.mov")


def test_tasks_without_a_number_are_matched_by_their_name_alone() -> None:
    found = match_files(["park-1.mp4", "sea-1.mov", "park-2_edited.mp4"], ["park-1", "sea-1", "park-2"])
    assert found.files == {"park-1": "park-1.mp4", "sea-1": "sea-1.mov"}
    assert found.strange == ("park-2_edited.mp4",)


def open_videos(folder: Path, items: list[str]) -> FolderSubject:
    spec = SubjectSpec(kind="folder", label="mine", spec=str(folder))
    made = open_subject(spec, benchmark("covebench"), dict.fromkeys(items))  # type: ignore[arg-type]
    assert isinstance(made, FolderSubject)
    return made


@pytest.fixture
def videos(tmp_path: Path) -> Path:
    """Videos of tasks 1 and 2, the latter twice, a link that is the only one of task 3, and one of nobody."""
    folder = tmp_path / "videos"
    (folder / "more").mkdir(parents=True)
    for name in ("task_1_output.mp4", "2.mp4", "more/video_2.mov", "final.mp4"):
        (folder / name).write_bytes(name.encode())
    (folder / "3.mp4").symlink_to("/etc/hostname")
    return folder


def test_a_flat_folder_is_a_subject_and_says_what_is_missing_or_doubled(videos: Path) -> None:
    subject = open_videos(videos, ["1", "2", "3", "4"])
    assert subject.remarks(["1", "2", "3", "4"]) == (
        "folder 'videos' holds 3 of 4 items: no file is named after '4'",
        "folder 'videos' has 2 files for item '2', and 'more/video_2.mov' is taken",
        "folder 'videos' has files that are nobody's: 'final.mp4'",
    )
    changed = subject.source_digest
    (videos / "final.mp4").write_bytes(b"nobody's still")
    assert open_videos(videos, ["1", "2", "3", "4"]).source_digest == changed
    (videos / "more/video_2.mov").write_bytes(b"another cut")
    assert open_videos(videos, ["1", "2", "3", "4"]).source_digest != changed


def test_a_matched_file_is_handed_over_under_the_name_that_is_wanted(videos: Path, tmp_path: Path) -> None:
    matched, store = open_videos(videos, ["1", "2", "3", "4"]).matched, Store(tmp_path / "store")
    assert matched is not None
    (file,) = read_matched_file(videos, matched, "2", wanted="edited.mp4", store=store).files
    assert (file.name, file.media_type) == ("edited.mp4", "video/quicktime")
    assert store.path(file).read_bytes() == b"more/video_2.mov"
    linked = read_matched_file(videos, matched, "3", wanted="edited.mp4", store=store)
    assert (linked.files, linked.failure_class) == ((), "unreadable")
    missing = read_matched_file(videos, matched, "4", wanted="edited.mp4", store=store)
    assert (missing.failure_class, missing.failure) == (
        "nothing",
        "nothing was delivered: no file in the folder is named after '4'",
    )


def test_a_place_for_an_item_goes_before_names_of_files(videos: Path) -> None:
    (videos / "1").mkdir()
    assert open_videos(videos, ["1", "2"]).matched is None
