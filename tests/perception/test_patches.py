"""One picture taken apart: what stands out, and what does not."""

import sys
from pathlib import Path

import cv2
import numpy as np

from cutscore.perception.patches import EDGE, Seen, take_apart

sys.path.append(str(Path(__file__).parent))

from drawing import HEIGHT, RGB, WIDTH, graded, plain, put, textured  # lies beside this file


def centres(seen: Seen) -> list[tuple[int, int]]:
    return sorted((round(patch.centre[0]), round(patch.centre[1])) for patch in seen.patches)


def three(background: np.ndarray) -> np.ndarray:
    """A red circle at (30, 30), a yellow square at (80, 60), a blue ellipse at (130, 30)."""
    picture = put(background, "circle", "red", (30, 30))
    picture = put(picture, "square", "yellow", (80, 60))
    return put(picture, "ellipse", "blue", (130, 30), 11)


def test_things_stand_out_from_plain_graded_and_textured_backgrounds() -> None:
    for background in (plain(), plain((30, 40, 60)), graded(), textured(3)):
        assert centres(take_apart(three(background))) == [(30, 30), (80, 60), (130, 30)]


def test_noise_does_not_hide_them_and_is_no_thing() -> None:
    noise = np.random.default_rng(4)
    for strength in (8, 20):
        noisy = (three(graded()) + noise.normal(0, strength, (HEIGHT, WIDTH, 3))).clip(0, 255).astype(np.uint8)
        assert centres(take_apart(noisy)) == [(30, 30), (80, 60), (130, 30)]
    assert take_apart(noise.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)).patches == ()


def test_what_counts_as_an_edge_rises_with_the_noise() -> None:
    noise = np.random.default_rng(5).normal(0, 60, (HEIGHT, WIDTH, 3))
    assert take_apart(plain()).edge == EDGE
    assert take_apart((plain() + noise).clip(0, 255).astype(np.uint8)).edge > 2 * EDGE


def test_backgrounds_alone_have_no_things() -> None:
    two_parts = plain()
    two_parts[60:] = (90, 120, 80)
    for background in (plain(), graded(), textured(5), two_parts):
        assert take_apart(background).patches == ()


def test_a_soft_shadow_is_no_thing() -> None:
    shade = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(shade, (84, 52), (12, 5), 0, 0, 360, 0.35, -1)
    shaded = (plain() * (1 - cv2.GaussianBlur(shade, (0, 0), 4))[..., None]).astype(np.uint8)
    assert centres(take_apart(put(shaded, "circle", "red", (80, 40)))) == [(80, 40)]


def test_the_inside_of_a_ring_is_background() -> None:
    hole = np.hypot(*np.mgrid[-45:45, -80:80]) < 10
    for background in (plain(), graded()):
        ring = np.where(hole[..., None], background, put(background.copy(), "circle", "green", (80, 45), 20))
        seen = take_apart(ring)
        assert len(seen.patches) == 1
        assert not seen.patches[0].mask[20, 20]


def test_two_that_touch_are_two_and_say_so() -> None:
    picture = put(put(plain(), "square", "red", (60, 45), 14), "square", "blue", (80, 45), 14)
    seen = take_apart(picture)
    assert [patch.covered for patch in seen.patches] == [True, True]


def test_what_a_side_cuts_off_says_so() -> None:
    seen = take_apart(put(put(plain(), "circle", "red", (0, 45), 12), "circle", "blue", (90, 45), 12))
    assert [patch.cut_off for patch in sorted(seen.patches, key=lambda patch: patch.centre)] == [True, False]


def test_a_patch_is_measured() -> None:
    (patch,) = take_apart(put(plain(), "square", "green", (80, 45), 14)).patches
    red, green, blue = RGB["green"]
    expected = cv2.cvtColor(np.float32([[[red, green, blue]]]) / 255, cv2.COLOR_RGB2Lab)[0, 0]
    assert np.linalg.norm(patch.lab - expected) < 2
    assert abs(patch.area - 400) < 60
    assert patch.mask.shape == (patch.box[3] - patch.box[1], patch.box[2] - patch.box[0])
    assert patch.mask.sum() == patch.area
