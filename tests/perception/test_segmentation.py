"""One picture taken apart: what stands out, and what does not."""

import sys
from pathlib import Path

import cv2
import numpy as np

from cutscore.perception.segmentation import EDGE, Segmentation, segment_picture

sys.path.append(str(Path(__file__).parent))

from drawing import HEIGHT, RGB, WIDTH, graded, plain, put, textured  # lies beside this file


def centres(seen: Segmentation) -> list[tuple[int, int]]:
    return sorted((round(region.centre[0]), round(region.centre[1])) for region in seen.regions)


def three(background: np.ndarray) -> np.ndarray:
    """A red circle at (30, 30), a yellow square at (80, 60), a blue ellipse at (130, 30)."""
    picture = put(background, "circle", "red", (30, 30))
    picture = put(picture, "square", "yellow", (80, 60))
    return put(picture, "ellipse", "blue", (130, 30), 11)


def test_things_stand_out_from_plain_graded_and_textured_backgrounds() -> None:
    for background in (plain(), plain((30, 40, 60)), graded(), textured(3)):
        assert centres(segment_picture(three(background))) == [(30, 30), (80, 60), (130, 30)]


def test_noise_does_not_hide_them_and_is_no_thing() -> None:
    noise = np.random.default_rng(4)
    for strength in (8, 20):
        noisy = (three(graded()) + noise.normal(0, strength, (HEIGHT, WIDTH, 3))).clip(0, 255).astype(np.uint8)
        assert centres(segment_picture(noisy)) == [(30, 30), (80, 60), (130, 30)]
    assert segment_picture(noise.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)).regions == ()


def test_what_counts_as_an_edge_rises_with_the_noise() -> None:
    noise = np.random.default_rng(5).normal(0, 60, (HEIGHT, WIDTH, 3))
    assert segment_picture(plain()).edge == EDGE
    assert segment_picture((plain() + noise).clip(0, 255).astype(np.uint8)).edge > 2 * EDGE


def test_backgrounds_alone_have_no_things() -> None:
    two_parts = plain()
    two_parts[60:] = (90, 120, 80)
    for background in (plain(), graded(), textured(5), two_parts):
        assert segment_picture(background).regions == ()


def test_a_soft_shadow_is_no_thing() -> None:
    shade = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(shade, (84, 52), (12, 5), 0, 0, 360, 0.35, -1)
    shaded = (plain() * (1 - cv2.GaussianBlur(shade, (0, 0), 4))[..., None]).astype(np.uint8)
    assert centres(segment_picture(put(shaded, "circle", "red", (80, 40)))) == [(80, 40)]


def test_the_inside_of_a_ring_is_background() -> None:
    hole = np.hypot(*np.mgrid[-45:45, -80:80]) < 10
    for background in (plain(), graded()):
        ring = np.where(hole[..., None], background, put(background.copy(), "circle", "green", (80, 45), 20))
        seen = segment_picture(ring)
        assert len(seen.regions) == 1
        assert not seen.regions[0].mask[20, 20]


def test_two_that_touch_are_two_and_say_so() -> None:
    picture = put(put(plain(), "square", "red", (60, 45), 14), "square", "blue", (80, 45), 14)
    seen = segment_picture(picture)
    assert [region.covered for region in seen.regions] == [True, True]


def test_what_a_side_cuts_off_says_so() -> None:
    seen = segment_picture(put(put(plain(), "circle", "red", (0, 45), 12), "circle", "blue", (90, 45), 12))
    assert [region.cut_off for region in sorted(seen.regions, key=lambda region: region.centre)] == [True, False]


def test_a_patch_is_measured() -> None:
    (region,) = segment_picture(put(plain(), "square", "green", (80, 45), 14)).regions
    red, green, blue = RGB["green"]
    expected = cv2.cvtColor(np.float32([[[red, green, blue]]]) / 255, cv2.COLOR_RGB2Lab)[0, 0]
    assert np.linalg.norm(region.lab - expected) < 2
    assert abs(region.area - 400) < 60
    assert region.mask.shape == (region.box[3] - region.box[1], region.box[2] - region.box[0])
    assert region.mask.sum() == region.area
