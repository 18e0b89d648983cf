"""The starter packs that we ship are what their recipes make."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore import registry
from cutscore.authoring.leaks import WORLD
from cutscore.authoring.pack_writer import files_of
from cutscore.authoring.starter import STARTER, write_starter
from cutscore.cells.scoring_code import STARTS, reached_from
from cutscore.core.item import Item
from cutscore.media.footage import load_footage, write_footage
from cutscore.store import Store

NAMES = sorted(name for name, found in registry.benchmarks().items() if (found.folder / STARTER).is_dir())
# Made by a recipe; the others are written by hand, in the layout of a released data set.
MADE = [name for name in NAMES if (registry.benchmark(name).folder / STARTER / "items.jsonl").is_file()]
QUICK = {"colorbars"}
MOST_BYTES = 30_000_000  # half of it the tutorials of web tasks
LISTED = "starter.toml"
# What another encoder may change: pictures by a few grey levels, sound below hearing, measures of both a little.
GREY_LEVELS, SAMPLES, SHARE = 4.0, 0.02, 0.05

recipes = pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.real) for name in MADE]
)


def test_every_benchmark_of_ours_ships_one_and_together_they_are_small() -> None:
    folders = [found.folder for found in registry.benchmarks().values() if found.package.startswith("cutscore.")]
    assert folders
    packs = [starter_of(folder) for folder in folders]
    assert all(any(pack.glob("*.json*")) or (pack / LISTED).is_file() for pack in packs)
    files = [path for pack in packs for path in pack.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def starter_of(folder: Path) -> Path:
    """The starter pack's folder: of its own, or a larger pack with a list of what belongs to it."""
    listed = next(folder.glob(f"*/{LISTED}"), None)
    return folder / STARTER if listed is None else listed.parent


@recipes
def test_the_recipe_still_makes_the_shipped_items(name: str, tmp_path: Path) -> None:
    found = registry.benchmark(name)
    store = Store(tmp_path / "store")
    shipped = found.part("dataset").items(store)
    made = found.part("dataset").items(store, write_starter(found, tmp_path / "made"))
    if made == shipped:
        return
    assert alike(plain(made), plain(shipped))
    for one, other in zip(every_file(made), every_file(shipped), strict=True):
        assert one.sha256 == other.sha256 or show_the_same(store.path(one), store.path(other)), one.name


def test_a_clip_encoded_anew_shows_the_same_and_another_clip_does_not(tmp_path: Path) -> None:
    one, two = sorted((registry.benchmark("sequencing").folder / STARTER / "film-1").iterdir())[:2]
    write_footage(load_footage(one), tmp_path / "anew.mp4")
    assert (tmp_path / "anew.mp4").read_bytes() != one.read_bytes()
    assert show_the_same(tmp_path / "anew.mp4", one)
    assert not show_the_same(two, one)


def plain(items: list[Item]) -> Any:
    """What items hold, without the bytes of their files."""
    dropped = {"sha256", "size_bytes"}

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(each) for key, each in value.items() if key not in dropped}
        return [without(each) for each in value] if isinstance(value, list) else value

    return [without(item.model_dump(mode="json")) for item in items]


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equal, but for measures that an encoder moves a little."""
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=SHARE, abs=SHARE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def every_file(items: list[Item]) -> list[Any]:
    return [ref for item in items for ref in files_of(item)]


def show_the_same(one: Path, other: Path) -> bool:
    """Whether two clips show and sound the same when they are decoded."""
    left, right = load_footage(one), load_footage(other)
    if (left.count, left.rate, left.sound is None) != (right.count, right.rate, right.sound is None):
        return False
    pairs = zip(left.pictures(), right.pictures(), strict=True)
    if any(a.shape != b.shape or np.abs(a.astype(float) - b).mean() > GREY_LEVELS for a, b in pairs):
        return False
    if left.sound is None or right.sound is None:
        return True
    shorter = min(len(left.sound.samples), len(right.sound.samples))
    apart = left.sound.samples[:shorter] - right.sound.samples[:shorter]
    return bool(np.sqrt(np.mean(apart**2)) < SAMPLES)


@pytest.mark.parametrize("name", NAMES)
def test_items_are_read_and_marked_without_recipe_and_stage(name: str) -> None:
    found = registry.benchmark(name)
    starts = [file for file in STARTS if file != WORLD]  # a world may draw with the stage
    reached = reached_from([path for file in starts if (path := found.folder / file).is_file()], found)
    assert not [module for module in reached if module.startswith("cutscore.stage") or module.endswith(".build")]
    authoring = [module for module in reached if module.startswith("cutscore.authoring.")]
    assert authoring == (["cutscore.authoring.packs"] if name in MADE else [])
