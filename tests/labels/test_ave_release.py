"""The released layout of AVE: hashes hold, splits are those of the plan, and what is odd is named."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.errors import BadInput, BrokenData
from cutscore.labels.ave_release import read_ave_release
from cutscore.labels.files import merge_labels, write_labels
from cutscore.labels.split import join_clusters, split_labels


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def record(number: int, weakness: str = "", **more: Any) -> dict[str, Any]:
    feedback = {"abnormality": weakness, "prompt_following": "", "consistency": ""}
    plain = {"id": f"v{number}", "prompt": f"Scene {number}", "reference_images": [], "video": f"videos/{number}.mp4"}
    return {**plain, "label": int(bool(weakness)), "feedback": feedback, **more}


def write_family(root: Path, splits: dict[str, list[dict[str, Any]]], *, skip: tuple[str, ...] = ()) -> Path:
    """Write one family as it is released; a row whose video was there before is a repeat, media hold their path."""
    root.mkdir(parents=True)
    sources: dict[str, dict[str, Any]] = {}
    for rows in splits.values():
        for row in rows:
            sources.setdefault(row["video"], row)
    written = {"all": list(sources.values()), **splits}
    for name, rows in written.items():
        (root / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    hashes = {name: sha256((root / f"{name}.json").read_bytes()) for name in written}
    listed = []
    for path in sorted({path for row in written["all"] for path in (row["video"], *row["reference_images"])}):
        listed.append({"path": path, "kind": "x", "bytes": len(path), "sha256": sha256(path.encode())})
        if path not in skip:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(path, encoding="utf-8")
    plan = {
        "source_sha256": hashes["all"],
        "splits": {
            name: [{"id": row["id"], "source_id": sources[row["video"]]["id"]} for row in rows]
            for name, rows in splits.items()
        },
        "expected_sha256": {name: hashes[name] for name in splits},
    }
    (root / "SPLIT_PLAN.json").write_text(json.dumps({"format_version": 1, **plan}), encoding="utf-8")
    counts = {name: {"samples": len(rows), "sha256": hashes[name]} for name, rows in splits.items()}
    manifest = {"format_version": 1, "splits": counts, "files": listed, "unique_videos": len(sources)}
    (root / "MANIFEST.json").write_text(json.dumps(manifest), encoding="utf-8")
    return root


SPLITS = {
    "train": [record(1, "1. The hand melts\n2. The sky flickers"), record(2), {}],
    "val": [record(3, "Too many fingers", reference_images=["reference_images/a.png"])],
    "test": [record(4), record(5, "The cup floats")],
}
SPLITS["train"][2] = {**SPLITS["train"][0], "id": "v1_aug_1"}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    write_family(tmp_path / "release" / "abnormality", SPLITS)
    return tmp_path / "release"


def test_rows_become_labels_of_plain_files(release: Path, tmp_path: Path) -> None:
    found = read_ave_release(release)
    assert (found.conflicts, found.leaks, found.left_out, found.repeats) == ((), (), (), 1)
    first, *_, last = found.labels
    assert [each.text for each in first.weaknesses] == ["The hand melts", "The sky flickers"]
    assert (first.item, first.groups, first.kind) == ("abnormality/v1", {"family": "abnormality"}, "weaknesses")
    assert [each.split for each in found.labels] == ["train"] * 3 + ["dev"] + ["test"] * 2
    assert last.files is not None
    assert (last.files.video, last.files.prompt) == ("abnormality/videos/5.mp4", "Scene 5")
    assert last.files.footage == sha256(b"videos/5.mp4")
    assert (release / last.files.video).is_file()
    write_labels(tmp_path / "labels.jsonl", found.labels)
    assert merge_labels([tmp_path / "labels.jsonl"]).labels == found.labels, "they are label files like any others"


def test_a_repeated_video_is_one_cluster(release: Path) -> None:
    labels = read_ave_release(release).labels
    clusters = join_clusters(labels)
    assert clusters[0] == clusters[2]
    assert len(set(clusters)) == 5
    again = split_labels(labels, seed=3)
    assert again[0].split == again[2].split


def test_several_families_are_read_together_or_by_name(release: Path) -> None:
    write_family(release / "perception", {"train": [record(1)], "val": [], "test": [record(2, "x")]})
    assert len(read_ave_release(release).labels) == 8
    assert len(read_ave_release(release, families=["perception"]).labels) == 2
    with pytest.raises(BadInput, match="has no family 'reasoning'"):
        read_ave_release(release, families=["reasoning"])
    with pytest.raises(BadInput, match=r"has no folder with a MANIFEST.json"):
        read_ave_release(release / "abnormality" / "videos")


def test_contradictions_and_leaks_are_named_and_stay(tmp_path: Path) -> None:
    splits = {
        "train": [record(1, "x", label=0), record(2)],
        "val": [record(3, label=1), record(4, prompt="Scene 2")],
        "test": [record(2, id="v2_again")],
    }
    write_family(tmp_path / "abnormality", splits)
    found = read_ave_release(tmp_path)
    assert found.conflicts == (
        "abnormality/train.json, 'v1': label is 0 and its feedback names a weakness",
        "abnormality/val.json, 'v3': label is 1 and its feedback is empty",
    )
    assert found.leaks == (
        "one video in several splits: test 'abnormality/v2_again', train 'abnormality/v2'",
        "one context in several splits: dev 'abnormality/v4', test 'abnormality/v2_again', train 'abnormality/v2'",
    )
    assert [bool(each.weaknesses) for each in found.labels] == [True, False, False, False, False]


def test_media_that_are_missing_or_changed_leave_their_rows_out(release: Path) -> None:
    (release / "abnormality" / "videos" / "4.mp4").unlink()
    (release / "abnormality" / "reference_images" / "a.png").write_text("another picture", encoding="utf-8")
    found = read_ave_release(release)
    assert found.left_out == (
        "abnormality/val.json, 'v3': reference_images/a.png has another sha256 than MANIFEST.json pins",
        "abnormality/test.json, 'v4': videos/4.mp4 is not there",
    )
    assert len(found.labels) == 4
    assert len(read_ave_release(release, check_media=False).labels) == 6


def test_a_changed_split_is_refused(release: Path) -> None:
    file = release / "abnormality" / "test.json"
    file.write_text(file.read_text(encoding="utf-8").replace("Scene 4", "Scene 5"), encoding="utf-8")
    with pytest.raises(BrokenData, match=r"test.json': has sha256 .*, MANIFEST.json pins"):
        read_ave_release(release)


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("MANIFEST.json", lambda plain: plain.pop("files"), r"MANIFEST.json': files: Field required"),
        ("MANIFEST.json", lambda plain: plain["splits"].pop("val"), r"lacks the split 'val'"),
        ("SPLIT_PLAN.json", lambda plain: plain["splits"]["test"].pop(), r"test.json': are not those that SPLIT_PLAN"),
        ("SPLIT_PLAN.json", lambda plain: plain.update(source_sha256="0" * 64), r"all.json': has sha256"),
    ],
)
def test_a_plan_or_manifest_that_does_not_fit_is_refused(release: Path, file: str, change: Any, said: str) -> None:
    path = release / "abnormality" / file
    plain = json.loads(path.read_text(encoding="utf-8"))
    change(plain)
    path.write_text(json.dumps(plain), encoding="utf-8")
    with pytest.raises(BrokenData, match=said):
        read_ave_release(release)


@pytest.mark.parametrize("path", ["../../secret.mp4", "/etc/passwd", "videos/../../../x.mp4"])
def test_a_path_that_leaves_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    write_family(tmp_path / "abnormality", {"train": [], "val": [], "test": [record(1, video=path)]}, skip=(path,))
    with pytest.raises(BrokenData, match="is no path within a folder"):
        read_ave_release(tmp_path)


def test_an_id_twice_and_a_missing_field_are_refused(tmp_path: Path) -> None:
    write_family(tmp_path / "a", {"train": [record(1)], "val": [record(2, id="v1")], "test": []})
    with pytest.raises(BrokenData, match=r"are not those that SPLIT_PLAN|id 'v1' is in train.json, too"):
        read_ave_release(tmp_path)
    less = {key: value for key, value in record(1).items() if key != "label"}
    write_family(tmp_path / "b" / "c", {"train": [less], "val": [], "test": []})
    with pytest.raises(BrokenData, match="label: Field required"):
        read_ave_release(tmp_path / "b")
