"""Planted edits are recovered from the film alone: places and joins within two frames, and what is of no source."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import cv2
import numpy as np
import pytest

from cutscore.benchmarks.repair.edits.effects import black_out, freeze, mute
from cutscore.benchmarks.repurpose.source_map import runs as source_runs
from cutscore.benchmarks.repurpose.source_map.mapping import map_film
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.timeline import Span
from cutscore.media.edit import change_speed, join_footage, replace_sound, trim
from cutscore.media.footage import change_pictures, hold_picture, load_footage, write_footage

TWO_FRAMES_S = Fraction(2, 12)


@pytest.fixture(scope="module")
def films(pancakes, lost_kite, tmp_path_factory):
    """Two sources of 5 s, as footage and as files."""
    folder = tmp_path_factory.mktemp("sources")
    for name, footage in (("pancakes", pancakes), ("kite", lost_kite)):
        write_footage(footage, folder / f"{name}.mp4")
    return pancakes, lost_kite, {name: folder / f"{name}.mp4" for name in ("pancakes", "kite")}


def part(footage, start_s, end_s):
    return trim(footage, Span(start_s=start_s, end_s=end_s))


def each(footage, change):
    return change_pictures(footage, lambda pictures: map(change, pictures))


def title(count=12):
    """White letters on black: nothing that a source has."""
    letters = np.random.default_rng(1).integers(0, 2, (8, 22, 1)) * np.full(3, 220)
    picture = np.zeros((72, 128, 3), np.uint8)
    picture[20:52, 20:108] = letters.repeat(4, 0).repeat(4, 1)
    return hold_picture(picture, count=count, rate=Fraction(12))


def upright(pixels):
    """The middle of the picture, 9:16."""
    return np.ascontiguousarray(pixels[:, 44:84])


def barred(pixels):
    """All of the picture between black bars, of which a third is bars."""
    picture = np.zeros_like(pixels)
    picture[12:60] = cv2.resize(pixels, (128, 48), interpolation=cv2.INTER_AREA)
    return picture


def assert_like(found, *expected):
    """Each piece: kind, seconds until which it lasts, source and seconds from which it shows that one."""
    assert [piece.kind for piece in found.pieces] == [kind for kind, *_ in expected]
    start_s = 0
    for piece, (_, end_s, *place) in zip(found.pieces, expected, strict=True):
        assert abs(piece.out.end_s - Fraction(end_s)) <= TWO_FRAMES_S
        if place:
            late_s = (piece.out.start_s - start_s) * Fraction(piece.speed)
            assert piece.source == place[0]
            assert abs(piece.at.start_s - late_s - Fraction(place[1])) <= TWO_FRAMES_S
        start_s = Fraction(end_s)


def test_cuts_a_title_black_and_a_still_are_found(films, save):
    pancakes, kite, sources = films
    film = join_footage(
        [
            title(),
            part(pancakes, 3, "9/2"),
            part(kite, 1, 2),
            black_out(part(kite, 2, 3), Span(start_s=0, end_s=1)),
            part(pancakes, 0, 1),
            freeze(part(kite, 3, "9/2"), Span(start_s=0, end_s="3/2")),
        ]
    )
    found = map_film(save(film, crf=26), sources)
    kinds = ("new", 1), ("source", "5/2", "pancakes", 3), ("source", "7/2", "kite", 1), ("blank", "9/2")
    assert_like(found, *kinds, ("source", "11/2", "pancakes", 0), ("frozen", 7))
    assert found.from_source == pytest.approx(3.5 / 7, abs=0.03)
    assert found.coverage == pytest.approx(3.5 / 10, abs=0.03)
    assert (found.frozen, found.padded) == (pytest.approx(1.5 / 7, abs=0.03), pytest.approx(1 / 7, abs=0.03))
    assert found.letterboxed == 0
    assert found.heard == 1
    assert [piece.sound for piece in found.pieces] == ["silent", "own", "own", "elsewhere", "own", "elsewhere"]


@pytest.mark.real
def test_a_still_of_a_real_film_is_found(sample_film, save, tmp_path):
    def smaller(pixels):
        return cv2.resize(pixels, (320, 180), interpolation=cv2.INTER_AREA)

    source = each(load_footage(sample_film), smaller)
    write_footage(source, tmp_path / "source.mp4")
    sources = {"source": tmp_path / "source.mp4"}
    for crf in (18, 28):
        assert map_film(save(source, crf=crf), sources).frozen == 0
    held = map_film(save(freeze(source, Span(start_s="5/2", end_s=5)), crf=23), sources)
    assert held.frozen == pytest.approx(2.5 / 5.28, abs=0.03)


def test_an_upright_cut_of_a_wide_film_is_found(films, save):
    pancakes, kite, sources = films
    found = map_film(save(each(join_footage([part(kite, 1, 3), part(pancakes, 2, 4)]), upright)), sources)
    assert_like(found, ("source", 2, "kite", 1), ("source", 4, "pancakes", 2))
    assert (found.letterboxed, found.ungrounded) == (0, False)


@pytest.mark.real
def test_bars_are_found_and_measured_where_the_source_has_none(films, save):
    pancakes, _, sources = films
    found = map_film(save(each(part(pancakes, 1, 3), barred)), sources)
    assert_like(found, ("source", 2, "pancakes", 1))
    assert found.letterboxed == pytest.approx(1 / 3, abs=0.03)


@pytest.mark.real
@pytest.mark.parametrize("speed", ["1/2", "4/5", "3/2", "2"])
def test_other_speeds_are_found(films, save, speed):
    pancakes, kite, sources = films
    fast = change_speed(part(pancakes, 1, 4), Fraction(speed))
    found = map_film(save(join_footage([part(kite, 0, 1), fast])), sources)
    assert_like(found, ("source", 1, "kite", 0), ("source", 1 + 3 / Fraction(speed), "pancakes", 1))
    assert found.pieces[1].speed == pytest.approx(float(Fraction(speed)))
    assert not found.pieces[1].heard


@pytest.mark.real
@pytest.mark.parametrize("sound", ["silent", "foreign", "elsewhere"])
def test_sound_that_is_not_the_source_s_own(films, save, sound):
    pancakes, kite, sources = films
    shown = part(pancakes, 1, 3)
    murmur = replace(shown.sound, samples=np.random.default_rng(9).normal(0, 0.1, 96_000).astype(np.float32))
    film = {
        "silent": mute(shown, Span(start_s=0, end_s=2)),
        "foreign": replace_sound(shown, murmur),
        "elsewhere": replace_sound(shown, kite.sound),
    }[sound]
    found = map_film(save(film), sources)
    assert [piece.sound for piece in found.pieces] == [sound]
    assert (found.heard, found.from_source) == (0, 1)


@pytest.mark.real
def test_what_is_of_no_source_is_ungrounded(films, save):
    pancakes, _, sources = films
    found = map_film(save(title(24)), {"kite": sources["kite"]})
    assert (found.ungrounded, found.from_source, found.coverage, found.heard) == (True, 0, 0, 0)
    flat = hold_picture(np.full((72, 128, 3), 90, np.uint8), count=12, rate=Fraction(12))
    found = map_film(save(join_footage([flat, part(pancakes, 0, 1)])), sources)
    assert_like(found, ("blank", 1), ("source", 2, "pancakes", 0))
    assert not found.ungrounded  # half is just enough


@pytest.mark.real
@pytest.mark.parametrize("seed", range(8))
def test_any_planted_edit_is_recovered(films, save, seed):
    """Two to five pieces, of one source and the other by turns, in any order and as coarse as encoders are."""
    draw = Random(seed)
    pancakes, kite, sources = films
    parts, expected, end_s = [], [], Fraction(0)
    for number in range(draw.randint(2, 5)):
        name, footage = (("pancakes", pancakes), ("kite", kite))[number % 2]
        start_s, length_s = Fraction(draw.randrange(0, 36), 12), Fraction(draw.randrange(12, 24), 12)
        end_s += length_s
        parts.append(part(footage, start_s, start_s + length_s))
        expected.append(("source", end_s, name, start_s))
    found = map_film(save(join_footage(parts), crf=draw.choice([18, 28, 34])), sources)
    assert_like(found, *expected)
    assert found.heard > 0.9


@pytest.mark.real
def test_joins_are_refined_to_the_frame_where_pictures_were_thinned(films, save, monkeypatch):
    """As an hour of source would be: every fourth picture is looked at first."""
    pancakes, kite, sources = films
    monkeypatch.setattr(source_runs, "_MOST_STEPS", 2000)
    monkeypatch.setattr(source_runs, "_MOST_WITH_SPEEDS", 500)
    film = join_footage([part(pancakes, "5/12", 2), title(19), part(kite, 1, "35/12")])
    found = map_film(save(film, crf=26), sources)
    assert_like(found, ("source", "19/12", "pancakes", "5/12"), ("new", "19/6"), ("source", "61/12", "kite", 1))
    assert [piece.out.end_s for piece in found.pieces] == [Fraction(19, 12), Fraction(38, 12), Fraction(61, 12)]


def test_what_cannot_be_mapped(films, tmp_path):
    with pytest.raises(BadInput, match="has no source"):
        map_film(tmp_path / "film.mp4", {})
    (tmp_path / "film.mp4").write_text("#EXTM3U\nhttp://127.0.0.1/golden.ts\n")
    with pytest.raises(BrokenData, match=r"film\.mp4"):
        map_film(tmp_path / "film.mp4", films[2])
