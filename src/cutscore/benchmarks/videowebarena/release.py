"""What a reader should know of a folder of tasks: what is missing, what is wrong with it, what it is made of."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.media_files import image_path
from cutscore.benchmarks.videowebarena.released_files import FOLDERS
from cutscore.benchmarks.videowebarena.task_stats import describe_tasks
from cutscore.benchmarks.videowebarena.tutorials.crosscheck import tell_signoffs
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.core.table import Table
from cutscore.results.wording import count

__all__ = ["check_tables", "remarks", "task_tables"]

MOST_NAMED = 5  # items that are named for one reason, where there are many


def remarks(items: Sequence[WebItem], data: Path) -> list[str]:
    """Return what is missing, each defect by task, and which tasks are the same; none of it stops a run."""
    return [
        *find_missing(items),
        *tell_defects(items),
        *tell_twins(items),
        *tell_origins(items),
        *tell_signoffs(items, data),
    ]


def find_missing(items: Sequence[WebItem]) -> list[str]:
    """Name sets, videos and images that are not at hand."""
    sets = [f"set '{kind}' is not in the folder ({name}/)" for kind, name in FOLDERS.items() if not _has(items, kind)]
    videos = list(dict.fromkeys(item.video for item in items if item.video and item.tutorial is None))
    lacking = dict.fromkeys(each.address for item in items for each in item.images if each.file is None)
    images = list(dict.fromkeys(f"images/{path}" if (path := image_path(each)) else each for each in lacking))
    lost = sum(item.video in videos or any(each.file is None for each in item.images) for item in items)
    told = [f"{_tell_some(videos, 'tutorial video')}; looked for are videos/NAME.mov and .mp4"] if videos else []
    told += [_tell_some(images, "input image")] if images else []
    stopped = f"{count(lost, 'task')} without these files: stopped, unless --set missing_files=ignore is given"
    return [*sets, *told, *([stopped] if lost else [])]


def tell_defects(items: Sequence[WebItem]) -> list[str]:
    """Return every defect, by what it is, with all of its tasks; and what the overlay does about it."""
    by_kind: dict[str, list[str]] = {}
    for item in items:
        for defect in item.defects:
            by_kind.setdefault(defect, []).append(item.id)
    said = [f"{name_tasks(ids)}: {defect}" for defect, ids in by_kind.items()]
    return [*said, *(f"{item.id} is mended: {item.mended}" for item in items if item.mended)]


def tell_twins(items: Sequence[WebItem]) -> list[str]:
    """Name tasks that ask the same at the same page, with the same video; and count those with other videos."""
    same: dict[tuple[object, ...], list[str]] = {}
    alike: dict[tuple[object, ...], list[str]] = {}
    for item in items:
        key = (item.intent, item.start_urls, tuple(each.address for each in item.images))
        alike.setdefault(key, []).append(item.id)
        same.setdefault((*key, item.video, item.checks.model_dump_json()), []).append(item.id)
    twins = [f"{' and '.join(ids)} are the same task" for ids in same.values() if len(ids) > 1]
    groups = [ids for ids in alike.values() if len(ids) > 1]
    asked = count(sum(map(len, groups)), "task")
    told = f"{asked} repeat {count(len(groups), 'intent')} at the same start page, mostly with other videos"
    return [*twins, *([told] if groups else [])]


def tell_origins(items: Sequence[WebItem]) -> list[str]:
    """Return how many tasks are joined to their numbers in WebArena."""
    came = [item for item in items if item.set == "wa"]
    if not came:
        return []
    joined = sum(item.webarena_id is not None for item in came)
    if not joined:
        return ["wa/ is not the released file: its tasks are not joined to WebArena's numbers"]
    return [f"{joined} of {len(came)} tasks of wa/ are joined to their numbers in WebArena"]


def check_tables(items: Sequence[WebItem]) -> list[Table]:
    """Return what a check prints of the tasks; it opens no video."""
    return describe_tasks(items, {})


def task_tables(items: Sequence[WebItem], store: FileStore, data: Path) -> list[Table]:
    """Return what a set of tasks is made of, with the durations of its videos."""
    from cutscore.media import deliverable as door  # numpy, which a check does not need

    lengths: dict[str, Fraction] = {}
    for name, file in {item.video: item.tutorial for item in items if item.tutorial}.items():
        with suppress(BadInput):
            length_s = door.probe(store.path(file)).duration_s  # by its packets: a header may not tell
            lengths |= {name: length_s} if length_s is not None else {}
    return describe_tasks(items, lengths)


def _has(items: Sequence[WebItem], kind: str) -> bool:
    return any(item.set == kind for item in items)


def name_tasks(ids: Sequence[str]) -> str:
    """Name tasks, runs of numbers by their ends.

    >>> name_tasks(["wa-3", "wa-4", "wa-5", "wa-9", "vwa-map-10", "vwa-map-11"])
    'wa-3 to wa-5, wa-9, vwa-map-10, vwa-map-11'
    """
    runs: list[list[str]] = []
    for name in ids:
        if runs and name == _next_name(runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _next_name(name: str) -> str:
    kind, _, number = name.rpartition("-")
    return f"{kind}-{int(number) + 1}"


def _tell_some(names: Sequence[str], what: str) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{count(len(names), what)} not at hand: {', '.join(names[:MOST_NAMED])}{more}"
