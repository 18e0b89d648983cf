"""What a folder of tasks is made of, counted from its files, with what the paper prints beside it."""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.dataset import CATEGORIES, WebItem
from cutscore.benchmarks.videowebarena.defects import DIFFICULTIES
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.wording import count

PUBLISHED_FILE = Path(__file__).with_name("published.toml")
# How the paper calls what the files call otherwise.
CATEGORY_NAMES = {"visual": "visual", "audio": "audio", "multihop": "full video", "temporal": "temporal"}
SWAPPED = "in print the skill tasks of reddit and classifieds have changed places"


@cache
def read_published() -> dict[str, Any]:
    """Return what the paper prints."""
    return tomllib.loads(PUBLISHED_FILE.read_text(encoding="utf-8"))


def describe_tasks(items: Sequence[WebItem], lengths_s: Mapping[str, Fraction]) -> list[Table]:
    """Return Tables 2 and 3 and the distributions of Figures 2 and 3; lengths are of videos that are at hand."""
    return [
        count_videos(items, lengths_s),
        count_sites(items),
        count_difficulties(items),
        count_categories(items),
        count_templates(items),
    ]


def count_videos(items: Sequence[WebItem], lengths_s: Mapping[str, Fraction]) -> Table:
    """Return Table 2; durations are blank where not all videos are at hand."""
    printed, videos = read_published()["table_2"], sorted({item.video for item in items if item.video})
    factual = sum(item.set == "factual" for item in items)
    known = [lengths_s[name] for name in videos if name in lengths_s]
    whole = known if videos and len(known) == len(videos) else []
    number = len(videos) or 1
    sites = {item.site for item in items}
    rows: list[tuple[TableCell, ...]] = [
        ("videos", str(len(videos)), str(printed["videos"])),
        ("total duration", _clock(sum(whole, Fraction())) if whole else None, printed["total"]),
        ("shortest", _clock(min(whole)) if whole else None, printed["shortest"]),
        ("longest", _clock(max(whole)) if whole else None, printed["longest"]),
        ("mean", _clock(sum(whole, Fraction()) / number) if whole else None, printed["mean"]),
        ("factual tasks a video", f"{factual / number:.1f}", str(printed["factual_per_video"])),
        ("skill tasks a video", f"{(len(items) - factual) / number:.1f}", str(printed["skill_per_video"])),
        ("videos a site", f"{len(videos) / (len(sites) or 1):.1f}", str(printed["videos_per_site"])),
    ]
    at_hand = f"{len(known)} of {len(videos)} videos are at hand"
    return Table(
        id="videos",
        title=count(len(videos), "video"),
        columns=_columns("of the videos", "files", "paper"),
        rows=tuple(rows),
        note=f"{at_hand}; durations need all of them. Means are over all videos, whether or not a set uses them",
        paper="Table 2",
    )


def count_sites(items: Sequence[WebItem]) -> Table:
    """Return Table 3, with the swap said where the files show it."""
    printed = read_published()["table_3"]
    found = Counter((item.site, "factual" if item.set == "factual" else "skill") for item in items)
    others = sorted({item.site for item in items} - set(WITH_TASKS))
    counts = {site: (found[site, "factual"], found[site, "skill"]) for site in (*WITH_TASKS, *others)}
    counts["total"] = (sum(each[0] for each in counts.values()), sum(each[1] for each in counts.values()))
    rows = tuple((site, *pair, sum(pair), *_three(printed.get(site))) for site, pair in counts.items())
    swapped = (counts["reddit"][1], counts["classifieds"][1]) == (printed["classifieds"][1], printed["reddit"][1])
    titles = ("site", "factual", "skill", "all", "factual in print", "skill in print", "all in print")
    return Table(
        id="sites",
        title=f"{count(len(items), 'task')} by site" + (f"; {SWAPPED}" if swapped else ""),
        columns=_columns(*titles),
        rows=rows,
        note="a task of wa/ counts for the first site that it lists, Wikipedia aside",
        paper="Table 3",
    )


def count_difficulties(items: Sequence[WebItem]) -> Table:
    """Return the distributions of Figure 2: of the question about the video, and of the task."""
    factual = [item for item in items if item.set == "factual"]
    video = Counter(item.groups["video_difficulty"] for item in factual)
    agent = Counter(item.groups["difficulty"] for item in factual)
    skill = Counter(item.groups["difficulty"] for item in items if item.set != "factual")
    others = sorted({*video, *agent, *skill} - set(DIFFICULTIES))
    return Table(
        id="difficulties",
        title="Difficulty of the question about the video, and of the task",
        columns=_columns("difficulty", "video (factual)", "agent (factual)", "agent (skill)"),
        rows=tuple((level, video[level], agent[level], skill[level]) for level in (*DIFFICULTIES, *others)),
        note="tasks of wa/ do not tell; the paper draws it without numbers",
        paper="Figure 2",
    )


def count_categories(items: Sequence[WebItem]) -> Table:
    """Return the distribution of Figure 3; a task may be of several categories."""
    factual = [item for item in items if item.set == "factual"]
    found = {CATEGORY_NAMES[name]: sum(item.groups[name] == "yes" for item in factual) for name in CATEGORIES}
    return Table(
        id="categories",
        title=f"What has to be perceived in the video, {count(len(factual), 'factual task')}",
        columns=_columns("category", "tasks"),
        rows=tuple(found.items()),
        note="categories overlap; the paper draws it without numbers",
        paper="Figure 3",
    )


def count_templates(items: Sequence[WebItem]) -> Table:
    """Return how many distinct templates each set has."""
    printed = read_published()["templates"]
    texts = {name: {item.template for item in items if item.set == name} for name in printed}
    return Table(
        id="templates",
        title=count(sum(map(len, texts.values())), "template"),
        columns=_columns("set", "tasks", "templates", "in print"),
        rows=tuple(
            (name, sum(item.set == name for item in items), len(texts[name]), printed[name]) for name in printed
        ),
        note="distinct texts",
        paper="Section 3",
    )


def _three(printed: Sequence[int] | None) -> tuple[TableCell, ...]:
    return tuple(printed) if printed else (None, None, None)


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, digits=0) for name in names)


def _clock(seconds: Fraction) -> str:
    """Write a duration as the paper does.

    >>> _clock(Fraction(13699)), _clock(Fraction(76))
    ('3:48:19', '1:16')
    """
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
