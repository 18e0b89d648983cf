"""Filming anew: where things go when the camera comes closer, tilts, leans, bends, pans."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.assembly.framing import ROOM, Reframing, frame_footage, frame_picture, grid, map_places
from cutscore.core.errors import BadInput
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels

SIZE = (96, 54)


@pytest.fixture(scope="module")
def bars() -> Pixels:
    """Grey, 240×135, with a white bar down the middle, 12 pixels wide, and a black one to the right of it."""
    pixels = np.full((135, 240, 3), 128, np.uint8)
    pixels[:, 114:126] = 255
    pixels[:, 150:162] = 0
    return pixels


def width_of(row: Pixels) -> float:
    """Pixels of white, those that are half of it counted as halves."""
    return float(np.clip((row[:, 0].astype(float) - 128) / 127, 0, 1).sum())


def test_every_framing_has_room_around_it(bars: Pixels) -> None:
    plain = frame_picture(bars, Reframing(), size=SIZE)
    assert plain.shape == (54, 96, 3)
    assert width_of(plain[27]) == pytest.approx(12 * 96 / 240 * ROOM, abs=1)


def test_closer_is_larger_and_a_low_angle_narrows_the_top(bars: Pixels) -> None:
    plain, close, low, high = (
        frame_picture(bars, framing, size=SIZE)
        for framing in (Reframing(), Reframing(zoom=2), Reframing(tilt=0.2), Reframing(tilt=-0.2))
    )
    assert width_of(close[27]) == pytest.approx(2 * width_of(plain[27]), abs=1)
    assert width_of(low[1]) < width_of(low[27]) < width_of(low[-2])
    assert width_of(high[1]) > width_of(high[27]) > width_of(high[-2])


def test_a_camera_that_leans_to_the_right_makes_things_lean_to_the_left(bars: Pixels) -> None:
    leaning = frame_picture(bars, Reframing(roll=8), size=SIZE)

    def middle(row: int) -> float:
        return float(np.flatnonzero(leaning[row, :, 0] > 200).mean())

    assert middle(2) < middle(27) < middle(-3)


def test_a_wide_lens_swells_the_middle_and_a_long_one_softens_the_rim(bars: Pixels) -> None:
    plain, wide, soft = (
        frame_picture(bars, framing, size=SIZE) for framing in (Reframing(), Reframing(bend=0.2), Reframing(blur=12))
    )
    assert width_of(wide[27]) > width_of(plain[27])
    assert width_of(wide[1]) < width_of(wide[27])
    edges = [np.abs(np.diff(each[:, :, 0].astype(int), axis=1)).max(axis=1) for each in (plain, soft)]
    assert edges[1][27] > 0.8 * edges[0][27]  # the bar in the middle stays sharp
    assert np.array_equal(plain[27, 40:56], soft[27, 40:56])


def test_a_pan_to_the_right_moves_things_to_the_left_around_the_middle(bars: Pixels) -> None:
    source = Footage(lambda: iter([bars] * 5), 5, Fraction(8), None)
    panned = frame_footage(source, Reframing(pan=0.2), size=SIZE)
    places = [float(np.flatnonzero(each[27, :, 0] > 200).mean()) for each in panned.pictures()]
    assert places == sorted(places, reverse=True)
    assert places[0] - places[-1] == pytest.approx(0.2 * 96, abs=1)
    assert places[2] == pytest.approx(47.5, abs=1)
    assert (panned.count, panned.sound) == (5, None)


def test_a_push_is_as_close_in_the_middle_as_it_was(bars: Pixels) -> None:
    assert Reframing(zoom=2, push=1.44).at(0).zoom == 2
    assert Reframing(push=1.44).at(0.5).zoom == pytest.approx(1.2)
    assert Reframing(push=1.44).at(-0.5).zoom == pytest.approx(1 / 1.2)


@pytest.mark.parametrize("bold", [Reframing(zoom=0.7), Reframing(pan=0.6), Reframing(roll=30), Reframing(bend=2.0)])
def test_a_camera_does_not_look_past_the_edge(bars: Pixels, bold: Reframing) -> None:
    with pytest.raises(BadInput, match="looks past the edge of the footage"):
        frame_picture(bars, bold.at(0.5), size=SIZE)


def test_a_bend_keeps_the_mean_scale() -> None:
    across, down = grid(64, 36)
    x, y = map_places(across, down, Reframing(bend=0.3), aspect=36 / 64)
    assert float((x * across + y * down).sum() / (across**2 + down**2).sum()) == pytest.approx(1, abs=0.1)
    flat = map_places(across, down, replace(Reframing(bend=0.3), bend=0.0), aspect=36 / 64)
    assert np.array_equal(flat[0], across)
