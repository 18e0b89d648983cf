"""What was done to a picture is found again from the pixels: how close, which angle, which lens, where."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.assembly.framing import Reframing, frame_picture
from cutscore.benchmarks.assembly.framing_estimate import FramingDifference, compare_framing, estimate_change
from cutscore.media.orientation import Pixels
from cutscore.stage import library
from cutscore.stage.render import frame

SIZE = (128, 72)


@pytest.fixture(scope="module")
def scene() -> Pixels:
    """Forty boxes of drawn colours on grey, 384×216."""
    draw = np.random.default_rng(7)
    pixels = np.full((216, 384, 3), 120, np.uint8)
    for _ in range(40):
        left, top = int(draw.integers(0, 340)), int(draw.integers(0, 190))
        wide, tall = draw.integers(12, 60, 2).tolist()
        pixels[top : top + tall, left : left + wide] = draw.integers(0, 256, 3)
    return pixels


FRAMINGS = {
    "closer": (Reframing(zoom=1.45), 0.372, 0.02),
    "tilt": (Reframing(tilt=0.16), 0.16, 0.02),
    "roll": (Reframing(roll=-8), -8.0, 0.5),
    "bend": (Reframing(bend=0.2), 0.2, 0.02),
    "right": (Reframing(pan=0.1), 0.1, 0.01),
}
_TOLERANCES = {"closer": 0.03, "tilt": 0.03, "roll": 1.0, "bend": 0.04, "right": 0.02, "down": 0.02, "softer": 0.4}


@pytest.mark.parametrize("name", FRAMINGS)
def test_one_change_is_found_and_no_other(scene: Pixels, name: str) -> None:
    framing, amount, within = FRAMINGS[name]
    one, other = frame_picture(scene, Reframing(), size=SIZE), frame_picture(scene, framing, size=SIZE)
    there = estimate_change(one, other)
    assert getattr(there, name) == pytest.approx(amount, abs=within)
    assert there.match > 0.9
    for quantity, tolerance in _TOLERANCES.items():
        assert quantity == name or abs(getattr(there, quantity)) < tolerance, quantity


def test_what_is_nearer_in_one_is_farther_in_the_other(scene: Pixels) -> None:
    near, far = frame_picture(scene, Reframing(zoom=1.45), size=SIZE), frame_picture(scene, Reframing(), size=SIZE)
    assert estimate_change(near, far).closer == pytest.approx(-0.372, abs=0.02)


def test_a_soft_rim_is_softer_and_light_is_no_change(scene: Pixels) -> None:
    plain = frame_picture(scene, Reframing(), size=SIZE)
    soft = estimate_change(plain, frame_picture(scene, Reframing(blur=12), size=SIZE))
    assert soft.softer > 0.5
    assert abs(soft.bend) < 0.02
    darker = estimate_change(plain, (plain * 0.7).astype(np.uint8))
    assert max(abs(getattr(darker, name)) for name in ("closer", "tilt", "bend", "right")) < 0.01


def test_a_shift_is_found_where_many_things_look_alike() -> None:
    """A forest, in which every tree could be its neighbour."""
    size = {"width": 384, "height": 216, "rate": Fraction(10)}
    forest = frame(library.scene("treasure", seed=1, length_s=10).model_copy(update=size), 29)
    found = estimate_change(
        frame_picture(forest, Reframing(), size=SIZE), frame_picture(forest, Reframing(pan=0.1), size=SIZE)
    )
    assert found.right == pytest.approx(0.1, abs=0.01)
    assert abs(found.closer) < 0.02


def test_pictures_of_other_things_do_not_match(scene: Pixels) -> None:
    one = frame_picture(scene, Reframing(), size=SIZE)
    assert estimate_change(one, one[::-1, ::-1].copy()).match < 0.6


def test_a_moving_camera_differs_by_motion_alone(scene: Pixels) -> None:
    def filmed(framing: Reframing) -> Sequence[Pixels]:
        return [frame_picture(scene, framing.at(progress), size=SIZE) for progress in (-0.5, 0.5)]

    found = compare_framing(filmed(Reframing()), filmed(Reframing(push=1.35)))
    assert isinstance(found, FramingDifference)
    assert found.moves_closer == pytest.approx(0.3, abs=0.02)
    assert abs(found.closer) < 0.01
    assert abs(found.moves_right) < 0.01
