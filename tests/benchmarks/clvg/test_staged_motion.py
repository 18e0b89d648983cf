"""clvg: staged physics, logic and continuation. Right films pass, however encoded; each other one fails by name."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.benchmarks.clvg.staged import looking
from cutscore.benchmarks.clvg.staged.films import film_pictures
from cutscore.benchmarks.clvg.staged.kind import StagedCase
from cutscore.benchmarks.clvg.staged.registry import KINDS, find_kind
from cutscore.core.judgement import Weakness
from cutscore.media import deliverable as door
from cutscore.media.footage import Footage, hold_picture
from cutscore.media.frames import Frame
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.media.render import write_clip

NAMES = ["bounces", "collisions", "pouring", "shadows", "maze", "ordering", "cups", "tictactoe", "continuation"]
CASES = [case for name in NAMES for case in KINDS[name].cases]
FIRST = [KINDS[name].cases[0] for name in NAMES]
SPOILT = [(case, code) for case in CASES for code in KINDS[case.kind].plants]


def film_of(case: StagedCase, variant: int = 0) -> Footage:
    return find_kind(case.kind).film(case.settings, variant)


def spoilt(case: StagedCase, code: str) -> Footage:
    return find_kind(case.kind).spoil(case.settings, code)


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> "Look":
    """Verify pictures as they are, without an encoder: what encoders do is seen in the tests with files."""
    return Look(monkeypatch)


class Look:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def __call__(self, case: StagedCase, footage: Footage, *, late: int = 0) -> list[str]:
        shown = list(footage.pictures())[late:]
        frames = [Frame(Fraction(number) / footage.rate, pixels) for number, pixels in enumerate(shown)]

        def read(path: Path, plan: FramePlan) -> list[Frame]:
            return frames

        self.patch.setattr(door, "read_frames", read)
        return codes(find_kind(case.kind).verify(Path("film.mp4"), case.settings))


def codes(found: Sequence[Weakness]) -> list[str]:
    assert all(each.at is not None for each in found)
    return [each.code for each in found]


def verify_file(case: StagedCase, footage: Footage, path: Path, *, crf: int = 28, size: tuple[int, int]) -> list[str]:
    pictures = [cv2.resize(each, size).astype(np.uint8) for each in footage.pictures()]
    write_clip(path, pictures, rate=footage.rate, crf=crf)
    return codes(find_kind(case.kind).verify(path, case.settings))


def slides(footage: Footage) -> Footage:
    """Return the first picture and then the last, as a slide show would."""
    pictures = list(footage.pictures())
    return film_pictures([pictures[0]] * 15 + [pictures[-1]] * 15)


def backwards(footage: Footage) -> Footage:
    return replace(footage, pictures=lambda: iter(list(footage.pictures())[::-1]))


def noise() -> Footage:
    draw = np.random.default_rng(1)
    return film_pictures([draw.integers(0, 256, (180, 320, 3), np.uint8) for _ in range(20)])


def black() -> Footage:
    return hold_picture(np.zeros((180, 320, 3), np.uint8), count=20, rate=Fraction(10))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_right_films_pass_and_differ(case: StagedCase, look: Look) -> None:
    one, other = (film_pictures(list(film_of(case, variant).pictures())) for variant in (0, 1))
    assert look(case, one) == []
    assert look(case, one, late=1) == []
    assert look(case, other) == []
    assert any((a != b).any() for a, b in zip(one.pictures(), other.pictures(), strict=True))


@pytest.mark.parametrize(("case", "code"), SPOILT, ids=[f"{case.name}-{code}" for case, code in SPOILT])
def test_a_planted_weakness_is_named_and_no_other(case: StagedCase, code: str, look: Look) -> None:
    assert look(case, spoilt(case, code)) == [code]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_film_that_stands_still_or_runs_backwards_fails(case: StagedCase, look: Look) -> None:
    right = film_pictures(list(film_of(case).pictures()))
    held = hold_picture(next(right.pictures()), count=right.count, rate=right.rate)
    assert look(case, held) == ["frozen"]
    assert look(case, slides(right)) == ["frozen"]
    assert look(case, backwards(right))


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_black_and_noise_fail(case: StagedCase, look: Look) -> None:
    assert look(case, black()) == ["frozen"]
    assert look(case, noise())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_film_of_another_case_fails(case: StagedCase, look: Look) -> None:
    others = [other for other in KINDS[case.kind].cases if other != case] or [CASES[0]]
    assert [other.name for other in others if not look(case, film_of(other))] == []


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_a_coarse_film_in_another_size_passes_as_well(case: StagedCase, tmp_path: Path) -> None:
    assert verify_file(case, film_of(case, 1), tmp_path / "film.mp4", size=(480, 270)) == []


@pytest.mark.real
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_do_not_depend_on_the_encoder(case: StagedCase, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    for variant in (0, 1):
        for size, crf in (((480, 270), 28), ((256, 144), 30), ((320, 180), 18)):
            assert verify_file(case, film_of(case, variant), path, crf=crf, size=size) == []
    for code in KINDS[case.kind].plants:
        assert verify_file(case, spoilt(case, code), path, size=(480, 270)) == [code]


@pytest.mark.real
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_film_of_any_other_case_passes(case: StagedCase, look: Look) -> None:
    every = [other for kind in KINDS.values() for other in kind.cases if other.name != case.name]
    assert [other.name for other in every if not look(case, film_of(other))] == []


def test_what_is_not_seen_has_no_place() -> None:
    empty: Pixels = np.full((180, 320, 3), 200, np.uint8)
    film = looking.WatchedFilm((empty, empty), (Fraction(0), Fraction(1, 10)))
    assert not looking.follow_colours(film, ["red"])["red"].seen.any()


def test_a_disc_is_found_where_it_is(tmp_path: Path) -> None:
    picture = np.full((180, 320, 3), 200, np.uint8)
    cv2.circle(picture, (100, 60), 12, (214, 58, 56), -1)
    film = looking.WatchedFilm((picture,), (Fraction(0),))
    track = looking.follow_colours(film, ["red", "blue"])["red"]
    assert (track.x[0], track.y[0]) == pytest.approx((502.5, 302.5), abs=3)
    assert track.width[0] == pytest.approx(125, abs=6)
    assert not looking.follow_colours(film, ["blue"])["blue"].seen[0]
