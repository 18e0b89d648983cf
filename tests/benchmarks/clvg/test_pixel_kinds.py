"""Perception, element editing and partial reference on the stage: right films pass, others have their weakness."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.benchmarks.clvg.staged.kind import StagedCase, StagedKind
from cutscore.benchmarks.clvg.staged.registry import find_kind
from cutscore.media.footage import Footage, hold_picture, write_footage
from cutscore.media.orientation import Pixels
from cutscore.store import Store

NAMES = (
    *("enhancement", "edge_drawing", "segmentation", "keypoints", "inpainting", "element_edits"),
    *("style_reference", "subject_motion", "camera_motion", "sound_effects"),
)
# Those whose verifier goes another way than that of the case before it.
CASES = [
    (name, case)
    for name in NAMES
    for case in find_kind(name).cases
    if case.name not in ("add-star", "star-for-crate", "grey-road", "pan-garden", "film-like-that")
]
FIRSTS = [(name, find_kind(name).cases[0]) for name in NAMES]


def codes(kind: StagedKind, case: StagedCase, made: Footage, path: Path, *, crf: int = 18) -> set[str]:
    """What the verifier names in a film, as an MP4."""
    write_footage(made, path, crf=crf, preset="ultrafast")
    return {weakness.code for weakness in kind.verify(path, case.settings)}


def enlarge(made: Footage) -> Footage:
    """The same film in another size."""
    return replace(made, pictures=lambda: (cv2.resize(each, (480, 270)) for each in made.pictures()))


def reverse(made: Footage) -> Footage:
    """The same pictures from the last to the first."""
    return replace(made, pictures=lambda: iter(list(made.pictures())[::-1]))


def draw_noise(made: Footage) -> Iterator[Pixels]:
    """Pictures of nothing."""
    draw = np.random.default_rng(1)
    return (draw.integers(0, 256, (180, 320, 3)).astype(np.uint8) for _ in range(made.count))


@pytest.mark.parametrize(("name", "case"), CASES, ids=[case.name for _, case in CASES])
def test_right_films_pass_and_planted_ones_have_their_weakness_alone(
    name: str, case: StagedCase, tmp_path: Path
) -> None:
    kind, path = find_kind(name), tmp_path / "film.mp4"
    assert codes(kind, case, kind.film(case.settings, 0), path) == set()
    assert codes(kind, case, enlarge(kind.film(case.settings, 1)), path, crf=28) == set()
    for code in kind.plants:
        assert codes(kind, case, kind.spoil(case.settings, code), path, crf=26) == {code}


@pytest.mark.parametrize(("name", "case"), FIRSTS, ids=NAMES)
def test_what_makes_no_film_of_it_fails(name: str, case: StagedCase, tmp_path: Path) -> None:
    kind, path = find_kind(name), tmp_path / "film.mp4"
    right = kind.film(case.settings, 0)
    still = hold_picture(next(right.pictures()), count=right.count, rate=right.rate)
    short = replace(right, pictures=lambda: iter(list(right.pictures())[:8]), count=8, sound=None)
    for wrong in (still, reverse(right), short, replace(right, pictures=lambda: draw_noise(right))):
        assert codes(kind, case, wrong, path)


@pytest.mark.parametrize(("name", "case"), FIRSTS, ids=NAMES)
def test_handing_back_the_context_fails(name: str, case: StagedCase, tmp_path: Path) -> None:
    kind, store = find_kind(name), Store(tmp_path / "store")
    given = kind.context(case.settings, store)
    assert {part.file for part in given.parts} == {file.name for file in given.files}
    for file in given.files:
        if file.media_type == "video/mp4":
            assert kind.verify(store.path(file), case.settings)


def test_the_film_of_another_case_fails(tmp_path: Path) -> None:
    for (name, case), (other, strange) in zip(FIRSTS, [*FIRSTS[1:], FIRSTS[0]], strict=True):
        made = find_kind(other).film(strange.settings, 0)
        assert codes(find_kind(name), case, replace(made, rate=Fraction(10)), tmp_path / "film.mp4")
